// SPDX-License-Identifier: MIT
#include "engine/contacts/impact_place.h"

namespace rigid {

// Where a point of a contact is at the instant of its impact, from the bodies' centres of mass. A
// corner is carried along by its own body and slides over the other one; the arm of a circle is
// its radius.
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

}  // namespace rigid
