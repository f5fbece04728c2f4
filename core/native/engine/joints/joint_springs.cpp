#include "engine/joints/joint_springs.h"

#include <limits>

namespace rigid {

namespace {
constexpr float infinity = std::numeric_limits<float>::infinity();

double squared(Vec2 v) { return static_cast<double>(v.x) * v.x + static_cast<double>(v.y) * v.y; }

double inverse_or_zero(double k) { return k > 0 ? 1 / k : 0; }

bool turns(const Joint& joint, SoftPart part) {
  switch (joint.kind) {
    case JointKind::revolute:
    case JointKind::rotary_motor:
      return true;
    case JointKind::wheel:
      return part == SoftPart::motor;
    default:
      return part == SoftPart::turning;
  }
}
}  // namespace

bool is_rod(const Joint& joint) {
  return joint.kind == JointKind::distance && joint.min_length >= joint.max_length;
}

bool has_any_motor(const Joint& joint) {
  return joint.motor != MotorKind::none && joint.motor_maximum > 0.0f &&
         joint.kind != JointKind::mouse;
}

// A motor by position may have a spring of its own.
bool has_soft_motor(const Joint& joint) {
  return has_any_motor(joint) && joint.motor == MotorKind::position && joint.motor_spring.kind != 0;
}

bool has_endless_motor(const Joint& joint) {
  return has_any_motor(joint) && !has_soft_motor(joint) && !std::isfinite(joint.motor_maximum);
}

bool has_any_limits(const Joint& joint) {
  if (joint.kind != JointKind::distance) return joint.has_limits;
  return joint.min_length > 0.0f || joint.max_length < infinity;
}

bool has_soft_limits(const Joint& joint) {
  return joint.limit_spring.kind != 0 && !is_rod(joint) && has_any_limits(joint);
}

bool has_rigid_rows(const Joint& joint) {
  const bool hard_motor = has_any_motor(joint) && !has_soft_motor(joint);
  const bool hard_limits = has_any_limits(joint) && joint.limit_spring.kind == 0;
  switch (joint.kind) {
    case JointKind::weld:
      return joint.spring.kind == 0;
    case JointKind::distance:
      // A rod of no length has no direction.
      return is_rod(joint) ? joint.min_length > 0.0f : hard_limits || hard_motor;
    case JointKind::mouse:
      return false;
    case JointKind::rotary_motor:
    case JointKind::axial_friction:
      return hard_motor;
    default:
      return true;
  }
}

bool has_soft_rows(const Joint& joint) {
  if (joint.kind == JointKind::mouse) return true;
  if (is_rod(joint)) return false;
  return joint.spring.kind != 0 || has_soft_motor(joint) || has_soft_limits(joint);
}

bool turns_with_load(const Joint& joint) {
  if (joint.kind == JointKind::weld) return joint.spring.kind != 0;
  return joint.kind == JointKind::distance || joint.kind == JointKind::revolute ||
         joint.kind == JointKind::mouse;
}

Stiffness stiffness_of(const Joint& joint, SoftPart part, const StepParameters& p, double linear,
                       double turning) {
  Spring spring = joint.spring;
  double mass = joint.spring_mass;
  if (joint.kind == JointKind::mouse) {
    mass = linear;
    if (spring.kind == 0) spring = mouse_spring(p);
  } else if (joint.kind == JointKind::weld) {
    mass = part == SoftPart::turning ? turning : linear;
  } else if (part == SoftPart::motor) {
    spring = joint.motor_spring;
    if (joint.kind == JointKind::wheel) mass = turning;
  } else if (part == SoftPart::limits) {
    spring = joint.limit_spring;
  }
  if (spring.kind != 1) return {spring.first, spring.second};
  const double rate = 2.0 * static_cast<double>(pi) * spring.first;
  return {mass * rate * rate, 2.0 * mass * spring.second * rate};
}

SpringRates spring_rates(const Joint& joint, const Body& a, const Body& b, InverseMass mass_a,
                         InverseMass mass_b, const StepParameters& p) {
  SpringRates rates;
  if (!has_soft_rows(joint)) return rates;
  const double linear = inverse_or_zero(static_cast<double>(mass_a.mass) + mass_b.mass);
  const double turning = inverse_or_zero(static_cast<double>(mass_a.inertia) + mass_b.inertia);
  // A joint along a line reaches from A to where B's anchor is.
  double arm_a = squared(joint.local_a);
  if (joint.kind == JointKind::prismatic || joint.kind == JointKind::wheel) {
    const double x = b.center_x - a.center_x, y = b.center_y - a.center_y;
    arm_a += 2 * (x * x + y * y + squared(joint.local_b));
  }
  const double arm_b = squared(joint.local_b);
  auto add = [&](SoftPart part) {
    const double stiffness = stiffness_of(joint, part, p, linear, turning).stiffness;
    const bool turn = turns(joint, part);
    rates.a += stiffness * (turn ? mass_a.inertia : mass_a.mass + mass_a.inertia * arm_a);
    rates.b += stiffness * (turn ? mass_b.inertia : mass_b.mass + mass_b.inertia * arm_b);
  };
  if (joint.spring.kind != 0 || joint.kind == JointKind::mouse) add(SoftPart::along);
  if (joint.kind == JointKind::weld && joint.spring.kind != 0) add(SoftPart::turning);
  if (has_soft_motor(joint)) add(SoftPart::motor);
  if (has_soft_limits(joint)) add(SoftPart::limits);
  return rates;
}

}  // namespace rigid
