// SPDX-License-Identifier: MIT
// Bytes of a program, number after number; each is checked.
#ifndef RIGID_SCRIPT_READING_READER_H
#define RIGID_SCRIPT_READING_READER_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rigid::script {

constexpr int most_elements = 1 << 24;  // of a table, whatever the bytes say

[[noreturn]] inline void refuse(const char* what) {
  throw std::invalid_argument(std::string("the program of the script is damaged: ") + what);
}

inline void require(bool holds, const char* what) {
  if (!holds) refuse(what);
}

// Writes the bytes of a number behind others.
template <class T>
void add_bytes(std::vector<std::byte>& bytes, const T& value) {
  const auto* from = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T number() {
    T value;
    require(sizeof value <= rest_.size(), "it ends too early");
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return value;
  }
  double real() { return number<double>(); }
  double finite() {
    const double value = real();
    require(std::isfinite(value), "a number is not finite");
    return value;
  }
  bool flag() {
    const auto value = number<uint8_t>();
    require(value <= 1, "a truth value is neither 0 nor 1");
    return value != 0;
  }
  template <class T>
  T word(int count) {
    const auto value = number<uint8_t>();
    require(value < count, "there is no such word");
    return static_cast<T>(value);
  }
  // The number of elements that follow, each of at least `least` bytes.
  int count(std::size_t least) {
    const auto value = number<uint32_t>();
    require(value <= rest_.size() / least && value < most_elements, "it ends too early");
    return static_cast<int>(value);
  }
  // A place in a table, or `none`.
  int place(std::size_t size, int least = 0) {
    const auto value = number<int32_t>();
    require(value >= least && value < static_cast<int64_t>(size), "a place is in no table");
    return value;
  }
  template <class T, class Read>
  std::vector<T> list(std::size_t least, Read&& read) {
    std::vector<T> found;
    const int size = count(least);
    found.reserve(static_cast<std::size_t>(std::min(size, 4096)));
    for (int i = 0; i < size; ++i) found.push_back(read());
    return found;
  }
  std::string text() {
    const int size = count(1);
    const auto* from = reinterpret_cast<const char*>(rest_.data());
    std::string found(from, from + size);
    rest_ = rest_.subspan(size);
    return found;
  }
  bool skip(std::string_view text) {
    if (rest_.size() < text.size() || std::memcmp(rest_.data(), text.data(), text.size()) != 0)
      return false;
    rest_ = rest_.subspan(text.size());
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

}  // namespace rigid::script

#endif
