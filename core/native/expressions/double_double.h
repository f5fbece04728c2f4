// SPDX-License-Identifier: MIT
// Numbers as unevaluated sums of two doubles, of about 106 bits.
//
// The sum and the product of two doubles are exact as such a pair (Knuth, The Art of Computer
// Programming, volume 2, section 4.2.2; Dekker, Numerische Mathematik 18, 1971). The rest follows,
// with errors of some 2^-104 of the result.
#ifndef RIGID_EXPRESSIONS_DOUBLE_DOUBLE_H
#define RIGID_EXPRESSIONS_DOUBLE_DOUBLE_H

#include <cmath>

namespace rigid {

struct Pair {
  double high, low;
};

// a + b, for |a| >= |b|.
inline Pair ordered_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

inline Pair exact_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

inline Pair exact_product(double a, double b) {
  constexpr double splitter = 134217729.0;  // 2^27 + 1
  const double product = a * b, large_a = splitter * a, large_b = splitter * b;
  const double a1 = large_a - (large_a - a), a2 = a - a1;
  const double b1 = large_b - (large_b - b), b2 = b - b1;
  return {product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

inline Pair operator-(Pair a) { return {-a.high, -a.low}; }

inline Pair operator+(Pair a, double b) {
  const Pair sum = exact_sum(a.high, b);
  return ordered_sum(sum.high, sum.low + a.low);
}

inline Pair operator+(Pair a, Pair b) {
  const Pair highs = exact_sum(a.high, b.high), lows = exact_sum(a.low, b.low);
  const Pair sum = ordered_sum(highs.high, highs.low + lows.high);
  return ordered_sum(sum.high, sum.low + lows.low);
}

inline Pair operator-(Pair a, Pair b) { return a + -b; }

inline Pair operator*(Pair a, double b) {
  const Pair product = exact_product(a.high, b);
  return ordered_sum(product.high, product.low + a.low * b);
}

inline Pair operator*(Pair a, Pair b) {
  const Pair product = exact_product(a.high, b.high);
  return ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline Pair operator/(Pair a, Pair b) {
  const double first = a.high / b.high;
  Pair rest = a - b * first;
  const double second = rest.high / b.high;
  rest = rest - b * second;
  return ordered_sum(first, second) + rest.high / b.high;
}

// For a > 0.
inline Pair square_root(Pair a) {
  const double root = std::sqrt(a.high);
  const Pair square = exact_product(root, root);
  const double rest = ((a.high - square.high) - square.low) + a.low;
  return ordered_sum(root, rest / (2.0 * root));
}

}  // namespace rigid

#endif
