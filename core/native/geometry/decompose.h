// SPDX-License-Identifier: MIT
// Decomposition of a simple polygon into few convex parts.
#ifndef RIGID_GEOMETRY_DECOMPOSE_H
#define RIGID_GEOMETRY_DECOMPOSE_H

#include <vector>

namespace rigid {

struct PlanePoint {
  double x, y;
};

using PlanePolygon = std::vector<PlanePoint>;

constexpr int max_polygon_points = 10000;

// The parts, each convex, counter-clockwise, with 3 to max_vertices corners out of `points`;
// corners on a straight line are left out. The polygon may have either orientation. Throws
// std::invalid_argument if it has fewer than 3 or too many points, a point that is not finite or
// repeated, edges that cross, touch or fold back, or no area.
std::vector<PlanePolygon> decompose_polygon(const PlanePolygon& points);

}  // namespace rigid

#endif
