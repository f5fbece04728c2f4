// SPDX-License-Identifier: MIT
// The kernels of 16 lanes, compiled for AVX512: only call them through find_kernels.
#include "engine/solvers/kernel_table.h"

namespace rigid {

const Kernels* kernels_avx512() {
  static const Kernels table = make_kernels<16>();
  return &table;
}

}  // namespace rigid
