// SPDX-License-Identifier: MIT
// The kernels of one lane (the overflow colour) and of four (SSE2, NEON, or the compiler's choice).
#include "engine/lanes/processor.h"
#include "engine/solvers/kernel_table.h"

namespace rigid {

#if defined(RIGID_AVX_KERNELS)
const Kernels* kernels_avx2();
const Kernels* kernels_avx512();
#endif

const Kernels* find_kernels(int width) {
  static const Kernels one = make_kernels<1>();
  static const Kernels four = make_kernels<4>();
  if (width == 1) return &one;
  if (width == 4) return &four;
#if defined(RIGID_AVX_KERNELS)
  if (width == 8 && processor().avx2) return kernels_avx2();
  if (width == 16 && processor().avx512) return kernels_avx512();
#endif
  return nullptr;
}

}  // namespace rigid
