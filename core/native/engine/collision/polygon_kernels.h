// SPDX-License-Identifier: MIT
// Manifolds of polygons, W pairs side by side: the separating axes of geometry/manifold_cores.cpp,
// all of them, then the manifold of the two facing edges (geometry/edge_manifold.h). The bits equal
// those of each pair alone, as a test verifies.
#ifndef RIGID_ENGINE_COLLISION_POLYGON_KERNELS_H
#define RIGID_ENGINE_COLLISION_POLYGON_KERNELS_H

#include <cstddef>
#include <cstring>

#include "engine/collision/polygon_pairs.h"
#include "geometry/edge_manifold.h"
#include "simd/lanes.h"
#include "simd/transpose.h"

namespace rigid {

// A distinct name for each width: the linker must never mix code for different processors.
template <int W, int corners>
struct PolygonLanes {
  using Real = lanes<W>;
  using Mask = typename Real::mask;
  using Vector = LaneVec2<W>;
  using Pairs = PolygonPairs<corners>;

  struct Polygon {
    Vector vertices[corners], next[corners], normals[corners];  // next: the end of each edge
    Real count, radius;
  };

  using Edges = EdgeManifold<Real>;
  using Edge = typename Edges::Edge;
  using Points = typename Edges::Points;
  using Meeting = typename Edges::Meeting;

  static RIGID_INLINE Real number(float s) { return Real::splat(s); }

  static RIGID_INLINE Real load(const float* from) {
    Real r;
    std::memcpy(&r.v, from, sizeof r.v);
    return r;
  }
  static RIGID_INLINE void store(float* to, Real r) { std::memcpy(to, &r.v, sizeof r.v); }

  static RIGID_INLINE Vector choose(Mask m, Vector a, Vector b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y)};
  }
  static RIGID_INLINE Edge choose(Mask m, const Edge& a, const Edge& b) {
    return {select(m, a.index, b.index), select(m, a.value, b.value), choose(m, a.normal, b.normal),
            choose(m, a.start, b.start), choose(m, a.end, b.end)};
  }

  static RIGID_INLINE Vector opposite(Vector a) { return {-a.x, -a.y}; }
  static RIGID_INLINE Vector rotate(Vector q, Vector v) {
    return {q.x * v.x - q.y * v.y, q.y * v.x + q.x * v.y};
  }

  // Missing corners repeat the last one.
  static RIGID_INLINE void load_points(const Vec2* const* from, Real count, Vector* points) {
    for (int i = 0; i < corners; i += 2) {
      load_rows<W>([&](int lane) { return reinterpret_cast<const char*>(from[lane] + i); },
                   points[i].x, points[i].y, points[i + 1].x, points[i + 1].y);
    }
    for (int i = 3; i < corners; ++i) {  // each polygon has three
      points[i] = choose(number(static_cast<float>(i)) < count, points[i], points[i - 1]);
    }
  }

  static RIGID_INLINE Polygon load_polygon(const typename Pairs::Polygon& from, int k) {
    Polygon p;
    p.count = load(from.count + k);
    p.radius = load(from.radius + k);
    load_points(from.vertices + k, p.count, p.vertices);
    load_points(from.normals + k, p.count, p.normals);
    return p;
  }

  static RIGID_INLINE Vector load_rotation(const typename Pairs::Polygon& from, int k) {
    static_assert(offsetof(Body, rotation) + 4 * sizeof(float) <= sizeof(Body));
    Vector q, rest;
    load_rows<W>(
        [&](int lane) { return reinterpret_cast<const char*>(&from.body[k + lane]->rotation); },
        q.x, q.y, rest.x, rest.y);
    return q;
  }

  struct Velocity {
    Vector linear;
    Real spin;
  };
  static RIGID_INLINE Velocity load_velocity(const typename Pairs::Polygon& from, int k) {
    Velocity v;
    Real rest;
    load_rows<W>([&](int lane) { return reinterpret_cast<const char*>(from.state[k + lane]); },
                 v.linear.x, v.linear.y, v.spin, rest);
    return v;
  }

  static RIGID_INLINE Vector load_between(const Pairs& pairs, int k) {
    return {load(pairs.between_x + k), load(pairs.between_y + k)};
  }

  // The end of each edge; the last edge ends at the first corner.
  static RIGID_INLINE void find_ends(Polygon& p) {
    for (int i = 0; i < corners; ++i) {
      if (i + 1 == corners) {
        p.next[i] = p.vertices[0];
      } else if (i < 2) {
        p.next[i] = p.vertices[i + 1];  // each polygon has three corners
      } else {
        p.next[i] = choose(number(i + 1.0f) < p.count, p.vertices[i + 1], p.vertices[0]);
      }
    }
  }

  static RIGID_INLINE Edge edge_of(const Polygon& p, int i, Real value) {
    return {number(static_cast<float>(i)), value, p.normals[i], p.vertices[i], p.next[i]};
  }

  // The edge along whose normal the other polygon is farthest outside. Among equal edges the first
  // counts, so that repeated corners never do.
  static RIGID_INLINE Edge max_separation(const Polygon& p, const Polygon& other) {
    Edge best;
    for (int i = 0; i < corners; ++i) {
      const Vector n = p.normals[i];
      Real nearest = dot(n, other.vertices[0]);
      for (int j = 1; j < corners; ++j) nearest = min(nearest, dot(n, other.vertices[j]));
      const Edge edge = edge_of(p, i, nearest - dot(n, p.vertices[i]));
      best = i == 0 ? edge : choose(edge.value > best.value, edge, best);
    }
    return best;
  }

  static RIGID_INLINE Edge opposing_edge(const Polygon& p, Vector normal) {
    Edge best;
    for (int i = 0; i < corners; ++i) {
      const Edge edge = edge_of(p, i, dot(normal, p.normals[i]));
      best = i == 0 ? edge : choose(edge.value < best.value, edge, best);
    }
    return best;
  }

  static RIGID_INLINE Polygon choose(Mask m, const Polygon& a, const Polygon& b) {
    Polygon p;
    p.count = select(m, a.count, b.count);
    p.radius = select(m, a.radius, b.radius);
    for (int i = 0; i < corners; ++i) {
      p.vertices[i] = choose(m, a.vertices[i], b.vertices[i]);
      p.next[i] = choose(m, a.next[i], b.next[i]);
      p.normals[i] = choose(m, a.normals[i], b.normals[i]);
    }
    return p;
  }

  static RIGID_INLINE void keep_apart(Mask m, Vector normal, Real separation, Points& points) {
    const Real zero = number(0.0f);
    points.normal = choose(m, normal, points.normal);
    points.count = select(m, zero, points.count);
    points.separation[0] = select(m, separation, points.separation[0]);
  }

  // `collide` for the pairs k to k + W.
  static RIGID_INLINE Points collide(const Pairs& pairs, int k) {
    Polygon a = load_polygon(pairs.a, k), b = load_polygon(pairs.b, k);
    const Vector qa = load_rotation(pairs.a, k), qb = load_rotation(pairs.b, k);
    const Vector between = load_between(pairs, k);
    const Vector p{qa.x * between.x + qa.y * between.y, -qa.y * between.x + qa.x * between.y};
    const Vector q{qa.x * qb.x + qa.y * qb.y, qa.x * qb.y - qa.y * qb.x};
    for (int i = 0; i < corners; ++i) {
      b.vertices[i] = rotate(q, b.vertices[i]) + p;
      b.normals[i] = rotate(q, b.normals[i]);
    }
    find_ends(a);
    find_ends(b);
    const Real scale =
        absolute(p.x) + absolute(p.y) + absolute(a.vertices[0].x) + absolute(a.vertices[0].y);
    const Real margin = number(pairs.margin), radii = a.radius + b.radius;
    const Real limit = margin + radii;
    const Edge face_a = max_separation(a, b), face_b = max_separation(b, a);
    const Mask apart_a = limit < face_a.value, apart_b = limit < face_b.value;

    const Mask flip = Edges::is_flipped(face_a.value, face_b.value, margin, scale);
    const Edge face = choose(flip, face_b, face_a);
    const Edge other = opposing_edge(choose(flip, a, b), face.normal);
    Points points = Edges::meet({face, other, select(flip, b.count, a.count),
                                 select(flip, a.count, b.count), select(flip, b.radius, a.radius),
                                 select(flip, a.radius, b.radius), flip, margin, scale});
    keep_apart(apart_b, Edges::opposite(face_b.normal), face_b.value - radii, points);
    keep_apart(apart_a, face_a.normal, face_a.value - radii, points);
    const Mask touches = number(0.0f) < points.count;
    points.normal = choose(touches, rotate(qa, points.normal), points.normal);
    for (int i = 0; i < 2; ++i) points.place[i] = rotate(qa, points.place[i]);
    return points;
  }

  // Whether any of the points becomes deeper in this step than allowed, while none is yet: the
  // first test of Continuous::grazes.
  static RIGID_INLINE Mask comes_deeper(const Pairs& pairs, int k, const Points& points) {
    const Real depth = load(pairs.depth + k), dt = number(-pairs.dt);
    const Velocity of_a = load_velocity(pairs.a, k), of_b = load_velocity(pairs.b, k);
    const Real spin_a = of_a.spin, spin_b = of_b.spin;
    const Vector between = load_between(pairs, k);
    const Vector relative = of_b.linear - of_a.linear;
    Mask blocks, deep;
    for (int i = 0; i < 2; ++i) {
      const Vector p = points.place[i];
      const Mask there = number(static_cast<float>(i)) < points.count;
      const Vector velocity = relative + cross(spin_b, p - between) - cross(spin_a, p);
      const Real approach = dt * dot(velocity, points.normal);
      const Mask goes = there & (depth < approach - points.separation[i]);
      const Mask is = there & (points.separation[i] < -depth);
      blocks = i == 0 ? goes : blocks | goes;
      deep = i == 0 ? is : deep | is;
    }
    return blocks & !deep;
  }
};

template <int W, int corners>
void collide_polygons(PolygonPairs<corners>& pairs) {
  using Lanes = PolygonLanes<W, corners>;
  for (int k = 0; k < pairs.used; k += W) {
    const typename Lanes::Points points = Lanes::collide(pairs, k);
    Lanes::store(pairs.normal_x + k, points.normal.x);
    Lanes::store(pairs.normal_y + k, points.normal.y);
    Lanes::store(pairs.point_count + k, points.count);
    Lanes::store(pairs.comes_deeper + k,
                 select(Lanes::comes_deeper(pairs, k, points), Lanes::number(1), Lanes::number(0)));
    for (int i = 0; i < 2; ++i) {
      Lanes::store(pairs.points[i].x + k, points.place[i].x);
      Lanes::store(pairs.points[i].y + k, points.place[i].y);
      Lanes::store(pairs.points[i].separation + k, points.separation[i]);
      Lanes::store(pairs.points[i].id + k, points.id[i]);
    }
  }
}

}  // namespace rigid

#endif
