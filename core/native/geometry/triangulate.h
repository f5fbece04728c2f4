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

// The constrained Delaunay triangulation of a counter-clockwise polygon: of all triangulations it
// has the largest smallest angle, so its diagonals cause no unnecessary slivers. `outline` are its
// corners in order, all different; of a polygon with holes, those of joined_outline.
std::vector<Triangle> triangulate(const PlanePolygon& corners, const std::vector<int>& outline);

// One way around a polygon and its holes: it goes from one to the next along a bridge, and back.
// `corners` are those of the polygon, counter-clockwise, and of the holes, clockwise; each ring
// begins where `firsts` says.
std::vector<int> joined_outline(const PlanePolygon& corners, const std::vector<int>& firsts);

}  // namespace rigid

#endif
