// SPDX-License-Identifier: MIT
// Alignment checks for Python's arrays, which are read in place and may start at any byte.
#ifndef RIGID_ALIGNED_H
#define RIGID_ALIGNED_H

#include <cstdint>
#include <stdexcept>
#include <type_traits>

namespace rigid {

// Throws std::invalid_argument for an array whose address is not aligned for its numbers.
template <class... Arrays>
void require_aligned(const Arrays&... arrays) {
  auto check = [](const auto& array) {
    using Number = std::remove_pointer_t<decltype(array.data())>;
    if (reinterpret_cast<std::uintptr_t>(array.data()) % alignof(Number) != 0) {
      throw std::invalid_argument("an array is not aligned; a copy of it is");
    }
  };
  (check(arrays), ...);
}

}  // namespace rigid

#endif
