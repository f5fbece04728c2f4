// SPDX-License-Identifier: MIT
// The kernels of 8 lanes, compiled for AVX2: only call them through find_kernels.
#include "engine/solvers/kernel_table.h"

namespace rigid {

const Kernels* kernels_avx2() {
  static const Kernels table = make_kernels<8>();
  return &table;
}

}  // namespace rigid
