// SPDX-License-Identifier: MIT
// The edges of a polygon with holes.
//
// Such a polygon is one way around: its corners p0 ... p0, and then for each hole its corners, the
// other way round, h0 ... h0 and p0 again, which the last hole may leave out. The bridges between
// rings are passed in both directions, so that they do not count for windings; they are no edges.
#ifndef RIGID_RASTER_RINGS_H
#define RIGID_RASTER_RINGS_H

#include <span>

#include "raster/canvas.h"

namespace rigid::raster {

template <class Visit>
void for_edges(std::span<const Point> points, bool has_holes, Visit&& visit) {
  const std::size_t count = points.size();
  if (!has_holes) {
    for (std::size_t i = 0; i < count; ++i) visit(points[i], points[i + 1 < count ? i + 1 : 0]);
    return;
  }
  for (std::size_t first = 0; first < count;) {
    std::size_t i = first;
    do {
      if (i + 1 >= count) return;
      visit(points[i], points[i + 1]);
      ++i;
    } while (points[i].x != points[first].x || points[i].y != points[first].y);
    first = first == 0 ? i + 1 : i + 2;
  }
}

}  // namespace rigid::raster

#endif
