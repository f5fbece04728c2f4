// SPDX-License-Identifier: MIT
// Soft parts of joints, and their stiffness.
#ifndef RIGID_ENGINE_JOINTS_SPRINGS_H
#define RIGID_ENGINE_JOINTS_SPRINGS_H

#include "engine/data/body.h"
#include "engine/data/joint_data.h"
#include "engine/data/kernels.h"

namespace rigid {

bool is_rod(const Joint& joint);
bool has_any_motor(const Joint& joint);
// A servo motor may have a spring of its own.
bool has_soft_motor(const Joint& joint);
// A motor without a maximum and without a spring.
bool has_endless_motor(const Joint& joint);
bool has_hard_motor(const Joint& joint);
bool has_any_limits(const Joint& joint);
bool has_hard_limits(const Joint& joint);
bool has_soft_limits(const Joint& joint);

// Whether a joint has rows that hold or drive without give, and whether it has springs.
bool has_rigid_rows(const Joint& joint);
bool has_soft_rows(const Joint& joint);

// The kinds of rows that a joint has; values of its motor, limits and springs change these.
struct RowKinds {
  bool rigid, soft, hard_motor, soft_motor, endless_motor;
  bool operator==(const RowKinds&) const = default;
};
RowKinds row_kinds(const Joint& joint);

// Whether the bodies of a joint may turn about its anchors, so that its pull swings them.
bool turns_with_load(const Joint& joint);

// Force per length and per speed along a row, or torque per radian and per spin.
struct Stiffness {
  double stiffness = 0, damping = 0;
};

// The parts of a joint that may be soft; a weld's spring acts both along lines and on angles.
enum class SoftPart { along, turning, motor, limits };

// The stiffness from either form of input. `linear` and `turning` are the masses to which a
// frequency refers if the joint has no other rows: along lines, and for angles.
Stiffness stiffness_of(const Joint& joint, SoftPart part, const StepParameters& p, double linear,
                       double turning);

// Upper bounds of the squared frequencies (1/time^2) with which a joint's springs could swing each
// of its bodies alone, in any orientation.
struct SpringRates {
  double a = 0, b = 0;
};
SpringRates spring_rates(const Joint& joint, const Body& a, const Body& b, InverseMass mass_a,
                         InverseMass mass_b, const StepParameters& p);

// The ratio of the rotational to the linear response of its bodies to a push at a joint's anchors,
// or its teeth: r^2 m / I.
double leverage(const Joint& joint, const Body& a, const Body& b, InverseMass mass_a,
                InverseMass mass_b);

// Explicit steps of h are used for springs of rate w^2 up to this (h w)^2: a period of 4 pi steps.
constexpr double slowest_implicit = 0.25;

// Whether the lanes step a spring explicitly (soften, in axial_rows.h), with the inverse mass
// `inverse` and, as it rotates, up to `most`.
inline bool is_slow(const Stiffness& spring, double inverse, double most, double h) {
  return h * h * spring.stiffness * most <= slowest_implicit && h * spring.damping * inverse <= 1;
}

}  // namespace rigid

#endif
