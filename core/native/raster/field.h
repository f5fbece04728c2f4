// SPDX-License-Identifier: MIT
// A field of distances to line segments, for shapes that are not convex: paths and concave
// polygons.
//
// Segments are added one by one; each writes its squared distance into the pixels nearer than
// `reach`, and the nearest segment wins. The whole shape is then blended once, so that the pixels
// where segments meet are not blended twice, and the touched pixels are wiped for the next shape.
// A line that fades writes its opacity instead, and the most opaque segment wins: where it crosses
// itself or runs along itself, its newer part is in front.
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

  // Adds the pixels nearer than `reach` to the segment from a to b.
  void add(Point a, Point b, double reach);

  // Draws everything within `radius` of the segments added, and wipes the field.
  void draw_path(const Canvas& canvas, const Paint& paint, double radius);

  // Adds a segment of a fading line with this radius; `from` and `to` are opacities at its ends,
  // 0 to 1.
  void add_fading(Point a, Point b, double radius, float from, float to);

  // Draws the fading line whose segments were added, without an outline, and wipes the field.
  void draw_fading(const Canvas& canvas, const Paint& paint);

  // Draws the inside of a polygon (non-zero winding), grown by `radius`, whose edges were added.
  void draw_polygon(const Canvas& canvas, const Paint& paint, std::span<const Point> points,
                    double radius);

 private:
  template <class Take>
  void visit(Point a, Point b, double reach, Take take);
  void wipe();
  void draw_row(const Canvas& canvas, const Paint& paint, int y, double radius,
                std::span<const Crossing> crossings);

  int width_, height_;
  std::vector<float> square_;   // squared distance to the nearest segment, or `far`
  std::vector<float> opacity_;  // of a fading line, 0 between shapes
  std::vector<int> left_, right_;
  int top_, bottom_;
  std::vector<Crossing> crossings_;
};

}  // namespace rigid::raster

#endif
