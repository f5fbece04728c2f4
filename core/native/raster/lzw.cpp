// SPDX-License-Identifier: MIT
// The writer of compressed image data.
#include "raster/lzw.h"

#include <algorithm>

namespace rigid::raster {

LzwWriter::LzwWriter(int bits, std::vector<uint8_t>& out)
    : out_(out), table_(slots, 0), after_blank_(largest_code + 1, -1), bits_(bits) {
  out_.push_back(static_cast<uint8_t>(bits));
  block_start_ = out_.size();
  out_.push_back(0);
  width_ = bits_ + 1;
  emit(1 << bits_);
  restart();
}

void LzwWriter::restart() {
  std::fill(table_.begin(), table_.end(), 0);
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

// An unchanged pixel of a short stretch: each string may go on with its colour or transparent.
void LzwWriter::add_either(uint8_t color) {
  ++pixels_;
  String longer[most_strings];
  int kept = 0;
  for (int i = 0; i < count_; ++i) {
    for (uint8_t symbol : {color, uint8_t{0}}) {
      const int next = find(strings_[i].code, symbol);
      if (next >= 0 && kept < most_strings) longer[kept++] = {next, strings_[i].first};
    }
  }
  if (kept > 0) {
    std::copy_n(longer, kept, strings_);
    count_ = kept;
  } else {
    const int prefix = strings_[0].code;
    if (count_ > 0 && write()) learning_ = prefix;
    begin(color);
    strings_[count_++] = {0, 0};
  }
  blanks_ = 0;
}

// A pixel of a long unchanged stretch.
void LzwWriter::add_blank(uint8_t color) {
  ++pixels_;
  if (count_ == 0) return begin(0);
  uint8_t symbol = 0;
  int next = find(strings_[0].code, symbol);
  if (next < 0) next = find(strings_[0].code, symbol = color);
  if (next < 0) return extend(0);
  strings_[0].code = next;
  blanks_ = symbol == 0 && blanks_ > 0 ? blanks_ + 1 : 0;
  if (blanks_ == static_cast<int>(blank_codes_.size())) {
    blank_codes_.push_back(static_cast<uint16_t>(next));
  }
}

// The strings end before `symbol`.
void LzwWriter::extend(uint8_t symbol) {
  const int prefix = strings_[0].code;
  if (write()) learn(prefix, symbol);
  begin(symbol);
}

// Writes the code of the first string. Returns whether the dictionary takes it, lengthened by the
// symbol that comes next.
bool LzwWriter::write() {
  if (learning_ >= 0) learn(learning_, strings_[0].first);
  learning_ = -1;
  emit(strings_[0].code);
  if (next_ <= largest_code) return true;
  if (is_worn_out()) {
    emit(1 << bits_);
    restart();
  }
  return false;
}

// The reader is one code behind, so codes become longer after one more string than fits.
void LzwWriter::learn(int prefix, uint8_t symbol) {
  if (symbol == 0) {
    after_blank_[prefix] = static_cast<int16_t>(next_);
  } else {
    const uint32_t key = static_cast<uint32_t>(prefix) << 8 | symbol;
    uint32_t slot = slot_of(key);
    while (table_[slot] != 0) slot = (slot + 1) & (slots - 1);
    table_[slot] = key << code_bits | static_cast<uint32_t>(next_);
  }
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
  if (count_ > 0) write();
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
