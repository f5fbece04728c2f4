// SPDX-License-Identifier: MIT
// Contact manifolds: the points where two convex shapes touch, or are about to.
#ifndef RIGID_GEOMETRY_MANIFOLD_H
#define RIGID_GEOMETRY_MANIFOLD_H

#include <cstdint>

#include "geometry/shape.h"

namespace rigid {

// One touching point. `point` is midway between the two surfaces, in A's frame; `separation` is the
// gap along the normal (negative: overlap); `id` identifies the pair of features of the point, so
// that impulses can be carried over to the next step.
struct ManifoldPoint {
  Vec2 point;
  float separation;
  uint16_t id;
};

// `normal` is a unit vector from A to B, in A's frame. count is 0, 1 or 2. With count 0,
// points[0].separation is a lower bound of the distance of the shapes along `normal`; 0 if none is
// known.
struct Manifold {
  Vec2 normal;
  int count;
  ManifoldPoint points[2];
};

// Two faces are flush and need two points if they, and the line between their nearest corners,
// agree in direction to this cosine.
constexpr float flush_cosine = 0.999f;

// The manifold of two shapes; b_in_a is B's frame relative to A's. Points whose separation exceeds
// `speculative` are left out. Every pair of kinds is accepted in either order, except two shapes
// without an inside (segments and chain segments) or two half-spaces, which never touch one
// another: count 0.
Manifold collide(const Shape& a, const Shape& b, const Transform& b_in_a, float speculative);

}  // namespace rigid

#endif
