// SPDX-License-Identifier: MIT
// Crossings of the edges of a polygon with the rows of a picture.
#ifndef RIGID_RASTER_CROSSINGS_H
#define RIGID_RASTER_CROSSINGS_H

#include <span>
#include <vector>

#include "raster/canvas.h"

namespace rigid::raster {

// `column` is the first pixel whose centre is not left of the edge, and `turn` the change of the
// winding number there.
struct Crossing {
  int row, column, turn;
};

// Finds all crossings with the centre lines of rows, from top to bottom and from left to right;
// they replace the contents of `out`. Edges include their upper end but not their lower one.
void find_crossings(std::span<const Point> points, int width, int height,
                    std::vector<Crossing>& out);

}  // namespace rigid::raster

#endif
