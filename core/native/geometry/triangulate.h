// SPDX-License-Identifier: MIT
// The triangulation that decompose_polygon starts from; only included in geometry/.
#ifndef RIGID_GEOMETRY_TRIANGULATE_H
#define RIGID_GEOMETRY_TRIANGULATE_H

#include <array>
#include <vector>

#include "geometry/decompose.h"

namespace rigid {

// Corner indices, counter-clockwise.
using Triangle = std::array<int, 3>;

// The constrained Delaunay triangulation of a simple counter-clockwise polygon: of all
// triangulations it has the largest smallest angle, so its diagonals cause no unnecessary slivers.
std::vector<Triangle> triangulate(const PlanePolygon& corners);

}  // namespace rigid

#endif
