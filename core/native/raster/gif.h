// SPDX-License-Identifier: MIT
// Frames as the image blocks of a GIF: only the changes, in one palette for all frames.
#ifndef RIGID_RASTER_GIF_H
#define RIGID_RASTER_GIF_H

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "raster/canvas.h"

namespace rigid::raster {

using Rgb = std::array<uint8_t, 3>;

// The palette grows while frames are encoded: a colour nearer than `tolerance` to an entry uses it,
// another becomes an entry itself while there is room. Entry 0 is the transparent one. The entry of
// every colour is searched once and stored in a table of all 2^24.
class Palette {
 public:
  Palette();

  // Adds entries for `colors`, in order; and sets the tolerance with which the colours of a first
  // image fit, leaving room for later ones.
  void prepare(std::span<const Rgb> colors, const Canvas& image);

  uint8_t index(const uint8_t* pixel) {
    const uint32_t key = static_cast<uint32_t>(pixel[0]) << 16 | pixel[1] << 8 | pixel[2];
    const uint8_t known = known_.get()[key];
    return known != 0 ? known : learn(key);
  }
  // Whether a pixel that shows one entry may keep it, though another is nearer to its colour. Most
  // pixels of slowly moving edges then stay unchanged. Colours that equal an entry are shown
  // exactly.
  bool may_stay(const uint8_t* pixel, uint8_t entry, uint8_t shown) const;
  int size() const { return static_cast<int>(entries_.size()); }
  const std::vector<Rgb>& entries() const { return entries_; }

 private:
  uint8_t learn(uint32_t key);
  int nearest(Rgb color, int& square) const;

  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<uint8_t, Free> known_;  // the entry of each colour, 0 for a new one
  std::vector<Rgb> entries_;
  int tolerance_square_;
};

class GifFrames {
 public:
  GifFrames(int width, int height, std::span<const Rgb> colors);

  // Adds the image descriptor and the compressed pixels of the changes since the last frame;
  // nothing if there are none.
  void add(const Canvas& image, std::vector<uint8_t>& out);

  int width() const { return width_; }
  int height() const { return height_; }
  const std::vector<Rgb>& entries() const { return palette_.entries(); }

 private:
  void compress(int left, int top, int right, int bottom, std::vector<uint8_t>& out) const;

  int width_, height_;
  bool first_ = true;
  std::vector<Rgb> colors_;
  Palette palette_;
  std::vector<uint8_t> last_;     // the last image's bytes
  std::vector<uint8_t> shown_;    // the entry each pixel shows
  std::vector<uint8_t> changed_;  // whether the present frame changes it
};

}  // namespace rigid::raster

#endif
