// SPDX-License-Identifier: MIT
// The bindings of random numbers, for many seeds in one call.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>

#include "aligned.h"
#include "seeded/blake2b.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace rigid {

namespace {

using Numbers = nb::ndarray<const int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Bits = nb::ndarray<nb::numpy, uint64_t, nb::ndim<1>>;

constexpr std::size_t digits = 20;  // of a number of 64 bits, with its sign

Bits array_of(std::unique_ptr<uint64_t[]> bits, std::size_t count) {
  uint64_t* data = bits.get();
  nb::capsule owner(data, [](void* held) noexcept { delete[] static_cast<uint64_t*>(held); });
  bits.release();
  return Bits(data, {count}, owner);
}

// The hashes of texts, each with the same text before and behind it.
Bits hash_texts(const nb::list& texts, const std::string& head, const std::string& tail) {
  auto bits = std::make_unique<uint64_t[]>(texts.size());
  std::string text = head;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    text.resize(head.size());
    text += nb::cast<const char*>(texts[i]);
    text += tail;
    bits[i] = hash_of(text);
  }
  return array_of(std::move(bits), texts.size());
}

Bits hash_rows(const Numbers& numbers, const std::string& tail) {
  require_aligned(numbers);
  const std::size_t rows = numbers.shape(0), columns = numbers.shape(1);
  auto bits = std::make_unique<uint64_t[]>(rows);
  std::string text;
  for (std::size_t row = 0; row < rows; ++row) {
    text.clear();
    for (std::size_t column = 0; column < columns; ++column) {
      char number[digits];
      const int64_t value = numbers.data()[row * columns + column];
      if (column > 0) text += '|';
      text.append(number, std::to_chars(number, number + digits, value).ptr);
    }
    text += tail;
    bits[row] = hash_of(text);
  }
  return array_of(std::move(bits), rows);
}

}  // namespace

void bind_seeded(nb::module_& module) {
  module.def("hash_rows", hash_rows, "numbers"_a, "tail"_a);
  module.def("hash_texts", hash_texts, "texts"_a, "head"_a, "tail"_a);
}

}  // namespace rigid
