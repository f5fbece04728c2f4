// SPDX-License-Identifier: MIT
// Polygons without holes that may go beyond them, with the formulas of core/polygons.py.
#ifndef RIGID_CUTTING_HOLLOWING_H
#define RIGID_CUTTING_HOLLOWING_H

#include <span>
#include <vector>

#include "cutting/cutting.h"

namespace rigid::cutting {

// A polygon, counter-clockwise, and its holes, clockwise.
struct Hollow {
  PlanePolygon points;
  std::vector<PlanePolygon> holes;
};

// Returns the rest of a polygon, counter-clockwise, without others, clockwise.
std::vector<Hollow> without(const PlanePolygon& points, std::span<const PlanePolygon> holes,
                            const Exact& exact);

}  // namespace rigid::cutting

#endif
