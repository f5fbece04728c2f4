// SPDX-License-Identifier: MIT
// Times of the parts of a step, if they are measured.
#ifndef RIGID_ENGINE_STOPWATCH_H
#define RIGID_ENGINE_STOPWATCH_H

#include <chrono>

namespace rigid {

class Stopwatch {
 public:
  void start(bool runs) {
    runs_ = runs;
    if (runs_) last_ = std::chrono::steady_clock::now();
  }
  // Adds the milliseconds since the last call, if it runs.
  void lap(double& ms) {
    if (!runs_) return;
    auto now = std::chrono::steady_clock::now();
    ms = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  bool runs_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace rigid

#endif
