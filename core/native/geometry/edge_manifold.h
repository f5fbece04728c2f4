// SPDX-License-Identifier: MIT
// The manifold of two facing edges, for one pair (Number is float) or for W pairs side by side
// (lanes<W>).
//
// Both sides of each branch are computed and one is selected, which works for one pair and for
// many. An edge is named by its first corner.
#ifndef RIGID_GEOMETRY_EDGE_MANIFOLD_H
#define RIGID_GEOMETRY_EDGE_MANIFOLD_H

#include <type_traits>

#include "geometry/manifold.h"
#include "math.h"
#include "simd/lanes.h"

namespace rigid {

template <class Number>
struct VectorOf;
template <>
struct VectorOf<float> {
  using type = Vec2;
};
template <int W>
struct VectorOf<lanes<W>> {
  using type = LaneVec2<W>;
};

template <class Number>
struct EdgeManifold {
  using Vector = typename VectorOf<Number>::type;
  using Mask = decltype(Number{} < Number{});
  static constexpr bool single = std::is_same_v<Number, float>;

  struct Edge {
    Number index, value;  // value: the separation that it was chosen by
    Vector normal, start, end;
  };
  // The normal is from A to B, in the frame of both edges.
  struct Points {
    Vector normal;
    Number count;
    Vector place[2];
    Number separation[2], id[2];
  };
  // `face` of the reference core, along whose normal the cores are farthest apart, and the opposing
  // edge of the incident core.
  struct Meeting {
    Edge face, other;
    Number reference_count, incident_count;  // of corners
    Number reference_radius, incident_radius;
    Mask flip;             // the reference is B
    Number margin, scale;  // points farther apart are left out; the largest coordinates
  };

  static RIGID_INLINE Number number(float s) {
    if constexpr (single) {
      return s;
    } else {
      return Number::splat(s);
    }
  }
  static RIGID_INLINE bool any_of(Mask m) {
    if constexpr (single) {
      return m;
    } else {
      return m.any();
    }
  }
  static RIGID_INLINE Vector choose(Mask m, Vector a, Vector b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y)};
  }
  static RIGID_INLINE Mask choose(Mask m, Mask a, Mask b) { return (m & a) | ((!m) & b); }
  static RIGID_INLINE Mask equal(Number a, Number b) { return (a <= b) & (b <= a); }
  static RIGID_INLINE Vector opposite(Vector a) { return {-a.x, -a.y}; }
  static RIGID_INLINE Number root(Number a) {
    if constexpr (single) {
      return std::sqrt(a);
    } else {
      return sqrt(a);
    }
  }

  static RIGID_INLINE Number next_index(const Edge& edge, Number count) {
    const Number next = edge.index + number(1.0f);
    return select(next < count, next, number(0.0f));
  }
  static RIGID_INLINE Number feature_id(Mask flip, Number reference, Number incident) {
    return number(256.0f) * select(flip, incident, reference) + select(flip, reference, incident);
  }

  // ---------------------------------------------------------------- nearest points of two edges

  static RIGID_INLINE Number closest_fraction(Vector a, Vector b, Vector p) {
    const Number zero = number(0.0f);
    const Vector e = b - a;
    const Number along = dot(p - a, e), whole = dot(e, e);
    const Number fraction = select(along < whole, along / whole, number(1.0f));
    return select((zero < along) & (zero < whole), fraction, zero);
  }
  static RIGID_INLINE Number squared_distance(Vector a, Vector b) {
    const Vector d = b - a;
    return d.x * d.x + d.y * d.y;
  }
  static RIGID_INLINE Vector lerp(Vector a, Vector b, Number t) {
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
  }
  struct Fractions {
    Number a, b;
  };

  // Two segments either cross or are nearest at an end of one of them.
  static RIGID_INLINE Fractions closest_points(Vector a1, Vector a2, Vector b1, Vector b2) {
    const Number zero = number(0.0f), one = number(1.0f);
    const Vector ea = a2 - a1, eb = b2 - b1;
    const Number side_b1 = cross(ea, b1 - a1), side_b2 = cross(ea, b2 - a1);
    const Number side_a1 = cross(eb, a1 - b1), side_a2 = cross(eb, a2 - b1);
    const Mask crossing =
        (((side_b1 < zero) & (side_b2 > zero)) | ((side_b1 > zero) & (side_b2 < zero))) &
        (((side_a1 < zero) & (side_a2 > zero)) | ((side_a1 > zero) & (side_a2 < zero)));

    Fractions best{zero, closest_fraction(b1, b2, a1)};
    Number least = squared_distance(a1, lerp(b1, b2, best.b));
    auto keep_nearer = [&](Fractions f, Vector on_a, Vector on_b) {
      const Number d = squared_distance(on_a, on_b);
      const Mask nearer = d < least;
      best = {select(nearer, f.a, best.a), select(nearer, f.b, best.b)};
      least = select(nearer, d, least);
    };
    Number t = closest_fraction(b1, b2, a2);
    keep_nearer({one, t}, a2, lerp(b1, b2, t));
    t = closest_fraction(a1, a2, b1);
    keep_nearer({t, zero}, lerp(a1, a2, t), b1);
    t = closest_fraction(a1, a2, b2);
    keep_nearer({t, one}, lerp(a1, a2, t), b2);
    const Fractions met{clamp(side_a1 / (side_a1 - side_a2), zero, one),
                        clamp(side_b1 / (side_b1 - side_b2), zero, one)};
    return {select(crossing, met.a, best.a), select(crossing, met.b, best.b)};
  }

  // ---------------------------------------------------------------- points

  // The single point between two corners, if these are nearest and the edges are not flush: a
  // face's normal is wrong there. Returns the mask of these pairs.
  static RIGID_INLINE Mask meet_at_corners(const Meeting& m, Points& points) {
    const Number zero = number(0.0f), one = number(1.0f);
    const Vector n = m.face.normal, a1 = m.face.start, a2 = m.face.end;
    const Vector b1 = m.other.start, b2 = m.other.end;
    const Vector lowest = choose(dot(n, b1) < dot(n, b2), b1, b2);
    const Vector e = a2 - a1;
    const Mask over = (zero <= dot(e, lowest - a1)) & (dot(e, lowest - a2) <= zero);
    const Mask outside = number(2e-6f) * m.scale < m.face.value;
    const Mask wanted = outside & !over;
    if (!any_of(wanted)) return wanted;
    const Fractions at = closest_points(a1, a2, b1, b2);
    const Mask first_a = equal(at.a, zero), first_b = equal(at.b, zero);
    const Mask ends = (first_a | equal(at.a, one)) & (first_b | equal(at.b, one));
    const Vector corner = choose(first_a, a1, a2), other = choose(first_b, b1, b2);
    const Vector d = other - corner;
    const Number distance = root(d.x * d.x + d.y * d.y);
    const Number flush = number(flush_cosine);
    const Mask is_flush = (m.other.value < -flush) & (flush * distance < dot(d, n));
    const Mask result = wanted & ends & !is_flush;

    const Number inverse = select(m.flip, -one, one) / distance;
    const Vector normal = inverse * d;
    const Vector p = choose(m.flip, other, corner), q = choose(m.flip, corner, other);
    const Number radius_a = select(m.flip, m.incident_radius, m.reference_radius);
    const Number radius_b = select(m.flip, m.reference_radius, m.incident_radius);
    const Number gap = dot(normal, q - p);
    const Number separation = gap - radius_a - radius_b;
    const Mask near = separation <= m.margin;
    const Number middle = number(0.5f) * (radius_a + gap - radius_b);
    const Vector place = p + middle * normal;
    const Number index_a = select(first_a, m.face.index, next_index(m.face, m.reference_count));
    const Number index_b = select(first_b, m.other.index, next_index(m.other, m.incident_count));
    const Number id = feature_id(m.flip, index_a, index_b);
    points.normal = choose(result, normal, points.normal);
    points.count = select(result, select(near, one, zero), points.count);
    points.place[0] =
        choose(result, {select(near, place.x, zero), select(near, place.y, zero)}, points.place[0]);
    points.separation[0] = select(result, separation, points.separation[0]);
    points.id[0] = select(result, select(near, id, zero), points.id[0]);
    return result;
  }

  // The part of the incident edge over the face.
  //
  // Along the face both edges are intervals: the face from 0 to `length`, the end of the other one
  // below its start. A point is (along, height) over the face. Swapping A and B gives the same ids.
  static RIGID_INLINE Points clip(const Meeting& m) {
    const Number zero = number(0.0f), one = number(1.0f), half = number(0.5f);
    const Number r1 = m.face.index, r2 = next_index(m.face, m.reference_count);
    const Number q1 = m.other.index, q2 = next_index(m.other, m.incident_count);
    const Vector normal = m.face.normal, tangent{-normal.y, normal.x}, origin = m.face.start;
    const Number length = dot(tangent, m.face.end - origin);
    const Vector d1 = m.other.start - origin, d2 = m.other.end - origin;
    const Number upper = dot(tangent, d1), lower = dot(tangent, d2);
    const Number upper_height = dot(normal, d1), lower_height = dot(normal, d2);

    const Number run = upper - lower;
    const Mask above = upper < zero;
    const Mask beside = (length < lower) | above;
    const Mask one_point = (!(zero < run)) | beside;
    // A single end is enough: the lower one of an edge that is upright or has come below the face,
    // the nearer one of an edge beside it, then midway between the two near ends, so that A and B
    // agree on the point.
    const Mask lowest = (!beside) | (min(lower_height, upper_height) <= zero);
    const Mask high = choose(lowest, upper_height < lower_height, above);
    const Number end = select(high, upper, lower);
    const Number middle_of_ends = half * (end + select(above, zero, length));
    const Number one_along = select(beside & !lowest, middle_of_ends, end);
    const Number one_reference = select(beside, select(above, r1, r2), select(high, r2, r1));
    // Or both, each clipped to the face.
    const Number slope = (upper_height - lower_height) / run;
    const Mask cut_low = lower < zero, cut_high = length < upper;
    const Number low_along = select(cut_low, zero, lower);
    const Number low_height = select(cut_low, lower_height - lower * slope, lower_height);
    const Number high_along = select(cut_high, length, upper);
    const Number high_height =
        select(cut_high, upper_height - (upper - length) * slope, upper_height);

    const Number along[2] = {select(one_point, one_along, low_along), high_along};
    const Number one_height = select(high, upper_height, lower_height);
    const Number height[2] = {select(one_point, one_height, low_height), high_height};
    const Number reference[2] = {select(one_point, one_reference, r1), r2};
    const Number incident[2] = {select(one_point & high, q1, q2), q1};
    const Number radii = m.reference_radius + m.incident_radius;
    Vector place[2];
    Number separation[2], id[2];
    for (int k = 0; k < 2; ++k) {
      separation[k] = height[k] - radii;
      const Number middle = half * (m.reference_radius + height[k] - m.incident_radius);
      place[k] = origin + along[k] * tangent + middle * normal;
      id[k] = feature_id(m.flip, reference[k], incident[k]);
    }
    const Mask first = separation[0] <= m.margin;
    const Mask second = (separation[1] <= m.margin) & !one_point;
    const Mask any = first | second;
    auto kept = [&](Mask which, Number value, Number otherwise) {
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

  static RIGID_INLINE Points meet(const Meeting& m) {
    if constexpr (single) {
      Points points{};
      return meet_at_corners(m, points) ? points : clip(m);
    } else {
      Points points = clip(m);
      meet_at_corners(m, points);
      return points;
    }
  }

  // Of two faces with about equal separations A's is taken, so that a resting pair does not
  // alternate.
  static RIGID_INLINE Mask is_flipped(Number face_a, Number face_b, Number margin, Number scale) {
    const Number tolerance = number(0.025f) * margin + number(1e-6f) * scale;
    return face_a + tolerance < face_b;
  }
};

}  // namespace rigid

#endif
