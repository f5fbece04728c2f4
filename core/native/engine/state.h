// The data of the engine: what the solver reads (hot) and what only a step's ends read (cold).
#ifndef RIGID_ENGINE_STATE_H
#define RIGID_ENGINE_STATE_H

#include <cmath>
#include <cstdint>

#include "engine/constants.h"
#include "engine/kinds.h"
#include "geometry/shape.h"
#include "math.h"

namespace rigid {

// What the solver reads and writes of a body, one cache half-line: velocity of the centre of mass,
// spin, and the motion since the step began (turn, shift, and the turn's cosine and sine).
struct alignas(32) BodyState {
  float vx, vy, omega, delta_angle, dx, dy, c, s;
};

struct InverseMass {
  float mass, inertia;
};

RIGID_INLINE bool can_move(InverseMass m) { return m.mass != 0.0f || m.inertia != 0.0f; }

// Everything else of a body. `center` and `angle` are those at the last step's end.
struct Body {
  double center_x = 0, center_y = 0, angle = 0;
  Rotation rotation{1, 0};
  Vec2 local_center{0, 0};  // centre of mass in body coordinates
  Vec2 force{0, 0};         // for the next step only
  float torque = 0;
  float mass = 0, inertia = 0;
  float linear_damping = 0, angular_damping = 0, gravity_scale = 1;
  float sleep_time = 0;
  float sleep_speed = 0;  // where sleep_time began, as a share of the speed that sleep allows
  int acting_joints = 0;  // that hold it, while it is awake
  float extent = 0;       // farthest point of its shapes from the centre of mass
  float reach = 0;        // the same of their cores, which a turn moves
  float leeway = 0;  // so far it may move in a step before its way is looked at (clamp_to_impact)
  float travel = 0;  // no point of it moved farther in the last step
  int first_shape = 0, shape_count = 0;
  int island = -1;  // of a sleeping body
  BodyKind kind = BodyKind::dynamic;
  bool fixed_rotation = false, bullet = false, may_sleep = true, collides = true;
  bool frozen = false;
  bool finished = false;         // its mass and the boxes of its shapes are made
  Vec2 expected_velocity{0, 0};  // that the boxes of its shapes make room for
  float expected_spin = 0;
  // As given: NaN means from the shapes.
  double given_mass = 0, given_inertia = 0, given_center_x = 0, given_center_y = 0;
  double origin_x = 0, origin_y = 0;  // as given, until the masses are known
};

struct WorldShape {
  int body = 0;
  ShapeKind kind = ShapeKind::circle;
  int first_vertex = 0, count = 0;
  float radius = 0;
  float density = 1, friction = 0.6f, restitution = 0, rolling_resistance = 0, tangent_speed = 0;
  bool sensor = false, alive = true;
  bool part = false;  // of a larger polygon: count corners, then 2 count points of its outline
  BodyKind body_kind = BodyKind::fixed;  // the body's, where the pair search has it at hand
  int category = 0;
  int proxy = -1, kinematic_proxy = -1;
  int link = -1;  // of a chain (contacts/chains.h)
  Vec2 centroid{0, 0};
  float reach = 0;      // farthest point of its core from the centre of mass
  float thickness = 0;  // from the centroid to the nearest point of its surface
  Aabb fat{};
  float slack = 0;  // so far may any point of it still move without leaving `fat`
};

// How many points it has in all.
inline int vertex_count(const WorldShape& shape) {
  return shape.part ? 3 * shape.count : shape.count;
}

// What a body's forces and damping do in one substep, and how to correct a free flight's position.
struct BodyStep {
  float ax, ay, alpha;                  // velocity gained per substep
  float linear_factor, angular_factor;  // 1 / (1 + h c)
  float after_x, after_y;               // velocity just after the forces
  float correction_x, correction_y;     // h/2 (velocity before - velocity after)
  float leeway, reach;                  // see Body
  // Its motion since the step began and the time since then, when its way was last looked at; after
  // the step, its motion in the whole step.
  float moved_x, moved_y, turned, looked_at;
  bool led = false;  // along a chain, and held by nothing else
};

// One point of a contact, relative to body A's centre of mass, world axes, at the step's start.
struct ContactPoint {
  Vec2 anchor;
  float separation;
  float normal_impulse, tangent_impulse;  // of the last substep: the warm start of the next
  float total_normal, total_tangent;      // over the whole step
  uint16_t id;
};

// Two shapes whose boxes overlap. Kept while they do, so that impulses carry over.
struct Contact {
  int shape_a, shape_b, body_a, body_b;
  Vec2 normal{1, 0};  // from A to B, world axes
  Vec2 offset{0, 0};  // centre of A minus centre of B
  ContactPoint points[2];
  int count = 0;
  float friction, restitution, rolling_resistance, tangent_speed;
  float rolling_impulse = 0;
  int color = -1, slot = -1;              // in the graph; -1: not there
  bool touching = false;                  // pressed together, or overlapping, in the last step
  bool round_a = false, round_b = false;  // a circle
  bool sensor = false;  // one of the shapes is a sensor: overlap is all that matters
  bool led = false;     // it stands for all of a circle's contacts with a chain
  bool grazes = false;  // it would stop what only passes by, unless it is led along a chain
  bool alive = false;
};

// Joints are coloured and solved by kind, and pins (joints/pin.h) apart from other revolute ones.
constexpr int pin_graph = joint_kind_count;
constexpr int joint_graph_count = joint_kind_count + 1;

// Of a SpringKind.
struct Spring {
  int kind = 0;
  float first = 0, second = 0;
};

struct Joint {
  JointKind kind = JointKind::revolute;
  int body_a = 0, body_b = 0;
  Vec2 local_a{0, 0}, local_b{0, 0};  // anchors from the centres of mass, body axes
  Vec2 given_a{0, 0}, given_b{0, 0};  // anchors from the origins, as given
  double reference_angle = 0;
  bool collide = false;
  float break_force = 0, break_torque = 0;
  Spring spring;
  bool has_limits = false;
  float lower = 0, upper = 0;
  MotorKind motor = MotorKind::none;
  float motor_target = 0, motor_maximum = 0;
  Spring motor_spring, limit_spring;
  // The mass (or inertia) that a frequency speaks of, fixed where the joint was made.
  float spring_mass = 0;
  Vec2 axis{1, 0};  // in A's coordinates; of axial_friction in B's
  float break_push_pull = 0, break_push = 0, break_pull = 0;
  float spring_maximum = 0;         // of a wheel's suspension
  bool motor_never_brakes = false;  // pushes towards its speed only
  bool motor_stops = false;         // at limits, as one without a largest force does
  float length = 0, min_length = 0, max_length = 0;

  // accumulated impulses of the last substep, and the sums over the step
  float linear_x = 0, linear_y = 0, angular = 0, lower_impulse = 0, upper_impulse = 0,
        motor_impulse = 0, spin_impulse = 0;
  float total_x = 0, total_y = 0, total_angular = 0, total_force = 0, motor_total = 0;
  int color = -1, slot = -1, graph = 0;
  bool broken = false, alive = true;
  int broken_at = 0;    // steps done when it broke
  bool direct = false;  // its rigid rows are solved by a JointSystem
  void clear_impulses() {
    linear_x = linear_y = angular = lower_impulse = upper_impulse = motor_impulse = 0;
    spin_impulse = total_x = total_y = total_angular = motor_total = 0;
  }
  // Solved one by one (iterative_joints.h):
  bool apart = false;       // its errors are taken out by moving bodies, not by velocities
  float kept_share = 1.0f;  // of its impulses, with which a substep begins
};

// The square of the speed, by the distance left, from which a motor that goes to a position can
// still brake; 0 where it has no largest force, or moves nothing.
inline float approach_of(const Joint& joint) {
  if (joint.motor != MotorKind::position || !std::isfinite(joint.motor_maximum)) return 0.0f;
  float force = constants::braking_share * joint.motor_maximum;
  return joint.spring_mass > 0.0f ? 2.0f * force / joint.spring_mass : 0.0f;
}

// The graph a joint belongs in.
inline int graph_of(const Joint& joint) {
  bool pin = joint.kind == JointKind::revolute && !joint.has_limits &&
             joint.motor == MotorKind::none && joint.spring.kind == 0;
  return pin ? pin_graph : static_cast<int>(joint.kind);
}

}  // namespace rigid

#endif
