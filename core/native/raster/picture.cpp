// SPDX-License-Identifier: MIT
// Copying, stretching, repeating and shrinking of pictures.
#include "raster/picture.h"

#include <algorithm>
#include <cmath>

#include "raster/convex.h"

namespace rigid::raster {

void blit(const Canvas& canvas, const Paint& paint, const Picture& picture, int x, int y) {
  Paint own = paint;
  // Its end may exceed the range of the numbers of its begin.
  const int right = std::min<int64_t>(int64_t{x} + picture.width, canvas.width);
  const int bottom = std::min<int64_t>(int64_t{y} + picture.height, canvas.height);
  const int left = std::max(x, 0);
  for (int row = std::max(y, 0); row < bottom; ++row) {
    const uint8_t* source =
        picture.pixels + static_cast<std::size_t>(row - y) * picture.width * picture.channels;
    for (int column = left; column < right; ++column) {
      const uint8_t* pixel = source + static_cast<std::size_t>(column - x) * picture.channels;
      if (picture.channels == 4) std::copy(pixel, pixel + 3, own.fill);
      int32_t cover = pixel[picture.channels - 1] * paint.fill_cover / 255;
      if (cover > 0) blend(canvas.at(column, row), own, cover, 0);
    }
  }
}

namespace {

// Four pixels of an image and their weights, which add up to 1.
struct Nearest {
  int x[2], y[2];
  double fx, fy;
};

// The pixels beside a position along an image of `length` pixels, and its distance from the first
// one: beyond the edge those of the edge or, if the image is repeated, those of the next copy.
double beside(double position, int length, bool repeated, int& before, int& after) {
  double at = position - 0.5;
  if (repeated) {
    at -= std::floor(at / length) * length;
    // Rounding may leave it at the end, which is the beginning; far away no digits are left.
    if (!(at >= 0 && at < length)) at = 0;
  } else {
    at = std::clamp(at, 0.0, length - 1.0);
  }
  before = static_cast<int>(at);
  after = before + 1 < length ? before + 1 : (repeated ? 0 : length - 1);
  return at - before;
}

// The pixels nearest to a point of the image, in its pixels.
Nearest nearest(const Picture& picture, Point at, bool across, bool down) {
  Nearest found{};
  found.fx = beside(at.x, picture.width, across, found.x[0], found.x[1]);
  found.fy = beside(at.y, picture.height, down, found.y[0], found.y[1]);
  return found;
}

// The interpolated colour of four pixels, alpha last, each 0 to 255 with alpha multiplied in.
void sample(const Picture& picture, const Nearest& near, double* out) {
  const double fx = near.fx, fy = near.fy;
  const double weights[4] = {(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy};
  std::fill(out, out + 4, 0.0);
  for (int i = 0; i < 4; ++i) {
    const std::size_t row = static_cast<std::size_t>(near.y[i / 2]) * picture.width;
    const uint8_t* pixel = picture.pixels + (row + near.x[i % 2]) * 4;
    const double alpha = weights[i] * pixel[3];
    for (int c = 0; c < 3; ++c) out[c] += alpha * pixel[c] / 255.0;
    out[3] += alpha;
  }
}

// Maps pixels of the canvas to those of an image in a parallelogram.
class Mapping {
 public:
  Mapping(const Picture& picture, const Quad& quad)
      : picture_(picture),
        origin_(quad.top_left),
        u_{quad.top_right.x - origin_.x, quad.top_right.y - origin_.y},
        v_{quad.bottom_left.x - origin_.x, quad.bottom_left.y - origin_.y},
        area_(u_.x * v_.y - u_.y * v_.x) {}

  double area() const { return area_; }
  bool usable() const { return area_ * area_ > 0 && picture_.channels == 4; }
  Point opposite() const { return {origin_.x + u_.x + v_.x, origin_.y + u_.y + v_.y}; }

  Point of(int x, int y) const {
    const double px = x + 0.5 - origin_.x, py = y + 0.5 - origin_.y;
    return {(px * v_.y - py * v_.x) / area_ * picture_.width,
            (u_.x * py - u_.y * px) / area_ * picture_.height};
  }

 private:
  const Picture& picture_;
  Point origin_, u_, v_;
  double area_;
};

// Blends a colour, alpha multiplied in, over a pixel that is partly covered.
void lay_over(uint8_t* pixel, const Paint& paint, const double* color, double covered) {
  const double opacity = covered * paint.fill_cover / full_cover;
  const bool tints = paint.stroke_cover > 0;
  for (int c = 0; c < 3; ++c) {
    const double tinted = tints ? color[c] * (paint.stroke[c] / 255.0) : color[c];
    const double mixed = pixel[c] * (1.0 - opacity * color[3] / 255.0) + opacity * tinted;
    pixel[c] = static_cast<uint8_t>(std::clamp(mixed + 0.5, 0.0, 255.0));
  }
}

}  // namespace

void blit_quad(const Canvas& canvas, const Paint& paint, const Picture& picture, const Quad& quad) {
  const Mapping mapping(picture, quad);
  if (!mapping.usable()) return;
  Point corners[4] = {quad.top_left, quad.top_right, mapping.opposite(), quad.bottom_left};
  if (mapping.area() < 0) std::reverse(corners, corners + 4);
  ConvexPolygon<double> edge(corners, 0.0);
  const int top = clip(edge.top() - 1, canvas.height);
  const int bottom = clip(edge.bottom() + 2, canvas.height);
  double distance[block], color[4];
  for (int y = top; y < bottom; ++y) {
    double lo, hi;
    edge.begin_row(y + 0.5, lo, hi);
    const int left = clip(lo - 1, canvas.width), right = clip(hi + 2, canvas.width);
    for (int x = left; x < right; ++x) {
      if ((x - left) % block == 0) edge.distances(x, distance);
      const double covered = std::clamp(0.5 - distance[(x - left) % block], 0.0, 1.0);
      if (covered == 0) continue;
      sample(picture, nearest(picture, mapping.of(x, y), false, false), color);
      lay_over(canvas.at(x, y), paint, color, covered);
    }
  }
}

void blit_tiles(const Canvas& canvas, const Paint& paint, const Picture& picture, const Quad& quad,
                const Repeat& repeat, const Canvas& mask, const Part& part) {
  const Mapping mapping(picture, quad);
  double color[4];
  for (int y = part.top; y < part.bottom; ++y) {
    uint8_t* covered = mask.at(part.left, y);
    for (int x = part.left; x < part.right && mapping.usable(); ++x, covered += 3) {
      if (*covered == 0) continue;
      sample(picture, nearest(picture, mapping.of(x, y), repeat.across, repeat.down), color);
      lay_over(canvas.at(x, y), paint, color, *covered / 255.0);
    }
    std::fill(mask.at(part.left, y), mask.at(part.left, y) + (part.right - part.left) * 3, 0);
  }
}

void shrink(const Canvas& large, const Canvas& small, int factor) {
  const uint32_t count = static_cast<uint32_t>(factor) * static_cast<uint32_t>(factor);
  for (int y = 0; y < small.height; ++y) {
    for (int x = 0; x < small.width; ++x) {
      uint32_t sum[3] = {count / 2, count / 2, count / 2};
      for (int row = 0; row < factor; ++row) {
        const uint8_t* pixel = large.at(x * factor, y * factor + row);
        for (int i = 0; i < factor; ++i, pixel += 3) {
          for (int c = 0; c < 3; ++c) sum[c] += pixel[c];
        }
      }
      for (int c = 0; c < 3; ++c) small.at(x, y)[c] = static_cast<uint8_t>(sum[c] / count);
    }
  }
}

}  // namespace rigid::raster
