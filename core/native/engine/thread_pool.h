// A few threads that share out the pieces of one stage at a time.
//
// A stage is a function over [begin, end) ranges, cut into pieces. Which thread does which piece is
// left to chance, so a stage must give the same result for any sharing. One thread runs everything
// in the caller, with no atomics.
//
// One 64-bit ticket holds the stage's number, how many pieces it has and which comes next; a piece
// is claimed by exchanging the ticket. A thread that comes late, because the machine is busy,
// finds the pieces gone and holds nobody up: the caller waits for pieces, not for threads.
#ifndef RIGID_ENGINE_THREAD_POOL_H
#define RIGID_ENGINE_THREAD_POOL_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace rigid {

class ThreadPool {
 public:
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Runs task(begin, end) over [0, count) in pieces of `grain`, and returns when all are done.
  template <class Task>
  void run(int count, int grain, Task&& task) {
    if (count <= 0) return;
    if (workers_.empty() || count <= grain) {
      task(0, count);
      return;
    }
    // A ticket counts a million pieces; longer stages get larger ones.
    if (count / grain >= max_pieces) grain = count / max_pieces + 1;
    task_ = [](void* data, int begin, int end) { (*static_cast<Task*>(data))(begin, end); };
    data_ = const_cast<void*>(static_cast<const void*>(&task));
    count_ = count;
    grain_ = grain;
    dispatch();
  }

  // Between these the workers wait for stages by spinning: a step has hundreds of short ones.
  void begin_step();
  void end_step();

 private:
  static constexpr int max_pieces = (1 << 20) - 1;
  static unsigned stage_of(uint64_t ticket) { return static_cast<unsigned>(ticket >> 40); }

  void dispatch();
  void claim(unsigned stage);
  void work();

  std::vector<std::thread> workers_;
  void (*task_)(void*, int, int) = nullptr;
  void* data_ = nullptr;
  int count_ = 0, grain_ = 1;
  alignas(64) std::atomic<uint64_t> ticket_{0};  // stage 24 bits, pieces 20, next piece 20
  alignas(64) std::atomic<int> done_{0};
  std::atomic<bool> stepping_{false}, stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace rigid

#endif
