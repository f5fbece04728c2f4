// SPDX-License-Identifier: MIT
// Normals, outlines, centroids and boxes of shapes.
#include "geometry/shape.h"

namespace rigid {

namespace {

// Boxes of half-spaces end at this coordinate: far beyond any body, and its square is a float.
constexpr float endless = 1e12f;

// The outward normal of a counter-clockwise edge, rounded once from double precision.
Vec2 right_normal(Vec2 a, Vec2 b) {
  double x = static_cast<double>(b.x) - a.x;
  double y = static_cast<double>(b.y) - a.y;
  double n = std::sqrt(x * x + y * y);
  if (!(n > 0.0)) return {0.0f, -1.0f};
  return {static_cast<float>(y / n), static_cast<float>(-x / n)};
}

// A level or upright border bounds the box; any other half-space reaches everywhere.
Aabb half_box(const Shape& shape, const Transform& transform) {
  const Vec2 n = rotate(transform.q, shape.normals[0]), p = apply(transform, shape.vertices[0]);
  Aabb box{{-endless, -endless}, {endless, endless}};
  if (n.x == 0.0f) (n.y > 0.0f ? box.upper.y : box.lower.y) = p.y;
  if (n.y == 0.0f) (n.x > 0.0f ? box.upper.x : box.lower.x) = p.x;
  return box;
}

}  // namespace

void compute_normals(ShapeKind kind, const Vec2* vertices, int count, Vec2* normals) {
  switch (kind) {
    case ShapeKind::circle:
      return;
    case ShapeKind::capsule:
    case ShapeKind::segment:
      normals[0] = right_normal(vertices[0], vertices[1]);
      normals[1] = -normals[0];
      return;
    case ShapeKind::polygon:
    case ShapeKind::polygon_part:
      for (int i = 0; i < count; ++i) {
        normals[i] = right_normal(vertices[i], vertices[i + 1 < count ? i + 1 : 0]);
      }
      return;
    case ShapeKind::chain_segment:
      normals[0] = right_normal(vertices[2], vertices[1]);
      return;
    case ShapeKind::half_space:
      normals[0] = right_normal(vertices[1], vertices[0]);
      return;
  }
}

void compute_outline(const Vec2* points, int count, Vec2* outline) {
  for (int i = 0; i < count; ++i) {
    outline[i] = right_normal(points[count + i], points[i]);
    outline[count + i] = right_normal(points[i], points[2 * count + i]);
  }
}

Vec2 compute_centroid(ShapeKind kind, const Vec2* vertices, int count) {
  if (kind == ShapeKind::circle) return vertices[0];
  if (kind == ShapeKind::chain_segment) return lerp(vertices[1], vertices[2], 0.5f);
  if (kind != ShapeKind::polygon) return lerp(vertices[0], vertices[1], 0.5f);
  double area = 0.0;
  double x = 0.0;
  double y = 0.0;
  for (int i = 1; i + 1 < count; ++i) {
    double ax = static_cast<double>(vertices[i].x) - vertices[0].x;
    double ay = static_cast<double>(vertices[i].y) - vertices[0].y;
    double bx = static_cast<double>(vertices[i + 1].x) - vertices[0].x;
    double by = static_cast<double>(vertices[i + 1].y) - vertices[0].y;
    double d = ax * by - ay * bx;
    area += d;
    x += d * (ax + bx);
    y += d * (ay + by);
  }
  if (!(area > 0.0)) return lerp(vertices[0], vertices[count / 2], 0.5f);
  return {static_cast<float>(vertices[0].x + x / (3.0 * area)),
          static_cast<float>(vertices[0].y + y / (3.0 * area))};
}

float inner_radius(const Shape& shape) {
  if (shape.kind != ShapeKind::polygon) return shape.radius;
  float least = dot(shape.normals[0], shape.vertices[0] - shape.centroid);
  for (int i = 1; i < shape.count; ++i) {
    least = min(least, dot(shape.normals[i], shape.vertices[i] - shape.centroid));
  }
  return max(least, 0.0f) + shape.radius;
}

Aabb compute_aabb(const Shape& shape, const Transform& transform) {
  if (shape.kind == ShapeKind::half_space) return half_box(shape, transform);
  bool chain = shape.kind == ShapeKind::chain_segment;
  int first = chain ? 1 : 0;
  int end = chain ? 3 : shape.count;
  Vec2 p = apply(transform, shape.vertices[first]);
  Aabb box{p, p};
  for (int i = first + 1; i < end; ++i) {
    p = apply(transform, shape.vertices[i]);
    box = {min(box.lower, p), max(box.upper, p)};
  }
  Vec2 r{shape.radius, shape.radius};
  return {box.lower - r, box.upper + r};
}

}  // namespace rigid
