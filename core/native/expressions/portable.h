// SPDX-License-Identifier: MIT
// Elementary functions with the bits of core/scene/values/portable_math.py.
//
// Those are the doubles nearest to the exact values, worked out on long integers. Here a value is
// found as a pair of doubles with an error of less than 2^-69 of it, and is `sure` where every
// number that close rounds to the same double (Ziv, ACM Transactions on Mathematical Software 17,
// 1991). The few others, and arguments outside the usual ranges, are left to the integers: of
// `value` nothing is known then.
#ifndef RIGID_EXPRESSIONS_PORTABLE_H
#define RIGID_EXPRESSIONS_PORTABLE_H

#include <span>

namespace rigid {

struct Rounded {
  double value;
  bool sure;
};

Rounded portable_sin(double x);
Rounded portable_cos(double x);
Rounded portable_tan(double x);
Rounded portable_asin(double x);
Rounded portable_acos(double x);
Rounded portable_atan(double x);
Rounded portable_atan2(double y, double x);
Rounded portable_hypot(std::span<const double> numbers);
Rounded portable_exp(double x);
Rounded portable_log(double x);
Rounded portable_power(double base, double exponent);

}  // namespace rigid

#endif
