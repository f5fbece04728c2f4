// SPDX-License-Identifier: MIT
// Checks that a list of points is a simple polygon; only included in geometry/.
#ifndef RIGID_GEOMETRY_SIMPLE_POLYGON_H
#define RIGID_GEOMETRY_SIMPLE_POLYGON_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "geometry/decompose.h"

namespace rigid {

// Throws std::invalid_argument.
[[noreturn]] void refuse(const std::string& why);

// Twice the area of the triangle a, b, c; positive if it is counter-clockwise.
inline double turn(PlanePoint a, PlanePoint b, PlanePoint c) {
  return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
}

// Whether the path a, b, c is straight within the accuracy of doubles (sine of the bend).
bool is_straight(PlanePoint a, PlanePoint b, PlanePoint c);

// Twice the area, positive if counter-clockwise.
double doubled_area(const PlanePolygon& points);

// The corners of the polygon, counter-clockwise, without points on straight lines. Throws
// std::invalid_argument if it is invalid: see decompose_polygon.
PlanePolygon checked_corners(const PlanePolygon& points);

// Whether a point is inside a simple polygon; on the border, either.
bool is_inside(const PlanePolygon& polygon, PlanePoint p);

// Whether two segments share a point, up to rounding.
bool segments_meet(PlanePoint a, PlanePoint b, PlanePoint c, PlanePoint d);

// The first two points, by index, whose coordinates differ by at most `near`. Throws like
// clashing_edges.
std::optional<std::pair<std::size_t, std::size_t>> near_points(const PlanePolygon& points,
                                                               double near);

// Two edges that cross, touch or fold back, found exactly: the indices of the points at which they
// begin, the smaller first. Throws std::invalid_argument for too many points or points that are not
// finite.
std::optional<std::pair<std::size_t, std::size_t>> clashing_edges(const PlanePolygon& points);

}  // namespace rigid

#endif
