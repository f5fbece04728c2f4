// SPDX-License-Identifier: MIT
// Manifolds of the convex parts of a concave polygon.
//
// The parts should act as the one polygon that they fill, so that a body which slides over it does
// not bump into the cuts. So a part only pushes along directions of the outline of the whole: the
// normals of its own sides there, and at a convex corner of the outline the directions between its
// two normals. Where the part alone would push in another direction, out of a cut or at a corner
// that is not on the outline, its side farthest towards the other shape replaces it, as a one-sided
// segment that knows the sides before and after it. Contacts left out by this are left to the next
// part.
//
//        \   c   /         concave at c: the normals of the two sides, and nothing between
//         \__.__/
//             :
//             : the cut        its normals point along the surface, into the next part
#include <cmath>

#include "geometry/manifold_parts.h"
#include "geometry/query.h"

namespace rigid {

namespace {

// Normals that agree to this cosine (0.08 degrees) are equal.
constexpr float same_cosine = 0.999999f;
// A direction outside a corner's range by less than this (sine) counts as its border.
constexpr float border_sine = 1e-3f;

// The corner of a polygon that is farthest along `d`.
int supporting_corner(const Shape& polygon, Vec2 d) {
  int best = 0;
  float farthest = dot(d, polygon.vertices[0]);
  for (int i = 1; i < polygon.count; ++i) {
    float along = dot(d, polygon.vertices[i]);
    if (along > farthest) {
      farthest = along;
      best = i;
    }
  }
  return best;
}

// Whether a part may push along the unit vector `d`, in its own frame.
bool admits(const Shape& part, Vec2 d) {
  if (!part.outline) return true;
  int i = supporting_corner(part, d);
  Vec2 before = part.outline[i];
  Vec2 after = part.outline[part.count + i];
  if (dot(d, before) > same_cosine || dot(d, after) > same_cosine) return true;
  return cross(before, after) > 0.0f && dot(d, before + after) > 0.0f &&
         cross(before, d) > -border_sine && cross(d, after) > -border_sine;
}

// Whether the next part handles it: if this part's corner farthest along the normal is in the other
// shape, and the outline continues from there, farther into it for longer than the depth. Out
// through one of its own sides this part would push the other shape by its own reach beyond the
// side: by half its length, if it is the floor under a foot.
bool leads_on(const Shape& part, const Shape& other, const Transform& t, float speculative,
              const Manifold& m) {
  constexpr float rounding = 1e-5f;
  const Vec2 d = m.normal;
  for (int i = 0; i < part.count; ++i) {
    if (dot(d, part.normals[i]) > same_cosine) return false;  // a cut, with the other across it
  }
  const int i = supporting_corner(part, d);
  const Vec2 corner = part.vertices[i];
  float depth = m.points[0].separation;
  if (m.count == 2) depth = min(depth, m.points[1].separation);
  auto within = [&](Vec2 place) {
    const Vec2 seen = inverse_apply(t, place);
    const Shape point{ShapeKind::circle, 1, part.radius, &seen, nullptr, seen};
    const float gap = separation(other, point, {{0.0f, 0.0f}, {1.0f, 0.0f}}).distance;
    return gap <= max(depth, 0.0f) + rounding * length(seen);
  };
  if (!within(corner)) return false;
  const float reach = 2.0f * std::fabs(depth) + speculative;
  auto goes_on = [&](Vec2 way) {
    return dot(d, way) > border_sine && within(corner + reach * way);
  };
  return goes_on(right_perpendicular(part.outline[i])) ||
         goes_on(left_perpendicular(part.outline[part.count + i]));
}

bool is_on_outline(const Shape& part, int edge) {
  int next = edge + 1 < part.count ? edge + 1 : 0;
  Vec2 n = part.normals[edge];
  return dot(n, part.outline[part.count + edge]) > same_cosine ||
         dot(n, part.outline[next]) > same_cosine;
}

// The vertex of `other` that is lowest over an edge, and its distance outside.
struct LowestVertex {
  int vertex;
  Vec2 point;
  float height;
};

LowestVertex lowest_over(const Shape& part, int edge, const Shape& other, const Transform& t) {
  LowestVertex lowest{0, {0.0f, 0.0f}, 0.0f};
  for (int i = 0; i < other.count; ++i) {
    Vec2 point = apply(t, other.vertices[i]);
    float height = dot(part.normals[edge], point - part.vertices[edge]);
    if (i == 0 || height < lowest.height) lowest = {i, point, height};
  }
  return lowest;
}

// A side of the part as a chain segment, which is solid from the left of p1 -> p2.
Manifold collide_side(const Shape& part, int edge, const Shape& other, const Transform& t,
                      float speculative) {
  int next = edge + 1 < part.count ? edge + 1 : 0;
  Vec2 p1 = part.vertices[next];
  Vec2 p2 = part.vertices[edge];
  float size = length(p2 - p1);
  Vec2 vertices[4] = {p1 + size * left_perpendicular(part.outline[part.count + next]), p1, p2,
                      p2 - size * left_perpendicular(part.outline[edge])};
  Shape side{ShapeKind::chain_segment, 4,      part.radius, vertices, &part.normals[edge],
             lerp(p1, p2, 0.5f),       nullptr};
  Shape solid = other;
  if (solid.kind == ShapeKind::segment) solid.kind = ShapeKind::capsule;
  return collide_chain(side, solid, t, speculative);
}

// Pushes out through a side, for a shape so deep inside that it is in front of no side.
Manifold push_through(const Shape& part, int edge, const Shape& other, const LowestVertex& deepest,
                      float speculative) {
  Vec2 n = part.normals[edge];
  return point_manifold(deepest.point - deepest.height * n, deepest.point, n, part.radius,
                        other.radius, feature_id(edge, deepest.vertex), speculative);
}

// The part's manifold with only the directions of the outline.
Manifold push_outwards(const Shape& part, const Shape& other, const Transform& t, float speculative,
                       const Manifold& otherwise) {
  Vec2 centroid = apply(t, other.centroid);
  bool within = true;
  int best = -1;
  LowestVertex highest{0, {0.0f, 0.0f}, 0.0f};
  for (int i = 0; i < part.count; ++i) {
    if (dot(part.normals[i], centroid - part.vertices[i]) > 0.0f) within = false;
    if (!is_on_outline(part, i)) continue;
    LowestVertex lowest = lowest_over(part, i, other, t);
    if (best < 0 || lowest.height > highest.height) {
      best = i;
      highest = lowest;
    }
  }
  if (within && best >= 0) return push_through(part, best, other, highest, speculative);
  if (within) return otherwise;
  if (leads_on(part, other, t, speculative, otherwise)) best = -1;
  if (best < 0) return {otherwise.normal, 0, {}};
  return collide_side(part, best, other, t, speculative);
}

}  // namespace

Manifold collide_outlines(const Shape& a, const Shape& b, const Transform& b_in_a,
                          float speculative) {
  Manifold m = collide_convex(a, b, b_in_a, speculative);
  // A chain, or a half-space, only pushes along directions of its own.
  auto has_own = [](ShapeKind kind) {
    return kind == ShapeKind::chain_segment || kind == ShapeKind::half_space;
  };
  if (has_own(a.kind) || has_own(b.kind)) return m;
  if (m.count == 0) return m;
  if (!admits(a, m.normal)) {
    m = push_outwards(a, b, b_in_a, speculative, m);
  } else if (!admits(b, -inverse_rotate(b_in_a.q, m.normal))) {
    Transform a_in_b = inverse(b_in_a);
    m = mirrored(push_outwards(b, a, a_in_b, speculative, mirrored(m, a_in_b)), b_in_a);
  }
  return m;
}

}  // namespace rigid
