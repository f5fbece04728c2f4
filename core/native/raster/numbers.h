// SPDX-License-Identifier: MIT
// Pictures of numbers: each pixel holds the number of the shape that contains its centre.
//
// Nothing is blended, so shapes may be filled in parts: a rounded polygon is its inside, and a
// capsule along each of its edges.
#ifndef RIGID_RASTER_NUMBERS_H
#define RIGID_RASTER_NUMBERS_H

#include <cstddef>
#include <cstdint>
#include <span>

#include "raster/canvas.h"

namespace rigid::raster {

// Pixels in rows from the top.
struct NumberCanvas {
  uint16_t* pixels;
  int width, height;

  uint16_t* row(int y) const { return pixels + static_cast<std::size_t>(y) * width; }
};

constexpr int number_columns = 5;  // kind first_point point_count radius number

// Fills every shape, in order: a polygon, circle, path, loop or half-plane of `ItemKind`. Pixels in
// no shape are unchanged. Shapes with numbers that are not finite, or of other kinds, are skipped;
// indices are checked.
void fill_numbers(const NumberCanvas& canvas, const double* shapes, std::size_t count,
                  std::span<const Point> points);

}  // namespace rigid::raster

#endif
