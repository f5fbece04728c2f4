// SPDX-License-Identifier: MIT
#include "engine/solvers/pile_lanes.h"

namespace rigid {

PileLanes::PileLanes(const ConstraintLanes& lanes, const Piles& piles, int pile)
    : contacts_(lanes.contact_kernels()) {
  thread_local Scratch memory;
  std::size_t size = 0;
  for (const Piles::Part& part : piles.parts(pile)) {
    const Kernels& kernels =
        part.color == Graph::overflow ? lanes.single_kernels() : lanes.kernels();
    const int blocks = (part.count + kernels.width - 1) / kernels.width;
    parts_.push_back({{nullptr, piles.ids(part), part.count, blocks}, &kernels});
    size += Scratch::aligned(blocks * (kernels.*contacts_).block_size);
  }
  std::byte* at = memory.reserve(size);
  for (Part& part : parts_) {
    part.span.blocks = at;
    at += Scratch::aligned(part.span.block_count * (part.kernels->*contacts_).block_size);
  }
}

}  // namespace rigid
