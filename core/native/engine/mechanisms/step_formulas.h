// SPDX-License-Identifier: MIT
// Formulas at the start and end of a mechanism's step, for one world or for W worlds side by side
// (joints/numbers.h).
#ifndef RIGID_ENGINE_MECHANISMS_STEP_FORMULAS_H
#define RIGID_ENGINE_MECHANISMS_STEP_FORMULAS_H

#include "engine/joints/numbers.h"
#include "engine/mechanisms/active_set.h"

namespace rigid {

// The inverse inertia that scales an angle's give: at most that of a rod from its middle to the
// anchor, at the squared distance `arm`, however small the moments of inertia are. `thrice`: three
// times the inverse mass of the heaviest body, in single precision.
template <class Number>
RIGID_INLINE Number turning_give(Number arm, Number least_mass, Number least_inertia,
                                 Number thrice) {
  const Number none = 0, bounded = lesser(least_inertia, thrice / arm);
  return select((arm > none) & (least_mass > none), bounded, least_inertia);
}

// A motor's impulse in a step, at most its maximum; a limit bears the rest of a blow.
template <class Row>
RIGID_INLINE auto motor_impulse(const Row& row, const SystemStep& step) {
  const auto most = row.maximum / step.h * step.dt;
  return between(row.earlier + motor_share(row), -most, most);
}

// The squared rate at which the ends of a joint rotate per pull across it (geometric_stiffness.h):
// by the inverse inertias of its bodies and, for a pull between its anchors, by their inverse
// masses.
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
