// SPDX-License-Identifier: MIT
// Rays, points, overlap and distance of shapes.
#include "geometry/query.h"

#include <algorithm>

#include "geometry/closest.h"
#include "geometry/manifold_parts.h"

namespace rigid {

namespace {

// A shape's core without ghosts, with the normals of both sides if it is a line.
struct Placed {
  Vec2 vertices[max_vertices];
  Vec2 normals[max_vertices];
  Core core;
};

void place(const Shape& shape, const Transform& t, Placed& placed) {
  int first = shape.kind == ShapeKind::chain_segment ? 1 : 0;
  int count = shape.kind == ShapeKind::chain_segment ? 2 : shape.count;
  for (int i = 0; i < count; ++i) {
    placed.vertices[i] = apply(t, shape.vertices[first + i]);
    if (shape.kind == ShapeKind::polygon) placed.normals[i] = rotate(t.q, shape.normals[i]);
  }
  if (count == 2) {
    placed.normals[0] = rotate(t.q, shape.normals[0]);
    placed.normals[1] = -placed.normals[0];
  }
  placed.core = {placed.vertices, placed.normals, count, shape.radius};
}

constexpr Transform identity{{0.0f, 0.0f}, {1.0f, 0.0f}};

// Whether no normal of a polygon or of the other core separates the two. At least one has an area.
bool cores_overlap(const Core& a, const Core& b) {
  if (a.count > 1 && max_separation(a, b).separation > 0.0f) return false;
  return !(b.count > 1 && max_separation(b, a).separation > 0.0f);
}

bool inside_core(const Core& core, Vec2 p) {
  for (int i = 0; i < core.count; ++i) {
    if (dot(core.normals[i], p - core.vertices[i]) > 0.0f) return false;
  }
  return true;
}

int edge_count(const Core& core) { return core.count > 2 ? core.count : 1; }

// The nearest points of two cores, by trying all pairs of edges.
SegmentPair nearest_points(const Core& a, const Core& b) {
  SegmentPair best{};
  for (int i = 0; i < edge_count(a); ++i) {
    Vec2 a1 = a.vertices[i];
    Vec2 a2 = a.vertices[next_vertex(a, i)];
    for (int j = 0; j < edge_count(b); ++j) {
      SegmentPair pair = closest_points(a1, a2, b.vertices[j], b.vertices[next_vertex(b, j)]);
      if ((i == 0 && j == 0) || pair.distance_squared < best.distance_squared) best = pair;
    }
  }
  if (best.distance_squared > 0.0f && (a.count > 2 || b.count > 2) && cores_overlap(a, b)) {
    // No borders cross: one is inside the other.
    Vec2 p = a.count > 2 && inside_core(a, b.vertices[0]) ? b.vertices[0] : a.vertices[0];
    return {0.0f, 0.0f, p, p, 0.0f};
  }
  return best;
}

// The lowest point of the core of a shape over a half-space, and its height, in the half-space's
// frame.
struct LowestPoint {
  Vec2 point;
  float height;
};

LowestPoint lowest_over(const Shape& half_space, const Core& core) {
  LowestPoint lowest{core.vertices[0], 0.0f};
  for (int i = 0; i < core.count; ++i) {
    const Vec2 p = core.vertices[i];
    const float height = dot(half_space.normals[0], p - half_space.vertices[0]);
    if (i == 0 || height < lowest.height) lowest = {p, height};
  }
  return lowest;
}

// Rays are cast in double precision: long ones lose too much in the squares of a circle.
struct Vector {
  double x, y;
};

double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y; }
Vector vector(Vec2 a) { return {a.x, a.y}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y}; }

struct Ray {
  Vector origin, translation;
  double fraction = 2.0;  // of the nearest hit so far; beyond 1 there is none
  Vector normal{0.0, 0.0};
};

void hit(Ray& ray, double fraction, Vector normal) {
  if (!(fraction >= 0.0 && fraction <= 1.0 && fraction < ray.fraction)) return;
  ray.fraction = fraction;
  ray.normal = normal;
}

// Computed from the point of the ray nearest to the centre, half a chord back. This keeps the
// digits that the quadratic formula would lose on long rays.
void cast_on_circle(Ray& ray, Vector centre, double radius) {
  Vector m = ray.origin - centre;
  double a = dot(ray.translation, ray.translation);
  double b = dot(m, ray.translation);
  if (!(b < 0.0) || dot(m, m) < radius * radius) return;
  double middle = -b / a;
  Vector p{m.x + middle * ray.translation.x, m.y + middle * ray.translation.y};
  double square = radius * radius - dot(p, p);
  if (!(square >= 0.0)) return;
  double half_chord = std::sqrt(square / a);
  double t = middle > half_chord ? middle - half_chord : 0.0;
  Vector n{p.x - half_chord * ray.translation.x, p.y - half_chord * ray.translation.y};
  double length = std::sqrt(dot(n, n));
  if (length > 0.0) hit(ray, t, {n.x / length, n.y / length});
}

// The line a-b moved outwards by `radius` along its unit normal, hit from outside.
void cast_on_edge(Ray& ray, Vector a, Vector b, Vector normal, double radius) {
  double speed = dot(normal, ray.translation);
  double height = dot(normal, ray.origin - a) - radius;
  if (!(speed < 0.0) || height < 0.0) return;
  double t = height / -speed;
  Vector edge = b - a;
  Vector p{ray.origin.x + t * ray.translation.x - a.x, ray.origin.y + t * ray.translation.y - a.y};
  double along = dot(edge, p);
  if (along >= 0.0 && along <= dot(edge, edge)) hit(ray, t, normal);
}

// Clips the ray by one half plane after the other (Cyrus and Beck, 1978), which leaves no gap at
// corners.
void cast_on_polygon(Ray& ray, const Shape& shape) {
  double enter = 0.0;
  double leave = 1.0;
  int edge = -1;
  for (int i = 0; i < shape.count; ++i) {
    Vector n = vector(shape.normals[i]);
    double speed = dot(n, ray.translation);
    double height = dot(n, ray.origin - vector(shape.vertices[i]));
    if (speed == 0.0) {
      if (height > 0.0) return;
      continue;
    }
    double t = -height / speed;
    if (speed < 0.0 && (t > enter || (t == enter && edge < 0 && height >= 0.0))) {
      enter = t;
      edge = i;
    } else if (speed > 0.0 && t < leave) {
      leave = t;
    }
    if (enter > leave) return;
  }
  if (edge >= 0) hit(ray, enter, vector(shape.normals[edge]));
}

// A core grown by a radius: moved edges, and a disc at every corner.
void cast_on_rounded(Ray& ray, const Shape& shape) {
  for (int i = 0; i < shape.count; ++i) {
    Vector a = vector(shape.vertices[i]);
    Vector b = vector(shape.vertices[i + 1 < shape.count ? i + 1 : 0]);
    cast_on_edge(ray, a, b, vector(shape.normals[i]), shape.radius);
    cast_on_circle(ray, a, shape.radius);
  }
}

void cast_on_half_space(Ray& ray, const Shape& shape) {
  Vector n = vector(shape.normals[0]);
  double speed = dot(n, ray.translation);
  double height = dot(n, ray.origin - vector(shape.vertices[0]));
  if (speed < 0.0 && height >= 0.0) hit(ray, height / -speed, n);
}

void cast_on_chain(Ray& ray, const Shape& shape) {
  Vector a = vector(shape.vertices[1]);
  Vector b = vector(shape.vertices[2]);
  cast_on_edge(ray, a, b, vector(shape.normals[0]), shape.radius);
}

}  // namespace

bool ray_cast(const Shape& shape, Vec2 origin, Vec2 translation, float& fraction, Vec2& normal) {
  Ray ray{vector(origin), vector(translation)};
  if (!(dot(ray.translation, ray.translation) > 0.0)) return false;
  bool line = shape.kind == ShapeKind::segment && shape.radius == 0.0f;
  bool sharp = shape.kind == ShapeKind::polygon && shape.radius == 0.0f;
  if (shape.kind == ShapeKind::half_space) {
    cast_on_half_space(ray, shape);
  } else if (shape.kind == ShapeKind::chain_segment) {
    cast_on_chain(ray, shape);
  } else if (line) {
    Vector a = vector(shape.vertices[0]);
    Vector b = vector(shape.vertices[1]);
    cast_on_edge(ray, a, b, vector(shape.normals[0]), 0.0);
    cast_on_edge(ray, a, b, vector(shape.normals[1]), 0.0);
  } else if (sharp) {
    cast_on_polygon(ray, shape);
  } else if (shape.kind == ShapeKind::circle) {
    cast_on_circle(ray, vector(shape.vertices[0]), shape.radius);
  } else if (!contains_point(shape, origin)) {
    cast_on_rounded(ray, shape);
  }
  if (!(ray.fraction <= 1.0)) return false;
  fraction = static_cast<float>(ray.fraction);
  normal = {static_cast<float>(ray.normal.x), static_cast<float>(ray.normal.y)};
  return true;
}

bool contains_point(const Shape& shape, Vec2 point) {
  if (shape.kind == ShapeKind::chain_segment) return false;
  if (shape.kind == ShapeKind::segment && !(shape.radius > 0.0f)) return false;
  if (shape.kind == ShapeKind::half_space) {
    return dot(shape.normals[0], point - shape.vertices[0]) <= 0.0f;
  }
  Core core{shape.vertices, shape.normals, shape.count, shape.radius};
  if (shape.kind == ShapeKind::polygon && inside_core(core, point)) return true;
  if (!(shape.radius > 0.0f)) return false;
  for (int i = 0; i < edge_count(core); ++i) {
    Vec2 a = core.vertices[i];
    Vec2 b = core.vertices[next_vertex(core, i)];
    Vec2 nearest = lerp(a, b, closest_fraction(a, b, point));
    if (length_squared(point - nearest) <= shape.radius * shape.radius) return true;
  }
  return false;
}

float distance(const Shape& a, const Shape& b, const Transform& b_in_a, Vec2* point_a,
               Vec2* point_b) {
  if (b.kind == ShapeKind::half_space && a.kind != ShapeKind::half_space) {
    float gap = distance(b, a, inverse(b_in_a), point_b, point_a);
    for (Vec2* point : {point_a, point_b}) {
      if (point != nullptr) *point = apply(b_in_a, *point);
    }
    return gap;
  }
  Placed placed_a;
  Placed placed_b;
  place(a, identity, placed_a);
  place(b, b_in_a, placed_b);
  if (a.kind == ShapeKind::half_space) {
    const LowestPoint lowest = lowest_over(a, placed_b.core);
    const float gap = max(lowest.height - b.radius, 0.0f);
    const Vec2 q = lowest.point - min(b.radius, max(lowest.height, 0.0f)) * a.normals[0];
    if (point_a != nullptr) *point_a = q - gap * a.normals[0];
    if (point_b != nullptr) *point_b = q;
    return gap;
  }
  SegmentPair nearest = nearest_points(placed_a.core, placed_b.core);
  float apart = std::sqrt(nearest.distance_squared);
  Vec2 direction =
      apart > 0.0f ? (1.0f / apart) * (nearest.point_b - nearest.point_a) : Vec2{0.0f, 0.0f};
  float gap = apart - a.radius - b.radius;
  Vec2 p = nearest.point_a + a.radius * direction;
  Vec2 q = nearest.point_b - b.radius * direction;
  if (!(gap > 0.0f)) {
    // Midway between the two surfaces, but within the distance of the cores.
    float along = clamp(0.5f * (apart + a.radius - b.radius), 0.0f, apart);
    p = nearest.point_a + along * direction;
    q = p;
    gap = 0.0f;
  }
  if (point_a != nullptr) *point_a = p;
  if (point_b != nullptr) *point_b = q;
  return gap;
}

bool overlaps(const Shape& a, const Shape& b, const Transform& b_in_a) {
  if (a.kind == ShapeKind::polygon && b.kind == ShapeKind::polygon) {
    Placed placed_b;
    place(b, b_in_a, placed_b);
    Core core_a{a.vertices, a.normals, a.count, a.radius};
    float radii = a.radius + b.radius;
    float separation = max(max_separation(core_a, placed_b.core).separation,
                           max_separation(placed_b.core, core_a).separation);
    if (separation > radii) return false;
    if (separation <= 0.0f) return true;
  }
  return distance(a, b, b_in_a, nullptr, nullptr) <= 0.0f;
}

Separation separation(const Shape& a, const Shape& b, const Transform& b_in_a) {
  if (b.kind == ShapeKind::half_space && a.kind != ShapeKind::half_space) {
    const Separation seen = separation(b, a, inverse(b_in_a));
    return {seen.distance, -rotate(b_in_a.q, seen.normal)};
  }
  Placed placed_a;
  Placed placed_b;
  place(a, identity, placed_a);
  place(b, b_in_a, placed_b);
  if (a.kind == ShapeKind::chain_segment) placed_a.normals[1] = placed_a.normals[0];
  if (b.kind == ShapeKind::chain_segment) placed_b.normals[1] = placed_b.normals[0];
  const Core &core_a = placed_a.core, &core_b = placed_b.core;
  if (a.kind == ShapeKind::half_space) {
    return {lowest_over(a, core_b).height - b.radius, a.normals[0]};
  }
  const float radii = a.radius + b.radius;
  Separation best{0.0f, {0.0f, 1.0f}};
  bool found = false;
  auto try_faces = [&](const Core& core, const Core& other, float sign) {
    if (core.count < 2) return;
    Face face = max_separation(core, other);
    if (found && face.separation <= best.distance) return;
    best = {face.separation, sign * core.normals[face.edge]};
    found = true;
  };
  try_faces(core_a, core_b, 1.0f);
  try_faces(core_b, core_a, -1.0f);
  bool areas = core_a.count > 2 || core_b.count > 2;
  // If sharp shapes with an area are apart, a normal of one of their faces separates them.
  if (areas && (best.distance <= 0.0f || radii == 0.0f))
    return {best.distance - radii, best.normal};
  SegmentPair nearest = nearest_points(core_a, core_b);
  float apart = std::sqrt(nearest.distance_squared);
  if (!(apart > 1e-9f)) return {std::min(apart, best.distance) - radii, best.normal};
  // A face's own normal is more accurate than a difference of near points.
  if (found && best.distance > 0.99f * apart) return {best.distance - radii, best.normal};
  return {apart - radii, (1.0f / apart) * (nearest.point_b - nearest.point_a)};
}

}  // namespace rigid
