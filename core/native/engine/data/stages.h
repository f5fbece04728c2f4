// SPDX-License-Identifier: MIT
// The stages of a step in a solver, by name, and the time of each.
#ifndef RIGID_ENGINE_DATA_STAGES_H
#define RIGID_ENGINE_DATA_STAGES_H

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace rigid {

// In the order of a step; `island_batches` is the sum of them if islands are solved one by one.
enum class Stage : uint8_t {
  begin,
  impacts,
  bounce,
  forces,
  warm_start,
  solve,
  push,
  positions,
  relax,
  tracks,
  store,
  island_batches,
  conservation,
  count
};
constexpr std::size_t stage_count = static_cast<std::size_t>(Stage::count);
constexpr std::array<const char*, stage_count> stage_names = {
    "begin",     "impacts", "bounce", "forces", "warm_start",     "solve",       "push",
    "positions", "relax",   "tracks", "store",  "island_batches", "conservation"};

// The milliseconds of each stage of the last step, while it measures.
class StageClock {
 public:
  void measure(bool measures) {
    measures_ = measures;
    times_ = {};
  }
  bool measures() const { return measures_; }
  const std::array<double, stage_count>& times() const { return times_; }
  // Called before a step.
  void clear() {
    if (measures_) times_ = {};
  }
  // Called before the first stage of several.
  void start() {
    if (measures_) last_ = std::chrono::steady_clock::now();
  }
  // Adds the time since the last call to a stage.
  void lap(Stage stage) {
    if (!measures_) return;
    const auto now = std::chrono::steady_clock::now();
    times_[static_cast<std::size_t>(stage)] +=
        std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
  }

 private:
  bool measures_ = false;
  std::chrono::steady_clock::time_point last_;
  std::array<double, stage_count> times_{};
};

}  // namespace rigid

#endif
