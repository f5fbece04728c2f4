// SPDX-License-Identifier: MIT
// Reads the features of the processor. __builtin_cpu_supports would need a library that clang-cl
// does not link.
#include "engine/lanes/processor.h"

#if defined(RIGID_AVX_KERNELS)
#include <cpuid.h>
#endif

namespace rigid {

namespace {

#if defined(RIGID_AVX_KERNELS)
bool has_all(unsigned word, unsigned bits) { return (word & bits) == bits; }

Processor look() {
  constexpr unsigned saves_states = 1u << 27, avx = 1u << 28;  // leaf 1, ECX
  constexpr unsigned avx2 = 1u << 5;                           // leaf 7, EBX
  constexpr unsigned avx512 = 1u << 16 | 1u << 17 | 1u << 31;  // F, DQ, VL
  constexpr unsigned vbmi2 = 1u << 6;                          // leaf 7, ECX
  constexpr unsigned ymm = 0x6, zmm = 0xe6;                    // states that the system saves
  unsigned a, b, c, d;
  Processor found;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !has_all(c, saves_states | avx)) return found;
  unsigned saved, high;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  if (!has_all(saved, ymm) || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return found;
  found.avx2 = has_all(b, avx2);
  found.avx512 = has_all(saved, zmm) && has_all(b, avx512);
  found.fast_avx512 = found.avx512 && has_all(c, vbmi2);
  return found;
}
#else
Processor look() { return {}; }
#endif

}  // namespace

const Processor& processor() {
  static const Processor found = look();
  return found;
}

}  // namespace rigid
