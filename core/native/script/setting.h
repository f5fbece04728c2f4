// SPDX-License-Identifier: MIT
// Sets values of a world, and adds to them, with the rules of core/world/naming.
#ifndef RIGID_SCRIPT_SETTING_H
#define RIGID_SCRIPT_SETTING_H

#include <array>

#include "engine/world.h"
#include "script/program.h"
#include "script/state.h"

namespace rigid::script {

struct Scene {
  World& world;
  const Program& program;
  State& state;
};

bool is_there(const Scene& scene, const Place& place, int owner);

// Each returns false where the value cannot be set; nothing has changed then.
// `owner` is that of the place, or the slot of an event's body. Removed objects are skipped.
bool set(const Scene& scene, const Place& place, int owner, const Numbers& value);
// Switches the motors and tyres that begin or end before a step.
void switch_actuators(const Scene& scene, int64_t step);
bool add(const Scene& scene, const Place& place, int owner, const Numbers& value);

}  // namespace rigid::script

#endif
