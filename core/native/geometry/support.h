// SPDX-License-Identifier: MIT
// The support function of shapes.
#ifndef RIGID_GEOMETRY_SUPPORT_H
#define RIGID_GEOMETRY_SUPPORT_H

#include "geometry/shape.h"

namespace rigid {

// The largest extent of the shape's core along a direction of its own frame; not for half-spaces.
inline float support(const Shape& shape, Vec2 direction) {
  const int first = shape.kind == ShapeKind::chain_segment ? 1 : 0;
  const int last = shape.kind == ShapeKind::chain_segment ? 2 : shape.count - 1;
  float best = dot(direction, shape.vertices[first]);
  for (int i = first + 1; i <= last; ++i) best = max(best, dot(direction, shape.vertices[i]));
  return best;
}

}  // namespace rigid

#endif
