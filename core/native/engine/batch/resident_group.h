// SPDX-License-Identifier: MIT
// Resident worlds: worlds whose state stays in the lanes from step to step.
//
// If no bodies touch or come near each other, and only motion is required, a step of a small world
// is pure arithmetic: then the whole step is done side by side (mechanisms/resident_lanes.h), and
// the worlds themselves are written only when they are read; of bodies that may meet others the
// boxes are updated after each step. A world leaves before a step in which it needs more, and when
// it is changed, and enters again after a step of its own. The lanes of absent worlds repeat those
// of a present one.
#ifndef RIGID_ENGINE_BATCH_RESIDENT_GROUP_H
#define RIGID_ENGINE_BATCH_RESIDENT_GROUP_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/batch/lane_kind.h"
#include "engine/mechanisms/batch_state.h"
#include "engine/world.h"

namespace rigid {

// The memory of a LaneTask.
class LaneScratch {
 public:
  void* reserve(std::size_t size) {
    std::byte* memory = bytes_.reserve(size + alignment);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return memory + (alignment - address % alignment) % alignment;
  }

 private:
  static constexpr std::size_t alignment = 64;
  Scratch bytes_;
};

class ResidentGroup {
 public:
  // Worlds that may reside here; the number of lanes is the smallest one that holds them all.
  explicit ResidentGroup(std::span<const std::unique_ptr<World>> worlds);
  explicit ResidentGroup(World& alone);
  ResidentGroup(const ResidentGroup&) = delete;
  // Writes the present state to the worlds.
  ~ResidentGroup();

  int size() const { return static_cast<int>(lanes_.size()); }
  // Whether any world resides, and whether this one does.
  bool holds() const { return inside_ > 0; }
  bool holds(int lane) const { return lanes_[lane].inside; }
  // Whether it has done a step since it was changed.
  bool is_ready(int lane) const { return lanes_[lane].ready; }
  bool is_full() const { return inside_ == size(); }
  // Admits worlds that have done a step since they were changed, where the coming one consists of
  // the motion of mechanisms and forces. `model` is replaced by theirs if it does not fit.
  void admit(std::shared_ptr<const LaneModel>& model);
  // Whether a world that does not reside may take the step in its lane that it is to begin: it is
  // not pushed by anything but its sources.
  bool is_unpushed(int lane) const;
  // Admits such a world, which has begun the step, to take it in its lane.
  bool admit_begun(int lane, std::shared_ptr<const LaneModel>& model);
  // Takes up to this many steps; returns how many were done before one that is not for lanes in
  // some worlds, which leave.
  int step(LaneTask& task, int steps);
  // Writes the present state to the worlds, for reading.
  void write_back();
  void write_back(int lane);
  // A world is changed: it resides no longer.
  void leave(int lane);
  // The same of a world that is to get another state: its own one is not written to it.
  void discard(int lane);
  // A force of a world has other values.
  void take_force(int lane, int index);
  // The resident values of a force; null if this world does not reside, or the force does not act
  // in each step. Changes of them are written to the world with the rest of its state.
  BatchState::Source* source_of(int lane, int index);
  // Sets a motor of a resident world; false, without a change, if it does not reside or needs rows
  // of another kind.
  bool set_motor(int lane, int index, float target, float maximum);
  // Reads channels (channels.h) of a resident world into `out`, if its lane has them all.
  bool sample(int lane, std::span<const int32_t> codes, double* out);
  // Called after a step of the worlds that do not reside.
  void note_step();

 private:
  struct Lane {
    World* world;
    WorldParts* parts;
    bool inside = false;
    bool ready = false;   // it has done a step since it was changed
    int waits = 0;        // steps without a test for entering
    int stayed = 0;       // steps since it entered
    int ahead = 0;        // steps that are not written to the world yet
    bool forced = false;  // its forces have values that are not written yet
    bool meets = false;   // some of its bodies may meet others
    bool renews = false;  // its mechanisms begin anew in the next step
  };

  static bool may_enter(const WorldParts& world);
  bool enter(int lane, std::shared_ptr<const LaneModel>& model);
  bool find_sources(const WorldParts& world, std::vector<BatchState::Source>& found) const;
  void found_home(const WorldParts& world);
  void take_bodies(int lane, const WorldParts& world);
  void take_source(int lane, const WorldParts& world, BatchState::Source& source) const;
  bool read_motion(int lane, std::span<const int32_t> codes, double* out) const;
  void write_places(int lane, WorldParts& world) const;
  void write_bodies(int lane, WorldParts& world) const;
  bool step_one(LaneTask& task);
  void note_steps(int done);
  uint32_t find_pairs();
  void move_boxes(int lane);
  void put_out(int lane);
  void put_out_failed();
  void repeat_other(int lane);
  void fill_empty();
  void copy_lane(int from, int to);

  // A body's centre of mass in its own coordinates, for each lane.
  struct Center {
    Vec2 at[LaneTask::most_width];
  };

  int width_;
  std::vector<Lane> lanes_;
  std::vector<Center> centers_;  // of the awake bodies, by their places
  std::vector<int> places_;      // of the awake bodies, by body; -1 for others
  BatchState state_;
  std::vector<BatchState::Source> found_;  // of the world that is tested
  std::vector<Broadphase::Pair> pairs_;
  std::shared_ptr<const LaneModel> model_;
  int inside_ = 0;
  bool stale_ = false;  // some empty lanes have states that were discarded
};

}  // namespace rigid

#endif
