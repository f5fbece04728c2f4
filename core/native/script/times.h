// SPDX-License-Identifier: MIT
// Times of a script in steps, with the formulas of core/world/script/event_conditions.py.
#ifndef RIGID_SCRIPT_TIMES_H
#define RIGID_SCRIPT_TIMES_H

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "script/program.h"

namespace rigid::script {

constexpr double same_time = 1e-9;  // a time this close to the end of a step is that end

// The first step that ends at a time or after it.
inline int64_t ceil_step(double time, double dt) {
  return -static_cast<int64_t>(std::floor(-(time / dt - same_time)));
}

inline int64_t turn_at(int64_t step, double at, double every, double dt) {
  const double turn = std::floor(((static_cast<double>(step) + same_time) * dt - at) / every);
  return std::max(int64_t{0}, static_cast<int64_t>(turn));
}

inline int64_t step_of_turn(int64_t turn, double at, double every, double dt) {
  return ceil_step(at + static_cast<double>(turn) * every, dt);
}

// The first step after `step` whose end is a time: `at` or a repetition by `every`.
inline int64_t due_after(int64_t step, double at, double every, double dt) {
  const int64_t first = std::max(int64_t{1}, ceil_step(at, dt));
  if (first > step) return first;
  if (std::isnan(every)) return never;
  int64_t turn = turn_at(step, at, every, dt);
  int64_t due = step_of_turn(turn, at, every, dt);
  while (due <= step) due = step_of_turn(++turn, at, every, dt);
  return due;
}

// The number of its times until a step; earlier ones count for the first step.
inline int64_t times_until(int64_t step, double at, double every, double dt) {
  if (step < 1 || ceil_step(at, dt) > step) return 0;
  if (std::isnan(every)) return 1;
  int64_t turn = turn_at(step, at, every, dt);
  while (step_of_turn(turn + 1, at, every, dt) <= step) ++turn;
  while (turn > 0 && step_of_turn(turn, at, every, dt) > step) --turn;
  return turn + 1;
}

// Number of times in a step.
inline int64_t times_due(int64_t step, double at, double every, double dt) {
  return times_until(step, at, every, dt) - times_until(step - 1, at, every, dt);
}

// Number of births that are due after a step.
inline int64_t births_due(const Spawner& spawner, int64_t step, double dt) {
  if (step < 1) return 0;
  const double end = static_cast<double>(step) * dt, start = spawner.start;
  const double time = std::min(end, spawner.until);
  auto turns = static_cast<int64_t>(std::floor((time - start) / spawner.every + same_time)) + 1;
  const double begun = static_cast<double>(step - 1) * dt;
  auto before = static_cast<int64_t>(std::floor((begun - start) / spawner.every + same_time)) + 1;
  if (step == 1) before = 0;
  const double last = static_cast<double>(turns - 1) + same_time;
  if (spawner.until <= start + last * spawner.every) --turns;
  return std::max(int64_t{0}, turns) - std::max(int64_t{0}, before);
}

}  // namespace rigid::script

#endif
