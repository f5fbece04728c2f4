// SPDX-License-Identifier: MIT
// Filling of shapes with numbers.
#include "raster/numbers.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "raster/convex.h"
#include "raster/crossings.h"
#include "raster/curves.h"
#include "raster/display_list.h"

namespace rigid::raster {

namespace {

class Filler {
 public:
  explicit Filler(const NumberCanvas& canvas) : canvas_(canvas) {}

  void fill(ItemKind kind, std::span<const Point> points, double radius, uint16_t number) {
    const std::size_t count = points.size();
    if (kind == ItemKind::half_plane) {
      if (count >= 3) fill_polygon(half_plane(points, canvas_.width, canvas_.height), number);
      return;
    }
    if (kind == ItemKind::polygon) fill_polygon(points, number);
    if (kind == ItemKind::circle || count == 1) {
      return fill_capsule(points[0], points[0], radius, number);
    }
    if (kind == ItemKind::polygon && radius == 0) return;
    const std::size_t edges = kind == ItemKind::path ? count - 1 : count;
    for (std::size_t i = 0; i < edges; ++i) {
      fill_capsule(points[i], points[i + 1 < count ? i + 1 : 0], radius, number);
    }
  }

 private:
  void fill_capsule(Point a, Point b, double radius, uint16_t number) {
    Capsule<double> shape(a, b, radius);
    double distance[block];
    const int top = clip(shape.top() - 1, canvas_.height);
    const int bottom = clip(shape.bottom() + 2, canvas_.height);
    for (int y = top; y < bottom; ++y) {
      double lo, hi;
      shape.begin_row(y + 0.5, lo, hi);
      const int left = clip(lo - 1, canvas_.width), right = clip(hi + 2, canvas_.width);
      uint16_t* row = canvas_.row(y);
      for (int x = left; x < right; x += block) {
        shape.distances(x, distance);
        const int count = std::min(block, right - x);
        for (int i = 0; i < count; ++i) row[x + i] = distance[i] <= 0 ? number : row[x + i];
      }
    }
  }

  void fill_polygon(std::span<const Point> points, uint16_t number) {
    if (points.size() < 3) return;
    find_crossings(points, canvas_.width, canvas_.height, crossings_);
    int winding = 0;
    for (std::size_t i = 0; i + 1 < crossings_.size(); ++i) {
      const Crossing &from = crossings_[i], &to = crossings_[i + 1];
      winding += from.turn;  // 0 again at the end of each row
      if (winding == 0) continue;
      uint16_t* row = canvas_.row(from.row);
      std::fill(row + from.column, row + to.column, number);
    }
  }

  const NumberCanvas& canvas_;
  std::vector<Crossing> crossings_;
};

}  // namespace

void fill_numbers(const NumberCanvas& canvas, const double* shapes, std::size_t count,
                  std::span<const Point> points) {
  if (canvas.width <= 0 || canvas.height <= 0) return;
  Filler filler(canvas);
  std::vector<Point> own;
  for (std::size_t i = 0; i < count; ++i) {
    const double* shape = shapes + i * number_columns;
    const double kind = shape[0], radius = shape[3], number = shape[4];
    const bool known = (kind >= 0 && kind <= static_cast<double>(ItemKind::loop)) ||
                       kind == static_cast<double>(ItemKind::half_plane);
    const bool usable = radius >= 0 && radius <= 1e12 && number >= 0 && number <= 65535;
    if (!known || !usable || !read_points(shape[1], shape[2], points, own)) continue;
    filler.fill(static_cast<ItemKind>(static_cast<int>(kind)), own, radius,
                static_cast<uint16_t>(number));
  }
}

}  // namespace rigid::raster
