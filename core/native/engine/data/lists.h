// SPDX-License-Identifier: MIT
// The fields of the engine's plain structs, for saved states. A new field of a struct stops the
// build here until it is listed.
#ifndef RIGID_ENGINE_DATA_LISTS_H
#define RIGID_ENGINE_DATA_LISTS_H

#include "engine/data/archive.h"
#include "engine/data/body.h"
#include "engine/data/contact.h"
#include "engine/data/joint_data.h"
#include "engine/data/rows.h"
#include "engine/data/world_shape.h"
#include "geometry/track.h"

namespace rigid {

// Whether a struct has the size of the listed fields, where doubles lie at multiples of 8.
template <class T, std::size_t size>
constexpr bool has_size = alignof(double) < 8 || sizeof(T) == size;

template <class Archive>
void list(Archive& a, Vec2& v) {
  put(a, v.x, v.y);
}

template <class Archive>
void list(Archive& a, Double2& v) {
  put(a, v.x, v.y);
}

template <class Archive>
void list(Archive& a, Rotation& q) {
  put(a, q.c, q.s);
}

template <class Archive>
void list(Archive& a, Aabb& box) {
  put(a, box.lower, box.upper);
}

template <class Archive>
void list(Archive& a, InverseMass& m) {
  put(a, m.mass, m.inertia);
}

template <class Archive>
void list(Archive& a, BodyState& s) {
  put(a, s.vx, s.vy, s.omega, s.delta_angle, s.dx, s.dy, s.c, s.s);
}

static_assert(has_size<EnergyLedger, 24>);
template <class Archive>
void list(Archive& a, EnergyLedger& l) {
  put(a, l.plain, l.lagged, l.reference);
}

static_assert(has_size<Body, 192>);
template <class Archive>
void list(Archive& a, Body& b) {
  put(a, b.center_x, b.center_y, b.angle, b.rotation, b.local_center, b.force, b.torque, b.drag,
      b.angular_drag, b.mass, b.inertia, b.linear_damping, b.angular_damping, b.gravity_scale,
      b.sleep_time, b.acting_joints, b.extent, b.core_extent, b.sweep_margin, b.travel,
      b.first_shape, b.shape_count, b.island, b.kind, b.fixed_rotation, b.bullet, b.may_sleep,
      b.collides, b.frozen, b.finished, b.expected_velocity, b.expected_spin, b.given_mass,
      b.given_inertia, b.given_center_x, b.given_center_y, b.origin_x, b.origin_y);
}

static_assert(has_size<Rest, 24>);
template <class Archive>
void list(Archive& a, Rest& r) {
  put(a, r.speed, r.x, r.y, r.turn, r.time, r.calm);
}

static_assert(has_size<WorldShape, 104>);
template <class Archive>
void list(Archive& a, WorldShape& s) {
  put(a, s.body, s.kind, s.first_vertex, s.count, s.radius, s.density, s.friction, s.restitution,
      s.rolling_resistance, s.tangent_speed, s.sensor, s.alive, s.part, s.body_kind, s.category,
      s.proxy, s.kinematic_proxy, s.link, s.one_way, s.centroid, s.core_extent, s.thickness, s.fat,
      s.slack);
}

static_assert(has_size<BodyStep, 64>);
template <class Archive>
void list(Archive& a, BodyStep& s) {
  put(a, s.ax, s.ay, s.alpha, s.linear_factor, s.angular_factor, s.after_x, s.after_y,
      s.correction_x, s.correction_y, s.led, s.sweep_margin, s.core_extent, s.moved_x, s.moved_y,
      s.turned, s.looked_at);
}

static_assert(has_size<ContactPoint, 32>);
template <class Archive>
void list(Archive& a, ContactPoint& p) {
  put(a, p.anchor, p.separation, p.normal_impulse, p.tangent_impulse, p.total_normal,
      p.total_tangent, p.id);
}

static_assert(has_size<Contact, 128>);
template <class Archive>
void list(Archive& a, Contact& c) {
  bool round_a = c.round_a, round_b = c.round_b, passable = c.passable, judged = c.judged;
  bool through = c.through, inside = c.inside;
  put(a, c.shape_a, c.shape_b, c.body_a, c.body_b, c.normal, c.offset, c.points, c.count,
      c.friction, c.restitution, c.rolling_resistance, c.tangent_speed, c.rolling_impulse, c.color,
      c.slot, c.touching, round_a, round_b, passable, judged, through, inside, c.sensor, c.led,
      c.grazes, c.alive);
  if constexpr (Archive::reads) {
    c.round_a = round_a;
    c.round_b = round_b;
    c.passable = passable;
    c.judged = judged;
    c.through = through;
    c.inside = inside;
  }
}

static_assert(has_size<Spring, 12>);
template <class Archive>
void list(Archive& a, Spring& s) {
  put(a, s.kind, s.first, s.second);
}

#define RIGID_OWN_SIZE(Number, name, start, unit, meaning) +sizeof(Number)
constexpr std::size_t joint_size = 304 RIGID_OWN_JOINT_NUMBERS(RIGID_OWN_SIZE);
#undef RIGID_OWN_SIZE
static_assert(has_size<Joint, (joint_size + 63) / 64 * 64>);
template <class Archive>
void list(Archive& a, Joint& j) {
  put(a, j.kind, j.body_a, j.body_b, j.local_a, j.local_b, j.given_a, j.given_b, j.reference_angle,
      j.collide, j.break_force, j.break_torque, j.spring, j.has_limits, j.lower, j.upper, j.motor,
      j.motor_target, j.motor_maximum, j.motor_spring, j.limit_spring, j.spring_mass, j.axis,
      j.break_push_pull, j.break_push, j.break_pull, j.spring_maximum, j.motor_side, j.motor_stops,
      j.motor_fastest, j.length, j.min_length, j.max_length);
#define RIGID_PUT_OWN(Number, name, start, unit, meaning) put(a, j.name);
  RIGID_OWN_JOINT_NUMBERS(RIGID_PUT_OWN)
#undef RIGID_PUT_OWN
  put(a, j.start, j.linked_a, j.linked_b, j.wheel_a, j.wheel_b, j.pitch, j.pawl_maximum);
  put(a, j.linear_x, j.linear_y, j.angular, j.lower_impulse, j.upper_impulse, j.motor_impulse,
      j.spin_impulse, j.motor_total, j.total_x, j.total_y, j.total_angular, j.total_force, j.color,
      j.slot, j.graph, j.broken, j.alive, j.broken_at, j.direct, j.apart, j.kept_share, j.lever,
      j.rate_a, j.rate_b);
}

static_assert(has_size<ChainLink, 80>);
template <class Archive>
void list(Archive& a, ChainLink& l) {
  put(a, l.start, l.along, l.length, l.neighbour, l.bend, l.chain, l.position);
}

static_assert(has_size<ChainCrossing, 40>);
template <class Archive>
void list(Archive& a, ChainCrossing& c) {
  put(a, c.chain, c.first, c.second, c.reach, c.length);
}

static_assert(has_size<Rounding, 24>);
template <class Archive>
void list(Archive& a, Rounding& r) {
  put(a, r.reach, r.above, r.below);
}

static_assert(has_size<EventRow, 24>);
template <class Archive>
void list(Archive& a, EventRow& e) {
  put(a, e.step, e.kind, e.a, e.b);
}

}  // namespace rigid

#endif
