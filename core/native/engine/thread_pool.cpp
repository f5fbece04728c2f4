#include "engine/thread_pool.h"

#include <algorithm>

namespace rigid {

namespace {
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}
}  // namespace

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::begin_step() {
  if (workers_.empty()) return;
  {
    std::lock_guard lock(mutex_);
    stepping_ = true;
  }
  wake_.notify_all();
}

void ThreadPool::end_step() { stepping_ = false; }

void ThreadPool::dispatch() {
  int pieces = (count_ + grain_ - 1) / grain_;
  done_.store(0, std::memory_order_relaxed);
  unsigned stage = (stage_of(ticket_.load(std::memory_order_relaxed)) + 1) & 0xffffffu;
  ticket_.store(static_cast<uint64_t>(stage) << 40 | static_cast<uint64_t>(pieces) << 20,
                std::memory_order_release);
  claim(stage);
  int spins = 0;
  while (done_.load(std::memory_order_acquire) < pieces) {
    // With fewer processors than threads a worker may need this one.
    if (++spins > 1000) {
      std::this_thread::yield();
    } else {
      pause();
    }
  }
}

void ThreadPool::claim(unsigned stage) {
  uint64_t ticket = ticket_.load(std::memory_order_acquire);
  for (;;) {
    int next = static_cast<int>(ticket & max_pieces);
    int pieces = static_cast<int>(ticket >> 20 & max_pieces);
    if (stage_of(ticket) != stage || next >= pieces) return;
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
      continue;
    }
    // The stage cannot end before this piece is done, so task_ and the rest stay as they are.
    int begin = next * grain_;
    task_(data_, begin, std::min(begin + grain_, count_));
    done_.fetch_add(1, std::memory_order_release);
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void ThreadPool::work() {
  unsigned seen = 0;
  int spins = 0;
  for (;;) {
    unsigned stage = stage_of(ticket_.load(std::memory_order_acquire));
    if (stage != seen) {
      seen = stage;
      spins = 0;
      claim(stage);
      continue;
    }
    if (stop_) return;
    if (!stepping_) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || stepping_; });
      continue;
    }
    if (++spins > 1000) {
      std::this_thread::yield();
    } else {
      pause();
    }
  }
}

}  // namespace rigid
