// SPDX-License-Identifier: MIT
// Checks of numbers from outside. Checked numbers cannot harm the engine.
#ifndef RIGID_ENGINE_BUILDING_CHECKED_NUMBERS_H
#define RIGID_ENGINE_BUILDING_CHECKED_NUMBERS_H

#include <cmath>
#include <stdexcept>
#include <string>

namespace rigid {

// Larger numbers cannot be represented in a world of floats.
constexpr double largest = 1e15;

inline double finite(double value, const std::string& what) {
  if (!(std::fabs(value) <= largest)) {
    throw std::invalid_argument(what + " must be a finite number of at most 1e15");
  }
  return value;
}

inline double not_negative(double value, const std::string& what) {
  if (!(value >= 0 && value <= largest)) {
    throw std::invalid_argument(what + " must be 0 or more, and at most 1e15");
  }
  return value;
}

// May be infinite, but not NaN.
inline double limit(double value, const std::string& what) {
  if (std::isnan(value)) throw std::invalid_argument(what + " must be a number, not NaN");
  return value;
}

inline int whole(double value, int low, int high, const std::string& what) {
  if (!(value >= low && value <= high) || value != std::floor(value)) {
    throw std::invalid_argument(what + " must be a whole number from " + std::to_string(low) +
                                " to " + std::to_string(high));
  }
  return static_cast<int>(value);
}

inline int check_index(double value, int count, const std::string& what) {
  return whole(value, 0, count - 1, what);
}

}  // namespace rigid

#endif
