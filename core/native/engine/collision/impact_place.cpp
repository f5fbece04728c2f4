// SPDX-License-Identifier: MIT
// The contact points of impacts at the instant of the impact.
#include "engine/collision/impact_place.h"

#include "engine/collision/impacts.h"

namespace rigid {

// The position of a contact point at the instant of its impact, relative to the bodies' centres of
// mass. A corner moves with its own body and slides over the other one; the arm of a circle is its
// radius.
void ImpactPlace::find(int point, float when, const BodyState& a, const BodyState& b, Vec2& ra,
                       Vec2& rb) const {
  const Point& at = points[point];
  auto turned = [when](const BodyState& state, Vec2 core) {
    const float angle = state.delta_angle + when * state.omega;
    return angle == 0.0f ? core : rotate(small_rotation(angle), core);
  };
  ra = (round_a ? at.core_a : turned(a, at.core_a)) + radius_a * normal;
  rb = (round_b ? at.core_b : turned(b, at.core_b)) - radius_b * normal;
  if (round_a && round_b) return;
  const Vec2 apart =
      between + Vec2{b.dx - a.dx, b.dy - a.dy} + when * Vec2{b.vx - a.vx, b.vy - a.vy};
  if (at.corner_a == at.corner_b) {
    const Vec2 middle = 0.5f * (ra + apart + rb);
    ra = middle;
    rb = middle - apart;
  } else if (at.corner_a) {
    rb = ra - apart;
  } else {
    ra = rb + apart;
  }
}

// Whether a point of a shape's core, relative to the body's centre of mass at the step's start, is
// a corner of it.
bool Impacts::is_corner(const WorldShape& shape, Vec2 from_center) const {
  const Vec2 local = inverse_rotate(bodies_[shape.body].rotation, from_center);
  const Shape own = shapes_.view(shape);
  for (int i = 0; i < own.count; ++i) {
    if (length_squared(own.vertices[i] - local) <
        parameters_.resting_depth * parameters_.resting_depth) {
      return true;
    }
  }
  return false;
}

// Gathers the data shared by all impacts of a contact.
void Impacts::find_place(const Contact& contact, ImpactPlace& place) const {
  const WorldShape &shape_a = shapes_[contact.shape_a], &shape_b = shapes_[contact.shape_b];
  const Body &body_a = bodies_[contact.body_a], &body_b = bodies_[contact.body_b];
  const Vec2 n = contact.normal;
  place.normal = n;
  place.between = {static_cast<float>(body_b.center_x - body_a.center_x),
                   static_cast<float>(body_b.center_y - body_a.center_y)};
  place.gravity = relative_gravity(parameters_, body_a, body_b);
  place.friction = contact.friction;
  place.restitution = contact.restitution;
  place.tangent_speed = contact.tangent_speed;
  place.radius_a = shape_a.radius;
  place.radius_b = shape_b.radius;
  place.round_a = contact.round_a;
  place.round_b = contact.round_b;
  for (int k = 0; k < contact.count; ++k) {
    const ContactPoint& from = contact.points[k];
    ImpactPlace::Point& to = place.points[k];
    // The contact's anchors are on the surfaces at its nearest point.
    const float rest = from.separation - dot(contact.offset + place.between, n);
    to.core_a = from.anchor - (0.5f * rest + shape_a.radius) * n;
    to.core_b = from.anchor + contact.offset + (0.5f * rest + shape_b.radius) * n;
    if (contact.round_a && contact.round_b) continue;
    to.corner_a = contact.round_a || (!contact.round_b && is_corner(shape_a, to.core_a));
    to.corner_b = contact.round_b || (!contact.round_a && is_corner(shape_b, to.core_b));
  }
}

}  // namespace rigid
