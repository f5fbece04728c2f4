// SPDX-License-Identifier: MIT
// Whether a list of points is a polygon that can be cut. Nothing outside geometry/ includes this.
#ifndef RIGID_GEOMETRY_SIMPLE_POLYGON_H
#define RIGID_GEOMETRY_SIMPLE_POLYGON_H

#include <cstddef>
#include <optional>
#include <utility>

#include "geometry/decompose.h"

namespace rigid {

// Twice the area of the triangle a, b, c; positive when it runs counter-clockwise.
inline double turn(PlanePoint a, PlanePoint b, PlanePoint c) {
  return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
}

// Whether the way a, b, c is straight to what doubles can tell (sine of the bend).
bool is_straight(PlanePoint a, PlanePoint b, PlanePoint c);

// Twice the area, positive when counter-clockwise.
double doubled_area(const PlanePolygon& points);

// The corners of the polygon, counter-clockwise, without points on straight lines. Throws
// std::invalid_argument when it is none: see decompose_polygon.
PlanePolygon checked_corners(const PlanePolygon& points);

// The first two points, by their numbers, whose coordinates are no further apart than `near`.
// Throws as clashing_edges.
std::optional<std::pair<std::size_t, std::size_t>> near_points(const PlanePolygon& points,
                                                               double near);

// Two edges that cross, touch or fold back, told exactly: by the numbers of the points at which
// they begin, the smaller first. Throws std::invalid_argument for too many points or ones not
// finite.
std::optional<std::pair<std::size_t, std::size_t>> clashing_edges(const PlanePolygon& points);

}  // namespace rigid

#endif
