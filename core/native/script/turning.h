// SPDX-License-Identifier: MIT
// Cosine and sine of an angle, with the bits of core/scene/values/portable_math.py.
#ifndef RIGID_SCRIPT_TURNING_H
#define RIGID_SCRIPT_TURNING_H

#include <span>

#include "expressions/portable.h"
#include "expressions/program.h"

namespace rigid::script {

struct Turn {
  double cosine, sine;
};

inline Turn turn_of(double angle, const rigid::Program::Exact& exact) {
  const Rounded c = portable_cos(angle), s = portable_sin(angle);
  const std::span<const double> given(&angle, 1);
  return {c.sure ? c.value : exact(Operation::cos, given).value_or(0.0),
          s.sure ? s.value : exact(Operation::sin, given).value_or(0.0)};
}

}  // namespace rigid::script

#endif
