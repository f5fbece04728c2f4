// SPDX-License-Identifier: MIT
// The scripts of many worlds, each run beside its world, on threads.
#ifndef RIGID_SCRIPT_BATCH_H
#define RIGID_SCRIPT_BATCH_H

#include <cstdint>
#include <span>
#include <vector>

#include "engine/parallel/interrupt_poller.h"
#include "engine/parallel/thread_pool.h"
#include "script/runner.h"

namespace rigid::script {

// A world and its script, up to the end of a step; and where it stopped before.
struct Run {
  World* world;
  Runner* runner;
  const Exact* exact;
  int64_t end;
  Stop stop{};
};

class Batch {
 public:
  explicit Batch(int threads) : pool_(threads) {}
  // Runs each as far as it goes without its host. Worlds share nothing that a step changes, and
  // the assignment of worlds to threads has no effect.
  void run(std::span<Run> runs, InterruptPoller* poller);

 private:
  ThreadPool pool_;
};

}  // namespace rigid::script

#endif
