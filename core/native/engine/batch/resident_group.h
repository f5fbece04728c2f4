// SPDX-License-Identifier: MIT
// Resident worlds: worlds whose state stays in the lanes from step to step.
//
// If no bodies touch or come near each other, and only motion is required, a step of a small world
// is pure arithmetic: then the whole step is done side by side (mechanisms/resident_lanes.h), and
// the worlds themselves are written only when they are read. All of them leave before a step in
// which one of them needs more.
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

  // Loads the worlds, which are alike and have ended a step side by side; returns whether it could.
  // `model` is replaced by theirs if it does not fit.
  bool enter(std::shared_ptr<const LaneModel>& model);
  bool holds() const { return holds_; }
  int size() const { return static_cast<int>(worlds_.size()); }
  // Takes up to this many steps; returns how many were done before one that is not for lanes.
  int step(LaneTask& task, int steps);
  // Writes the present state to the worlds, for reading.
  void write_back();
  // The same for changes: the worlds are no longer resident.
  void leave();
  // Called after a step outside the lanes: whether all worlds were solved side by side.
  void note_step(bool together) { ready_ = together; }

 private:
  static bool may_enter(const WorldParts& world);
  void take_bodies(int lane, const WorldParts& world);
  void write_bodies(int lane, WorldParts& world) const;

  std::vector<WorldParts*> worlds_;
  BatchState state_;
  std::shared_ptr<const LaneModel> model_;
  bool holds_ = false;
  bool ready_ = false;  // the last step was one for lanes, and the worlds have not changed since
  int waits_ = 0;       // steps without a test for entering
  int stayed_ = 0;      // steps since they entered
  int ahead_ = 0;       // steps that are not written to the worlds yet
};

}  // namespace rigid

#endif
