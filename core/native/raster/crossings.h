// SPDX-License-Identifier: MIT
// Where the edges of a polygon cross the rows of a picture.
#ifndef RIGID_RASTER_CROSSINGS_H
#define RIGID_RASTER_CROSSINGS_H

#include <span>
#include <vector>

#include "raster/canvas.h"

namespace rigid::raster {

// `column` is the first pixel whose middle is not left of the edge, and `turn` what the winding
// number changes by there.
struct Crossing {
  int row, column, turn;
};

// All crossings with the middles of rows, from top to bottom and from left to right, in place of
// what was in `out`. Edges hold their upper end and not their lower one.
void find_crossings(std::span<const Point> points, int width, int height,
                    std::vector<Crossing>& out);

}  // namespace rigid::raster

#endif
