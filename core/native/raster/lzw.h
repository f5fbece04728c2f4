// GIF's variable-width LZW (Welch, "A Technique for High-Performance Data Compression", 1984; the
// bit order and the clear and end codes are those of the GIF89a specification, appendix F).
#ifndef RIGID_RASTER_LZW_H
#define RIGID_RASTER_LZW_H

#include <cstdint>
#include <vector>

namespace rigid::raster {

// Writes the image data of one frame: the minimum code size, then sub-blocks of up to 255 bytes.
//
// Some pixels may be written in two ways: as their colour, or as transparent, because the picture
// below already shows that colour. The writer takes whichever lengthens the string it has found.
class LzwWriter {
 public:
  // Colours are below 1 << bits; code 0 is the transparent one.
  LzwWriter(int bits, std::vector<uint8_t>& out);

  void add(uint8_t color, bool may_be_transparent) {
    ++pixels_;
    if (prefix_ < 0) {
      prefix_ = may_be_transparent ? 0 : color;
      return;
    }
    const uint8_t wanted = may_be_transparent ? 0 : color;
    int next = find(wanted);
    if (next < 0 && may_be_transparent && color != 0) next = find(color);
    if (next >= 0) {
      prefix_ = next;
    } else {
      extend(wanted);
    }
  }
  void finish();

 private:
  static constexpr int slots = 16384;  // of the hash table; at most 4096 are used
  static constexpr int largest_code = 4095;
  static constexpr int window = 512;

  int find(uint8_t symbol) const {
    const uint32_t key = (static_cast<uint32_t>(prefix_) << 8 | symbol) + 1;
    uint32_t slot = (key * 2654435761u) >> 18;
    while (keys_[slot] != 0) {
      if (keys_[slot] == key) return codes_[slot];
      slot = (slot + 1) & (slots - 1);
    }
    return -1;
  }
  void extend(uint8_t symbol);
  void restart();
  bool is_worn_out();
  void emit(int code);
  void put(uint8_t byte);

  std::vector<uint8_t>& out_;
  std::vector<uint32_t> keys_;
  std::vector<uint16_t> codes_;
  int bits_, width_, next_, prefix_ = -1;
  // Since the dictionary is full: codes written, pixels they stood for, and the most that `window`
  // codes have stood for.
  int written_ = 0, pixels_ = 0, best_ = 0;
  uint32_t waiting_ = 0;
  int waiting_bits_ = 0;
  std::size_t block_start_ = 0;
};

}  // namespace rigid::raster

#endif
