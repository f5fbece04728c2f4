// SPDX-License-Identifier: MIT
// Mass, centre and inertia of shapes. A rounded convex shape is its core, a rectangle of the
// radius' height on every edge, and at every corner a sector between the normals of the two edges.
// Area, first moment and polar second moment of these are summed about the first point and moved to
// the centre (parallel axis theorem).
#include "geometry/mass.h"

namespace rigid {

namespace {

struct Point {
  double x, y;
};

double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

// Area, first moment and polar second moment about the origin.
struct Moments {
  double area = 0.0;
  Point first{0.0, 0.0};
  double polar = 0.0;
};

// The triangle 0, a, b; negative if it is clockwise, so that a fan sums to any polygon.
void add_triangle(Moments& m, Point a, Point b) {
  double d = cross(a, b);
  m.area += 0.5 * d;
  m.first.x += d * (a.x + b.x) / 6.0;
  m.first.y += d * (a.y + b.y) / 6.0;
  m.polar += d * (dot(a, a) + dot(a, b) + dot(b, b)) / 12.0;
}

void add_quadrilateral(Moments& m, Point a, Point b, Point c, Point d) {
  add_triangle(m, a, b);
  add_triangle(m, b, c);
  add_triangle(m, c, d);
  add_triangle(m, d, a);
}

// The sector of radius r about p from the direction of the unit vector n1 counter-clockwise to n2.
// Its first moment about p is r^3/3 times the integral of (cos, sin), which is n2 - n1 rotated by a
// quarter turn; its second moment about p is r^4/4 times the angle.
void add_sector(Moments& m, Point p, Point n1, Point n2, double r) {
  double angle = arc_tangent(cross(n1, n2), dot(n1, n2));
  double area = 0.5 * r * r * angle;
  double third = r * r * r / 3.0;
  Point first{third * (n2.y - n1.y), -third * (n2.x - n1.x)};
  m.area += area;
  m.first.x += area * p.x + first.x;
  m.first.y += area * p.y + first.y;
  m.polar += area * dot(p, p) + 2.0 * dot(p, first) + 0.25 * r * r * r * r * angle;
}

Point edge_normal(Point a, Point b) {
  Point e{b.x - a.x, b.y - a.y};
  double n = std::sqrt(dot(e, e));
  return n > 0.0 ? Point{e.y / n, -e.x / n} : Point{0.0, -1.0};
}

void add_rounding(Moments& m, const double* points, int count, double r) {
  Point origin{points[0], points[1]};
  auto vertex = [&](int i) {
    i = i < count ? i : i - count;
    return Point{points[2 * i] - origin.x, points[2 * i + 1] - origin.y};
  };
  Point before = edge_normal(vertex(count - 1), vertex(0));
  if (count == 2) {
    // Opposite also if the two points coincide and the edges have no direction.
    Point n = edge_normal(vertex(0), vertex(1));
    before = {-n.x, -n.y};
  }
  for (int i = 0; i < count; ++i) {
    Point a = vertex(i);
    Point b = vertex(i + 1);
    Point n = count == 2 ? Point{-before.x, -before.y} : edge_normal(a, b);
    add_sector(m, a, before, n, r);
    add_quadrilateral(m, a, {a.x + r * n.x, a.y + r * n.y}, {b.x + r * n.x, b.y + r * n.y}, b);
    before = n;
  }
}

MassData massless(const double* points, int first, int count) {
  MassData result{0.0, 0.0, 0.0, 0.0};
  for (int i = first; i < first + count; ++i) {
    result.cx += points[2 * i] / count;
    result.cy += points[2 * i + 1] / count;
  }
  return result;
}

}  // namespace

MassData shape_mass(ShapeKind kind, const double* points, int count, double radius,
                    double density) {
  if (kind == ShapeKind::circle) {
    double mass = density * 3.14159265358979323846 * radius * radius;
    return {mass, points[0], points[1], 0.5 * mass * radius * radius};
  }
  if (kind == ShapeKind::segment || kind == ShapeKind::half_space) return massless(points, 0, 2);
  if (kind == ShapeKind::chain_segment) return massless(points, 1, 2);

  Moments m;
  for (int i = 1; i + 1 < count; ++i) {
    add_triangle(m, {points[2 * i] - points[0], points[2 * i + 1] - points[1]},
                 {points[2 * i + 2] - points[0], points[2 * i + 3] - points[1]});
  }
  if (radius > 0.0) add_rounding(m, points, count, radius);
  if (!(m.area > 0.0)) return massless(points, 0, count);

  Point c{m.first.x / m.area, m.first.y / m.area};
  double inertia = density * (m.polar - m.area * dot(c, c));
  return {density * m.area, points[0] + c.x, points[1] + c.y, inertia};
}

}  // namespace rigid
