#include "geometry/closest.h"

namespace rigid {

namespace {

void keep_nearer(SegmentPair& best, float fraction_a, float fraction_b, Vec2 a, Vec2 b) {
  float d = length_squared(b - a);
  if (d < best.distance_squared) best = {fraction_a, fraction_b, a, b, d};
}

}  // namespace

SegmentPair closest_points(Vec2 a1, Vec2 a2, Vec2 b1, Vec2 b2) {
  Vec2 ea = a2 - a1;
  Vec2 eb = b2 - b1;

  // The ends of each lie strictly on different sides of the other: they cross.
  float side_b1 = cross(ea, b1 - a1);
  float side_b2 = cross(ea, b2 - a1);
  float side_a1 = cross(eb, a1 - b1);
  float side_a2 = cross(eb, a2 - b1);
  if (((side_b1 < 0.0f && side_b2 > 0.0f) || (side_b1 > 0.0f && side_b2 < 0.0f)) &&
      ((side_a1 < 0.0f && side_a2 > 0.0f) || (side_a1 > 0.0f && side_a2 < 0.0f))) {
    float fraction_a = clamp(side_a1 / (side_a1 - side_a2), 0.0f, 1.0f);
    float fraction_b = clamp(side_b1 / (side_b1 - side_b2), 0.0f, 1.0f);
    Vec2 p = lerp(a1, a2, fraction_a);
    return {fraction_a, fraction_b, p, p, 0.0f};
  }

  float t = closest_fraction(b1, b2, a1);
  Vec2 on_b = lerp(b1, b2, t);
  SegmentPair best{0.0f, t, a1, on_b, length_squared(on_b - a1)};
  t = closest_fraction(b1, b2, a2);
  keep_nearer(best, 1.0f, t, a2, lerp(b1, b2, t));
  t = closest_fraction(a1, a2, b1);
  keep_nearer(best, t, 0.0f, lerp(a1, a2, t), b1);
  t = closest_fraction(a1, a2, b2);
  keep_nearer(best, t, 1.0f, lerp(a1, a2, t), b2);
  return best;
}

}  // namespace rigid
