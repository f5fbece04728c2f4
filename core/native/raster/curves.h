// SPDX-License-Identifier: MIT
// Computed lines: arcs, coils, slack ropes, arrows, half-planes, dashes, hatching. All in pixels.
// Each gives points of a path, or a polygon, for the rasterizer.
#ifndef RIGID_RASTER_CURVES_H
#define RIGID_RASTER_CURVES_H

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "raster/canvas.h"

namespace rigid::raster {

using Pieces = std::vector<std::pair<Point, Point>>;

// Hatching reaches at most this far from its line, in pixels.
constexpr double widest_hatch = 64.0;

// Points along a circle from angle `start` through `sweep` (radians, from +x towards +y).
std::vector<Point> arc(Point center, double radius, double start, double sweep);

// A spring from the side: straight ends, and `turns` waves of the given amplitude between.
std::vector<Point> coil(Point a, Point b, double turns, double amplitude);

// A rope of the given length between a and b, which hangs towards `down` if it is slack. Drawn as a
// parabola, an approximation of a hanging rope.
std::vector<Point> rope(Point a, Point b, double length, Point down);

// An arrow from a to b as a polygon; a short arrow is all head.
std::vector<Point> arrow(Point a, Point b, double half_width, double head_length,
                         double head_half_width);

// The visible part of a half-plane that contains c and has a and b on its border: a polygon whose
// other edges are outside of the picture.
std::array<Point, 4> half_plane(std::span<const Point> points, double width, double height);

// Clips a segment to the rectangle from (-margin, -margin) to (width + margin, height + margin).
// Returns false if nothing is left. `from` and `to` are the remaining fractions of the segment.
bool clip_segment(Point& a, Point& b, double width, double height, double margin, double& from,
                  double& to);

// The strokes of a dashed path: `on` pixels drawn, `off` left out.
void dash(std::span<const Point> points, double on, double off, double width, double height,
          Pieces& out);

// Short strokes of the given length that slant away from a path on one of its sides (+1: to the
// left of its direction in x, y).
void hatch(std::span<const Point> points, double spacing, double length, double side, double width,
           double height, Pieces& out);

}  // namespace rigid::raster

#endif
