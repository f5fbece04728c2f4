// SPDX-License-Identifier: MIT
// The search for the time at which two moving shapes come too close.
#include "engine/bodies/encounter.h"

#include <cmath>

#include "engine/data/constants.h"
#include "geometry/manifold.h"
#include "geometry/support.h"

namespace rigid {

namespace {

constexpr float never = 2.0f;
constexpr float long_stride = 8.0f;  // in short ones

Rotation rotation_at(const SweptShape& shape, float t) {
  float angle = shape.sweep.angle + t * shape.sweep.turn;
  return angle == 0.0f ? shape.rotation : shape.rotation * make_rotation(angle);
}

// The motion within which a line cannot be passed without a look at the part that no neighbour
// holds.
float longest_stride(const Shape& shape) {
  if (shape.kind != ShapeKind::chain_segment) return 0.0f;
  return 0.5f * length(shape.vertices[2] - shape.vertices[1]);
}

Vec2 shift_at(const SweptShape& shape, float t) { return shape.sweep.from + t * shape.sweep.move; }

}  // namespace

Rotation Encounter::wall_rotation(float t) const { return rotation_at(wall_, t); }

Transform Encounter::relative(float t, Rotation qa) const {
  Rotation qb = rotation_at(mover_, t);
  Vec2 between = between_ + shift_at(mover_, t) - shift_at(wall_, t);
  return {inverse_rotate(qa, between), inverse_multiply(qa, qb)};
}

// At its joins a chain segment, or a part of a polygon, leaves contacts from directions other than
// its own to its neighbour: only its manifold contains the depth. Without a manifold, the normal is
// zero.
Separation Encounter::at(const Transform& now) const {
  Separation result = separation(wall_.shape, mover_.shape, now);
  auto has_neighbours = [](const Shape& shape) {
    return shape.kind == ShapeKind::chain_segment || shape.outline != nullptr;
  };
  bool joined = has_neighbours(wall_.shape) || has_neighbours(mover_.shape);
  if (!joined || result.distance > 0.0f) return result;
  Manifold manifold = collide(wall_.shape, mover_.shape, now, 0.0f);
  result = {0.0f, manifold.count > 0 ? manifold.normal : Vec2{0.0f, 0.0f}};
  for (int i = 0; i < manifold.count; ++i) {
    result.distance = min(result.distance, manifold.points[i].separation);
  }
  return result;
}

// Conservative advancement (Mirtich 1996): two convex shapes at a distance d along n cannot meet
// before their approach along n has reached d. This also holds for depths. An overlap that a
// neighbour holds has no depth: long strides lead through it, and one that finds something is
// halved.
float Encounter::first_time(float target, float tolerance, Vec2& normal) const {
  const Vec2 move = mover_.sweep.move - wall_.sweep.move;
  const float spin = turning();
  const float stride = max(longest_stride(wall_.shape), longest_stride(mover_.shape));
  auto is_known = [](const Separation& s) { return s.normal.x != 0.0f || s.normal.y != 0.0f; };
  auto is_near = [&](const Separation& s) {
    return s.distance - target <= tolerance && is_known(s);
  };
  float t = 0.0f, strode = 0.0f;
  for (int i = 0; i < constants::most_advances; ++i) {
    const Rotation q = wall_rotation(t);
    const Separation now = at(relative(t, q));
    normal = now.normal;
    if (is_near(now)) {
      const float fastest = spin + length(move);
      for (float back = 0.5f * strode; back * fastest > tolerance; back *= 0.5f) {
        const Separation earlier = at(relative(t - back));
        if (!is_near(earlier)) continue;
        t -= back;
        normal = earlier.normal;
      }
      return t;
    }
    const bool known = is_known(now);
    const float approach = spin + (known ? -dot(move, rotate(q, now.normal)) : length(move));
    const float least = max(now.distance - target, tolerance);
    if (!(least < approach * (1.0f - t))) return never;
    const float way = max(min(stride, long_stride * least), least);
    strode = known ? 0.0f : min(way / approach, 1.0f - t);
    t += known ? least / approach : strode;
  }
  return t;
}

Sweep Encounter::held(float t) const {
  Sweep sweep = mover_.sweep;
  Vec2 end = shift_at(wall_, 1.0f) + rotate(wall_rotation(1.0f), relative(t).p) - between_;
  sweep.move = end - sweep.from;
  sweep.turn = t * sweep.turn + (1.0f - t) * wall_.sweep.turn;
  return sweep;
}

Vec2 Encounter::end_arm() const {
  const Transform end = relative(1.0f);
  const Manifold manifold = collide(wall_.shape, mover_.shape, end, 0.0f);
  if (manifold.count == 0) return {0.0f, 0.0f};
  const ManifoldPoint &first = manifold.points[0], &second = manifold.points[1];
  Vec2 point = first.point;
  if (manifold.count == 2) {
    const float depth = max(-first.separation, 0.0f), other = max(-second.separation, 0.0f);
    const float both = depth + other;
    const float share = both > 0.0f ? other / both : 0.5f;
    point = point + share * (second.point - point);
  }
  return rotate(wall_rotation(1.0f), point - end.p);
}

float Encounter::end_separation(Vec2 normal) const {
  Transform end = relative(1.0f);
  Vec2 seen = inverse_rotate(end.q, normal);
  float nearest = dot(normal, end.p) - support(mover_.shape, -seen);
  return nearest - support(wall_.shape, normal) - wall_.shape.radius - mover_.shape.radius;
}

bool Encounter::starts_behind() const {
  auto behind = [](const Shape& line, Vec2 point) {
    return line.kind == ShapeKind::chain_segment &&
           dot(line.normals[0], point - line.vertices[1]) < 0.0f;
  };
  Transform start = relative(0.0f);
  return behind(wall_.shape, apply(start, mover_.shape.centroid)) ||
         behind(mover_.shape, inverse_apply(start, wall_.shape.centroid));
}

}  // namespace rigid
