// SPDX-License-Identifier: MIT
// The least number of convex parts of a polygon; only included in geometry/.
#ifndef RIGID_GEOMETRY_FEWEST_PARTS_H
#define RIGID_GEOMETRY_FEWEST_PARTS_H

#include <cstddef>
#include <vector>

#include "geometry/decompose.h"
#include "geometry/triangulate.h"

namespace rigid {

// Decompositions of a simple counter-clockwise polygon without straight corners into the fewest
// convex parts that diagonals can make: corner indices, counter-clockwise. There is one for each of
// some concave corners at which the search begins; they may be equal. None if that is no fewer than
// `known` parts, or for a polygon with so many corners that the search would take long. `triangles`
// is any triangulation of it.
std::vector<std::vector<std::vector<int>>> fewest_parts(const PlanePolygon& corners,
                                                        const std::vector<Triangle>& triangles,
                                                        std::size_t known);

}  // namespace rigid

#endif
