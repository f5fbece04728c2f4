// SPDX-License-Identifier: MIT
// Steps many small worlds of one scene: the lanes of the processor go across the worlds.
//
// What begins and ends a step is done for each world by itself; the substeps between, which are
// forces, mechanisms and motion where nothing touches, for all of them at once
// (mechanisms/system_lanes.h). Neighbours that are all alike do all their steps while they are at
// hand. From where they are not, those that are alike are found in each step among all the worlds
// of a piece, and go together as soon as they fill the lanes; what is left over, or in which more
// happens, is solved alone in it. Each has the bits that it has alone.
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
  // How many worlds like these go side by side; 1: each goes alone.
  static int width_for(const World& world);

  explicit BatchStepper(const World& like);
  // Any number of worlds, so many steps each. `residents` has room for each group of neighbours, at
  // the index of its first world.
  using Residents = std::span<std::unique_ptr<ResidentGroup>>;
  void step(Worlds worlds, Residents residents, int steps);

 private:
  // Worlds at the beginning of their substeps that are the same but for their numbers.
  using Alike = std::vector<World*>;
  // The pools of worlds that have begun to step in this call.
  using Sessions = std::span<std::optional<StepSession>>;

  int step_neighbours(Worlds worlds, Sessions sessions, ResidentGroup& residents, int steps);
  bool step_together(Worlds worlds, Sessions sessions);
  static bool begin(World& world, std::optional<StepSession>& session);
  void enter(World& world);
  void leave_nobody_waiting();
  Alike* those_like(const World& world);
  static bool are_alike(const World& world, const World& other);
  bool solve(const Alike& worlds);
  static void solve_alone(World& world);

  static constexpr int most_kinds = 4;

  int width_;
  LaneScratch memory_;
  LaneTask task_;
  std::shared_ptr<const LaneModel> model_;  // of those that were resident last
  std::vector<Alike> waiting_;
  Alike neighbours_;
  bool together_ = false;  // the step of neighbours was done by all of them side by side
};

}  // namespace rigid

#endif
