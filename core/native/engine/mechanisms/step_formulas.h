// SPDX-License-Identifier: MIT
// What begins and ends a mechanism's step, of one world or of W worlds side by side
// (joints/numbers.h).
#ifndef RIGID_ENGINE_MECHANISMS_STEP_FORMULAS_H
#define RIGID_ENGINE_MECHANISMS_STEP_FORMULAS_H

#include "engine/joints/numbers.h"
#include "engine/mechanisms/active_set.h"

namespace rigid {

// The inverse inertia that an angle's give is measured by: no more than that of a rod from its
// middle to the anchor, `arm` squared away, however small the moments of inertia are. `thrice`: the
// inverse mass of the heaviest body, in single precision.
template <class Number>
RIGID_INLINE Number turning_give(Number arm, Number least_mass, Number least_inertia,
                                 Number thrice) {
  const Number none = 0, bounded = lesser(least_inertia, thrice / arm);
  return select((arm > none) & (least_mass > none), bounded, least_inertia);
}

// What a motor gave in a step, no more than its maximum; a limit bears the rest of a blow.
template <class Row>
RIGID_INLINE auto motor_impulse(const Row& row, const SystemStep& step) {
  const auto most = row.maximum / step.h * step.dt;
  return between(row.earlier + motor_share(row), -most, most);
}

// How fast the ends of a joint turn for a pull across it, squared (geometric_stiffness.h): by the
// inverse inertias of its bodies and, where it acts between its anchors, by their inverse masses.
template <class Number, class Place>
RIGID_INLINE Number turning_response(const Place& place, Number inertia_a, Number inertia_b,
                                     Number mass, bool between_anchors) {
  const Number none = 0;
  const Number inverse = greater(dot(place.anchor_a, place.anchor_a) * inertia_a * inertia_a,
                                 dot(place.anchor_b, place.anchor_b) * inertia_b * inertia_b);
  if (!between_anchors) return inverse;
  const Number length = dot(place.between, place.between);
  return select(length > none, greater(inverse, mass * mass / length), inverse);
}

}  // namespace rigid

#endif
