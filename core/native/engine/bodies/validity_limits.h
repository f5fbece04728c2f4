// SPDX-License-Identifier: MIT
// Limits of position and speed of a valid state.
#ifndef RIGID_ENGINE_BODIES_VALIDITY_LIMITS_H
#define RIGID_ENGINE_BODIES_VALIDITY_LIMITS_H

#include "engine/data/body.h"
#include "engine/data/constants.h"
#include "engine/data/settings.h"
#include "math.h"

namespace rigid {

// A state beyond these stops a world.
struct ValidityLimits {
  double farthest = 0, fastest = 0, fastest_spin = 0;
  ValidityLimits() = default;
  RIGID_INLINE explicit ValidityLimits(const WorldDefinition& d)
      : farthest(constants::runaway_distance * d.length_unit),
        fastest(constants::runaway_speed * d.length_unit / d.time_per_second),
        fastest_spin(constants::runaway_speed / d.time_per_second) {}
  // A NaN fails every comparison.
  template <class Number>
  RIGID_INLINE auto hold(Number x, Number y, Number angle, Number vx, Number vy, Number omega,
                         double most_turned = 1e15) const {
    auto within = [](Number value, Number most) { return absolute(value) <= most; };
    return within(x, farthest) & within(y, farthest) & within(vx, fastest) & within(vy, fastest) &
           within(omega, fastest_spin) & within(angle, most_turned);
  }
  RIGID_INLINE bool hold(const Body& body, const BodyState& state) const {
    return hold<double>(body.center_x, body.center_y, body.angle, state.vx, state.vy, state.omega);
  }
};

}  // namespace rigid

#endif
