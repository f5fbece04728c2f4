// SPDX-License-Identifier: MIT
// The drag of air, and the buoyancy and drag of pools, for each body.
#include "engine/forces/surroundings.h"

#include <algorithm>
#include <cmath>

namespace rigid {

namespace {

constexpr double pi_exactly = 3.14159265358979323846;
constexpr int round_points = 32;  // of a round outline

// The signed area of a polygon, and its first moments.
struct Moments {
  double area = 0, x = 0, y = 0;
};
Moments moments_of(const std::vector<Double2>& points) {
  Moments sum;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Double2 p = points[i], q = points[i + 1 < points.size() ? i + 1 : 0];
    const double twice = cross(p, q);
    sum.area += 0.5 * twice;
    sum.x += twice * (p.x + q.x) / 6;
    sum.y += twice * (p.y + q.y) / 6;
  }
  return sum;
}

}  // namespace

void Surroundings::apply() {
  const bool air = definition_.air_density > 0 && definition_.air_drag > 0;
  if (!air && definition_.pools.empty()) return;
  for (int i = 1; i < bodies_.count(); ++i) {
    if (!acts_on(i)) continue;
    for (const Pool& pool : definition_.pools) bear(i, pool);
    if (air) resist(i);
  }
}

Surroundings::Pose Surroundings::middle_of(int i) const {
  const Body& body = bodies_[i];
  const BodyState& state = bodies_.states[i];
  const double half = 0.5 * definition_.dt;
  return {body.center_x + half * state.vx, body.center_y + half * state.vy,
          sine_cosine(body.angle + half * state.omega)};
}

// Drag: 1/2 C rho A v^2 against the velocity.
void Surroundings::resist(int i) {
  brake(i, definition_.air_drag * definition_.air_density, middle_of(i));
}

// The drag is half of `thickness`, of the medium, times width and speed squared. With its ratio k
// to the mass and the speed squared, v' = a - k |v| v is solved to second order by the n substeps
// v <- (v + h a) / (1 + h D)  for
//   D = k |v + e a| / (1 + e k |v|),   e = (dt - h) / 2:
// the two expansions agree up to dt^2. A terminal speed is exact for any e, and with one substep,
// where D = k |v|, so is the speed after drag alone: v / (1 + k |v| dt). But if a step is long
// compared with the time to reach the terminal speed, k |a| dt^2 >> 1, this would oscillate about
// the terminal speed: near that and below it e approaches dt / 2.
void Surroundings::brake(int i, double thickness, const Pose& pose) {
  Body& body = bodies_[i];
  const BodyState& state = bodies_.states[i];
  const double inverse = bodies_.inverse_masses[i].mass;
  const Double2 v = {state.vx, state.vy};
  const double ax = definition_.gravity_x * body.gravity_scale + inverse * body.force.x;
  const double ay = definition_.gravity_y * body.gravity_scale + inverse * body.force.y;
  const double dt = definition_.dt;
  const Double2 middle = {v.x + 0.5 * dt * ax, v.y + 0.5 * dt * ay};
  const double size = std::sqrt(dot(middle, middle));
  if (!(size > 0)) return;
  const Double2 across = {-middle.y / size, middle.x / size};
  const double k = 0.5 * thickness * inverse * silhouette(i, pose, across);
  const double given = std::sqrt(ax * ax + ay * ay), taken = k * dot(v, v);
  const double long_step = given > 0 ? k * given * dt * dt * given / (given + taken) : 0;
  const double share = parameters_.h / parameters_.dt;  // exactly 1 if they are equal
  const double e = 0.5 * dt * (1 - share / (1 + long_step));
  const Double2 ahead = {v.x + e * ax, v.y + e * ay};
  body.drag +=
      static_cast<float>(k * std::sqrt(dot(ahead, ahead)) / (1 + e * k * std::sqrt(dot(v, v))));
}

// The width of a body along a direction: from its first to its last point.
double Surroundings::silhouette(int i, const Pose& pose, Double2 across) const {
  double low = 0, high = 0;
  bool any = false;
  for (int s : shapes_.of_body[i]) {
    const WorldShape& shape = shapes_[s];
    if (shape.sensor) continue;
    for (int k = 0; k < shape.count; ++k) {
      const double at = dot(turned(pose.turn, shapes_.vertices[shape.first_vertex + k]), across);
      low = any ? std::min(low, at - shape.radius) : at - shape.radius;
      high = any ? std::max(high, at + shape.radius) : at + shape.radius;
      any = true;
    }
  }
  return high - low;
}

// Buoyancy (Archimedes): the weight of the displaced medium, at the centre of the displaced area.
void Surroundings::bear(int i, const Pool& pool) {
  Body& body = bodies_[i];
  const Pose pose = middle_of(i);
  if (pose.x + body.extent < pool.left || pose.x - body.extent > pool.right ||
      pose.y + body.extent < pool.bottom || pose.y - body.extent > pool.top) {
    return;
  }
  Part sum;
  for (int s : shapes_.of_body[i]) {
    if (shapes_[s].sensor) continue;
    const Part part = inside(shapes_[s], pose, pool);
    sum.whole += part.whole;
    sum.area += part.area;
    sum.x += part.x;
    sum.y += part.y;
  }
  if (!(sum.area > 0)) return;
  const Double2 lift = {-definition_.gravity_x * pool.density * sum.area,
                        -definition_.gravity_y * pool.density * sum.area};
  const Double2 arm = {sum.x / sum.area - pose.x, sum.y / sum.area - pose.y};
  body.force = body.force + Vec2{static_cast<float>(lift.x), static_cast<float>(lift.y)};
  body.torque += static_cast<float>(cross(arm, lift));
  const double share = sum.area / sum.whole;
  body.drag += static_cast<float>(share * pool.damping);
  body.angular_drag += static_cast<float>(share * pool.damping);
  if (pool.drag > 0) brake(i, pool.drag * pool.density * share, pose);
}

Surroundings::Part Surroundings::inside(const WorldShape& shape, const Pose& pose,
                                        const Pool& pool) {
  const Double2 center = {pose.x, pose.y};
  auto corner = [&](int k) {
    return center + turned(pose.turn, shapes_.vertices[shape.first_vertex + k]);
  };
  if (shape.count == 1) return circle_inside(corner(0), shape.radius, pool);
  outline_.clear();
  if (shape.radius == 0.0f) {
    for (int k = 0; shape.count > 2 && k < shape.count; ++k) outline_.push_back(corner(k));
    return outline_inside(pool);
  }
  // The farthest point in each direction, on polygons with the same area as the circles.
  const double step = 2 * pi_exactly / round_points;
  const double radius = shape.radius * std::sqrt(step / sine_cosine(step).sine);
  for (int k = 0; k < round_points; ++k) {
    const SineCosine direction = sine_cosine(k * step);
    const Double2 u = {direction.cosine, direction.sine};
    Double2 farthest = corner(0);
    for (int j = 1; j < shape.count; ++j) {
      if (dot(corner(j) - farthest, u) > 0) farthest = corner(j);
    }
    outline_.push_back(farthest + radius * u);
  }
  // The polygon is slightly smaller than the rounded outline; the submerged part is scaled by the
  // same factor as the whole.
  double core = 0, around = 0;
  for (int k = 0; k < shape.count; ++k) {
    const Double2 p = corner(k) - center, q = corner(k + 1 < shape.count ? k + 1 : 0) - center;
    core += 0.5 * cross(p, q);
    around += std::sqrt(dot(q - p, q - p));
  }
  const double r = shape.radius, area = core + around * r + pi_exactly * r * r;
  Part part = outline_inside(pool);
  const double share = part.whole > 0 ? area / part.whole : 0;
  return {area, share * part.area, share * part.x, share * part.y};
}

// A segment of the circle is outside one side of the pool; if it extends beyond two sides, a
// polygon replaces it.
Surroundings::Part Surroundings::circle_inside(Double2 center, double radius, const Pool& pool) {
  const double depths[4] = {center.x - pool.left, pool.right - center.x, center.y - pool.bottom,
                            pool.top - center.y};
  const Double2 inwards[4] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  const double whole = pi_exactly * radius * radius;
  int cut = -1, cuts = 0;
  for (int k = 0; k < 4; ++k) {
    if (depths[k] <= -radius) return {whole, 0, 0, 0};
    if (depths[k] >= radius) continue;
    cut = k;
    ++cuts;
  }
  if (cuts == 0) return {whole, whole, whole * center.x, whole * center.y};
  if (cuts == 1) {
    const double d = depths[cut], chord = std::sqrt(radius * radius - d * d);
    const double area = radius * radius * (pi_exactly - arc_tangent(chord, d)) + d * chord;
    const double lead = 2.0 / 3 * chord * chord * chord;
    return {whole, area, area * center.x + lead * inwards[cut].x,
            area * center.y + lead * inwards[cut].y};
  }
  const double step = 2 * pi_exactly / round_points;
  const double size = radius * std::sqrt(step / sine_cosine(step).sine);
  outline_.clear();
  for (int k = 0; k < round_points; ++k) {
    const SineCosine direction = sine_cosine(k * step);
    outline_.push_back({center.x + size * direction.cosine, center.y + size * direction.sine});
  }
  return outline_inside(pool);
}

Surroundings::Part Surroundings::outline_inside(const Pool& pool) {
  if (outline_.empty()) return {};
  // Relative to one of its own points, where areas are exact.
  const Double2 origin = outline_[0];
  for (Double2& point : outline_) point = point - origin;
  const double whole = moments_of(outline_).area;
  clip({-1, 0}, -(pool.left - origin.x));
  clip({1, 0}, pool.right - origin.x);
  clip({0, -1}, -(pool.bottom - origin.y));
  clip({0, 1}, pool.top - origin.y);
  const Moments m = moments_of(outline_);
  return {whole, m.area, m.x + m.area * origin.x, m.y + m.area * origin.y};
}

// Keeps the part of the outline with dot(normal, p) <= offset (Sutherland and Hodgman, 1974).
void Surroundings::clip(Double2 normal, double offset) {
  clipped_.clear();
  for (std::size_t i = 0; i < outline_.size(); ++i) {
    const Double2 p = outline_[i], q = outline_[i + 1 < outline_.size() ? i + 1 : 0];
    const double at_p = dot(normal, p) - offset, at_q = dot(normal, q) - offset;
    if (at_p <= 0) clipped_.push_back(p);
    if ((at_p < 0 && at_q > 0) || (at_p > 0 && at_q < 0)) {
      clipped_.push_back(p + at_p / (at_p - at_q) * (q - p));
    }
  }
  outline_.swap(clipped_);
}

}  // namespace rigid
