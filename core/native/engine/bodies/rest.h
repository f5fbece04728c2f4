// SPDX-License-Identifier: MIT
// The time that a body has been at rest.
#ifndef RIGID_ENGINE_BODIES_REST_H
#define RIGID_ENGINE_BODIES_REST_H

#include <algorithm>
#include <cmath>

#include "engine/data/body.h"
#include "engine/data/constants.h"
#include "engine/data/settings.h"

namespace rigid {

// The limits of rest, in the units of a world.
struct RestLimits {
  float dt, ready, look;       // times
  float slow, slow_turn;       // in each single step
  float drift, drift_of_held;  // mean speed between checks, for a weight of standard gravity and
                               // more
  float least_drift;
  float unit;
  double gravity, drift_per_gravity;
  explicit RestLimits(const WorldDefinition& d)
      : dt(static_cast<float>(d.dt)),
        ready(constants::sleep_time * static_cast<float>(d.time_per_second)),
        look(ready / static_cast<float>(constants::sleep_looks)),
        unit(static_cast<float>(d.length_unit)),
        gravity(std::sqrt(d.gravity_x * d.gravity_x + d.gravity_y * d.gravity_y)),
        drift_per_gravity(constants::sleep_drift_time * d.time_per_second) {
    const float per_second = static_cast<float>(1.0 / d.time_per_second);
    slow = constants::sleep_linear_speed * unit * per_second;
    slow_turn = constants::sleep_angular_speed * per_second;
    drift = constants::sleep_drift * unit * per_second;
    least_drift = constants::weightless_drift * unit * per_second;
    drift_of_held = constants::sleep_share * drift;
  }
};

// Updates after finish_bodies how long a body has been slow, and whether it is calm. Its
// displacement counts like its velocity: the correction of overlaps and joints leaves no velocity
// behind.
//
// A slow body may still be falling, swinging or drifting. It is calm if its mean velocity between
// the last checks is close to zero: a body that reverses its motion or begins to fall gains more in
// that time, and trembling constraints cause no mean velocity. The limit of this velocity depends
// on the body's weight, which would move it if nothing supported it.
inline void count_rest(Body& body, Rest& rest, const BodyState& state, const BodyStep& step,
                       const WorldDefinition& definition, const RestLimits& limits) {
  if (!definition.sleep || !body.may_sleep) {
    body.sleep_time = 0;
    return;
  }
  const float dt = limits.dt;
  const float along = std::max(std::fabs(state.vx), std::fabs(state.vy));
  const float moved = std::max(std::fabs(step.moved_x), std::fabs(step.moved_y)) / dt;
  const float turn = std::max(std::fabs(state.omega), std::fabs(step.turned) / dt);
  const bool held = body.acting_joints > 0;
  const float lever = std::max(body.extent, constants::sleep_lever * limits.unit);
  const float turning = held ? turn * lever / limits.slow : turn / limits.slow_turn;
  const float speed = std::max(std::max(along, moved) / limits.slow, turning);
  if (!(speed <= (held ? constants::sleep_share : 1.0f))) {
    body.sleep_time = 0;
    return;
  }
  if (body.sleep_time == 0) rest = {.speed = speed};
  const bool waited = body.sleep_time >= limits.ready;
  body.sleep_time += dt;
  const bool faster = speed > rest.speed + constants::sleep_share;
  if (!waited && body.sleep_time >= limits.ready && faster) body.sleep_time = 0;
  rest.x += step.moved_x;
  rest.y += step.moved_y;
  rest.turn += step.turned;
  rest.time += dt;
  if (rest.time + 0.5f * dt >= limits.look) {
    const double weight = limits.gravity * std::fabs(static_cast<double>(body.gravity_scale));
    const float by_weight = static_cast<float>(limits.drift_per_gravity * weight);
    float most = std::min(by_weight, limits.drift);
    if (held) most *= constants::sleep_share;
    const float far = std::max(std::fabs(rest.x), std::fabs(rest.y));
    const float swung = std::fabs(rest.turn) * (held ? lever : body.extent);
    const bool calm = std::max(far, swung) <= std::max(most, limits.least_drift) * rest.time;
    rest = {.speed = rest.speed, .calm = calm ? rest.calm + 1 : 0};
  }
}

// Whether it was calm in the last checks.
inline bool is_calm(const Rest& rest) { return rest.calm >= constants::calm_looks; }

}  // namespace rigid

#endif
