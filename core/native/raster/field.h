// SPDX-License-Identifier: MIT
// A field of distances to line segments, for shapes that are not convex: paths and concave
// polygons.
//
// Segments are added one by one; each writes its squared distance into the pixels nearer than
// `reach`, and the nearest segment wins. The whole shape is then blended once, so that the pixels
// where segments meet are not blended twice, and the touched pixels are wiped for the next shape.
#ifndef RIGID_RASTER_FIELD_H
#define RIGID_RASTER_FIELD_H

#include <span>
#include <vector>

#include "raster/canvas.h"
#include "raster/crossings.h"

namespace rigid::raster {

// Lines of a path extend at most this far to either side; wider ones are drawn with this width.
constexpr double widest_path = 64.0;

class Field {
 public:
  Field(int width, int height);
  bool fits(const Canvas& canvas) const {
    return width_ == canvas.width && height_ == canvas.height;
  }

  // Adds the pixels nearer than `reach` to the segment from a to b. `from` and `to` are strengths
  // at its ends, 0 to 1, kept for the pixels that it wins if `fading` is set.
  void add(Point a, Point b, double reach, float from = 1.0f, float to = 1.0f);

  // Draws everything within `radius` of the segments added, and wipes the field.
  void draw_path(const Canvas& canvas, const Paint& paint, double radius, bool fading);

  // Draws the inside of a polygon (non-zero winding), grown by `radius`, whose edges were added.
  void draw_polygon(const Canvas& canvas, const Paint& paint, std::span<const Point> points,
                    double radius);

 private:
  void wipe();
  void draw_row(const Canvas& canvas, const Paint& paint, int y, double radius,
                std::span<const Crossing> crossings);

  int width_, height_;
  std::vector<float> square_;    // squared distance to the nearest segment, or `far`
  std::vector<float> strength_;  // of the nearest segment there
  std::vector<int> left_, right_;
  int top_, bottom_;
  std::vector<Crossing> crossings_;
};

}  // namespace rigid::raster

#endif
