// SPDX-License-Identifier: MIT
// The closest points of two segments.
#include "geometry/closest.h"

#include <cstdint>

namespace rigid {

namespace {

// Four numbers that the compiler keeps in one register.
typedef float Four __attribute__((vector_size(16)));
typedef int32_t Flags __attribute__((vector_size(16)));

}  // namespace

SegmentPair closest_points(Vec2 a1, Vec2 a2, Vec2 b1, Vec2 b2) {
  // For the ends a1, a2, b1 and b2, side by side: the segment opposite to each of them.
  const Vec2 ea = a2 - a1, eb = b2 - b1;
  const Four from_x = {b1.x, b1.x, a1.x, a1.x}, from_y = {b1.y, b1.y, a1.y, a1.y};
  const Four edge_x = {eb.x, eb.x, ea.x, ea.x}, edge_y = {eb.y, eb.y, ea.y, ea.y};
  const Four end_x = {a1.x, a2.x, b1.x, b2.x}, end_y = {a1.y, a2.y, b1.y, b2.y};
  const Four to_x = end_x - from_x, to_y = end_y - from_y;

  // The ends of each are strictly on different sides of the other: they cross.
  const Four zero = {}, one = {1.0f, 1.0f, 1.0f, 1.0f};
  const Four side = edge_x * to_y - edge_y * to_x;
  const Flags low = side<zero, high = side> zero;
  if (((low[2] & high[3]) | (high[2] & low[3])) & ((low[0] & high[1]) | (high[0] & low[1]))) {
    float fraction_a = clamp(side[0] / (side[0] - side[1]), 0.0f, 1.0f);
    float fraction_b = clamp(side[2] / (side[2] - side[3]), 0.0f, 1.0f);
    Vec2 p = lerp(a1, a2, fraction_a);
    return {fraction_a, fraction_b, p, p, 0.0f};
  }

  // As closest_fraction, for each end.
  const Four along = to_x * edge_x + to_y * edge_y, whole = edge_x * edge_x + edge_y * edge_y;
  const Four inside = along < whole ? along / whole : one;
  const Four t = ((along > zero) & (whole > zero)) ? inside : zero;
  const Four on_x = from_x + t * edge_x, on_y = from_y + t * edge_y;
  const Four gap_x = on_x - end_x, gap_y = on_y - end_y;
  const Four squared = gap_x * gap_x + gap_y * gap_y;
  int nearest = 0;
  for (int i = 1; i < 4; ++i) nearest = squared[i] < squared[nearest] ? i : nearest;
  const Vec2 end = {end_x[nearest], end_y[nearest]}, on = {on_x[nearest], on_y[nearest]};
  const float last = static_cast<float>(nearest & 1);
  if (nearest < 2) return {last, t[nearest], end, on, squared[nearest]};
  return {t[nearest], last, on, end, squared[nearest]};
}

}  // namespace rigid
