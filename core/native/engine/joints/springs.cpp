// SPDX-License-Identifier: MIT
// The soft parts of joints: their stiffness, damping and frequencies.
#include "engine/joints/springs.h"

#include <algorithm>
#include <cmath>

#include "engine/joints/joint.h"

namespace rigid {

namespace {

double squared(Vec2 v) { return static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y; }

bool turns(const JointType& type, SoftPart part) {
  if (part == SoftPart::turning) return true;
  return type.angular[part == SoftPart::motor ? type.motor_row : type.coordinate_row];
}

// Whether its spring holds lines and angles together, each with a mass of its own.
bool holds_turns(const JointType& type) { return type.spring_rows == most_rows; }

}  // namespace

bool is_rod(const Joint& joint) {
  return type_of(joint).by_length && joint.min_length >= joint.max_length;
}

bool has_any_motor(const Joint& joint) {
  return joint.motor != MotorKind::none && joint.motor_maximum > 0.0f && !type_of(joint).pulls;
}

bool has_soft_motor(const Joint& joint) {
  return has_any_motor(joint) && joint.motor == MotorKind::position && joint.motor_spring.kind != 0;
}

bool has_hard_motor(const Joint& joint) { return has_any_motor(joint) && !has_soft_motor(joint); }

bool has_endless_motor(const Joint& joint) {
  return has_hard_motor(joint) && joint.motor_side == MotorSide::both &&
         !std::isfinite(joint.motor_maximum);
}

bool has_any_limits(const Joint& joint) { return type_of(joint).has_limits(joint); }

bool has_hard_limits(const Joint& joint) {
  return joint.limit_spring.kind == 0 && has_any_limits(joint);
}

bool has_soft_limits(const Joint& joint) {
  return joint.limit_spring.kind != 0 && !is_rod(joint) && has_any_limits(joint);
}

bool has_rigid_rows(const Joint& joint) { return type_of(joint).is_rigid(joint); }

bool has_soft_rows(const Joint& joint) {
  if (type_of(joint).pulls) return true;
  if (is_rod(joint)) return false;
  return joint.spring.kind != 0 || has_soft_motor(joint) || has_soft_limits(joint);
}

RowKinds row_kinds(const Joint& joint) {
  return {has_rigid_rows(joint), has_soft_rows(joint), has_hard_motor(joint), has_soft_motor(joint),
          has_endless_motor(joint)};
}

bool turns_with_load(const Joint& joint) { return type_of(joint).swings(joint); }

Stiffness stiffness_of(const Joint& joint, SoftPart part, const StepParameters& p, double linear,
                       double turning) {
  const JointType& type = type_of(joint);
  Spring spring = joint.spring;
  double mass = joint.spring_mass;
  if (type.pulls) {
    mass = linear;
    if (spring.kind == 0) spring = mouse_spring(p);
  } else if (holds_turns(type)) {
    mass = part == SoftPart::turning ? turning : linear;
  } else if (part == SoftPart::motor) {
    spring = joint.motor_spring;
    if (type.motor_row != type.coordinate_row) mass = turning;
  } else if (part == SoftPart::limits) {
    spring = joint.limit_spring;
  }
  if (spring.kind != 1) return {spring.first, spring.second};
  const double rate = 2.0 * static_cast<double>(pi) * spring.first;
  return {mass * rate * rate, 2.0 * mass * spring.second * rate};
}

SpringRates spring_rates(const Joint& joint, const Body& a, const Body& b, InverseMass mass_a,
                         InverseMass mass_b, const StepParameters& p) {
  const JointType& type = type_of(joint);
  SpringRates rates;
  if (!has_soft_rows(joint)) return rates;
  const double linear = inverse_or_zero(static_cast<double>(mass_a.mass) + mass_b.mass);
  const double turning = inverse_or_zero(static_cast<double>(mass_a.inertia) + mass_b.inertia);
  // A joint along a line extends from A to B's anchor.
  double arm_a = squared(joint.local_a);
  if (type.reaches_to_b) {
    const double x = b.center_x - a.center_x, y = b.center_y - a.center_y;
    arm_a += 2 * (x * x + y * y + squared(joint.local_b));
  }
  const double arm_b = squared(joint.local_b);
  auto add = [&](SoftPart part) {
    const double stiffness = stiffness_of(joint, part, p, linear, turning).stiffness;
    const bool turn = turns(type, part);
    rates.a += stiffness * (turn ? mass_a.inertia : mass_a.mass + mass_a.inertia * arm_a);
    rates.b += stiffness * (turn ? mass_b.inertia : mass_b.mass + mass_b.inertia * arm_b);
  };
  if (joint.spring.kind != 0 || type.pulls) add(SoftPart::along);
  if (holds_turns(type) && joint.spring.kind != 0) add(SoftPart::turning);
  if (has_soft_motor(joint)) add(SoftPart::motor);
  if (has_soft_limits(joint)) add(SoftPart::limits);
  return rates;
}

double leverage(const Joint& joint, const Body& a, const Body& b, InverseMass ma, InverseMass mb) {
  double at_a = squared(joint.local_a), at_b = squared(joint.local_b);
  if (type_of(joint).links) {
    // Its force acts at the teeth, not at the anchors.
    JointRows rows;
    type_of(joint).find_rows(joint, joint_place(joint, a, b), rows);
    const double* j = rows.jacobian[0];
    const double size = j[0] * j[0] + j[1] * j[1];
    at_a = size > 0 ? j[2] * j[2] / size : 0;
    at_b = size > 0 ? j[5] * j[5] / size : 0;
  } else if (type_of(joint).reaches_to_b) {
    const Vec2 arm = rotate(b.rotation, joint.local_b);
    at_a = squared({static_cast<float>(b.center_x - a.center_x) + arm.x,
                    static_cast<float>(b.center_y - a.center_y) + arm.y});
  }
  const double of_a = ma.mass > 0.0f ? at_a * ma.inertia / ma.mass : 0;
  const double of_b = mb.mass > 0.0f ? at_b * mb.inertia / mb.mass : 0;
  return std::max(of_a, of_b);
}

}  // namespace rigid
