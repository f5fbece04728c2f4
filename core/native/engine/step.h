// SPDX-License-Identifier: MIT
// One step of a world, in three parts: preparing the problem, solving it, and applying the result.
#ifndef RIGID_ENGINE_STEP_H
#define RIGID_ENGINE_STEP_H

#include "engine/world.h"

namespace rigid {

class Step {
 public:
  explicit Step(World& world) : world_(world), parts_(world.parts_to_step()) {}

  // Runs all of it; returns false if an error has stopped the world.
  bool run() {
    if (!begin()) return false;
    open();
    solve(false);
    return end();
  }
  // Prepares all data of the step for the solver. `in_lanes`: if possible, it will be solved side
  // by side with other worlds (parts.goes_in_lanes is then set if it can be).
  bool begin(bool in_lanes = false);
  // Keeps what the end of solving is compared with.
  void open();
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

// Creates contacts for new pairs of near shapes; returns false if there are more pairs than a world
// may have, which stops it.
bool update_pairs(WorldParts& parts);

// Why the substeps of the step that has begun, or of the last one, cannot be solved side by side
// with those of other worlds; null if they can: they consist of forces, direct joints and motion.
const char* why_not_in_lanes(const WorldParts& parts);

}  // namespace rigid

#endif
