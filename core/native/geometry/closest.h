// SPDX-License-Identifier: MIT
// Closest points of segments: the small exact functions used by manifolds and queries.
#ifndef RIGID_GEOMETRY_CLOSEST_H
#define RIGID_GEOMETRY_CLOSEST_H

#include "math.h"

namespace rigid {

// The parameter in [0, 1] of the point of a-b nearest to p; 0 when a-b has no length.
RIGID_INLINE float closest_fraction(Vec2 a, Vec2 b, Vec2 p) {
  Vec2 e = b - a;
  float along = dot(p - a, e);
  float whole = dot(e, e);
  if (!(along > 0.0f) || !(whole > 0.0f)) return 0.0f;
  return along < whole ? along / whole : 1.0f;
}

// The nearest points of two segments, as parameters in [0, 1], and their distance squared.
struct SegmentPair {
  float fraction_a, fraction_b;
  Vec2 point_a, point_b;
  float distance_squared;
};

// Two segments in the plane either cross or are nearest at an end of one of them, so trying the
// four ends is exact and needs no special case for parallel or vanishing segments.
SegmentPair closest_points(Vec2 a1, Vec2 a2, Vec2 b1, Vec2 b2);

}  // namespace rigid

#endif
