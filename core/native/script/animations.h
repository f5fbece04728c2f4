// SPDX-License-Identifier: MIT
// Animations of a running world: their phases, and the values that they set before a step.
#ifndef RIGID_SCRIPT_ANIMATIONS_H
#define RIGID_SCRIPT_ANIMATIONS_H

#include <functional>
#include <vector>

#include "script/setting.h"

namespace rigid::script {

// The exact sine or cosine, for what the portable ones are not sure of.
using Exact = rigid::Program::Exact;

// Sets the values of the next step; `ways` are the directions of manual ones. Returns whether the
// step after it needs new values.
bool animate(const Scene& scene, const std::vector<int>& ways, const Exact& exact);

// Does this for one.
bool go_on(const Scene& scene, const Animation& plan, PlayingState& state, int way,
           const Exact& exact);

// Puts the animated bodies at the start of their tracks.
void place_animation(const Scene& scene, const Animation& plan, const PlayingState& state);
void place_animations(const Scene& scene);

void play(Animation const& plan, PlayingState& state, int64_t step);
void stop(PlayingState& state);

// As they are at the beginning.
inline MotorState begun(const Motor& motor) {
  return {motor.target, motor.strength, motor.enabled, false};
}
inline SpringState begun(const JointSpring& spring) {
  return {spring.first, spring.second, spring.shortest, spring.longest, false, false};
}

}  // namespace rigid::script

#endif
