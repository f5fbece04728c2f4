// SPDX-License-Identifier: MIT
// Cuts simple polygons, convex or not, along straight lines, with the formulas of
// core/world/destroying/cutting.py.
#ifndef RIGID_CUTTING_CUTTING_H
#define RIGID_CUTTING_CUTTING_H

#include <span>
#include <vector>

#include "expressions/program.h"
#include "geometry/decompose.h"

namespace rigid::cutting {

using Exact = rigid::Program::Exact;

constexpr double same_point = 1e-10;  // corners that are nearer, as a part of the size, are one

// The side of a line that is kept: where x dx + y dy < at; (dx, dy) has the length 1.
struct CutLine {
  double dx, dy, at;
  CutLine back() const { return {-dx, -dy, -at}; }
};

struct Box {
  PlanePoint low, high;
};

inline bool is_before(PlanePoint a, PlanePoint b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }
double hypot_of(double x, double y, const Exact& exact);
Box bounds(std::span<const PlanePolygon> polygons);
// The diagonal of the box around points.
double size_of(std::span<const PlanePoint> points, const Exact& exact);
// Twice the area of the triangle o a b; positive where b is to the left of o to a.
double cross(PlanePoint o, PlanePoint a, PlanePoint b);
double signed_area(std::span<const PlanePoint> points);
double squared_distance(PlanePoint a, PlanePoint b);
// The middle of a polygon's area.
PlanePoint centroid(const PlanePolygon& points);
bool contains(const PlanePolygon& points, PlanePoint point);
// Whether two polygons share a point, or are nearer than the given distance.
bool touch(const PlanePolygon& first, const PlanePolygon& second, double near);

// The part of a counter-clockwise polygon on one side of a line; `size` is that of all, in whose
// measure points are the same.
std::vector<PlanePolygon> cut(const PlanePolygon& points, const CutLine& line, double size,
                              const Exact& exact);

}  // namespace rigid::cutting

#endif
