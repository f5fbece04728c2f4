// SPDX-License-Identifier: MIT
// The contacts of one island batch in lanes, in memory that the thread reuses for its next batch.
#ifndef RIGID_ENGINE_SOLVERS_ISLAND_BATCH_LANES_H
#define RIGID_ENGINE_SOLVERS_ISLAND_BATCH_LANES_H

#include <vector>

#include "engine/lanes/constraint_lanes.h"
#include "engine/solvers/island_batches.h"

namespace rigid {

class IslandBatchLanes {
 public:
  IslandBatchLanes(const ConstraintLanes& lanes, const IslandBatches& island_batches,
                   int island_batch);
  IslandBatchLanes(const IslandBatchLanes&) = delete;

  void run(const KernelContext& context, Kernel Kernels::* stage) const {
    for (const Part& part : parts_) (part.kernels->*stage)(context, part.span, 0, blocks_of(part));
  }
  void run(const KernelContext& context, Kernel ContactKernels::* stage) const {
    for (const Part& part : parts_) {
      (part.kernels->*contacts_.*stage)(context, part.span, 0, blocks_of(part));
    }
  }

 private:
  struct Part {
    Span span;
    const Kernels* kernels;
  };
  static int blocks_of(const Part& part) { return part.span.block_count; }

  ContactKernels Kernels::* contacts_;
  std::vector<Part> parts_;
};

}  // namespace rigid

#endif
