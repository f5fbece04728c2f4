// SPDX-License-Identifier: MIT
// Sets values of a world, and adds to them, with the rules of core/world/naming.
#ifndef RIGID_SCRIPT_SETTING_H
#define RIGID_SCRIPT_SETTING_H

#include <array>

#include "engine/world.h"
#include "script/host_engine.h"
#include "script/program.h"
#include "script/state.h"

namespace rigid::script {

struct Scene {
  World& world;
  const Program& program;
  State& state;
  int64_t step;        // the number of steps that are made
  HostEngine* engine;  // none where the world steps itself
#ifdef RIGID_SMALL
  static constexpr Copy* copy = nullptr;
#else
  Copy* copy = nullptr;  // whose bodies and joints owners from `first_own` down are
#endif

  HostEngine* host() const { return has_hosts ? engine : nullptr; }
};

// Tells the host's engine, if there is one, about a change; false where it cannot be.
inline bool tell(const Scene& scene, Change what, int64_t owner, int which = 0,
                 const std::array<double, 3>& numbers = {}) {
  HostEngine* const engine = scene.host();
  return engine == nullptr || engine->change(what, owner, which, numbers);
}

// The place of a setting of a body or an actuator, whose owner may be one of a copy; of one that is
// gone it has no owner.
#ifdef RIGID_SMALL
inline Place own_place(const Scene&, const Place& place) { return place; }
#else
Place own_place(const Scene& scene, const Place& place);
#endif

// The slot of a joint, which may be of a copy; -1 for one that is not there.
int joint_of(const Scene& scene, int owner);

bool is_there(const Scene& scene, const Place& place, int owner);

// Each returns false where the value cannot be set; nothing has changed then.
// `owner` is that of the place, or the slot of an event's body. Removed objects are skipped.
bool set(const Scene& scene, const Place& place, int owner, const Numbers& value);
// Sets a force and a torque, and whether they act.
void push(const Scene& scene, int place, const std::array<double, 3>& force, bool acts);
// Switches the motors and tyres that begin or end before a step.
void switch_actuators(const Scene& scene, int64_t step);
// Begins to act on the bodies of an actuator from one on.
void start_actuator(const Scene& scene, int index, std::size_t first);
bool add(const Scene& scene, const Place& place, int owner, const Numbers& value);

}  // namespace rigid::script

#endif
