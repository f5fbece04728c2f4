// SPDX-License-Identifier: MIT
// The vector instructions of this processor, as far as there are kernels for them.
#ifndef RIGID_ENGINE_LANES_PROCESSOR_H
#define RIGID_ENGINE_LANES_PROCESSOR_H

namespace rigid {

struct Processor {
  bool avx2 = false;
  bool avx512 = false;  // F, VL and DQ
  // Processors before Ice Lake lower their clock for vectors of 512 bits, and gain nothing by them.
  bool fast_avx512 = false;
};

const Processor& processor();

}  // namespace rigid

#endif
