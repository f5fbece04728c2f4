// SPDX-License-Identifier: MIT
// Runs scripts in pieces, which threads share.
#include "script/batch.h"

#include <algorithm>
#include <exception>
#include <mutex>

namespace rigid::script {

void Batch::run(std::span<Run> runs, InterruptPoller* poller) {
  StepSession session(pool_, poller);
  constexpr int64_t steps_at_once = 32;  // between two looks at interrupts
  constexpr int piece = 8;
  std::exception_ptr failure;
  std::mutex failure_mutex;
  std::vector<Run*> left;
  for (Run& run : runs) left.push_back(&run);
  const auto step_piece = [&](int first, int last) {
    try {
      for (int i = first; i < last; ++i) {
        Run& run = *left[i];
        Sampling sampling;
        const int64_t now = run.runner->now(*run.world);
        const int64_t end = std::min(run.end, now + steps_at_once);
        run.stop = run.runner->run(*run.world, end, nullptr, sampling, *run.exact);
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      failure = std::current_exception();
    }
  };
  while (!left.empty()) {
    session.before_step();
    pool_.run(static_cast<int>(left.size()), piece,
              [&](int first, int last) { step_piece(first, last); });
    if (failure) std::rethrow_exception(failure);
    std::erase_if(left, [](const Run* run) {
      return run->stop.reason != Reason::done || run->runner->now(*run->world) >= run->end;
    });
  }
  session.done();
}

}  // namespace rigid::script
