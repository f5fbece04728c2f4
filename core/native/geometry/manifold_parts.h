// SPDX-License-Identifier: MIT
// Shared parts of the manifold functions, only included in geometry/.
#ifndef RIGID_GEOMETRY_MANIFOLD_PARTS_H
#define RIGID_GEOMETRY_MANIFOLD_PARTS_H

#include "geometry/manifold.h"

namespace rigid {

// The core of a shape with edges, with vertices and normals in A's frame.
struct Core {
  const Vec2* vertices;
  const Vec2* normals;
  int count;
  float radius;
};

// The edge of one core along whose normal the other one is farthest outside.
struct Face {
  int edge;
  float separation;
};

inline uint16_t feature_id(int vertex_a, int vertex_b) {
  return static_cast<uint16_t>(vertex_a << 8 | vertex_b);
}

inline int next_vertex(const Core& core, int i) { return i + 1 < core.count ? i + 1 : 0; }

// The face of `core` with the largest separation from `other` (separating axis test).
Face max_separation(const Core& core, const Core& other);

// The edge of `core` that opposes the unit vector `normal` most.
int opposing_edge(const Core& core, Vec2 normal);

// No point: the shapes are `separation` apart along a unit normal from A to B.
Manifold apart(Vec2 normal, float separation);

// One point, between the core points p of A and q of B, for a unit normal from A to B.
Manifold point_manifold(Vec2 p, Vec2 q, Vec2 normal, float radius_a, float radius_b, uint16_t id,
                        float speculative);

// The points of an edge of `incident` over the face `edge` of `reference`, whose outward normal is
// `normal`. Points whose separation exceeds `speculative` are left out. With `flip` the reference
// is B; the manifold is from A to B in any case.
Manifold clip_manifold(const Core& reference, int edge, Vec2 normal, const Core& incident,
                       int incident_edge, bool flip, float speculative);

// A's frame relative to B, from B's relative to A.
inline Transform inverse(const Transform& b_in_a) {
  return {inverse_rotate(b_in_a.q, -b_in_a.p), {b_in_a.q.c, -b_in_a.q.s}};
}

// The manifold of (a, b) from that of (b, a).
Manifold mirrored(const Manifold& m, const Transform& b_in_a);

// `collide` for shapes that are not parts of a larger polygon.
Manifold collide_convex(const Shape& a, const Shape& b, const Transform& b_in_a, float speculative);

// `collide` if at least one shape has an outline.
Manifold collide_outlines(const Shape& a, const Shape& b, const Transform& b_in_a,
                          float speculative);

// Polygons, capsules and segments with one another.
Manifold collide_cores(const Shape& a, const Shape& b, const Transform& b_in_a, float speculative);

// A chain segment (A) with a circle, a capsule or a polygon (B).
Manifold collide_chain(const Shape& a, const Shape& b, const Transform& b_in_a, float speculative);

}  // namespace rigid

#endif
