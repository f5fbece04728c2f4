// SPDX-License-Identifier: MIT
// The display list: the items to draw, as rows of numbers, in painter's order.
#ifndef RIGID_RASTER_DISPLAY_LIST_H
#define RIGID_RASTER_DISPLAY_LIST_H

#include <span>
#include <vector>

#include "raster/canvas.h"
#include "raster/picture.h"

namespace rigid::raster {

// The item of a row, and its numbers a, b, c. All lengths are pixels; `radius` is that of a circle,
// of a polygon's corners (it grows the polygon), or half the width of a line.
enum class ItemKind : int {
  polygon = 0,   // 3 or more points, convex or not. c: 1 with holes, then the points are one way
                 // around (raster/rings.h)
  circle = 1,    // 1 point
  path = 2,      // 1 or more points. a, b: dashes on, off; 0 for a solid line
  loop = 3,      // a closed path, as path
  fade = 4,      // a path whose opacity grows from nothing at its first point
  arrow = 5,     // 2 points. a: length of the head, b: half its width
  arc = 6,       // 1 point. a: its radius, b: start, c: sweep, in radians
  coil = 7,      // 2 points. a: turns, b: amplitude
  rope = 8,      // 2 points. a: length, (b, c): the direction it hangs in
  hatch = 9,     // a path. a: spacing, b: length of the strokes, c: +1 or -1, the side
  picture = 10,  // 1 point, the top left corner. a: index of the picture
  quad = 11,     // 3 points: top left, top right, bottom left. a: index of the picture; it is
                 // repeated over a shape whose points follow: a circle's centre, a capsule's
                 // ends, a polygon's corners (c: 1 with holes), with `radius`. b: 1 only across, 2
                 // only down
  half_plane = 12,  // 3 points: two of its border, and one inside
};
constexpr int item_kinds = 13;
constexpr int item_columns = 10;  // kind first_point point_count radius outline fill stroke a b c

struct DisplayList {
  const double* items;
  std::size_t item_count;
  std::span<const Point> points;
  std::span<const Picture> pictures;
};

// Reads the points of an item as numbers that can be drawn: those beyond 1e12 pixels are moved
// there. Returns false if one is not finite, or not in the list; no other column of the row is
// read.
bool read_points(double first, double count, std::span<const Point> points,
                 std::vector<Point>& out);

// Draws every item. Items with a number that is not finite are skipped; coordinates beyond 1e12
// pixels are moved there. Never reads outside the list: indices are checked.
void draw(const Canvas& canvas, const DisplayList& list);

}  // namespace rigid::raster

#endif
