// SPDX-License-Identifier: MIT
// Number types of formulas that are written once for a single number and for one of each of W
// worlds side by side (simd/wide.h). `select` chooses between two values; for a single number it is
// the conditional operator.
#ifndef RIGID_ENGINE_JOINTS_NUMBERS_H
#define RIGID_ENGINE_JOINTS_NUMBERS_H

#include <cmath>
#include <type_traits>

#include "math.h"

namespace rigid {

// The result type of a comparison.
template <class Number>
struct NumberTraits {
  using Mask = typename Number::mask;
};
template <>
struct NumberTraits<double> {
  using Mask = bool;
};
template <class Number>
using MaskOf = typename NumberTraits<Number>::Mask;

RIGID_INLINE bool any(bool which) { return which; }
// A number in single precision, and one in double precision for computation.
RIGID_INLINE float single(double a) { return static_cast<float>(a); }
RIGID_INLINE float single(float a) { return a; }
RIGID_INLINE double in_double(float a) { return a; }
RIGID_INLINE double root(double a) { return std::sqrt(a); }
RIGID_INLINE double with_sign(double size, double sign) { return std::copysign(size, sign); }
// Of NaNs, the first argument, as in std::min and std::max.
template <class Number>
RIGID_INLINE Number lesser(Number a, Number b) {
  return select(b < a, b, a);
}
template <class Number>
RIGID_INLINE Number greater(Number a, Number b) {
  return select(a < b, b, a);
}
template <class Number>
RIGID_INLINE Number between(Number a, Number low, Number high) {
  return select(a < low, low, select(high < a, high, a));
}

}  // namespace rigid

#endif
