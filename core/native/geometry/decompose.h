// SPDX-License-Identifier: MIT
// Decomposition of a polygon into few convex parts.
#ifndef RIGID_GEOMETRY_DECOMPOSE_H
#define RIGID_GEOMETRY_DECOMPOSE_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace rigid {

struct PlanePoint {
  double x, y;
};

using PlanePolygon = std::vector<PlanePoint>;

constexpr int max_polygon_points = 10000;

// The parts, each convex, counter-clockwise, with 3 to max_vertices corners out of `points` and
// those of the holes; corners on a straight line are left out. The polygon and its holes may have
// either orientation. Without holes there are as few parts as diagonals can make, up to some
// hundred corners. Throws std::invalid_argument if one of them has fewer than 3 or too many points,
// a point that is not finite or repeated, edges that cross, touch or fold back, or no area, or if a
// hole is misplaced.
std::vector<PlanePolygon> decompose_polygon(const PlanePolygon& points,
                                            const std::vector<PlanePolygon>& holes = {});

// The first hole that is not inside the polygon, or meets it or another hole, and why.
std::optional<std::pair<std::size_t, std::string>> misplaced_hole(
    const PlanePolygon& points, const std::vector<PlanePolygon>& holes);

}  // namespace rigid

#endif
