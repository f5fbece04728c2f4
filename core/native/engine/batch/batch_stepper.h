// SPDX-License-Identifier: MIT
// The stepper of many small worlds of one scene: each lane of the processor steps another world.
//
// The begin and the end of a step are done for each world separately; the substeps between, which
// are forces, mechanisms and motion if there are no contacts, for all of them together
// (mechanisms/system_lanes.h). Neighbours that are all alike take all their steps while they are in
// the cache. After they differ, worlds that are alike are found in each step among all the worlds
// of a piece, and are solved together as soon as they fill the lanes; the others are solved alone
// in it. Each world has the bits that it has alone.
#ifndef RIGID_ENGINE_BATCH_BATCH_STEPPER_H
#define RIGID_ENGINE_BATCH_BATCH_STEPPER_H

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/batch/resident_group.h"
#include "engine/mechanisms/lane_task.h"
#include "engine/world.h"

namespace rigid {

class BatchStepper {
 public:
  using Worlds = std::span<const std::unique_ptr<World>>;
  // The number of worlds like this that are solved side by side; 1: each alone.
  static int width_for(const World& world);

  explicit BatchStepper(const World& like);
  // Steps any number of worlds, each by this many steps; returns whether none has stopped on an
  // error. `residents` has a place for each group of
  // neighbours, at the index of its first world.
  using Residents = std::span<std::unique_ptr<ResidentGroup>>;
  bool step(Worlds worlds, Residents residents, int steps);

 private:
  // Worlds at the beginning of their substeps that differ only in their values.
  using Alike = std::vector<World*>;
  // The pools of worlds that have begun to step in this call.
  using Sessions = std::span<std::optional<StepSession>>;

  int step_neighbours(Worlds worlds, Sessions sessions, ResidentGroup& residents, int steps);
  bool step_together(Worlds worlds, Sessions sessions);
  void step_with_others(Worlds worlds, Sessions sessions, ResidentGroup& residents);
  bool begin(World& world, std::optional<StepSession>& session);
  void enter(World& world);
  void leave_nobody_waiting();
  Alike* those_like(const World& world);
  static bool are_alike(const World& world, const World& other);
  void solve(const Alike& worlds);
  void solve_alone(World& world);

  static constexpr int most_kinds = 4;

  int width_;
  LaneScratch memory_;
  LaneTask task_;
  std::shared_ptr<const LaneModel> model_;  // of the last resident worlds
  std::vector<Alike> waiting_;
  Alike neighbours_;
  std::vector<uint8_t> ended_;  // of neighbours: those whose step is done
  bool all_go_on_ = true;       // no world of this call has stopped
};

}  // namespace rigid

#endif
