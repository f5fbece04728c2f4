// SPDX-License-Identifier: MIT
// Manifolds of circles and half-spaces, and the dispatch by the kinds of a pair.
#include "geometry/manifold.h"

#include <algorithm>

#include "geometry/closest.h"
#include "geometry/manifold_parts.h"

namespace rigid {

namespace {

// Where two centres coincide every direction is valid; this one pushes B up.
constexpr Vec2 fallback_normal{0.0f, 1.0f};

bool has_inside(ShapeKind kind) {
  return kind != ShapeKind::segment && kind != ShapeKind::chain_segment;
}

Manifold collide_points(Vec2 p, Vec2 q, Vec2 if_coincident, float radius_a, float radius_b,
                        float speculative) {
  Vec2 d = q - p;
  float distance = length(d);
  Vec2 normal = distance > 1e-18f ? (1.0f / distance) * d : if_coincident;
  return point_manifold(p, q, normal, radius_a, radius_b, 0, speculative);
}

Manifold collide_segment_circle(const Shape& a, const Shape& b, const Transform& b_in_a,
                                float speculative) {
  Vec2 centre = apply(b_in_a, b.vertices[0]);
  float t = closest_fraction(a.vertices[0], a.vertices[1], centre);
  if (t > 0.0f && t < 1.0f) {
    // Beside it the segment's own normal is more accurate than a difference of near points.
    float height = dot(a.normals[0], centre - a.vertices[0]);
    Vec2 normal = height < 0.0f ? -a.normals[0] : a.normals[0];
    Vec2 foot = centre - height * a.normals[0];
    return point_manifold(foot, centre, normal, a.radius, b.radius, 0, speculative);
  }
  Vec2 on_segment = t > 0.0f ? a.vertices[1] : a.vertices[0];
  return collide_points(on_segment, centre, a.normals[0], a.radius, b.radius, speculative);
}

Manifold collide_polygon_circle(const Shape& a, const Shape& b, const Transform& b_in_a,
                                float speculative) {
  Vec2 centre = apply(b_in_a, b.vertices[0]);
  int edge = 0;
  float separation = dot(a.normals[0], centre - a.vertices[0]);
  for (int i = 1; i < a.count; ++i) {
    float s = dot(a.normals[i], centre - a.vertices[i]);
    if (s > separation) {
      separation = s;
      edge = i;
    }
  }
  if (separation > speculative + a.radius + b.radius) {
    return apart(a.normals[edge], separation - a.radius - b.radius);
  }

  Vec2 v1 = a.vertices[edge];
  Vec2 v2 = a.vertices[edge + 1 < a.count ? edge + 1 : 0];
  Vec2 normal = a.normals[edge];
  if (separation > 0.0f) {
    // Outside: the nearest point is a corner, or it is on the edge and the edge's own normal is
    // more accurate than a difference of near points.
    float t = closest_fraction(v1, v2, centre);
    if (t == 0.0f) return collide_points(v1, centre, normal, a.radius, b.radius, speculative);
    if (t == 1.0f) return collide_points(v2, centre, normal, a.radius, b.radius, speculative);
  }
  Vec2 on_edge = centre - separation * normal;
  return point_manifold(on_edge, centre, normal, a.radius, b.radius, 0, speculative);
}

// The lowest corner, and the other one of the edge there that faces the border most. Whatever the
// other shape is, it is pushed along the border's normal only.
Manifold collide_half_space(const Shape& a, const Shape& b, const Transform& b_in_a,
                            float speculative) {
  const Vec2 n = a.normals[0];
  const int first = b.kind == ShapeKind::chain_segment ? 1 : 0;
  const int count = b.kind == ShapeKind::chain_segment ? 2 : b.count;
  auto corner = [&](int i) { return apply(b_in_a, b.vertices[first + i]); };
  auto height = [&](int i) { return dot(n, corner(i) - a.vertices[0]); };
  int low = 0;
  for (int i = 1; i < count; ++i) {
    if (height(i) < height(low)) low = i;
  }
  const int before = low > 0 ? low - 1 : count - 1, after = low + 1 < count ? low + 1 : 0;
  auto slope = [&](int i) {
    const Vec2 edge = corner(i) - corner(low);
    return dot(n, edge) / max(length(edge), 1e-18f);
  };
  const int next = slope(before) < slope(after) ? before : after;
  Manifold result = apart(n, height(low) - b.radius);
  for (int i : {std::min(low, next), std::max(low, next)}) {
    if (i == next && next == low && result.count > 0) break;
    const Vec2 q = corner(i);
    const Manifold one =
        point_manifold(q - height(i) * n, q, n, 0.0f, b.radius, feature_id(0, i), speculative);
    if (one.count > 0) result.points[result.count++] = one.points[0];
  }
  return result;
}

// The order in which a pair is computed: the kind with the higher rank is A.
int rank(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::circle:
      return 0;
    case ShapeKind::chain_segment:
      return 2;
    case ShapeKind::half_space:
      return 3;
    default:
      return 1;
  }
}

Manifold collide_ordered(const Shape& a, const Shape& b, const Transform& b_in_a,
                         float speculative) {
  if (a.kind == ShapeKind::half_space) return collide_half_space(a, b, b_in_a, speculative);
  if (a.kind == ShapeKind::chain_segment) return collide_chain(a, b, b_in_a, speculative);
  if (b.kind != ShapeKind::circle) return collide_cores(a, b, b_in_a, speculative);
  switch (a.kind) {
    case ShapeKind::circle:
      return collide_points(a.vertices[0], apply(b_in_a, b.vertices[0]), fallback_normal, a.radius,
                            b.radius, speculative);
    case ShapeKind::polygon:
      return collide_polygon_circle(a, b, b_in_a, speculative);
    default:
      return collide_segment_circle(a, b, b_in_a, speculative);
  }
}

}  // namespace

Manifold apart(Vec2 normal, float separation) {
  return {normal, 0, {{{0.0f, 0.0f}, separation, 0}, {}}};
}

Manifold point_manifold(Vec2 p, Vec2 q, Vec2 normal, float radius_a, float radius_b, uint16_t id,
                        float speculative) {
  float gap = dot(normal, q - p);
  float separation = gap - radius_a - radius_b;
  if (!(separation <= speculative)) return apart(normal, separation);
  // A's surface is at radius_a along the normal from p, B's at gap - radius_b.
  Vec2 point = p + (0.5f * (radius_a + gap - radius_b)) * normal;
  return {normal, 1, {{point, separation, id}, {}}};
}

Manifold mirrored(const Manifold& m, const Transform& b_in_a) {
  Manifold result = m;
  result.normal = -rotate(b_in_a.q, m.normal);
  for (int i = 0; i < m.count; ++i) {
    result.points[i].point = apply(b_in_a, m.points[i].point);
    uint16_t id = m.points[i].id;
    result.points[i].id = static_cast<uint16_t>(id << 8 | id >> 8);
  }
  return result;
}

Manifold collide(const Shape& a, const Shape& b, const Transform& b_in_a, float speculative) {
  if (a.outline || b.outline) return collide_outlines(a, b, b_in_a, speculative);
  return collide_convex(a, b, b_in_a, speculative);
}

Manifold collide_convex(const Shape& a, const Shape& b, const Transform& b_in_a,
                        float speculative) {
  if (a.kind == ShapeKind::polygon && b.kind == ShapeKind::polygon) {
    return collide_cores(a, b, b_in_a, speculative);
  }
  if (!has_inside(a.kind) && !has_inside(b.kind)) return {{0.0f, 0.0f}, 0, {}};
  if (a.kind == ShapeKind::half_space && b.kind == ShapeKind::half_space) return {{0, 0}, 0, {}};
  if (rank(a.kind) >= rank(b.kind)) return collide_ordered(a, b, b_in_a, speculative);
  return mirrored(collide_ordered(b, a, inverse(b_in_a), speculative), b_in_a);
}

}  // namespace rigid
