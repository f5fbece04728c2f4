// SPDX-License-Identifier: MIT
// One step of a world, in three acts: what there is to solve, solving it, and what follows.
#ifndef RIGID_ENGINE_STEP_H
#define RIGID_ENGINE_STEP_H

#include "engine/world.h"

namespace rigid {

class Step {
 public:
  explicit Step(World& world) : world_(world), parts_(world.parts_to_step()) {}

  // All of it; false where an error has stopped the world.
  bool run() {
    if (!begin()) return false;
    solve(false);
    return end();
  }
  // Up to where the solver knows all of the step. `in_lanes`: where it can, it is to be solved side
  // by side with other worlds (parts.goes_in_lanes then says whether it can).
  bool begin(bool in_lanes = false);
  // `solved`: the substeps are done, side by side with those of other worlds.
  void solve(bool solved);
  bool end();

 private:
  void apply_forces();
  void break_joints();
  void apply_bounds();
  bool check_errors();

  World& world_;
  WorldParts& parts_;
};

// Creates contacts for new pairs of near shapes; false where there are more pairs than a world may
// have, which then stops.
bool update_pairs(WorldParts& parts);

// Why the substeps of the step that has begun, or of the last one, cannot be done side by side with
// those of other worlds; null where they can: they consist of forces, direct joints and motion.
const char* why_not_in_lanes(const WorldParts& parts);

}  // namespace rigid

#endif
