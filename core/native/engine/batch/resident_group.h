// SPDX-License-Identifier: MIT
// Worlds whose state stays in the lanes from step to step.
//
// Where nothing touches or comes near anything, and nothing but motion is asked for, a step of a
// small world is arithmetic alone: then all of it is done side by side
// (mechanisms/resident_lanes.h), and the worlds themselves are written only when they are read. All
// leave before a step in which more happens in one of them.
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
  using Worlds = std::span<const std::unique_ptr<World>>;
  explicit ResidentGroup(Worlds worlds) {
    for (const std::unique_ptr<World>& world : worlds) worlds_.push_back(&world->parts_to_step());
  }
  explicit ResidentGroup(World& alone) : worlds_{&alone.parts_to_step()} {}
  ResidentGroup(const ResidentGroup&) = delete;

  // Takes in the worlds, which are alike and have ended a step side by side; whether it could.
  // `model` becomes theirs where it does not fit.
  bool enter(std::shared_ptr<const LaneModel>& model);
  bool holds() const { return holds_; }
  int size() const { return static_cast<int>(worlds_.size()); }
  // Up to so many steps; how many were done before one that is not for lanes.
  int step(LaneTask& task, int steps);
  // The worlds as they are now, to be read.
  void write_back();
  // The same, to be changed: they are no longer here.
  void leave();
  // After a step that was done elsewhere: whether it was done by all side by side.
  void note_step(bool together) { ready_ = together; }

 private:
  static bool may_enter(const WorldParts& world);
  void take_bodies(int lane, const WorldParts& world);
  void write_bodies(int lane, WorldParts& world) const;

  std::vector<WorldParts*> worlds_;
  BatchState state_;
  std::shared_ptr<const LaneModel> model_;
  bool holds_ = false;
  bool ready_ = false;  // the last step was one for lanes, and nobody has changed the worlds since
  int waits_ = 0;       // steps in which nobody asks whether they may enter
  int stayed_ = 0;      // steps since they entered
  int ahead_ = 0;       // steps that are not in the worlds yet
};

}  // namespace rigid

#endif
