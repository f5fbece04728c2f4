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

// A whole number, or the nearest one that counts as never.
inline int64_t counted(double number) {
  constexpr auto most = static_cast<double>(never);
  if (!(number > -most)) return -never;
  return static_cast<int64_t>(std::min(number, most));
}

// The first step that ends at a time or after it.
inline int64_t ceil_step(double time, double dt) {
  return counted(-std::floor(-(time / dt - same_time)));
}

// Above this, numbers of turns are not told apart.
constexpr double most_turns = 4503599627370496.0;

inline double turn_at(int64_t step, double at, double every, double dt) {
  return std::max(0.0, std::floor(((static_cast<double>(step) + same_time) * dt - at) / every));
}

inline int64_t step_of_turn(double turn, double at, double every, double dt) {
  return ceil_step(at + turn * every, dt);
}

// The first step after `step` whose end is a time: `at` or a repetition by `every`.
inline int64_t due_after(int64_t step, double at, double every, double dt) {
  const int64_t first = std::max(int64_t{1}, ceil_step(at, dt));
  if (first > step) return first;
  if (std::isnan(every)) return never;
  double turn = turn_at(step, at, every, dt);
  if (turn > most_turns) return step + 1;
  int64_t due = step_of_turn(turn, at, every, dt);
  while (due <= step) due = step_of_turn(++turn, at, every, dt);
  return due;
}

// The number of its times until a step; earlier ones count for the first step.
inline double times_until(int64_t step, double at, double every, double dt) {
  if (step < 1 || ceil_step(at, dt) > step) return 0.0;
  if (std::isnan(every)) return 1.0;
  double turn = turn_at(step, at, every, dt);
  if (turn > most_turns) return turn;
  while (step_of_turn(turn + 1.0, at, every, dt) <= step) ++turn;
  while (turn > 0.0 && step_of_turn(turn, at, every, dt) > step) --turn;
  return turn + 1.0;
}

// Number of times in a step.
inline int64_t times_due(int64_t step, double at, double every, double dt) {
  return counted(times_until(step, at, every, dt) - times_until(step - 1, at, every, dt));
}

// Number of births that are due after a step.
inline int64_t births_due(const Spawner& spawner, int64_t step, double dt) {
  if (step < 1) return 0;
  const double end = static_cast<double>(step) * dt, start = spawner.start;
  const double time = std::min(end, spawner.until);
  double turns = std::floor((time - start) / spawner.every + same_time) + 1.0;
  const double begun = static_cast<double>(step - 1) * dt;
  double before = std::floor((begun - start) / spawner.every + same_time) + 1.0;
  if (step == 1) before = 0.0;
  const double last = turns - 1.0 + same_time;
  if (spawner.until <= start + last * spawner.every) --turns;
  return counted(std::max(0.0, turns) - std::max(0.0, before));
}

// The number of repetitions before a step of what a key does that is held since a step.
inline int64_t repeats_due(int64_t step, int64_t since, double every, double dt) {
  constexpr double same_step = 1e-9;
  if (step <= since) return 0;
  const auto turns = [=](int64_t at) {
    return std::floor(static_cast<double>(at - since) * dt / every + same_step);
  };
  return counted(turns(step) - turns(step - 1));
}

}  // namespace rigid::script

#endif
