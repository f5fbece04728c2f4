#include "raster/picture.h"

#include <algorithm>
#include <cmath>

#include "raster/convex.h"

namespace rigid::raster {

void blit(const Canvas& canvas, const Paint& paint, const Picture& picture, int x, int y) {
  Paint own = paint;
  const int left = std::max(x, 0), right = std::min(x + picture.width, canvas.width);
  for (int row = std::max(y, 0); row < std::min(y + picture.height, canvas.height); ++row) {
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

// The image's colour at (u, v) in its pixels, alpha last, each 0 to 255 with alpha multiplied in.
void sample(const Picture& picture, double u, double v, double* out) {
  const double x = std::clamp(u - 0.5, 0.0, picture.width - 1.0);
  const double y = std::clamp(v - 0.5, 0.0, picture.height - 1.0);
  const int x0 = static_cast<int>(x), y0 = static_cast<int>(y);
  const int x1 = std::min(x0 + 1, picture.width - 1), y1 = std::min(y0 + 1, picture.height - 1);
  const double fx = x - x0, fy = y - y0;
  const double weights[4] = {(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy};
  const int xs[4] = {x0, x1, x0, x1}, ys[4] = {y0, y0, y1, y1};
  std::fill(out, out + 4, 0.0);
  for (int i = 0; i < 4; ++i) {
    const uint8_t* pixel =
        picture.pixels + (static_cast<std::size_t>(ys[i]) * picture.width + xs[i]) * 4;
    const double alpha = weights[i] * pixel[3];
    for (int c = 0; c < 3; ++c) out[c] += alpha * pixel[c] / 255.0;
    out[3] += alpha;
  }
}

}  // namespace

void blit_quad(const Canvas& canvas, const Paint& paint, const Picture& picture, Point top_left,
               Point top_right, Point bottom_left) {
  const double ux = top_right.x - top_left.x, uy = top_right.y - top_left.y;
  const double vx = bottom_left.x - top_left.x, vy = bottom_left.y - top_left.y;
  double area = ux * vy - uy * vx;
  if (!(area * area > 0) || picture.channels != 4) return;
  Point corners[4] = {top_left, top_right, {top_right.x + vx, top_right.y + vy}, bottom_left};
  if (area < 0) std::reverse(corners, corners + 4);
  ConvexPolygon<double> quad(corners, 0.0);
  const int top = clip(quad.top() - 1, canvas.height);
  const int bottom = clip(quad.bottom() + 2, canvas.height);
  double distance[block];
  for (int y = top; y < bottom; ++y) {
    double lo, hi;
    quad.begin_row(y + 0.5, lo, hi);
    const int left = clip(lo - 1, canvas.width), right = clip(hi + 2, canvas.width);
    for (int x = left; x < right; ++x) {
      if ((x - left) % block == 0) quad.distances(x, distance);
      const double covered = std::clamp(0.5 - distance[(x - left) % block], 0.0, 1.0);
      if (covered == 0) continue;
      const double px = x + 0.5 - top_left.x, py = y + 0.5 - top_left.y;
      double color[4];
      sample(picture, (px * vy - py * vx) / area * picture.width,
             (ux * py - uy * px) / area * picture.height, color);
      const double opacity = covered * paint.fill_cover / full_cover;
      uint8_t* pixel = canvas.at(x, y);
      for (int c = 0; c < 3; ++c) {
        double mixed = pixel[c] * (1.0 - opacity * color[3] / 255.0) + opacity * color[c];
        pixel[c] = static_cast<uint8_t>(std::clamp(mixed + 0.5, 0.0, 255.0));
      }
    }
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
