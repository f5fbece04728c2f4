// SPDX-License-Identifier: MIT
// GIF's variable-width LZW (Welch, "A Technique for High-Performance Data Compression", 1984; the
// bit order and the clear and end codes are those of the GIF89a specification, appendix F).
#ifndef RIGID_RASTER_LZW_H
#define RIGID_RASTER_LZW_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rigid::raster {

// Writes the image data of one frame: the minimum code size, then sub-blocks of up to 255 bytes.
//
// Some pixels may be written in two ways: as their colour, or as transparent, because the picture
// below already shows that colour. The writer takes the one that lengthens the present string.
class LzwWriter {
 public:
  // Colours are below 1 << bits; code 0 is the transparent one.
  LzwWriter(int bits, std::vector<uint8_t>& out);

  void add(uint8_t color, bool may_be_transparent) {
    ++pixels_;
    const uint8_t wanted = may_be_transparent ? 0 : color;
    if (prefix_ < 0) {
      begin(wanted);
      return;
    }
    uint8_t symbol = wanted;
    int next = find(symbol);
    if (next < 0 && may_be_transparent && color != 0) next = find(symbol = color);
    if (next >= 0) {
      prefix_ = next;
      blanks_ = symbol == 0 && blanks_ > 0 ? blanks_ + 1 : 0;
    } else {
      extend(wanted);
    }
  }
  // Like `add` for pixels that may all be transparent. Most of a picture does not change: strings
  // of transparent pixels get their greatest length in one step.
  void add_unchanged(const uint8_t* colors, int count) {
    for (const uint8_t* end = colors + count; colors < end;) {
      const int known = static_cast<int>(blank_codes_.size()) - 1;
      if (blanks_ > 0 && blanks_ < known) {
        const int more = std::min(static_cast<int>(end - colors), known - blanks_);
        blanks_ += more;
        prefix_ = blank_codes_[blanks_];
        pixels_ += more;
        colors += more;
      } else {
        add(*colors++, true);
      }
    }
  }
  void finish();

 private:
  static constexpr int slots = 16384;  // of the hash table; at most 4096 are used
  static constexpr int largest_code = 4095;
  static constexpr int window = 128;

  int find(uint8_t symbol) const {
    if (symbol == 0) return after_blank_[prefix_];
    const uint32_t key = (static_cast<uint32_t>(prefix_) << 8 | symbol) + 1;
    uint32_t slot = (key * 2654435761u) >> 18;
    while (keys_[slot] != 0) {
      if (keys_[slot] == key) return codes_[slot];
      slot = (slot + 1) & (slots - 1);
    }
    return -1;
  }
  void begin(uint8_t symbol) {
    prefix_ = symbol;
    blanks_ = symbol == 0 ? 1 : 0;
  }
  void extend(uint8_t symbol);
  void learn();
  void restart();
  bool is_worn_out();
  void emit(int code);
  void put(uint8_t byte);

  std::vector<uint8_t>& out_;
  std::vector<uint32_t> keys_;
  std::vector<uint16_t> codes_;
  std::vector<int16_t> after_blank_;   // the code of each string plus one transparent pixel; -1
  std::vector<uint16_t> blank_codes_;  // by number of transparent pixels, from 1 on
  int blanks_ = 0;                     // their number in the present string, if it has nothing else
  int bits_, width_, next_, prefix_ = -1;
  // Since the dictionary is full: codes written, pixels encoded by them, and the largest number of
  // pixels encoded by `window` codes.
  int written_ = 0, pixels_ = 0, best_ = 0;
  uint32_t waiting_ = 0;
  int waiting_bits_ = 0;
  std::size_t block_start_ = 0;
};

}  // namespace rigid::raster

#endif
