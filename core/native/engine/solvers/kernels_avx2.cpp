// SPDX-License-Identifier: MIT
// 8 lanes. Compiled for AVX2: nothing here may be called without asking find_kernels first.
#include "engine/solvers/kernel_table.h"

namespace rigid {

const Kernels* kernels_avx2() {
  static const Kernels table = make_kernels<8>();
  return &table;
}

}  // namespace rigid
