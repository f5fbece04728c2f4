// SPDX-License-Identifier: MIT
// A pool of threads that share the pieces of one stage at a time.
//
// A stage is a function over [begin, end) ranges, divided into pieces. Any thread may run any
// piece, so a stage must give the same result for any assignment. With one thread everything runs
// in the caller, without atomics.
//
// One 64-bit ticket holds the stage's number, its number of pieces and the next one; a piece is
// claimed by exchanging the ticket. A thread that arrives late, because the machine is busy, finds
// no pieces left and delays nothing: the caller waits for pieces, not for threads.
//
// Threads do not survive a fork. The child detects that at the next step and starts others.
#ifndef RIGID_ENGINE_PARALLEL_THREAD_POOL_H
#define RIGID_ENGINE_PARALLEL_THREAD_POOL_H

#include <algorithm>
#include <memory>

#include "engine/parallel/interrupt_poller.h"

namespace rigid {

class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  // A copy has threads of its own, the same number.
  ThreadPool(const ThreadPool& other) : ThreadPool(other.wanted_ + 1) {}
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Runs task(begin, end) over [0, count) in pieces of `grain`, and returns when all are done. An
  // exception of the poller is rethrown here, when no thread is at work any more.
  template <class Task>
  void run(int count, int grain, Task&& task) {
    if (count <= 0) return;
    // The only case in small worlds: too little work even to poll.
    if (least_told * count <= grain) return task(0, count);
    if (!stepping_crew_ || count <= grain) {
      for (int begin = 0; begin < count; begin += grain) {
        int end = std::min(begin + grain, count);
        if (poller_) poller_->charge(end - begin, grain);
        task(begin, end);
      }
      return;
    }
    // A ticket counts a million pieces; longer stages get larger ones.
    if (count / grain >= max_pieces) grain = count / max_pieces + 1;
    auto call = [](void* data, int begin, int end) { (*static_cast<Task*>(data))(begin, end); };
    share_out({call, const_cast<void*>(static_cast<const void*>(&task)), count, grain});
  }

  // For work of the caller alone; `piece` would be worth a thread.
  void charge(int work, int piece) {
    if (poller_) poller_->charge(work, piece);
  }

  // Between these the workers wait for stages by spinning: a step has hundreds of short ones.
  void begin_steps(InterruptPoller* poller);
  void end_steps();

 private:
  static constexpr int max_pieces = (1 << 20) - 1;
  static constexpr long least_told = 8;  // the least share of a piece that is reported to the
                                         // poller, as a divisor
  struct Stage {
    void (*task)(void*, int, int);
    void* data;
    int count, grain;
  };
  class Crew;

  void share_out(const Stage& stage);
  void hire();

  int wanted_;  // threads in addition to the caller
  std::unique_ptr<Crew> crew_;
  Crew* stepping_crew_ = nullptr;
  InterruptPoller* poller_ = nullptr;
};

// The steps of one call: the pool is active from its beginning to its end, also after exceptions.
class StepSession {
 public:
  StepSession(ThreadPool& pool, InterruptPoller* poller) : pool_(pool), poller_(poller) {
    pool_.begin_steps(poller);
  }
  ~StepSession() { pool_.end_steps(); }
  StepSession(const StepSession&) = delete;
  StepSession& operator=(const StepSession&) = delete;

  void before_step() {
    if (poller_) poller_->between_steps();
  }
  void done() {
    if (poller_) poller_->end();
  }

 private:
  ThreadPool& pool_;
  InterruptPoller* poller_;
};

}  // namespace rigid

#endif
