// SPDX-License-Identifier: MIT
// Distances to segments, and drawing of paths and concave polygons.
#include "raster/field.h"

#include <algorithm>
#include <cmath>

#include "raster/convex.h"

namespace rigid::raster {

namespace {
constexpr float far = 1e30f;
}

Field::Field(int width, int height)
    : width_(width),
      height_(height),
      square_(static_cast<std::size_t>(width) * height, far),
      opacity_(static_cast<std::size_t>(width) * height, 0.0f),
      left_(height, width),
      right_(height, 0),
      top_(height),
      bottom_(0) {}

// Calls take(index of a pixel, its squared distance, the place of its foot from 0 to 1) for the
// pixels near a segment.
template <class Take>
void Field::visit(Point a, Point b, double reach, Take take) {
  Capsule<float> near(a, b, reach);
  int top = clip(near.top() - 1, height_), bottom = clip(near.bottom() + 2, height_);
  if (top >= bottom) return;
  const double ex = b.x - a.x, ey = b.y - a.y, square = ex * ex + ey * ey;
  const double inverse = square > 0 ? 1.0 / square : 0.0;
  const float along_x = static_cast<float>(ex), along_y = static_cast<float>(ey);
  for (int y = top; y < bottom; ++y) {
    double lo, hi;
    near.begin_row(y + 0.5, lo, hi);
    int left = clip(lo - 1, width_), right = clip(hi + 2, width_);
    if (left >= right) continue;
    left_[y] = std::min(left_[y], left);
    right_[y] = std::max(right_[y], right);
    top_ = std::min(top_, y);
    bottom_ = std::max(bottom_, y + 1);
    // With its foot at t along the segment, a pixel is p - t e from it. p and t are first computed
    // in double: a segment may be very long.
    const std::size_t row = static_cast<std::size_t>(y) * width_;
    const double px = left + 0.5 - a.x, py = y + 0.5 - a.y;
    const float px0 = static_cast<float>(px), py0 = static_cast<float>(py);
    const double t0 = (px * ex + py * ey) * inverse, step = ex * inverse;
    if (square < 1e8) {
      const float start = static_cast<float>(t0), slope = static_cast<float>(step);
      for (int x = left; x < right; ++x) {
        float i = static_cast<float>(x - left);
        float t = start + slope * i;
        t = t < 0 ? 0.0f : (t > 1 ? 1.0f : t);
        float qx = px0 + i - t * along_x, qy = py0 - t * along_y;
        take(row + x, qx * qx + qy * qy, t);
      }
    } else {
      for (int x = left; x < right; ++x) {
        double i = x - left, t = std::clamp(t0 + step * i, 0.0, 1.0);
        double qx = px + i - t * ex, qy = py - t * ey;
        take(row + x, static_cast<float>(qx * qx + qy * qy), static_cast<float>(t));
      }
    }
  }
}

void Field::add(Point a, Point b, double reach) {
  float* out = square_.data();
  visit(a, b, reach, [out](std::size_t pixel, float square, float) {
    out[pixel] = square < out[pixel] ? square : out[pixel];
  });
}

void Field::add_fading(Point a, Point b, double radius, float from, float to) {
  float* out = opacity_.data();
  const float edge = static_cast<float>(radius + 0.5), slope = to - from;
  visit(a, b, radius + 1.0, [=](std::size_t pixel, float square, float t) {
    float covered = edge - std::sqrt(square);
    covered = covered < 0 ? 0.0f : (covered > 1 ? 1.0f : covered);
    float shown = covered * (from + t * slope);
    out[pixel] = shown > out[pixel] ? shown : out[pixel];
  });
}

void Field::wipe() {
  for (int y = top_; y < bottom_; ++y) {
    float* row = square_.data() + static_cast<std::size_t>(y) * width_;
    if (left_[y] < right_[y]) std::fill(row + left_[y], row + right_[y], far);
    left_[y] = width_;
    right_[y] = 0;
  }
  top_ = height_;
  bottom_ = 0;
}

void Field::draw_path(const Canvas& canvas, const Paint& paint, double radius) {
  float distance[block];
  int32_t fill[block], stroke[block];
  for (int y = top_; y < bottom_; ++y) {
    const float* row = square_.data() + static_cast<std::size_t>(y) * width_;
    for (int x = left_[y]; x < right_[y]; x += block) {
      int count = std::min(block, right_[y] - x);
      for (int i = 0; i < block; ++i) {
        distance[i] = std::sqrt(i < count ? row[x + i] : far) - static_cast<float>(radius);
      }
      cover(distance, paint, fill, stroke);
      for (int i = 0; i < count; ++i) {
        if (fill[i] + stroke[i] > 0) blend(canvas.at(x + i, y), paint, fill[i], stroke[i]);
      }
    }
  }
  wipe();
}

void Field::draw_fading(const Canvas& canvas, const Paint& paint) {
  const float full = static_cast<float>(paint.fill_cover);
  for (int y = top_; y < bottom_; ++y) {
    float* row = opacity_.data() + static_cast<std::size_t>(y) * width_;
    for (int x = left_[y]; x < right_[y]; ++x) {
      const auto fill = static_cast<int32_t>(row[x] * full);
      if (fill > 0) blend(canvas.at(x, y), paint, fill, 0);
      row[x] = 0.0f;
    }
  }
  wipe();
}

void Field::draw_row(const Canvas& canvas, const Paint& paint, int y, double radius,
                     std::span<const Crossing> crossings) {
  const float* row = square_.data() + static_cast<std::size_t>(y) * width_;
  int x = crossings.empty() ? left_[y] : std::min(left_[y], crossings.front().column);
  int end = crossings.empty() ? right_[y] : std::max(right_[y], crossings.back().column);
  std::size_t next = 0;
  int winding = 0;
  float distance[block];
  int32_t fill[block], stroke[block];
  while (x < end) {
    for (; next < crossings.size() && crossings[next].column <= x; ++next) {
      winding += crossings[next].turn;
    }
    // A run of pixels all inside or all outside, and all near an edge or all far from one.
    int limit = next < crossings.size() ? std::min(crossings[next].column, end) : end;
    int run = x + 1;
    if (row[x] == far) {
      while (run < limit && row[run] == far) ++run;
      if (winding != 0) fill_span(canvas, paint, y, x, run);
    } else {
      while (run < limit && run < x + block && row[run] != far) ++run;
      for (int i = 0; i < block; ++i) {
        float d = std::sqrt(i < run - x ? row[x + i] : far);
        distance[i] = (winding != 0 ? -d : d) - static_cast<float>(radius);
      }
      cover(distance, paint, fill, stroke);
      for (int i = 0; i < run - x; ++i) {
        if (fill[i] + stroke[i] > 0) blend(canvas.at(x + i, y), paint, fill[i], stroke[i]);
      }
    }
    x = run;
  }
}

void Field::draw_polygon(const Canvas& canvas, const Paint& paint, std::span<const Point> points,
                         double radius) {
  find_crossings(points, width_, height_, crossings_);
  int first = crossings_.empty() ? top_ : std::min(top_, crossings_.front().row);
  int last = crossings_.empty() ? bottom_ : std::max(bottom_, crossings_.back().row + 1);
  std::size_t begin = 0;
  for (int y = first; y < last; ++y) {
    std::size_t end = begin;
    while (end < crossings_.size() && crossings_[end].row == y) ++end;
    draw_row(canvas, paint, y, radius, std::span(crossings_).subspan(begin, end - begin));
    begin = end;
  }
  wipe();
}

}  // namespace rigid::raster
