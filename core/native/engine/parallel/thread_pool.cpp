// SPDX-License-Identifier: MIT
// The threads of a pool, and the distribution of pieces among them.
#include "engine/parallel/thread_pool.h"

#if !defined(_WIN32)
#include <pthread.h>
#endif

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

namespace rigid {

namespace {
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

// The number of forks in the ancestry of this process. A crew with an earlier number has no threads
// here.
std::atomic<int> generation{0};
#if !defined(_WIN32)  // where no process forks
[[maybe_unused]] const int counts_forks =
    pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1); });
#endif
}  // namespace

class ThreadPool::Crew {
 public:
  explicit Crew(int threads) : generation_(generation) {
    try {
      for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The machine provides no more threads. The result is the same with fewer.
    }
  }
  ~Crew() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  bool is_here() const { return generation_ == generation; }

  void begin_steps() {
    {
      std::lock_guard lock(mutex_);
      stepping_ = true;
    }
    wake_.notify_all();
  }
  void end_steps() { stepping_ = false; }

  void share_out(const Stage& stage, InterruptPoller* poller);

 private:
  static unsigned stage_of(uint64_t ticket) { return static_cast<unsigned>(ticket >> 40); }

  template <class BeforePiece>
  void claim(unsigned number, BeforePiece&& before_piece);
  void work();

  std::vector<std::thread> workers_;
  const int generation_;
  Stage stage_{};
  alignas(64) std::atomic<uint64_t> ticket_{0};  // stage 24 bits, pieces 20, next piece 20
  alignas(64) std::atomic<int> done_{0};
  std::atomic<bool> stepping_{false}, stop_{false}, broken_off_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

void ThreadPool::Crew::share_out(const Stage& stage, InterruptPoller* poller) {
  stage_ = stage;
  int pieces = (stage.count + stage.grain - 1) / stage.grain;
  done_.store(0, std::memory_order_relaxed);
  unsigned number = (stage_of(ticket_.load(std::memory_order_relaxed)) + 1) & 0xffffffu;
  ticket_.store(static_cast<uint64_t>(number) << 40 | static_cast<uint64_t>(pieces) << 20,
                std::memory_order_release);
  // Other threads are working on data on this thread's stack: an exception waits until they are
  // done, which is soon, because the remaining pieces are then skipped.
  std::exception_ptr thrown;
  claim(number, [&](int begin, int end) {
    if (!poller || thrown) return;
    try {
      poller->charge(end - begin, stage.grain);
    } catch (...) {
      thrown = std::current_exception();
      broken_off_ = true;
    }
  });
  int spins = 0;
  while (done_.load(std::memory_order_acquire) < pieces && is_here()) {
    // With fewer processors than threads a worker may need this one.
    if (++spins > 1000) {
      std::this_thread::yield();
    } else {
      pause();
    }
  }
  broken_off_ = false;
  if (thrown) std::rethrow_exception(thrown);
  if (!is_here()) throw std::runtime_error("the process was forked in the middle of a step");
}

template <class BeforePiece>
void ThreadPool::Crew::claim(unsigned number, BeforePiece&& before_piece) {
  uint64_t ticket = ticket_.load(std::memory_order_acquire);
  for (;;) {
    int next = static_cast<int>(ticket & max_pieces);
    int pieces = static_cast<int>(ticket >> 20 & max_pieces);
    if (stage_of(ticket) != number || next >= pieces) return;
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
      continue;
    }
    // The stage cannot end before this piece is done, so stage_ stays as it is.
    int begin = next * stage_.grain, end = std::min(begin + stage_.grain, stage_.count);
    before_piece(begin, end);
    if (!broken_off_.load(std::memory_order_relaxed)) stage_.task(stage_.data, begin, end);
    done_.fetch_add(1, std::memory_order_release);
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void ThreadPool::Crew::work() {
  unsigned seen = 0;
  int spins = 0;
  for (;;) {
    unsigned number = stage_of(ticket_.load(std::memory_order_acquire));
    if (number != seen) {
      seen = number;
      spins = 0;
      claim(number, [](int, int) {});
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

ThreadPool::ThreadPool(int threads) : wanted_(threads - 1) {}

// A crew that stayed in the parent process cannot be joined, and its mutex may be locked: it is
// abandoned.
ThreadPool::~ThreadPool() {
  if (crew_ && !crew_->is_here()) static_cast<void>(crew_.release());
}

void ThreadPool::hire() {
  if (crew_ && !crew_->is_here()) static_cast<void>(crew_.release());
  if (!crew_ && wanted_ > 0) crew_ = std::make_unique<Crew>(wanted_);
}

void ThreadPool::begin_steps(InterruptPoller* poller) {
  hire();
  if (crew_) crew_->begin_steps();
  stepping_crew_ = crew_.get();
  poller_ = poller;
}

void ThreadPool::end_steps() {
  if (stepping_crew_) stepping_crew_->end_steps();
  stepping_crew_ = nullptr;
  poller_ = nullptr;
}

void ThreadPool::share_out(const Stage& stage) { stepping_crew_->share_out(stage, poller_); }

}  // namespace rigid
