// SPDX-License-Identifier: MIT
// Cosine and sine of an angle, and points and lengths, with the bits of
// core/scene/values/portable_math.py and core/scene/blocks/places.py.
#ifndef RIGID_SCRIPT_TURNING_H
#define RIGID_SCRIPT_TURNING_H

#include <array>
#include <optional>
#include <span>

#include "engine/data/bodies.h"
#include "expressions/portable.h"
#include "expressions/program.h"
#include "script/values.h"

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

inline std::optional<double> length_of(double x, double y, const rigid::Program::Exact& exact) {
  const std::array<double, 2> given{x, y};
  const Rounded found = portable_hypot(given);
  return found.sure ? found.value : exact(Operation::hypot, given);
}

struct Frame {
  double x = 0.0, y = 0.0, angle = 0.0;
};

inline Frame frame_of(const Bodies& bodies, int slot) {
  return slot == none ? Frame{} : Frame{bodies.x[slot], bodies.y[slot], bodies.angle[slot]};
}

// A point of a frame in the world.
inline Numbers placed(const Numbers& point, const Frame& frame,
                      const rigid::Program::Exact& exact) {
  if (frame.angle == 0.0) return {frame.x + point[0], frame.y + point[1]};
  const auto [c, s] = turn_of(frame.angle, exact);
  return {frame.x + (c * point[0] - s * point[1]), frame.y + (s * point[0] + c * point[1])};
}

// A direction of the world in a frame.
inline Numbers turned_back(const Numbers& direction, const Frame& frame,
                           const rigid::Program::Exact& exact) {
  if (frame.angle == 0.0) return direction;
  const auto [c, s] = turn_of(frame.angle, exact);
  const auto [x, y] = direction;
  return {c * x + s * y, c * y - s * x};
}

}  // namespace rigid::script

#endif
