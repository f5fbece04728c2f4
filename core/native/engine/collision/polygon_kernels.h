// SPDX-License-Identifier: MIT
// Manifolds of polygons, W pairs side by side: what geometry/manifold_cores.cpp does for one pair,
// operation by operation, with both sides of each of its branches and a choice. The bits are the
// same; a test compares them.
#ifndef RIGID_ENGINE_COLLISION_POLYGON_KERNELS_H
#define RIGID_ENGINE_COLLISION_POLYGON_KERNELS_H

#include <cstddef>
#include <cstring>

#include "engine/collision/polygon_pairs.h"
#include "simd/lanes.h"
#include "simd/transpose.h"

namespace rigid {

// A name of its own for each width: the linker must never mix code for different processors.
template <int W, int corners>
struct PolygonLanes {
  using Real = lanes<W>;
  using Mask = typename Real::mask;
  using Vector = LaneVec2<W>;
  using Pairs = PolygonPairs<corners>;

  struct Polygon {
    Vector vertices[corners], next[corners], normals[corners];  // next: where an edge ends
    Real count, radius;
  };

  // An edge of a polygon: its number and that of the corner where it ends.
  struct Edge {
    Real index, value;  // value: what it was chosen by
    Vector normal, start, end;
  };

  struct Points {
    Vector normal;
    Real count;
    Vector place[2];
    Real separation[2], id[2];
  };

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

  // Corners that a polygon does not have repeat its last one.
  static RIGID_INLINE void load_points(const Vec2* const* from, Real count, Vector* points) {
    for (int i = 0; i < corners; i += 2) {
      load_rows<W>([&](int lane) { return reinterpret_cast<const char*>(from[lane] + i); },
                   points[i].x, points[i].y, points[i + 1].x, points[i + 1].y);
    }
    for (int i = 3; i < corners; ++i) {  // each has three
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

  // Where each edge ends; the last one does at the first corner.
  static RIGID_INLINE void find_ends(Polygon& p) {
    for (int i = 0; i < corners; ++i) {
      if (i + 1 == corners) {
        p.next[i] = p.vertices[0];
      } else if (i < 2) {
        p.next[i] = p.vertices[i + 1];  // each has three corners
      } else {
        p.next[i] = choose(number(i + 1.0f) < p.count, p.vertices[i + 1], p.vertices[0]);
      }
    }
  }

  static RIGID_INLINE Edge edge_of(const Polygon& p, int i, Real value) {
    return {number(static_cast<float>(i)), value, p.normals[i], p.vertices[i], p.next[i]};
  }

  static RIGID_INLINE Real next_index(const Edge& edge, Real count) {
    const Real next = edge.index + number(1.0f);
    return select(next < count, next, number(0.0f));
  }

  // The edge along whose normal the other lies farthest outside. Of those alike the first counts,
  // so that repeated corners never do.
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

  static RIGID_INLINE Real closest_fraction(Vector a, Vector b, Vector p) {
    const Real zero = number(0.0f);
    const Vector e = b - a;
    const Real along = dot(p - a, e), whole = dot(e, e);
    const Real fraction = select(along < whole, along / whole, number(1.0f));
    return select((zero < along) & (zero < whole), fraction, zero);
  }

  static RIGID_INLINE Real squared_distance(Vector a, Vector b) {
    const Vector d = b - a;
    return d.x * d.x + d.y * d.y;
  }
  static RIGID_INLINE Vector lerp(Vector a, Vector b, Real t) {
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
  }

  struct Fractions {
    Real a, b;
  };

  // As closest_points in geometry/closest.h has them.
  static RIGID_INLINE Fractions closest_points(Vector a1, Vector a2, Vector b1, Vector b2) {
    const Real zero = number(0.0f), one = number(1.0f);
    const Vector ea = a2 - a1, eb = b2 - b1;
    const Real side_b1 = cross(ea, b1 - a1), side_b2 = cross(ea, b2 - a1);
    const Real side_a1 = cross(eb, a1 - b1), side_a2 = cross(eb, a2 - b1);
    const Mask crossing =
        (((side_b1 < zero) & (side_b2 > zero)) | ((side_b1 > zero) & (side_b2 < zero))) &
        (((side_a1 < zero) & (side_a2 > zero)) | ((side_a1 > zero) & (side_a2 < zero)));

    Fractions best{zero, closest_fraction(b1, b2, a1)};
    Real least = squared_distance(a1, lerp(b1, b2, best.b));
    auto keep_nearer = [&](Fractions f, Vector on_a, Vector on_b) {
      const Real d = squared_distance(on_a, on_b);
      const Mask nearer = d < least;
      best = {select(nearer, f.a, best.a), select(nearer, f.b, best.b)};
      least = select(nearer, d, least);
    };
    Real t = closest_fraction(b1, b2, a2);
    keep_nearer({one, t}, a2, lerp(b1, b2, t));
    t = closest_fraction(a1, a2, b1);
    keep_nearer({t, zero}, lerp(a1, a2, t), b1);
    t = closest_fraction(a1, a2, b2);
    keep_nearer({t, one}, lerp(a1, a2, t), b2);
    const Fractions met{clamp(side_a1 / (side_a1 - side_a2), zero, one),
                        clamp(side_b1 / (side_b1 - side_b2), zero, one)};
    return {select(crossing, met.a, best.a), select(crossing, met.b, best.b)};
  }

  static RIGID_INLINE Mask equal(Real a, Real b) { return (a <= b) & (b <= a); }
  static RIGID_INLINE Mask choose(Mask m, Mask a, Mask b) { return (m & a) | ((!m) & b); }

  // The relation of two polygons, B's corners in A's frame.
  struct Meeting {
    Polygon reference, incident;
    Edge face, other;
    Mask flip;  // the reference is B
    Real margin, scale;
  };

  static RIGID_INLINE Real feature_id(Mask flip, Real reference, Real incident) {
    return number(256.0f) * select(flip, incident, reference) + select(flip, reference, incident);
  }

  // The manifold of one point between two corners, where these are nearest and not flush.
  static RIGID_INLINE Mask meet_at_corners(const Meeting& m, Points& points) {
    const Real zero = number(0.0f), one = number(1.0f);
    const Vector n = m.face.normal, a1 = m.face.start, a2 = m.face.end;
    const Vector b1 = m.other.start, b2 = m.other.end;
    const Vector lowest = choose(dot(n, b1) < dot(n, b2), b1, b2);
    const Vector e = a2 - a1;
    const Mask over = (zero <= dot(e, lowest - a1)) & (dot(e, lowest - a2) <= zero);
    const Mask outside = number(2e-6f) * m.scale < m.face.value;
    const Mask wanted = outside & !over;
    if (!wanted.any()) return wanted;
    const Fractions at = closest_points(a1, a2, b1, b2);
    const Mask first_a = equal(at.a, zero), first_b = equal(at.b, zero);
    const Mask ends = (first_a | equal(at.a, one)) & (first_b | equal(at.b, one));
    const Vector corner = choose(first_a, a1, a2), other = choose(first_b, b1, b2);
    const Vector d = other - corner;
    const Real distance = sqrt(d.x * d.x + d.y * d.y);
    const Real flush = number(flush_cosine);
    const Mask is_flush = (m.other.value < -flush) & (flush * distance < dot(d, n));
    const Mask result = wanted & ends & !is_flush;

    const Real inverse = select(m.flip, -one, one) / distance;
    const Vector normal = inverse * d;
    const Vector p = choose(m.flip, other, corner), q = choose(m.flip, corner, other);
    const Real radius_a = select(m.flip, m.incident.radius, m.reference.radius);
    const Real radius_b = select(m.flip, m.reference.radius, m.incident.radius);
    const Real gap = dot(normal, q - p);
    const Real separation = gap - radius_a - radius_b;
    const Mask near = separation <= m.margin;
    const Real middle = number(0.5f) * (radius_a + gap - radius_b);
    const Vector place = p + middle * normal;
    const Real index_a = select(first_a, m.face.index, next_index(m.face, m.reference.count));
    const Real index_b = select(first_b, m.other.index, next_index(m.other, m.incident.count));
    const Real id = feature_id(m.flip, index_a, index_b);
    points.normal = choose(result, normal, points.normal);
    points.count = select(result, select(near, one, zero), points.count);
    points.place[0] =
        choose(result, {select(near, place.x, zero), select(near, place.y, zero)}, points.place[0]);
    points.separation[0] = select(result, separation, points.separation[0]);
    points.id[0] = select(result, select(near, id, zero), points.id[0]);
    return result;
  }

  // As clip_manifold.
  static RIGID_INLINE Points clip(const Meeting& m) {
    const Real zero = number(0.0f), one = number(1.0f), half = number(0.5f);
    const Real r1 = m.face.index, r2 = next_index(m.face, m.reference.count);
    const Real q1 = m.other.index, q2 = next_index(m.other, m.incident.count);
    const Vector normal = m.face.normal, tangent{-normal.y, normal.x}, origin = m.face.start;
    const Real length = dot(tangent, m.face.end - origin);
    const Vector d1 = m.other.start - origin, d2 = m.other.end - origin;
    const Real upper = dot(tangent, d1), lower = dot(tangent, d2);
    const Real upper_height = dot(normal, d1), lower_height = dot(normal, d2);

    const Real run = upper - lower;
    const Mask above = upper < zero;
    const Mask beside = (length < lower) | above;
    const Mask single = (!(zero < run)) | beside;
    // One end is all there is.
    const Mask lowest = (!beside) | (min(lower_height, upper_height) <= zero);
    const Mask high = choose(lowest, upper_height < lower_height, above);
    const Real end = select(high, upper, lower);
    const Real middle_of_ends = half * (end + select(above, zero, length));
    const Real one_along = select(beside & !lowest, middle_of_ends, end);
    const Real one_reference = select(beside, select(above, r1, r2), select(high, r2, r1));
    // Or both, each no farther than the face.
    const Real slope = (upper_height - lower_height) / run;
    const Mask cut_low = lower < zero, cut_high = length < upper;
    const Real low_along = select(cut_low, zero, lower);
    const Real low_height = select(cut_low, lower_height - lower * slope, lower_height);
    const Real high_along = select(cut_high, length, upper);
    const Real high_height =
        select(cut_high, upper_height - (upper - length) * slope, upper_height);

    const Real along[2] = {select(single, one_along, low_along), high_along};
    const Real one_height = select(high, upper_height, lower_height);
    const Real height[2] = {select(single, one_height, low_height), high_height};
    const Real reference[2] = {select(single, one_reference, r1), r2};
    const Real incident[2] = {select(single & high, q1, q2), q1};
    const Real radii = m.reference.radius + m.incident.radius;
    Vector place[2];
    Real separation[2], id[2];
    for (int k = 0; k < 2; ++k) {
      separation[k] = height[k] - radii;
      const Real middle = half * (m.reference.radius + height[k] - m.incident.radius);
      place[k] = origin + along[k] * tangent + middle * normal;
      id[k] = feature_id(m.flip, reference[k], incident[k]);
    }
    const Mask first = separation[0] <= m.margin;
    const Mask second = (separation[1] <= m.margin) & !single;
    const Mask any = first | second;
    auto kept = [&](Mask which, Real value, Real otherwise) {
      return select(any, select(which, value, otherwise), zero);
    };
    Points points;
    points.normal = choose(m.flip, opposite(normal), normal);
    points.count = select(first, one, zero) + select(second, one, zero);
    points.place[0] = {kept(first, place[0].x, place[1].x), kept(first, place[0].y, place[1].y)};
    points.separation[0] = kept(first, separation[0], separation[1]);
    points.id[0] = kept(first, id[0], id[1]);
    points.place[1] = place[1];
    points.separation[1] = separation[1];
    points.id[1] = id[1];
    return points;
  }

  static RIGID_INLINE void keep_apart(Mask m, Vector normal, Real separation, Points& points) {
    const Real zero = number(0.0f);
    points.normal = choose(m, normal, points.normal);
    points.count = select(m, zero, points.count);
    points.separation[0] = select(m, separation, points.separation[0]);
  }

  // As `collide` of the pairs k to k + W.
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

    const Real tolerance = number(0.025f) * margin + number(1e-6f) * scale;
    const Mask flip = face_a.value + tolerance < face_b.value;
    Meeting m{choose(flip, b, a),
              choose(flip, a, b),
              choose(flip, face_b, face_a),
              {},
              flip,
              margin,
              scale};
    m.other = opposing_edge(m.incident, m.face.normal);
    Points points = clip(m);
    meet_at_corners(m, points);
    keep_apart(apart_b, opposite(face_b.normal), face_b.value - radii, points);
    keep_apart(apart_a, face_a.normal, face_a.value - radii, points);
    const Mask touches = number(0.0f) < points.count;
    points.normal = choose(touches, rotate(qa, points.normal), points.normal);
    for (int i = 0; i < 2; ++i) points.place[i] = rotate(qa, points.place[i]);
    return points;
  }

  // Whether any of the points comes deeper in this step than may be, while none is: what
  // Continuous::grazes asks first.
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
