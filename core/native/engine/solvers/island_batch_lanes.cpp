// SPDX-License-Identifier: MIT
// The blocks of contacts of one island batch.
#include "engine/solvers/island_batch_lanes.h"

namespace rigid {

IslandBatchLanes::IslandBatchLanes(const ConstraintLanes& lanes,
                                   const IslandBatches& island_batches, int island_batch)
    : contacts_(lanes.contact_kernels()) {
  thread_local Scratch memory;
  std::size_t size = 0;
  for (const IslandBatches::Part& part : island_batches.parts(island_batch)) {
    const Kernels& kernels =
        part.color == Graph::overflow ? lanes.single_kernels() : lanes.kernels();
    const int blocks = (part.count + kernels.width - 1) / kernels.width;
    parts_.push_back({{nullptr, island_batches.ids(part), part.count, blocks}, &kernels});
    size += Scratch::aligned(blocks * (kernels.*contacts_).block_size);
  }
  std::byte* at = memory.reserve(size);
  for (Part& part : parts_) {
    part.span.blocks = at;
    at += Scratch::aligned(part.span.block_count * (part.kernels->*contacts_).block_size);
  }
}

}  // namespace rigid
