// SPDX-License-Identifier: MIT
// Frames as the image blocks of a GIF: only the changes, in one palette for all frames.
#ifndef RIGID_RASTER_GIF_H
#define RIGID_RASTER_GIF_H

#include <cstdint>
#include <span>
#include <vector>

#include "raster/canvas.h"
#include "raster/palette.h"

namespace rigid::raster {

// One palette serves all frames and grows while they are encoded; the entries that it keeps for
// later frames become fewer with each. A frame whose colours it cannot show gets a new one, which
// it and all later frames contain. After each frame, every pixel shows its colour as the palette of
// that moment represents it; none keeps an older colour.
class GifFrames {
 public:
  // `is_alone` is whether there is only one frame.
  GifFrames(int width, int height, std::span<const Rgb> colors, bool is_alone);

  // Adds the image descriptor and the compressed pixels of the changes since the last frame;
  // nothing if there are none.
  void add(const Canvas& image, std::vector<uint8_t>& out);

  int width() const { return width_; }
  int height() const { return height_; }
  // Of the frames that have no palette of their own.
  const std::vector<Rgb>& entries() const { return global_.empty() ? palette_.entries() : global_; }

 private:
  struct Span {
    int y, begin, end;
  };
  void find_spans(const Canvas& image, bool all);
  void choose_palette();
  int64_t count_bad() const;
  void show(std::vector<uint8_t>& out);
  void compress(int left, int top, int right, int bottom, std::vector<uint8_t>& out) const;

  int width_, height_;
  bool first_ = true;
  int changes_ = 0;            // frames that differed from the one before
  int64_t bad_at_choice_ = 0;  // pixels
  Palette palette_;
  std::vector<Rgb> global_;        // the first palette, when there is a second
  std::vector<Span> spans_;        // pixels that may change in the present frame
  std::vector<uint8_t> last_;      // the last image's bytes
  std::vector<uint32_t> numbers_;  // of each pixel's colour
  std::vector<uint8_t> shown_;     // the entry each pixel shows
  std::vector<uint8_t> changed_;   // whether the present frame changes it
};

}  // namespace rigid::raster

#endif
