// SPDX-License-Identifier: MIT
// The canvas, and the blending of covered pixels.
//
// A shape gives every pixel a signed distance d (in pixels, negative inside) from the pixel's
// centre to its edge. The covered part of the pixel is taken as clamp(1/2 - d, 0, 1), which is
// exact for a straight edge along the pixel grid and within 4 % of it for a slanted one. The
// outline is inside the edge: its cover is that of the shape less that of the shape shrunk by the
// outline's width. Both parts are blended together, so there is no seam between them.
//
// Blending uses integers, with 65536 for full cover, and gives the same bytes on every machine.
#ifndef RIGID_RASTER_CANVAS_H
#define RIGID_RASTER_CANVAS_H

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rigid::raster {

// Distances are evaluated for this many pixels of a row in parallel.
constexpr int block = 8;
constexpr int32_t full_cover = 65536;

// Pixels in rows from the top, three bytes each: red, green, blue.
struct Canvas {
  uint8_t* pixels;
  int width, height;

  uint8_t* at(int x, int y) const { return pixels + (static_cast<std::size_t>(y) * width + x) * 3; }
};

struct Paint {
  uint32_t fill[3], stroke[3];
  int32_t fill_cover, stroke_cover;  // opacity, 0 to full_cover
  double outline;                    // width of the outline in pixels, 0 for none

  // Colours are given as 0xRRGGBBAA.
  static Paint from(uint32_t fill, uint32_t stroke, double outline) {
    Paint paint{};
    for (int c = 0; c < 3; ++c) {
      paint.fill[c] = (fill >> (24 - 8 * c)) & 255;
      paint.stroke[c] = (stroke >> (24 - 8 * c)) & 255;
    }
    paint.fill_cover = static_cast<int32_t>((fill & 255) * full_cover / 255);
    paint.stroke_cover = static_cast<int32_t>((stroke & 255) * full_cover / 255);
    paint.outline = outline;
    return paint;
  }
};

inline void blend(uint8_t* pixel, const Paint& paint, int32_t fill, int32_t stroke) {
  uint32_t rest = static_cast<uint32_t>(full_cover - fill - stroke);
  for (int c = 0; c < 3; ++c) {
    uint32_t sum = pixel[c] * rest + paint.fill[c] * static_cast<uint32_t>(fill) +
                   paint.stroke[c] * static_cast<uint32_t>(stroke) + full_cover / 2;
    pixel[c] = static_cast<uint8_t>(sum >> 16);
  }
}

// The cover of a block of pixels by fill and stroke, from their distances.
template <class T>
inline void cover(const T* distance, const Paint& paint, int32_t* fill, int32_t* stroke) {
  const T outline = static_cast<T>(paint.outline);
  const T fill_scale = static_cast<T>(paint.fill_cover);
  const T stroke_scale = static_cast<T>(paint.stroke_cover);
  for (int i = 0; i < block; ++i) {
    T outer = T(0.5) - distance[i];
    T inner = outer - outline;
    outer = outer < 0 ? T(0) : (outer > 1 ? T(1) : outer);
    inner = inner < 0 ? T(0) : (inner > 1 ? T(1) : inner);
    fill[i] = static_cast<int32_t>(inner * fill_scale);
    stroke[i] = static_cast<int32_t>((outer - inner) * stroke_scale);
  }
}

// Pixels from..to of row y, fully inside the outline.
inline void fill_span(const Canvas& canvas, const Paint& paint, int y, int from, int to) {
  if (from >= to || paint.fill_cover == 0) return;
  uint8_t* pixel = canvas.at(from, y);
  std::size_t bytes = static_cast<std::size_t>(to - from) * 3;
  if (paint.fill_cover == full_cover) {
    uint8_t pattern[48];
    for (int i = 0; i < 48; ++i) pattern[i] = static_cast<uint8_t>(paint.fill[i % 3]);
    for (; bytes >= 48; bytes -= 48, pixel += 48) std::memcpy(pixel, pattern, 48);
    std::memcpy(pixel, pattern, bytes);
    return;
  }
  uint32_t rest = static_cast<uint32_t>(full_cover - paint.fill_cover);
  uint32_t add[48];
  for (int i = 0; i < 48; ++i) {
    add[i] = paint.fill[i % 3] * static_cast<uint32_t>(paint.fill_cover) + full_cover / 2;
  }
  for (; bytes >= 48; bytes -= 48, pixel += 48) {
    for (int i = 0; i < 48; ++i) pixel[i] = static_cast<uint8_t>((pixel[i] * rest + add[i]) >> 16);
  }
  for (std::size_t i = 0; i < bytes; ++i) {
    pixel[i] = static_cast<uint8_t>((pixel[i] * rest + add[i]) >> 16);
  }
}

// A pixel position as an int inside [0, limit], for any number.
inline int clip(double value, int limit) {
  if (!(value > 0)) return 0;
  return value < limit ? static_cast<int>(value) : limit;
}

struct Point {
  double x, y;
};

}  // namespace rigid::raster

#endif
