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
// Unchanged pixels may be written in two ways: as their colour, or as transparent, because the
// picture below already shows that colour. The writer follows several strings of both at once and
// takes the longest; of equally long ones, the one whose first such pixel has its colour.
class LzwWriter {
 public:
  // Colours are below 1 << bits; code 0 is the transparent one.
  LzwWriter(int bits, std::vector<uint8_t>& out);

  // A pixel that must be written as its colour.
  void add(uint8_t color) {
    ++pixels_;
    if (count_ == 0) return begin(color);
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      const int next = find(strings_[i].code, color);
      if (next >= 0) strings_[kept++] = {next, strings_[i].first};
    }
    if (kept == 0) return extend(color);
    count_ = kept;
    blanks_ = 0;
  }
  // Pixels that may all be transparent. Long stretches are written as transparent ones, with the
  // longest known strings at once.
  void add_unchanged(const uint8_t* colors, int count) {
    const uint8_t* end = colors + count;
    if (count < long_stretch) {
      while (colors < end) add_either(*colors++);
      return;
    }
    count_ = std::min(count_, 1);
    while (colors < end) {
      const int known = static_cast<int>(blank_codes_.size()) - 1;
      if (blanks_ > 0 && blanks_ < known) {
        const int more = std::min(static_cast<int>(end - colors), known - blanks_);
        blanks_ += more;
        strings_[0].code = blank_codes_[blanks_];
        pixels_ += more;
        colors += more;
      } else {
        add_blank(*colors++);
      }
    }
  }
  void finish();

 private:
  static constexpr int slots = 8192;  // of the hash table; at most 4096 are used
  static constexpr int code_bits = 12;
  static constexpr int largest_code = 4095;
  static constexpr int window = 128;
  static constexpr int long_stretch = 30;
  static constexpr int most_strings = 4;

  int find(int prefix, uint8_t symbol) const {
    if (symbol == 0) return after_blank_[prefix];
    const uint32_t key = static_cast<uint32_t>(prefix) << 8 | symbol;
    uint32_t slot = slot_of(key);
    for (; table_[slot] != 0; slot = (slot + 1) & (slots - 1)) {
      if (table_[slot] >> code_bits == key) return static_cast<int>(table_[slot] & largest_code);
    }
    return -1;
  }
  static uint32_t slot_of(uint32_t key) { return (key * 2654435761u) >> 19; }
  void begin(uint8_t symbol) {
    strings_[0] = {symbol, symbol};
    count_ = 1;
    blanks_ = symbol == 0 ? 1 : 0;
  }
  void add_either(uint8_t color);
  void add_blank(uint8_t color);
  void extend(uint8_t symbol);
  bool write();
  void learn(int prefix, uint8_t symbol);
  void restart();
  bool is_worn_out();
  void emit(int code);
  void put(uint8_t byte);

  std::vector<uint8_t>& out_;
  std::vector<uint32_t> table_;  // a prefix and a symbol, and behind them their code; 0 is empty
  std::vector<int16_t> after_blank_;   // the code of each string plus one transparent pixel; -1
  std::vector<uint16_t> blank_codes_;  // by number of transparent pixels, from 1 on
  struct String {
    int code;
    uint8_t first;  // symbol
  };
  String strings_[most_strings] = {};  // those that the pixels since the last code may be
  int count_ = 0;                      // of these strings
  int learning_ = -1;  // a code that the first symbol of the present string lengthens
  int blanks_ = 0;     // pixels of the present string, if all are transparent
  int bits_, width_, next_;
  // Since the dictionary is full: codes written, pixels encoded by them, and the largest number of
  // pixels encoded by `window` codes.
  int written_ = 0, pixels_ = 0, best_ = 0;
  uint32_t waiting_ = 0;
  int waiting_bits_ = 0;
  std::size_t block_start_ = 0;
};

}  // namespace rigid::raster

#endif
