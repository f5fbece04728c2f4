// SPDX-License-Identifier: MIT
// The palette of a GIF, and the changed pixels of its frames.
#include "raster/gif.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <unordered_map>

#include "raster/lzw.h"

namespace rigid::raster {

namespace {

constexpr int most_entries = 256;
constexpr int first_entries = 200;     // the first frame leaves the rest to later frames
constexpr int finest_tolerance = 900;  // square of a step that is visible at an edge

// The eye is most sensitive to green, least to blue.
int square_distance(Rgb a, Rgb b) {
  int r = a[0] - b[0], g = a[1] - b[1], u = a[2] - b[2];
  return (2 * r * r + 4 * g * g + 2 * u * u) / 3;
}

Rgb color_of(uint32_t key) {
  return {static_cast<uint8_t>(key >> 16), static_cast<uint8_t>(key >> 8),
          static_cast<uint8_t>(key)};
}

}  // namespace

Palette::Palette()
    : known_(static_cast<uint8_t*>(std::calloc(std::size_t{1} << 24, 1))),
      tolerance_square_(finest_tolerance) {
  if (!known_) throw std::bad_alloc();
  entries_.push_back({0, 0, 0});
}

int Palette::nearest(Rgb color, int& square) const {
  int best = 0;
  square = 1 << 30;
  for (int i = 1; i < size(); ++i) {
    int d = square_distance(color, entries_[i]);
    if (d < square) {
      square = d;
      best = i;
    }
  }
  return best;
}

bool Palette::may_stay(const uint8_t* pixel, uint8_t entry, uint8_t shown) const {
  const Rgb color{pixel[0], pixel[1], pixel[2]};
  return color != entries_[entry] && square_distance(color, entries_[shown]) <= tolerance_square_;
}

uint8_t Palette::learn(uint32_t key) {
  const Rgb color = color_of(key);
  int square;
  int entry = nearest(color, square);
  if (square > tolerance_square_ && size() < most_entries) {
    entry = size();
    entries_.push_back(color);
  }
  return known_.get()[key] = static_cast<uint8_t>(entry);
}

void Palette::prepare(std::span<const Rgb> colors, const Canvas& image) {
  std::unordered_map<uint32_t, uint32_t> counts;
  uint32_t last = 0, run = 0;
  const std::size_t pixels = static_cast<std::size_t>(image.width) * image.height;
  for (std::size_t i = 0; i < pixels; ++i) {
    const uint8_t* p = image.pixels + 3 * i;
    const uint32_t key = static_cast<uint32_t>(p[0]) << 16 | p[1] << 8 | p[2];
    if (key != last && run > 0) {
      counts[last] += run;
      run = 0;
    }
    last = key;
    ++run;
  }
  counts[last] += run;
  std::vector<std::pair<uint32_t, uint32_t>> common(counts.begin(), counts.end());
  std::sort(common.begin(), common.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  std::vector<Rgb> wanted(colors.begin(), colors.end());
  if (wanted.size() > first_entries) wanted.resize(first_entries);
  for (;; tolerance_square_ = tolerance_square_ * 3 / 2) {
    entries_.assign(1, {0, 0, 0});
    int square;
    for (Rgb color : wanted) {
      if (nearest(color, square) == 0 || square > 0) entries_.push_back(color);
    }
    for (const auto& [key, count] : common) {
      if (size() > first_entries) break;
      if (nearest(color_of(key), square) == 0 || square > tolerance_square_) {
        entries_.push_back(color_of(key));
      }
    }
    if (size() <= first_entries + 1) return;
  }
}

GifFrames::GifFrames(int width, int height, std::span<const Rgb> colors)
    : width_(width),
      height_(height),
      colors_(colors.begin(), colors.end()),
      last_(static_cast<std::size_t>(width) * height * 3),
      shown_(static_cast<std::size_t>(width) * height),
      changed_(static_cast<std::size_t>(width) * height) {}

void GifFrames::add(const Canvas& image, std::vector<uint8_t>& out) {
  if (first_) palette_.prepare(colors_, image);
  int left = width_, right = 0, top = height_, bottom = 0;
  const std::size_t row_bytes = static_cast<std::size_t>(width_) * 3;
  for (int y = 0; y < height_; ++y) {
    const uint8_t* now = image.at(0, y);
    uint8_t* before = last_.data() + row_bytes * y;
    const std::size_t row = static_cast<std::size_t>(width_) * y;
    std::memset(changed_.data() + row, 0, width_);
    if (!first_ && std::memcmp(now, before, row_bytes) == 0) continue;
    constexpr int stretch = 16;  // pixels compared at once
    for (int x = 0; x < width_; x += stretch) {
      const int end = std::min(x + stretch, width_);
      if (!first_ && std::memcmp(now + 3 * x, before + 3 * x, 3 * (end - x)) == 0) continue;
      for (int i = x; i < end; ++i) {
        const uint8_t entry = palette_.index(now + 3 * i);
        if (entry == shown_[row + i]) continue;
        if (!first_ && palette_.may_stay(now + 3 * i, entry, shown_[row + i])) continue;
        shown_[row + i] = entry;
        changed_[row + i] = 1;
        left = std::min(left, i);
        right = std::max(right, i + 1);
        top = std::min(top, y);
        bottom = y + 1;
      }
    }
    std::memcpy(before, now, row_bytes);
  }
  first_ = false;
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
  out.push_back(0);
  int bits = 2;
  while (1 << bits < palette_.size()) ++bits;
  LzwWriter writer(bits, out);
  for (int y = top; y < bottom; ++y) {
    const std::size_t row = static_cast<std::size_t>(width_) * y;
    const uint8_t *shown = shown_.data() + row, *changed = changed_.data() + row;
    for (int x = left; x < right;) {
      const auto* next = static_cast<const uint8_t*>(std::memchr(changed + x, 1, right - x));
      const int end = next ? static_cast<int>(next - changed) : right;
      writer.add_unchanged(shown + x, end - x);
      for (x = end; x < right && changed[x]; ++x) writer.add(shown[x], false);
    }
  }
  writer.finish();
}

}  // namespace rigid::raster
