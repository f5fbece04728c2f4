// SPDX-License-Identifier: MIT
// Manifolds of polygons, capsules and segments: separating axes, then clipping.
//
// The cores are tested without their radii. Over all edge normals of both, the one along which the
// cores are farthest apart (or overlap least) names the reference face (Gregorius, "The separating
// axis test between convex polyhedra", 2013, in the plane). The other core's edge that faces it is
// clipped to the reference face's sides, which gives up to two points. Only where two corners
// are nearest is a face's normal wrong; there the line between the corners is the normal.
#include <algorithm>

#include "geometry/closest.h"
#include "geometry/manifold_parts.h"

namespace rigid {

namespace {

// Four numbers that the compiler keeps in one register.
typedef float Four __attribute__((vector_size(16)));

RIGID_INLINE Four smaller(Four a, Four b) { return a < b ? a : b; }

// The corners and normals of a polygon of at most 4 * n corners as columns, the last one repeated
// where it has fewer.
template <int n>
struct Columns {
  Four x[n], y[n], normal_x[n], normal_y[n];
};

constexpr int most_columns = 2;

template <int n>
RIGID_INLINE Columns<n> load_columns(const Core& core, int count) {
  Columns<n> columns;
  for (int k = 0; k < n; ++k) {
    auto at = [&](int i) { return std::min(4 * k + i, count - 1); };
    const int i[4] = {at(0), at(1), at(2), at(3)};
    const Vec2 *v = core.vertices, *m = core.normals;
    columns.x[k] = Four{v[i[0]].x, v[i[1]].x, v[i[2]].x, v[i[3]].x};
    columns.y[k] = Four{v[i[0]].y, v[i[1]].y, v[i[2]].y, v[i[3]].y};
    columns.normal_x[k] = Four{m[i[0]].x, m[i[1]].x, m[i[2]].x, m[i[3]].x};
    columns.normal_y[k] = Four{m[i[0]].y, m[i[1]].y, m[i[2]].y, m[i[3]].y};
  }
  return columns;
}

template <int n>
RIGID_INLINE Columns<n> apply(const Transform& t, const Columns<n>& from) {
  Columns<n> to;
  for (int k = 0; k < n; ++k) {
    to.x[k] = t.q.c * from.x[k] - t.q.s * from.y[k] + t.p.x;
    to.y[k] = t.q.s * from.x[k] + t.q.c * from.y[k] + t.p.y;
    to.normal_x[k] = t.q.c * from.normal_x[k] - t.q.s * from.normal_y[k];
    to.normal_y[k] = t.q.s * from.normal_x[k] + t.q.c * from.normal_y[k];
  }
  return to;
}

// Of the first `count` edges.
template <int n>
RIGID_INLINE Face max_separation(const Columns<n>& core, int count, const Columns<n>& other,
                                 int other_count) {
  Four separation[n];
  for (int k = 0; k < n; ++k) {
    const Four nx = core.normal_x[k], ny = core.normal_y[k];
    Four nearest = nx * other.x[0][0] + ny * other.y[0][0];
    for (int j = 1; j < 4; ++j) {
      nearest = smaller(nearest, nx * other.x[0][j] + ny * other.y[0][j]);
    }
    for (int j = 4; j < 4 * n && j < other_count; ++j) {
      nearest = smaller(nearest, nx * other.x[j / 4][j % 4] + ny * other.y[j / 4][j % 4]);
    }
    separation[k] = nearest - (nx * core.x[k] + ny * core.y[k]);
  }
  Face best{0, separation[0][0]};
  for (int i = 1; i < count; ++i) {
    const float s = separation[i / 4][i % 4];
    if (s > best.separation) best = {i, s};
  }
  return best;
}

// The ends of the reference face and the incident edge that are nearest to one another, where no
// point of either edge's inside is nearer.
struct Corners {
  bool nearest;
  int reference, incident;
};

Corners nearest_corners(const Core& reference, int edge, Vec2 normal, const Core& incident,
                        int incident_edge) {
  int r2 = next_vertex(reference, edge);
  int q2 = next_vertex(incident, incident_edge);
  Vec2 a1 = reference.vertices[edge];
  Vec2 a2 = reference.vertices[r2];
  Vec2 b1 = incident.vertices[incident_edge];
  Vec2 b2 = incident.vertices[q2];
  Vec2 lowest = dot(normal, b1) < dot(normal, b2) ? b1 : b2;
  Vec2 e = a2 - a1;
  if (dot(e, lowest - a1) >= 0.0f && dot(e, lowest - a2) <= 0.0f) return {false, 0, 0};
  SegmentPair pair = closest_points(a1, a2, b1, b2);
  bool end_a = pair.fraction_a == 0.0f || pair.fraction_a == 1.0f;
  bool end_b = pair.fraction_b == 0.0f || pair.fraction_b == 1.0f;
  return {end_a && end_b, pair.fraction_a == 0.0f ? edge : r2,
          pair.fraction_b == 0.0f ? incident_edge : q2};
}

struct Pair {
  const Core& a;
  const Core& b;
  float scale;  // the largest coordinates met, for what float can tell apart
  float speculative;
};

Manifold collide_pair(const Pair& pair, Face face_a, Face face_b) {
  // Of two faces about as far away A's is taken, so that a resting pair does not change its mind.
  float tolerance = 0.025f * pair.speculative + 1e-6f * pair.scale;
  bool flip = face_b.separation > face_a.separation + tolerance;
  const Core& reference = flip ? pair.b : pair.a;
  const Core& incident = flip ? pair.a : pair.b;
  Face face = flip ? face_b : face_a;
  Vec2 normal = reference.normals[face.edge];
  int other = opposing_edge(incident, normal);

  if (face.separation > 2e-6f * pair.scale) {
    Corners c = nearest_corners(reference, face.edge, normal, incident, other);
    if (c.nearest) {
      Vec2 d = incident.vertices[c.incident] - reference.vertices[c.reference];
      float distance = length(d);
      bool flush = dot(normal, incident.normals[other]) < -flush_cosine &&
                   dot(d, normal) > flush_cosine * distance;
      if (!flush) {
        int corner_a = flip ? c.incident : c.reference;
        int corner_b = flip ? c.reference : c.incident;
        Vec2 direction = (flip ? -1.0f / distance : 1.0f / distance) * d;
        return point_manifold(pair.a.vertices[corner_a], pair.b.vertices[corner_b], direction,
                              pair.a.radius, pair.b.radius, feature_id(corner_a, corner_b),
                              pair.speculative);
      }
    }
  }
  return clip_manifold(reference, face.edge, normal, incident, other, flip, pair.speculative);
}

// Two capsules, or a capsule and a segment. Cores without area have no normals at their ends, so
// the nearest points are found first; separating axes only serve where these are not both ends.
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

// Two cores of at most 4 * n corners, one of them a polygon, all edges of one side by side. The
// counts are apart from the cores for the compiler to know those of boxes. `vertices` and `normals`
// are where B's go.
template <int n>
RIGID_INLINE Manifold collide_few(const Pair& pair, const Core& b, int count_a, int count_b,
                                  const Transform& t, Vec2* vertices, Vec2* normals) {
  const float radii = pair.a.radius + pair.b.radius, limit = pair.speculative + radii;
  const Columns<n> columns_a = load_columns<n>(pair.a, count_a);
  const Columns<n> columns_b = apply(t, load_columns<n>(b, count_b));
  const Face face_a = max_separation(columns_a, count_a, columns_b, count_b);
  if (face_a.separation > limit) {
    return apart(pair.a.normals[face_a.edge], face_a.separation - radii);
  }
  const Face face_b = max_separation(columns_b, count_b, columns_a, count_a);
  if (face_b.separation > limit) {
    return apart(-rotate(t.q, b.normals[face_b.edge]), face_b.separation - radii);
  }
  for (int i = 0; i < count_b; ++i) {
    vertices[i] = {columns_b.x[i / 4][i % 4], columns_b.y[i / 4][i % 4]};
    normals[i] = {columns_b.normal_x[i / 4][i % 4], columns_b.normal_y[i / 4][i % 4]};
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
  int r1 = edge;
  int r2 = next_vertex(reference, edge);
  int q1 = incident_edge;
  int q2 = next_vertex(incident, incident_edge);

  // Along the face, both edges as intervals: r1 at 0, r2 at `length`, q2 below q1.
  Vec2 tangent = left_perpendicular(normal);
  Vec2 origin = reference.vertices[r1];
  float length = dot(tangent, reference.vertices[r2] - origin);
  Vec2 d1 = incident.vertices[q1] - origin;
  Vec2 d2 = incident.vertices[q2] - origin;
  float upper = dot(tangent, d1);
  float lower = dot(tangent, d2);
  float upper_height = dot(normal, d1);
  float lower_height = dot(normal, d2);

  // A point is (along, height) over the face. Swapping A and B leaves the ids the same pair.
  struct Candidate {
    float along, height;
    int reference, incident;
  };
  Candidate low{lower, lower_height, r1, q2};
  Candidate high{upper, upper_height, r2, q1};
  int count = 2;
  float run = upper - lower;
  bool beside = lower > length || upper < 0.0f;
  if (!(run > 0.0f) || beside) {
    // One end is all there is: the lower one of an edge that stands upright or has come below the
    // face, the nearer one of an edge that lies beside the face.
    bool lowest = !beside || min(lower_height, upper_height) <= 0.0f;
    if (lowest ? upper_height < lower_height : upper < 0.0f) low = high;
    if (beside) {
      // Midway between the two near ends, so that A and B agree on the place.
      low.reference = upper < 0.0f ? r1 : r2;
      if (!lowest) low.along = 0.5f * (low.along + (upper < 0.0f ? 0.0f : length));
    }
    count = 1;
  } else {
    float slope = (upper_height - lower_height) / run;
    if (lower < 0.0f) low = {0.0f, lower_height - lower * slope, r1, q2};
    if (upper > length) high = {length, upper_height - (upper - length) * slope, r2, q1};
  }

  Manifold result{flip ? -normal : normal, 0, {}};
  float radii = reference.radius + incident.radius;
  for (int i = 0; i < count; ++i) {
    const Candidate& c = i == 0 ? low : high;
    float separation = c.height - radii;
    if (!(separation <= speculative)) continue;
    float middle = 0.5f * (reference.radius + c.height - incident.radius);
    Vec2 point = origin + c.along * tangent + middle * normal;
    uint16_t id = flip ? feature_id(c.incident, c.reference) : feature_id(c.reference, c.incident);
    result.points[result.count++] = {point, separation, id};
  }
  return result;
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

  if (a.kind == ShapeKind::polygon || b.kind == ShapeKind::polygon) {
    // Boxes are what most scenes are made of.
    const Core given{b.vertices, b.normals, b.count, b.radius};
    const int most = std::max(a.count, b.count);
    if (a.count == 4 && b.count == 4) {
      return collide_few<1>(pair, given, 4, 4, t, vertices, normals);
    }
    if (most <= 4) return collide_few<1>(pair, given, a.count, b.count, t, vertices, normals);
    if (most <= 4 * most_columns) {
      return collide_few<most_columns>(pair, given, a.count, b.count, t, vertices, normals);
    }
  }

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
