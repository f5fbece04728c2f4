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
  next_.store(0, std::memory_order_relaxed);
  running_.store(static_cast<int>(workers_.size()), std::memory_order_relaxed);
  stage_.fetch_add(1, std::memory_order_release);
  claim();
  int spins = 0;
  while (running_.load(std::memory_order_acquire) > 0) {
    // With fewer processors than threads a worker may need this one.
    if (++spins > 2000) {
      std::this_thread::yield();
    } else {
      pause();
    }
  }
}

void ThreadPool::claim() {
  for (;;) {
    int begin = next_.fetch_add(grain_, std::memory_order_relaxed);
    if (begin >= count_) return;
    task_(data_, begin, std::min(begin + grain_, count_));
  }
}

void ThreadPool::work() {
  unsigned seen = 0;
  for (;;) {
    int spins = 0;
    while (stage_.load(std::memory_order_acquire) == seen) {
      if (stop_) return;
      if (!stepping_) {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [this, seen] {
          return stop_ || stepping_ || stage_.load(std::memory_order_acquire) != seen;
        });
        continue;
      }
      if (++spins > 2000) {
        std::this_thread::yield();
      } else {
        pause();
      }
    }
    ++seen;
    claim();
    running_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace rigid
