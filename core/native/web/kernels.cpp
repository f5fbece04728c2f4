// SPDX-License-Identifier: MIT
// The kernels of a page, in place of engine/solvers/kernels_base.cpp.
#include "engine/mechanisms/resident_lanes.h"

namespace rigid {

// A page steps one world, never a batch of them in the lanes.
template <>
int step_residents<4>(const LaneTask&, BatchState&, int) {
  return 0;
}
template <>
void solve_side_by_side<4>(LaneTask&) {}

}  // namespace rigid

#include "engine/solvers/kernel_table.h"

namespace rigid {

const Kernels* kernels_of_one_lane();

const Kernels& kernels_of_four_lanes() {
  static const Kernels four = make_kernels<4>();
  return four;
}

const Kernels* find_kernels(int width) {
  if (width == 1) return kernels_of_one_lane();
  return width == 4 ? &kernels_of_four_lanes() : nullptr;
}

}  // namespace rigid
