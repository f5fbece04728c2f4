// SPDX-License-Identifier: MIT
// How long a body has been at rest.
#ifndef RIGID_ENGINE_ISLANDS_REST_H
#define RIGID_ENGINE_ISLANDS_REST_H

#include <algorithm>
#include <cmath>

#include "engine/bodies/body.h"
#include "engine/constants.h"
#include "engine/settings.h"

namespace rigid {

// How long a body has been at rest, after finish_bodies. How far it moved counts as its velocity
// does: what pushes overlaps and joints back into place leaves no velocity behind.
inline void count_rest(Body& body, const BodyState& state, const BodyStep& step,
                       const WorldDefinition& definition) {
  if (!definition.sleep || !body.may_sleep) {
    body.sleep_time = 0;
    return;
  }
  const float dt = static_cast<float>(definition.dt);
  const float per_second = static_cast<float>(1.0 / definition.time_per_second);
  const float ready = constants::sleep_time * static_cast<float>(definition.time_per_second);
  const float unit = static_cast<float>(definition.length_unit);
  const float slow = constants::sleep_linear_speed * unit * per_second;
  const float slow_turn = constants::sleep_angular_speed * per_second;
  float along = std::max(std::fabs(state.vx), std::fabs(state.vy));
  float moved = std::max(std::fabs(step.moved_x), std::fabs(step.moved_y)) / dt;
  float turn = std::max(std::fabs(state.omega), std::fabs(step.turned) / dt);
  const bool held = body.acting_joints > 0;
  float lever = std::max(body.extent, constants::sleep_lever * unit);
  float turning = held ? turn * lever / slow : turn / slow_turn;
  float speed = std::max(std::max(along, moved) / slow, turning);
  float most = held ? constants::sleep_share : 1.0f;
  if (!(speed <= most)) {
    body.sleep_time = 0;
    return;
  }
  if (body.sleep_time == 0) body.sleep_speed = speed;
  bool waited = body.sleep_time >= ready;
  body.sleep_time += dt;
  bool faster = speed > body.sleep_speed + constants::sleep_share;
  if (!waited && body.sleep_time >= ready && faster) body.sleep_time = 0;
}

}  // namespace rigid

#endif
