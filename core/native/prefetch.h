// SPDX-License-Identifier: MIT
// Prefetching of cache lines, for data that will be read or written soon.
//
// A function that only prefetches has no effect on the program's values, and GCC removes calls of
// functions without effect. The empty volatile statement, which is no instruction, keeps the calls.
#ifndef RIGID_PREFETCH_H
#define RIGID_PREFETCH_H

#include "math.h"

namespace rigid {

RIGID_INLINE void prefetch_to_read(const void* line) {
  __builtin_prefetch(line);
  __asm__ __volatile__("");
}

RIGID_INLINE void prefetch_to_write(const void* line) {
  __builtin_prefetch(line, 1);
  __asm__ __volatile__("");
}

}  // namespace rigid

#endif
