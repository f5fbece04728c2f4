// SPDX-License-Identifier: MIT
// Queries of shapes without contacts: rays, points, overlap, distance.
#ifndef RIGID_GEOMETRY_QUERY_H
#define RIGID_GEOMETRY_QUERY_H

#include "geometry/shape.h"

namespace rigid {

// Finds where the ray origin + t translation, t in [0, 1], first enters the shape, all in the
// shape's frame: t as `fraction`, the outward unit normal there as `normal`. A ray that starts
// inside the shape, or on its surface and leads away, hits nothing; nor does one along a segment. A
// segment is hit from both sides, a chain segment only from its front. False: no hit, and
// `fraction` and `normal` are unchanged.
bool ray_cast(const Shape& shape, Vec2 origin, Vec2 translation, float& fraction, Vec2& normal);

// Whether the point, in the shape's frame, is in the shape or on its border. Chain segments and
// segments without radius have no inside and contain nothing.
bool contains_point(const Shape& shape, Vec2 point);

// Whether two shapes share a point; touching counts. A chain segment is its line p1-p2, from both
// sides.
bool overlaps(const Shape& a, const Shape& b, const Transform& b_in_a);

// The distance of two shapes, 0 if they overlap, and the nearest points in A's frame (either
// pointer may be null). For shapes that overlap both points are one common point.
float distance(const Shape& a, const Shape& b, const Transform& b_in_a, Vec2* point_a,
               Vec2* point_b);

// The distance of two shapes along `normal`, a unit vector from A to B in A's frame; negative for
// overlapping shapes: their least overlap. The true distance of separate shapes may be larger. A
// chain segment is one-sided, at any distance.
struct Separation {
  float distance;
  Vec2 normal;
};
Separation separation(const Shape& a, const Shape& b, const Transform& b_in_a);

}  // namespace rigid

#endif
