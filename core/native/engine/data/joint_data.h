// SPDX-License-Identifier: MIT
// The data of a joint: settings and loads.
#ifndef RIGID_ENGINE_DATA_JOINT_DATA_H
#define RIGID_ENGINE_DATA_JOINT_DATA_H

#include <cmath>

#include "engine/data/constants.h"
#include "engine/data/kinds.h"
#include "engine/data/rows.h"
#include "math.h"

namespace rigid {

// Joints are coloured and solved by kind, and pins (joints/pin.h) separately from other revolute
// joints.
constexpr int pin_graph = joint_kind_count;
constexpr int joint_graph_count = joint_kind_count + 1;

// `kind` is a SpringKind.
struct Spring {
  int kind = 0;
  float first = 0, second = 0;
};

// Fields read at the start and stored at the end of a step come first.
struct alignas(64) Joint {
  int body_a = 0, body_b = 0;
  Vec2 local_a{0, 0}, local_b{0, 0};  // anchors from the centres of mass, body axes
  double reference_angle = 0;
  JointKind kind = JointKind::revolute;
  MotorKind motor = MotorKind::none;
  bool has_limits = false;
  MotorSide motor_side = MotorSide::both;
  bool motor_stops = false;  // at limits, like a motor without a maximum
  bool direct = false;       // its rigid rows are solved by a JointSystem
  // Solved one by one (iterative_joints.h):
  bool apart = false;  // its errors are removed by moving bodies, not by velocities
  bool firm = false;   // its rigid rows yield nothing of their impulse
  float lower = 0, upper = 0;
  float motor_target = 0, motor_maximum = 0;
  Spring spring, motor_spring, limit_spring;
  // The mass (or inertia) to which a frequency refers, fixed when the joint was made.
  float spring_mass = 0;
  float spring_maximum = 0;  // of a wheel's suspension
  float motor_fastest = 0;   // of a servo motor without a spring; 0: contact_push_speed
  float kept_share = 1.0f;   // of its impulses, at the start of a substep
  // accumulated impulses of the last substep, and the sums over the step
  float linear_x = 0, linear_y = 0, angular = 0, lower_impulse = 0, upper_impulse = 0,
        motor_impulse = 0, spin_impulse = 0;
  float total_x = 0, total_y = 0, total_angular = 0, total_force = 0, motor_total = 0;

  int color = -1, slot = -1, graph = 0;
  bool collide = false, broken = false, alive = true;
  int broken_at = 0;                  // steps done when it broke
  Vec2 given_a{0, 0}, given_b{0, 0};  // anchors from the origins, as given
  float break_force = 0, break_torque = 0;
  Vec2 axis{1, 0};  // in A's coordinates; of axial_friction in B's
  float break_push_pull = 0, break_push = 0, break_pull = 0;
  float length = 0, min_length = 0, max_length = 0;
#define RIGID_OWN_FIELD(Number, name, start, unit, meaning) Number name = start;
  RIGID_OWN_JOINT_NUMBERS(RIGID_OWN_FIELD)  // joints/gear.h, rack.h, pulley.h
#undef RIGID_OWN_FIELD
  double start = 0;  // its coordinate when it was made
  // When mechanisms were last found: its leverage, and the rates of its springs (springs.h).
  float lever = 0, rate_a = 0, rate_b = 0;
  int linked_a = -1, linked_b = -1;      // the joints that it couples
  Double2 wheel_a{0, 0}, wheel_b{0, 0};  // of a pulley, in the world
  // Of a hinge with a ratchet: the angle of a tooth, below 0 for the opposite direction, and the
  // largest torque of the pawl.
  float pitch = 0, pawl_maximum = 0;

  void clear_impulses() {
    linear_x = linear_y = angular = lower_impulse = upper_impulse = motor_impulse = 0;
    spin_impulse = total_x = total_y = total_angular = motor_total = 0;
  }
};

// Whether its motor may push its coordinate down, and up.
inline bool may_push_down(const Joint& joint) {
  return joint.motor_side != MotorSide::forwards || joint.motor_target < 0.0f;
}
inline bool may_push_up(const Joint& joint) {
  return joint.motor_side == MotorSide::both ||
         (joint.motor_side == MotorSide::forwards && joint.motor_target > 0.0f);
}

// The squared speed, per distance left, from which a servo motor can still brake; 0 if it has no
// maximum, or moves nothing.
inline float approach_of(const Joint& joint) {
  if (joint.motor != MotorKind::position || !std::isfinite(joint.motor_maximum)) return 0.0f;
  float force = constants::braking_share * joint.motor_maximum;
  return joint.spring_mass > 0.0f ? 2.0f * force / joint.spring_mass : 0.0f;
}

// Whether it broke, or was removed with a body.
inline bool is_broken(const Joint& joint) { return joint.broken || !joint.alive; }

// The graph of a joint.
inline int graph_of(const Joint& joint) {
  bool pin = joint.kind == JointKind::revolute && !joint.has_limits &&
             joint.motor == MotorKind::none && joint.spring.kind == 0;
  return pin ? pin_graph : static_cast<int>(joint.kind);
}

}  // namespace rigid

#endif
