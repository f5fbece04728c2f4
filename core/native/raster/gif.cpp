// SPDX-License-Identifier: MIT
// The changed pixels of the frames of a GIF.
#include "raster/gif.h"

#include <algorithm>
#include <cstring>

#include "raster/lzw.h"

namespace rigid::raster {

namespace {

constexpr int most_colors = 1 << 18;  // that are remembered with their representation
constexpr int smooth = 6;             // steps of a channel from pixel to pixel within an area
constexpr int reserve = 24;           // entries that the first frame leaves to later ones
constexpr int frames_to_release = 2;  // after so many frames one less
constexpr int bad_part = 50;          // a part of so many pixels may be shown badly

// The order in which the 4 by 4 places of a mixture change to its second entry.
constexpr uint8_t thresholds[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

// Whether the next pixels to the right and below have about the colour of this one.
bool is_inner(const Canvas& image, int x, int y) {
  auto is_near = [&](const uint8_t* a, const uint8_t* b) {
    for (int c = 0; c < 3; ++c) {
      if (a[c] - b[c] > smooth || b[c] - a[c] > smooth) return false;
    }
    return true;
  };
  const uint8_t* pixel = image.at(x, y);
  return (x + 1 == image.width || is_near(pixel, image.at(x + 1, y))) &&
         (y + 1 == image.height || is_near(pixel, image.at(x, y + 1)));
}

}  // namespace

GifFrames::GifFrames(int width, int height, std::span<const Rgb> colors, bool is_alone)
    : width_(width),
      height_(height),
      palette_(colors, is_alone ? 0 : reserve),
      last_(static_cast<std::size_t>(width) * height * 3),
      numbers_(static_cast<std::size_t>(width) * height),
      shown_(static_cast<std::size_t>(width) * height),
      changed_(static_cast<std::size_t>(width) * height) {}

void GifFrames::add(const Canvas& image, std::vector<uint8_t>& out) {
  bool all = first_;
  if (palette_.colors() > most_colors) {
    palette_.forget_colors();
    all = true;
  }
  find_spans(image, all);
  if (first_) {
    choose_palette();
  } else {
    if (palette_.extend()) all = true;
    if (palette_.has_bad_news()) {
      const int64_t most = 2 * bad_at_choice_ + int64_t{width_} * height_ / bad_part;
      if (count_bad() > most) {
        if (global_.empty()) global_ = palette_.entries();
        palette_.forget_colors();
        find_spans(image, true);
        choose_palette();
        std::fill(shown_.begin(), shown_.end(), uint8_t{0});
        all = true;
      }
    }
  }
  if (!first_ && !spans_.empty()) {
    ++changes_;
    if (palette_.release(std::max(0, reserve - changes_ / frames_to_release))) all = true;
  }
  first_ = false;
  if (all) {
    spans_.clear();
    for (int y = 0; y < height_; ++y) spans_.push_back({y, 0, width_});
  }
  show(out);
}

// The stretches of pixels that differ from the last image, and the numbers of their colours.
void GifFrames::find_spans(const Canvas& image, bool all) {
  spans_.clear();
  const std::size_t row_bytes = static_cast<std::size_t>(width_) * 3;
  constexpr int stretch = 16;  // pixels compared at once
  for (int y = 0; y < height_; ++y) {
    const uint8_t* now = image.at(0, y);
    uint8_t* before = last_.data() + row_bytes * y;
    uint32_t* numbers = numbers_.data() + static_cast<std::size_t>(width_) * y;
    if (!all && std::memcmp(now, before, row_bytes) == 0) continue;
    for (int x = 0; x < width_; x += stretch) {
      const int end = std::min(x + stretch, width_);
      if (!all && std::memcmp(now + 3 * x, before + 3 * x, 3 * (end - x)) == 0) continue;
      for (int i = x; i < end; ++i) {
        if (!all && std::memcmp(now + 3 * i, before + 3 * i, 3) == 0) continue;
        numbers[i] = palette_.number(now + 3 * i);
        if (palette_.is_new(numbers[i]) && is_inner(image, i, y)) palette_.count_inner(numbers[i]);
      }
      spans_.push_back({y, x, end});
    }
    std::memcpy(before, now, row_bytes);
  }
}

void GifFrames::choose_palette() {
  palette_.choose();
  bad_at_choice_ = count_bad();
}

int64_t GifFrames::count_bad() const {
  int64_t count = 0;
  for (uint32_t number : numbers_) count += palette_.mixture(number).is_bad;
  return count;
}

void GifFrames::show(std::vector<uint8_t>& out) {
  int left = width_, right = 0, top = height_, bottom = 0;
  std::fill(changed_.begin(), changed_.end(), uint8_t{0});
  for (const Span& span : spans_) {
    const std::size_t row = static_cast<std::size_t>(width_) * span.y;
    const uint8_t* threshold = thresholds[span.y & 3];
    for (int x = span.begin; x < span.end; ++x) {
      const Mixture& mixture = palette_.mixture(numbers_[row + x]);
      const uint8_t entry = threshold[x & 3] < mixture.level ? mixture.second : mixture.first;
      if (entry == shown_[row + x]) continue;
      shown_[row + x] = entry;
      changed_[row + x] = 1;
      left = std::min(left, x);
      right = std::max(right, x + 1);
      top = std::min(top, span.y);
      bottom = span.y + 1;
    }
  }
  if (left < right) compress(left, top, right, bottom, out);
}

void GifFrames::compress(int left, int top, int right, int bottom,
                         std::vector<uint8_t>& out) const {
  auto put = [&](int value) {
    out.push_back(static_cast<uint8_t>(value & 255));
    out.push_back(static_cast<uint8_t>(value >> 8));
  };
  out.push_back(0x2C);
  put(left);
  put(top);
  put(right - left);
  put(bottom - top);
  int bits = 2;
  while (1 << bits < palette_.size()) ++bits;
  out.push_back(static_cast<uint8_t>(global_.empty() ? 0 : 0x80 | (bits - 1)));
  if (!global_.empty()) {  // a palette of its own
    for (Rgb entry : palette_.entries()) out.insert(out.end(), entry.begin(), entry.end());
    out.resize(out.size() + 3 * static_cast<std::size_t>((1 << bits) - palette_.size()));
  }
  LzwWriter writer(bits, out);
  for (int y = top; y < bottom; ++y) {
    const std::size_t row = static_cast<std::size_t>(width_) * y;
    const uint8_t *shown = shown_.data() + row, *changed = changed_.data() + row;
    for (int x = left; x < right;) {
      const auto* next = static_cast<const uint8_t*>(std::memchr(changed + x, 1, right - x));
      const int end = next ? static_cast<int>(next - changed) : right;
      writer.add_unchanged(shown + x, end - x);
      for (x = end; x < right && changed[x]; ++x) writer.add(shown[x]);
    }
  }
  writer.finish();
}

}  // namespace rigid::raster
