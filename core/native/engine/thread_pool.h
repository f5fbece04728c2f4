// A few threads that share out the blocks of one stage at a time.
//
// A stage is a function over [begin, end) ranges; pieces are claimed by an atomic counter. Which
// thread does which piece is left to chance, so a stage must give the same result for any sharing.
// One thread runs everything in the caller, with no atomics.
#ifndef RIGID_ENGINE_THREAD_POOL_H
#define RIGID_ENGINE_THREAD_POOL_H

#include <atomic>
#include <condition_variable>
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
  void dispatch();
  void claim();
  void work();

  std::vector<std::thread> workers_;
  void (*task_)(void*, int, int) = nullptr;
  void* data_ = nullptr;
  int count_ = 0, grain_ = 1;
  alignas(64) std::atomic<int> next_{0};
  alignas(64) std::atomic<unsigned> stage_{0};
  alignas(64) std::atomic<int> running_{0};
  std::atomic<bool> stepping_{false}, stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace rigid

#endif
