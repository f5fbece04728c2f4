// SPDX-License-Identifier: MIT
// Manifolds of one-sided chain segments.
//
// A body that slides over a chain must not bump into the joins. So a segment p1-p2 only pushes
// along its own directions: its normal, and at an end where the chain bends away (convex) the
// directions between its normal and the neighbour's. Where the chain bends towards the body
// (concave) or runs straight, the end has no directions of its own. Contacts in any other direction
// are left to the neighbour.
//
//            n_prev    n               convex at p1: n_prev .. n
//               \   |
//        ghost1  \  |
//             \___p1________p2         concave or straight: n alone
//
// A ghost that coincides with its end point means that there is no neighbour: the end is free and
// may push in every direction from n to straight away from the segment. Shapes whose centroid is
// behind the line are not touched.
#include "geometry/closest.h"
#include "geometry/manifold_parts.h"

namespace rigid {

namespace {

// An edge within this of the segment's direction (cosine, 2.6 degrees) is flush with it and is held
// by the segment's own normal, which gives two points.
constexpr float flush_edge_cosine = 0.999f;
// A direction outside the allowed range by less than this (sine) is moved to the range's border:
// for the neighbour, which would have to handle it, the direction is inside its range.
constexpr float snap_sine = 0.05f;

struct Chain {
  Vec2 p1, p2, normal, edge;
  float length, radius;
  Vec2 to_neighbour[2];      // from p1 to ghost1, from p2 to ghost2
  Vec2 neighbour_normal[2];  // of the neighbours at p1 and p2; meaningless where free
  bool free[2], convex[2];
};

Chain make_chain(const Shape& shape) {
  const Vec2* v = shape.vertices;
  Vec2 edge = v[2] - v[1];
  Vec2 before = v[1] - v[0];
  Vec2 after = v[3] - v[2];
  Chain c{};
  c.p1 = v[1];
  c.p2 = v[2];
  c.normal = shape.normals[0];
  c.edge = right_perpendicular(c.normal);
  c.length = dot(c.edge, edge);
  c.radius = shape.radius;
  c.to_neighbour[0] = -before;
  c.to_neighbour[1] = after;
  c.neighbour_normal[0] = left_perpendicular(normalize(before));
  c.neighbour_normal[1] = left_perpendicular(normalize(after));
  c.free[0] = v[0] == v[1];
  c.free[1] = v[3] == v[2];
  c.convex[0] = cross(before, edge) < 0.0f;
  c.convex[1] = cross(edge, after) < 0.0f;
  return c;
}

Manifold collide_circle(const Chain& c, Vec2 centre, float radius, float speculative) {
  Vec2 edge = c.p2 - c.p1;
  Vec2 d = centre - c.p1;
  if (cross(edge, d) < 0.0f) return {c.normal, 0, {}};
  Vec2 end = c.p1;
  int side = 0;
  if (dot(edge, centre - c.p2) >= 0.0f) {
    end = c.p2;
    d = centre - c.p2;
    side = 1;
  } else if (dot(edge, d) > 0.0f) {
    Vec2 on_line = centre - dot(c.normal, d) * c.normal;
    return point_manifold(on_line, centre, c.normal, c.radius, radius, 0, speculative);
  }
  // Before p1 or past p2. A shape beside the neighbour is left to the neighbour; in the corner
  // between the two both hold it, which passes its impulse from one to the other.
  if (!c.free[side] && dot(c.to_neighbour[side], d) > 0.0f) return {c.normal, 0, {}};
  float distance = length(d);
  Vec2 normal = distance > 1e-18f ? (1.0f / distance) * d : c.normal;
  return point_manifold(end, centre, normal, c.radius, radius, 0, speculative);
}

// Whether the segment may push along `d`; moves it into the allowed range.
bool admit(const Chain& c, Vec2& d) {
  if (!(dot(d, c.normal) > 0.0f)) return false;
  int end = dot(d, c.edge) < 0.0f ? 0 : 1;
  if (c.free[end]) return true;
  if (!c.convex[end]) return false;
  // Positive if the neighbour's normal is still farther out than d.
  Vec2 border = c.neighbour_normal[end];
  float inside = end == 0 ? cross(d, border) : cross(border, d);
  if (inside >= 0.0f) return true;
  if (inside < -snap_sine || dot(d, border) <= 0.0f) return false;
  d = border;
  return true;
}

struct Meeting {
  const Chain& chain;
  const Core& segment;  // p2-p1 as a core with one face, so that its normal is on the right
  const Core& core;
  float speculative;
};

// The manifold with the segment's own normal, if the facing edge of the core is over the segment.
Manifold on_face(const Meeting& m) {
  const Chain& c = m.chain;
  int edge = opposing_edge(m.core, c.normal);
  float s1 = dot(c.edge, m.core.vertices[edge] - c.p1);
  float s2 = dot(c.edge, m.core.vertices[next_vertex(m.core, edge)] - c.p1);
  if (max(s1, s2) < 0.0f || min(s1, s2) > c.length) return {c.normal, 0, {}};
  return clip_manifold(m.segment, 0, c.normal, m.core, edge, false, m.speculative);
}

Manifold on_corners(const Meeting& m, int end, int vertex) {
  const Chain& c = m.chain;
  Vec2 p = end == 0 ? c.p1 : c.p2;
  Vec2 q = m.core.vertices[vertex];
  Vec2 d = normalize(q - p);
  int facing = opposing_edge(m.core, c.normal);
  if (dot(d, c.normal) > flush_edge_cosine &&
      dot(m.core.normals[facing], c.normal) < -flush_edge_cosine) {
    Manifold flush = on_face(m);
    if (flush.count > 0) return flush;
  }
  if (!admit(c, d)) return {c.normal, 0, {}};
  return point_manifold(p, q, d, c.radius, m.core.radius, feature_id(1 - end, vertex),
                        m.speculative);
}

// An end of the segment against a face of the core.
Manifold on_core_face(const Meeting& m, int edge) {
  const Chain& c = m.chain;
  Vec2 normal = m.core.normals[edge];
  Vec2 d = -normal;
  if (dot(d, c.normal) > flush_edge_cosine || !admit(c, d)) return on_face(m);
  if (d == -normal) return clip_manifold(m.core, edge, normal, m.segment, 0, true, m.speculative);
  int end = dot(normal, c.p1 - c.p2) < 0.0f ? 0 : 1;
  Vec2 p = end == 0 ? c.p1 : c.p2;
  Vec2 q = p - dot(normal, p - m.core.vertices[edge]) * normal;
  return point_manifold(p, q, d, c.radius, m.core.radius, feature_id(1 - end, edge), m.speculative);
}

// The nearest pair of features of two separated cores, and its manifold.
Manifold apart(const Meeting& m, const Face& own, const Face& other, float tolerance) {
  const Chain& c = m.chain;
  bool own_face = own.separation >= other.separation - tolerance;
  Vec2 a1 = m.core.vertices[other.edge];
  Vec2 a2 = m.core.vertices[next_vertex(m.core, other.edge)];
  int corner = other.edge;
  int next = next_vertex(m.core, other.edge);
  if (own_face) {
    corner = opposing_edge(m.core, c.normal);
    next = next_vertex(m.core, corner);
    a1 = m.core.vertices[corner];
    a2 = m.core.vertices[next];
  }
  SegmentPair nearest = closest_points(c.p1, c.p2, a1, a2);
  bool end_a = nearest.fraction_a == 0.0f || nearest.fraction_a == 1.0f;
  bool end_b = nearest.fraction_b == 0.0f || nearest.fraction_b == 1.0f;
  if (end_a && end_b) {
    return on_corners(m, nearest.fraction_a == 0.0f ? 0 : 1,
                      nearest.fraction_b == 0.0f ? corner : next);
  }
  return own_face ? on_face(m) : on_core_face(m, other.edge);
}

// Overlapping cores: the least overlap among the allowed directions.
Manifold inside(const Meeting& m, const Face& own, float tolerance) {
  const Chain& c = m.chain;
  Face best{-1, own.separation + tolerance};
  for (int i = 0; i < m.core.count; ++i) {
    Vec2 n = m.core.normals[i];
    Vec2 v = m.core.vertices[i];
    float separation = min(dot(n, c.p1 - v), dot(n, c.p2 - v));
    if (separation <= best.separation) continue;
    Vec2 d = -n;
    if (dot(d, c.normal) <= flush_edge_cosine && admit(c, d)) best = {i, separation};
  }
  return best.edge < 0 ? on_face(m) : on_core_face(m, best.edge);
}

}  // namespace

Manifold collide_chain(const Shape& a, const Shape& b, const Transform& t, float speculative) {
  Chain c = make_chain(a);
  if (b.kind == ShapeKind::circle) {
    return collide_circle(c, apply(t, b.vertices[0]), b.radius, speculative);
  }
  Manifold none{c.normal, 0, {}};
  const float scale =
      std::fabs(t.p.x) + std::fabs(t.p.y) + std::fabs(c.p1.x) + std::fabs(c.p1.y) + c.length;
  // Points on the line, up to rounding, count as before it.
  if (dot(c.normal, apply(t, b.centroid) - c.p1) < -1e-6f * scale) return none;

  Vec2 vertices[max_vertices];
  Vec2 normals[max_vertices];
  float limit = speculative + a.radius + b.radius;
  Face own{0, 0.0f};
  for (int i = 0; i < b.count; ++i) {
    vertices[i] = apply(t, b.vertices[i]);
    normals[i] = rotate(t.q, b.normals[i]);
    float height = dot(c.normal, vertices[i] - c.p1);
    if (i == 0 || height < own.separation) own.separation = height;
  }
  if (own.separation > limit) return none;

  Vec2 ends[2] = {c.p2, c.p1};
  Core segment{ends, &c.normal, 2, a.radius};
  Core core{vertices, normals, b.count, b.radius};
  Face other = max_separation(core, segment);
  if (other.separation > limit) return none;

  Meeting meeting{c, segment, core, speculative};
  float tolerance = 0.025f * speculative + 1e-6f * scale;
  float separation = max(own.separation, other.separation);
  if (b.kind == ShapeKind::capsule) {
    // No normal separates two segments end to end along one line; their distance does.
    separation = std::sqrt(closest_points(c.p1, c.p2, vertices[0], vertices[1]).distance_squared);
    if (separation > limit) return none;
  }
  if (separation > 2e-6f * scale) return apart(meeting, own, other, tolerance);
  return inside(meeting, own, tolerance);
}

}  // namespace rigid
