// SPDX-License-Identifier: MIT
// 16 lanes. Compiled for AVX512: nothing here may be called without asking find_kernels first.
#include "engine/solvers/kernel_table.h"

namespace rigid {

const Kernels* kernels_avx512() {
  static const Kernels table = make_kernels<16>();
  return &table;
}

}  // namespace rigid
