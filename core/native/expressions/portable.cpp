// SPDX-License-Identifier: MIT
// The functions of portable.h: an argument reduction by a table, a short Taylor series, whose first
// terms are pairs of doubles, and a test of the rounding.
//
// The later terms of a series are doubles: with arguments of at most 1/32 they are so small that
// their errors are below 2^-74 of the result.
#include "expressions/portable.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "expressions/double_double.h"
#include "expressions/portable_tables.h"

namespace rigid {

namespace {

constexpr double usual_error = 0x1p-69;
constexpr Rounded unsure = {0.0, false};
constexpr Pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr Pair whole_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Pair ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};
constexpr Pair sixth = {0x1.5555555555555p-3, 0x1.5555555555555p-57};

// The double nearest to a value with a relative error of at most `error`.
Rounded rounded(Pair value, double error) {
  const double margin = std::fabs(value.high) * error;
  const double above = value.high + (value.low + margin);
  return {above, above == value.high + (value.low - margin)};
}

// ------------------------------------------------------------ angles

struct Reduced {
  int quadrant;
  Pair rest;  // at most pi/4, in size
  bool sure;
};

// x = quadrant pi/2 + rest. Parts of pi/2 have few bits, so that their multiples are exact.
Reduced reduced(double x) {
  constexpr double two_by_pi = 0x1.45f306dc9c883p-1, most = 1e5, least = 0x1p-20;
  constexpr double parts[] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2ep-69,
                              0x1.b839a252049c1p-104};
  if (!(std::fabs(x) <= most)) return {0, {0, 0}, false};
  const double times = std::rint(x * two_by_pi);
  if (times == 0.0) return {0, {x, 0}, true};
  Pair rest = {x, 0};
  for (double part : parts) rest = rest + -times * part;
  // Nearer to a multiple of pi/2 too many bits are lost.
  return {static_cast<int>(times) & 3, rest, std::fabs(rest.high) >= least};
}

struct SineAndCosine {
  Pair sine, cosine;
};

SineAndCosine sine_and_cosine(Pair angle) {
  const int k = static_cast<int>(std::rint(16.0 * angle.high));
  const Pair s = angle + -k / 16.0, square = s * s;
  const double h = s.high, q = square.high;
  const double fifth = h * q * q / 120.0 * (1.0 - q / 42.0 * (1.0 - q / 72.0 * (1.0 - q / 110.0)));
  const double fourth = q * q / 24.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0 * (1.0 - q / 90.0)));
  const Pair sine = s - (s * square * sixth + -fifth);
  const Pair cosine = Pair{1.0, 0.0} - (square * 0.5 + -fourth);
  if (k == 0) return {sine, cosine};
  Pair of_table = sines_and_cosines[std::abs(k)][0];
  if (k < 0) of_table = -of_table;
  const Pair other = sines_and_cosines[std::abs(k)][1];
  return {of_table * cosine + other * sine, other * cosine - of_table * sine};
}

// The sine of quadrant pi/2 + the angle of `of`.
Pair sine_in(int quadrant, const SineAndCosine& of) {
  const Pair value = (quadrant & 1) != 0 ? of.cosine : of.sine;
  return (quadrant & 2) != 0 ? -value : value;
}

// atan z, for 0 <= z <= 1.
Pair arctangent(Pair z) {
  const int k = static_cast<int>(std::rint(16.0 * z.high));
  const double at = k / 16.0;
  const Pair u = k == 0 ? z : (z + -at) / (z * at + 1.0);
  const Pair square = u * u;
  const double q = square.high;
  const double rest =
      1 / 5.0 - q * (1 / 7.0 - q * (1 / 9.0 - q * (1 / 11.0 - q * (1 / 13.0 - q / 15.0))));
  const Pair angle = u - (u * square * third + -(u.high * q * q * rest));
  return k == 0 ? angle : arctangents[k] + angle;
}

// The angle of a point, for opposite >= 0, adjacent >= 0 and one of them above 0.
Pair angle_of(Pair opposite, Pair adjacent) {
  if (opposite.high <= adjacent.high) return arctangent(opposite / adjacent);
  return half_pi - arctangent(adjacent / opposite);
}

// sqrt(1 - x^2), for |x| < 1; both differences are exact.
Pair complement(double x) { return square_root(exact_sum(1.0, -x) * exact_sum(1.0, x)); }

// Whether products of such numbers neither overflow nor lose bits.
bool is_moderate(double x) {
  constexpr double least = 0x1p-400, most = 0x1p400;
  const double size = std::fabs(x);
  return size >= least && size <= most;
}

// ------------------------------------------------------------ powers

// e^x, for |x| <= 650. x = (32 n + k) ln 2 / 32 + r.
Pair exponential(Pair x) {
  constexpr double thirty_two_by_ln2 = 0x1.71547652b82fep+5;
  constexpr double parts[] = {0x1.62e42fefap-6, 0x1.cf79abc9ep-45, 0x1.d9cc01f97b57ap-84};
  const double times = std::rint(x.high * thirty_two_by_ln2);
  Pair r = x;
  for (double part : parts) r = r + -times * part;
  const double h = r.high;
  const double rest =
      h * h * h / 6.0 *
      (1.0 +
       h / 4.0 *
           (1.0 + h / 5.0 * (1.0 + h / 6.0 * (1.0 + h / 7.0 * (1.0 + h / 8.0 * (1.0 + h / 9.0))))));
  const Pair value = (r + (r * r * 0.5 + rest)) + 1.0;
  const int whole = static_cast<int>(times), k = whole & 31;
  const Pair scaled = powers_of_two[k] * value;
  const int exponent = (whole - k) / 32;
  return {std::ldexp(scaled.high, exponent), std::ldexp(scaled.low, exponent)};
}

// ln x, for a normal x > 0: of the power of two, of a number of the table, and of their quotient.
Pair logarithm(double x) {
  int exponent;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0.7071) {
    mantissa *= 2.0;
    --exponent;
  }
  const int k = static_cast<int>(std::rint(32.0 * mantissa));
  const double at = k / 32.0;
  // ln(m / c) = 2 atanh z, z = (m - c) / (m + c)
  const Pair z = Pair{mantissa - at, 0.0} / exact_sum(mantissa, at), square = z * z;
  const double q = square.high;
  const double rest = 1 / 5.0 + q * (1 / 7.0 + q * (1 / 9.0 + q * (1 / 11.0 + q / 13.0)));
  const Pair near = (z + (z * square * third + z.high * q * q * rest)) * 2.0;
  return (ln2 * exponent + logarithms[k - lowest_log]) + near;
}

bool is_normal(double x) {
  return x >= std::numeric_limits<double>::min() && x <= std::numeric_limits<double>::max();
}

// By squaring, as the product of the powers whose sum the exponent is.
Rounded whole_power(double base, int exponent) {
  Pair power = {1.0, 0.0}, factor = {base, 0.0};
  for (int left = std::abs(exponent); left > 0; left >>= 1) {
    if ((left & 1) != 0) power = power * factor;
    if (left > 1) factor = factor * factor;
    if (!is_moderate(power.high) || !is_moderate(factor.high)) return unsure;
  }
  if (exponent < 0) power = Pair{1.0, 0.0} / power;
  return rounded(power, usual_error);
}

}  // namespace

Rounded portable_sin(double x) {
  if (std::fabs(x) < 1e-9) return {x, true};
  const Reduced to = reduced(x);
  return to.sure ? rounded(sine_in(to.quadrant, sine_and_cosine(to.rest)), usual_error) : unsure;
}

Rounded portable_cos(double x) {
  const Reduced to = reduced(x);
  if (!to.sure) return unsure;
  return rounded(sine_in(to.quadrant + 1, sine_and_cosine(to.rest)), usual_error);
}

Rounded portable_tan(double x) {
  if (std::fabs(x) < 1e-9) return {x, true};
  const Reduced to = reduced(x);
  if (!to.sure) return unsure;
  const SineAndCosine both = sine_and_cosine(to.rest);
  return rounded(sine_in(to.quadrant, both) / sine_in(to.quadrant + 1, both), usual_error);
}

Rounded portable_asin(double x) {
  if (std::fabs(x) < 1e-9) return {x, true};
  if (!(std::fabs(x) < 1.0)) return unsure;
  const Pair angle = angle_of({std::fabs(x), 0.0}, complement(x));
  return rounded(x < 0.0 ? -angle : angle, usual_error);
}

Rounded portable_acos(double x) {
  if (!(std::fabs(x) < 1.0) || !is_moderate(x)) return unsure;
  const Pair angle = angle_of(complement(x), {std::fabs(x), 0.0});
  return rounded(x < 0.0 ? whole_pi - angle : angle, usual_error);
}

Rounded portable_atan(double x) { return portable_atan2(x, 1.0); }

Rounded portable_atan2(double y, double x) {
  if (!is_moderate(x) || !is_moderate(y)) return unsure;
  const Pair angle = angle_of({std::fabs(y), 0.0}, {std::fabs(x), 0.0});
  const Rounded size = rounded(x < 0.0 ? whole_pi - angle : angle, usual_error);
  return {std::copysign(size.value, y), size.sure && size.value >= 0x1p-400};
}

Rounded portable_hypot(std::span<const double> numbers) {
  Pair sum = {0.0, 0.0};
  int parts = 0;
  double only = 0.0;
  for (double number : numbers) {
    if (number == 0.0) continue;
    if (!is_moderate(number)) return unsure;
    sum = sum + exact_product(number, number);
    only = std::fabs(number);
    ++parts;
  }
  return parts < 2 ? Rounded{only, true} : rounded(square_root(sum), usual_error);
}

Rounded portable_exp(double x) {
  constexpr double most = 650.0;  // the low part of the result is still a normal number
  if (!(std::fabs(x) <= most)) return unsure;
  return rounded(exponential({x, 0.0}), usual_error);
}

Rounded portable_log(double x) {
  return is_normal(x) ? rounded(logarithm(x), usual_error) : unsure;
}

Rounded portable_power(double base, double exponent) {
  if (exponent == 0.0 || base == 1.0) return {1.0, true};
  if (!is_moderate(base)) return unsure;
  if (std::fabs(exponent) <= 32.0 && exponent == std::floor(exponent)) {
    return whole_power(base, static_cast<int>(exponent));
  }
  if (base < 0.0 || !is_moderate(exponent)) return unsure;
  const Pair power = logarithm(base) * exponent;
  const double size = std::fabs(power.high);
  if (!(size <= 600.0)) return unsure;
  // An error of the exponent is one of the result, relative to it.
  return rounded(exponential(power), usual_error * (1.0 + size));
}

}  // namespace rigid
