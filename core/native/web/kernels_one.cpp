// SPDX-License-Identifier: MIT
// The kernels of one lane, for the overflow colour: compiled for their size, apart from those of
// four lanes.
#include "engine/solvers/kernel_table.h"

namespace rigid {

const Kernels* kernels_of_one_lane() {
  static const Kernels one = make_kernels<1>();
  return &one;
}

}  // namespace rigid
