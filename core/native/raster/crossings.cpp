// SPDX-License-Identifier: MIT
// The crossings of a polygon's edges with rows, sorted.
#include "raster/crossings.h"

#include <algorithm>
#include <cmath>

namespace rigid::raster {

void find_crossings(std::span<const Point> points, int width, int height,
                    std::vector<Crossing>& out) {
  out.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    Point a = points[i], b = points[i + 1 < points.size() ? i + 1 : 0];
    if (a.y == b.y) continue;
    const int turn = a.y < b.y ? 1 : -1;
    if (turn < 0) std::swap(a, b);
    const double slope = (b.x - a.x) / (b.y - a.y);
    // Rows whose middle is in [a.y, b.y).
    int top = clip(std::ceil(a.y - 0.5), height), bottom = clip(std::ceil(b.y - 0.5), height);
    for (int y = top; y < bottom; ++y) {
      double x = a.x + (y + 0.5 - a.y) * slope;
      out.push_back({y, clip(std::ceil(x - 0.5), width), turn});
    }
  }
  std::sort(out.begin(), out.end(), [](const Crossing& a, const Crossing& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
}

}  // namespace rigid::raster
