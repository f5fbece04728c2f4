// SPDX-License-Identifier: MIT
// A few threads that share out the pieces of one stage at a time.
//
// A stage is a function over [begin, end) ranges, cut into pieces. Which thread does which piece is
// left to chance, so a stage must give the same result for any sharing. One thread runs everything
// in the caller, with no atomics.
//
// One 64-bit ticket holds the stage's number, how many pieces it has and which comes next; a piece
// is claimed by exchanging the ticket. A thread that comes late, because the machine is busy,
// finds no pieces left and delays nothing: the caller waits for pieces, not for threads.
//
// Threads do not outlive a fork. The child detects that at the next step and starts others.
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
  // A copy has as many threads of its own.
  ThreadPool(const ThreadPool& other) : ThreadPool(other.wanted_ + 1) {}
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Runs task(begin, end) over [0, count) in pieces of `grain`, and returns when all are done. What
  // the poller throws comes out of here, when no thread is at work any more.
  template <class Task>
  void run(int count, int grain, Task&& task) {
    if (count <= 0) return;
    // Small worlds have nothing else: too little even to poll.
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

  // For work that the caller does alone, of which `piece` would be worth a thread.
  void charge(int work, int piece) {
    if (poller_) poller_->charge(work, piece);
  }

  // Between these the workers wait for stages by spinning: a step has hundreds of short ones.
  void begin_steps(InterruptPoller* poller);
  void end_steps();

 private:
  static constexpr int max_pieces = (1 << 20) - 1;
  static constexpr long least_told = 8;  // one of so many parts of a piece
  struct Stage {
    void (*task)(void*, int, int);
    void* data;
    int count, grain;
  };
  class Crew;

  void share_out(const Stage& stage);
  void hire();

  int wanted_;  // threads besides the caller
  std::unique_ptr<Crew> crew_;
  Crew* stepping_crew_ = nullptr;
  InterruptPoller* poller_ = nullptr;
};

// The steps of one call: the pool works from its beginning to its end, however that comes.
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
