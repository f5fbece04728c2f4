// SPDX-License-Identifier: MIT
// The writer of compressed image data.
#include "raster/lzw.h"

#include <algorithm>

namespace rigid::raster {

LzwWriter::LzwWriter(int bits, std::vector<uint8_t>& out)
    : out_(out),
      keys_(slots, 0),
      codes_(slots, 0),
      after_blank_(largest_code + 1, -1),
      bits_(bits) {
  out_.push_back(static_cast<uint8_t>(bits));
  block_start_ = out_.size();
  out_.push_back(0);
  width_ = bits_ + 1;
  emit(1 << bits_);
  restart();
}

void LzwWriter::restart() {
  std::fill(keys_.begin(), keys_.end(), 0);
  std::fill(after_blank_.begin(), after_blank_.end(), int16_t{-1});
  blank_codes_ = {0, 0};
  next_ = (1 << bits_) + 2;
  width_ = bits_ + 1;
  written_ = pixels_ = best_ = 0;
}

// A full dictionary is kept as long as its compression is close to its best.
bool LzwWriter::is_worn_out() {
  if (++written_ < window) return false;
  const bool worn = pixels_ < best_ - best_ / 4;
  best_ = std::max(best_, pixels_);
  written_ = pixels_ = 0;
  return worn;
}

// The string found ends before `symbol`: writes its code, and adds the longer string.
void LzwWriter::extend(uint8_t symbol) {
  const uint32_t key = (static_cast<uint32_t>(prefix_) << 8 | symbol) + 1;
  emit(prefix_);
  if (next_ > largest_code) {
    if (is_worn_out()) {
      emit(1 << bits_);
      restart();
    }
  } else if (symbol == 0) {
    after_blank_[prefix_] = static_cast<int16_t>(next_);
    if (blanks_ > 0) blank_codes_.push_back(static_cast<uint16_t>(next_));
    learn();
  } else {
    uint32_t slot = (key * 2654435761u) >> 18;
    while (keys_[slot] != 0) slot = (slot + 1) & (slots - 1);
    keys_[slot] = key;
    codes_[slot] = static_cast<uint16_t>(next_);
    learn();
  }
  begin(symbol);
}

// The reader is one code behind, so codes become longer after one more string than fits.
void LzwWriter::learn() {
  if (next_ == 1 << width_ && width_ < 12) ++width_;
  ++next_;
}

void LzwWriter::emit(int code) {
  waiting_ |= static_cast<uint32_t>(code) << waiting_bits_;
  waiting_bits_ += width_;
  while (waiting_bits_ >= 8) {
    put(static_cast<uint8_t>(waiting_ & 255));
    waiting_ >>= 8;
    waiting_bits_ -= 8;
  }
}

void LzwWriter::put(uint8_t byte) {
  if (out_[block_start_] == 255) {
    block_start_ = out_.size();
    out_.push_back(0);
  }
  out_.push_back(byte);
  ++out_[block_start_];
}

void LzwWriter::finish() {
  if (prefix_ >= 0) emit(prefix_);
  // The last code may have added a string for the reader that makes the end code longer.
  if (next_ == 1 << width_ && width_ < 12) ++width_;
  emit((1 << bits_) + 1);
  if (waiting_bits_ > 0) put(static_cast<uint8_t>(waiting_ & 255));
  if (out_[block_start_] == 0) {
    out_.pop_back();
  }
  out_.push_back(0);
}

}  // namespace rigid::raster
