// SPDX-License-Identifier: MIT
// Polls for interrupts during long computations.
//
// A poll costs more than a small step, so it happens at most every few hundredths of a second.
// Between two steps it happens early, and an interrupt there leaves the world valid. Within a step
// it happens only if that step takes long, because an interrupted step is lost.
#ifndef RIGID_ENGINE_PARALLEL_INTERRUPT_POLLER_H
#define RIGID_ENGINE_PARALLEL_INTERRUPT_POLLER_H

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace rigid {

class InterruptPoller {
 public:
  // `look` throws to interrupt.
  explicit InterruptPoller(std::function<void()> look)
      : look_(std::move(look)), last_(Clock::now()) {}

  void between_steps() {
    if (--steps_to_look_ > 0) return;
    if (steps_to_look_ < 0) {  // the first step: the clock was read just now
      in_step_ = true;
      steps_to_look_ = 1;
      return;
    }
    in_step_ = false;
    // Small worlds do not read the clock in every step, which would take a tenth of their time.
    const Clock::time_point now = Clock::now();
    const bool quick = now - seen_ < stride_ * quick_step;
    stride_ = quick ? std::min(2 * stride_, most_stride) : 1;
    steps_to_look_ = stride_;
    seen_ = now;
    look_after(patience_between, now);
    in_step_ = true;
  }
  void end() { in_step_ = false; }

  // Charges `work`, as a share of `piece`: a whole piece is worth reading the clock.
  void charge(int work, int piece) {
    due_ += static_cast<float>(work) / static_cast<float>(piece);
    if (due_ < 1) return;
    due_ = 0;
    look_after(patience_within, Clock::now());
  }

  // Whether a step has begun and not ended.
  bool in_step() const { return in_step_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds patience_between{50}, patience_within{350};
  static constexpr std::chrono::microseconds quick_step{50};
  static constexpr int most_stride = 64;

  void look_after(std::chrono::milliseconds patience, Clock::time_point now) {
    if (now - last_ < patience) return;
    last_ = now;
    look_();
  }

  std::function<void()> look_;
  Clock::time_point last_, seen_ = last_;
  int stride_ = 1, steps_to_look_ = 0;
  float due_ = 0;
  bool in_step_ = false;
};

}  // namespace rigid

#endif
