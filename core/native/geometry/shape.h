// SPDX-License-Identifier: MIT
// A shape of the engine: a convex core of 1 to max_vertices points, grown by a radius.
//
// circle         1 vertex, radius > 0
// capsule        2 vertices, radius > 0
// segment        2 vertices, radius >= 0, solid from both sides, no area
// polygon        3 or more vertices, counter-clockwise (from +x towards +y), radius >= 0
// chain_segment  4 vertices: ghost1, p1, p2, ghost2. Only p1-p2 collides, and only from the side of
//                its normal, which is the left of p1 -> p2, a quarter turn from +x towards +y.
//                The ghosts are the neighbours' far ends; they keep joins smooth. A ghost that
//                coincides with its end means that there is no neighbour.
// polygon_part   given by 3 times as many points as corners: those of a polygon that is a part of a
//                larger one, and, for each of them, the point before and the point after it on the
//                outline of the whole. It becomes a polygon with an outline.
// half_space     2 vertices, radius 0: all that is to the right of the endless line through them
//
// Vertices are in body coordinates relative to the body's centre of mass.
#ifndef RIGID_GEOMETRY_SHAPE_H
#define RIGID_GEOMETRY_SHAPE_H

#include <cstdint>

#include "math.h"

namespace rigid {

constexpr int max_vertices = 64;

enum class ShapeKind : uint8_t {
  circle = 0,
  capsule = 1,
  segment = 2,
  polygon = 3,
  chain_segment = 4,
  polygon_part = 5,
  half_space = 6
};
constexpr const char* shape_kinds[] = {"circle",        "capsule",      "segment",   "polygon",
                                       "chain_segment", "polygon_part", "half_space"};

// A view of a shape's data: the owner keeps the arrays. normals[i] is the outward unit normal of
// the edge vertices[i] -> vertices[i+1]; for a capsule or a segment two opposite ones, for a chain
// segment or a half-space one, for a circle none (null). outline is null except for a part of a
// larger polygon; then outline[i] is the normal of the whole polygon's edge that ends at
// vertices[i], and outline[count + i] of the edge that starts there.
struct Shape {
  ShapeKind kind;
  int count;
  float radius;
  const Vec2* vertices;
  const Vec2* normals;
  Vec2 centroid;
  const Vec2* outline = nullptr;
};

// The normals of the edges in the layout of Shape: count for a polygon, 2 for a capsule or a
// segment, 1 for a chain segment or a half-space, none for a circle. An edge of zero length gets
// (0, -1).
void compute_normals(ShapeKind kind, const Vec2* vertices, int count, Vec2* normals);

// The outline of a polygon part in the layout of Shape, 2 * count normals, from its 3 * count
// points.
void compute_outline(const Vec2* points, int count, Vec2* outline);

// The centre of a shape's area; of a line, or that of a half-space, its middle.
Vec2 compute_centroid(ShapeKind kind, const Vec2* vertices, int count);

// The distance from the centroid to the nearest point of the surface; of a line its radius.
float inner_radius(const Shape& shape);

// The smallest axis-aligned box around the shape, with its radius, without its ghosts; of a
// half-space, up to far beyond any body.
Aabb compute_aabb(const Shape& shape, const Transform& transform);

}  // namespace rigid

#endif
