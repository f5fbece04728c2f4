// SPDX-License-Identifier: MIT
// Small worlds of one scene, stepped side by side: the lanes of the processor go across the worlds.
//
// What begins and ends a step is done for each world by itself; the substeps between, which are
// forces, mechanisms and motion where nothing touches, for all of them at once
// (mechanisms/system_lanes.h). Neighbours that are all alike do all their steps while they are at
// hand. From where they are not, those that are alike are found in each step among all the worlds
// of a piece, and go together as soon as they fill the lanes; what is left over, or in which more
// happens, is solved alone in it. Each has the bits that it has alone.
#ifndef RIGID_ENGINE_BATCH_SIDE_BY_SIDE_H
#define RIGID_ENGINE_BATCH_SIDE_BY_SIDE_H

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/batch/lane_stay.h"
#include "engine/mechanisms/lane_task.h"
#include "engine/world.h"

namespace rigid {

class SideBySide {
 public:
  using Worlds = std::span<const std::unique_ptr<World>>;
  // How many worlds like these go side by side; 1: each goes alone.
  static int width_for(const World& world);

  explicit SideBySide(const World& like);
  // Any number of worlds, so many steps each. `stays` has room for a stay of each group of
  // neighbours at the index of its first world.
  using Stays = std::span<std::unique_ptr<LaneStay>>;
  void step(Worlds worlds, Stays stays, int steps);

 private:
  // Worlds at the beginning of their substeps that are the same but for their numbers.
  using Kind = std::vector<World*>;

  // The pools of worlds that have begun to step in this call.
  using Shifts = std::span<std::optional<Shift>>;

  int step_neighbours(Worlds worlds, Shifts shifts, LaneStay& stay, int steps);
  bool step_together(Worlds worlds, Shifts shifts);
  static bool begin(World& world, std::optional<Shift>& shift);
  void enter(World& world);
  void leave_nobody_waiting();
  Kind* kind_of(const World& world);
  static bool are_alike(const World& world, const World& other);
  bool solve(const Kind& worlds);
  static void solve_alone(World& world);
  static void look_at_sweep(void* owner, int body, float time);

  static constexpr int most_kinds = 4;

  int width_;
  LaneScratch memory_;
  LaneTask task_;
  std::shared_ptr<const LaneModel> model_;  // of those that stayed in the lanes last
  std::vector<Kind> kinds_;
  Kind neighbours_;
  bool together_ = false;  // the step of neighbours was done by all of them side by side
};

}  // namespace rigid

#endif
