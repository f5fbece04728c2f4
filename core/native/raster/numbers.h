// SPDX-License-Identifier: MIT
// Pictures of numbers: each pixel has the number of the shape that its centre is in.
//
// Nothing is blended, so shapes may be filled part by part: a rounded polygon is its inside, and a
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

// Fill every shape, in order: a polygon, circle, path or loop of `ItemKind`. What is in no shape
// stays as it was. Shapes with numbers that are not finite, or of other kinds, are left out;
// indices are checked.
void fill_numbers(const NumberCanvas& canvas, const double* shapes, std::size_t count,
                  std::span<const Point> points);

}  // namespace rigid::raster

#endif
