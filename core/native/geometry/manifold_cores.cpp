// SPDX-License-Identifier: MIT
// Manifolds of polygons, capsules and segments: separating axes, then clipping.
//
// The cores are tested without their radii. Among all edge normals of both, the one along which the
// cores are farthest apart (or overlap least) determines the reference face (Gregorius, "The
// separating axis test between convex polyhedra", 2013, in the plane). The opposing edge of the
// other core is clipped to the reference face's sides, which gives up to two points. A face's
// normal is only wrong where two corners are nearest; there the line between the corners is the
// normal.
#include <algorithm>

#include "geometry/closest.h"
#include "geometry/edge_manifold.h"
#include "geometry/manifold_parts.h"

namespace rigid {

namespace {

using Edges = EdgeManifold<float>;

Edges::Edge edge_of(const Core& core, int edge, Vec2 normal, float value) {
  return {static_cast<float>(edge), value, normal, core.vertices[edge],
          core.vertices[next_vertex(core, edge)]};
}

Edges::Meeting meeting_of(const Core& reference, const Edges::Edge& face, const Core& incident,
                          int incident_edge, bool flip, float speculative, float scale) {
  const Vec2 normal = incident.normals[incident_edge];
  return {face,
          edge_of(incident, incident_edge, normal, dot(face.normal, normal)),
          static_cast<float>(reference.count),
          static_cast<float>(incident.count),
          reference.radius,
          incident.radius,
          flip,
          speculative,
          scale};
}

Manifold manifold_of(const Edges::Points& points) {
  Manifold result{points.normal, static_cast<int>(points.count), {}};
  // A pair without a point stores its separation.
  for (int i = 0; i < std::max(result.count, 1); ++i) {
    result.points[i] = {points.place[i], points.separation[i], static_cast<uint16_t>(points.id[i])};
  }
  return result;
}

struct Pair {
  const Core& a;
  const Core& b;
  float scale;  // the largest coordinates, which determine the rounding error
  float speculative;
};

Manifold collide_pair(const Pair& pair, Face face_a, Face face_b) {
  const bool flip =
      Edges::is_flipped(face_a.separation, face_b.separation, pair.speculative, pair.scale);
  const Core& reference = flip ? pair.b : pair.a;
  const Core& incident = flip ? pair.a : pair.b;
  const Face face = flip ? face_b : face_a;
  const Vec2 normal = reference.normals[face.edge];
  const Edges::Edge edge = edge_of(reference, face.edge, normal, face.separation);
  return manifold_of(
      Edges::meet(meeting_of(reference, edge, incident, opposing_edge(incident, normal), flip,
                             pair.speculative, pair.scale)));
}

// Two capsules, or a capsule and a segment. Cores without area have no normals at their ends, so
// the nearest points are found first; separating axes are used only if these are not both ends.
Manifold collide_segments(const Pair& pair) {
  const Vec2* a = pair.a.vertices;
  const Vec2* b = pair.b.vertices;
  SegmentPair nearest = closest_points(a[0], a[1], b[0], b[1]);
  float limit = pair.speculative + pair.a.radius + pair.b.radius;
  float distance = std::sqrt(nearest.distance_squared);
  if (distance > limit) {
    const Vec2 normal = (1.0f / distance) * (nearest.point_b - nearest.point_a);
    return apart(normal, distance - pair.a.radius - pair.b.radius);
  }

  Face face_a = max_separation(pair.a, pair.b);
  Face face_b = max_separation(pair.b, pair.a);
  bool end_a = nearest.fraction_a == 0.0f || nearest.fraction_a == 1.0f;
  bool end_b = nearest.fraction_b == 0.0f || nearest.fraction_b == 1.0f;
  bool flush = std::fabs(dot(pair.a.normals[0], pair.b.normals[0])) > flush_cosine &&
               max(face_a.separation, face_b.separation) > flush_cosine * distance;
  if (end_a && end_b && distance > 2e-6f * pair.scale && !flush) {
    int corner_a = nearest.fraction_a == 0.0f ? 0 : 1;
    int corner_b = nearest.fraction_b == 0.0f ? 0 : 1;
    Vec2 direction = (1.0f / distance) * (nearest.point_b - nearest.point_a);
    return point_manifold(nearest.point_a, nearest.point_b, direction, pair.a.radius, pair.b.radius,
                          feature_id(corner_a, corner_b), pair.speculative);
  }
  return collide_pair(pair, face_a, face_b);
}

}  // namespace

Face max_separation(const Core& core, const Core& other) {
  Face best{0, 0.0f};
  for (int i = 0; i < core.count; ++i) {
    Vec2 n = core.normals[i];
    float nearest = dot(n, other.vertices[0]);
    for (int j = 1; j < other.count; ++j) nearest = min(nearest, dot(n, other.vertices[j]));
    float separation = nearest - dot(n, core.vertices[i]);
    if (i == 0 || separation > best.separation) best = {i, separation};
  }
  return best;
}

int opposing_edge(const Core& core, Vec2 normal) {
  int best = 0;
  float lowest = dot(normal, core.normals[0]);
  for (int i = 1; i < core.count; ++i) {
    float d = dot(normal, core.normals[i]);
    if (d < lowest) {
      lowest = d;
      best = i;
    }
  }
  return best;
}

Manifold clip_manifold(const Core& reference, int edge, Vec2 normal, const Core& incident,
                       int incident_edge, bool flip, float speculative) {
  return manifold_of(Edges::clip(meeting_of(reference, edge_of(reference, edge, normal, 0.0f),
                                            incident, incident_edge, flip, speculative, 0.0f)));
}

Manifold collide_cores(const Shape& a, const Shape& b, const Transform& t, float speculative) {
  Vec2 vertices[max_vertices];
  Vec2 normals[max_vertices];
  Core core_a{a.vertices, a.normals, a.count, a.radius};
  Core core_b{vertices, normals, b.count, b.radius};
  float radii = a.radius + b.radius;
  float limit = speculative + radii;
  float scale =
      std::fabs(t.p.x) + std::fabs(t.p.y) + std::fabs(a.vertices[0].x) + std::fabs(a.vertices[0].y);
  Pair pair{core_a, core_b, scale, speculative};

  for (int i = 0; i < b.count; ++i) {
    vertices[i] = apply(t, b.vertices[i]);
    normals[i] = rotate(t.q, b.normals[i]);
  }
  if (a.kind != ShapeKind::polygon && b.kind != ShapeKind::polygon) return collide_segments(pair);
  Face face_a = max_separation(core_a, core_b);
  if (face_a.separation > limit) return apart(a.normals[face_a.edge], face_a.separation - radii);
  Face face_b = max_separation(core_b, core_a);
  if (face_b.separation > limit) return apart(-normals[face_b.edge], face_b.separation - radii);
  return collide_pair(pair, face_a, face_b);
}

}  // namespace rigid
