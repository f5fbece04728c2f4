// SPDX-License-Identifier: MIT
// The kernels of one lane (the overflow colour) and of four (SSE2, NEON, or the compiler's choice).
#include "engine/solvers/kernel_table.h"

namespace rigid {

#if defined(__x86_64__)
const Kernels* kernels_avx2();
const Kernels* kernels_avx512();
#endif

const Kernels* find_kernels(int width) {
  static const Kernels one = make_kernels<1>();
  static const Kernels four = make_kernels<4>();
  if (width == 1) return &one;
  if (width == 4) return &four;
#if defined(__x86_64__)
  if (width == 8 && __builtin_cpu_supports("avx2")) return kernels_avx2();
  if (width == 16 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq")) {
    return kernels_avx512();
  }
#endif
  return nullptr;
}

}  // namespace rigid
