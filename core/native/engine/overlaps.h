// SPDX-License-Identifier: MIT
// Bodies that overlap before a step.
#ifndef RIGID_ENGINE_OVERLAPS_H
#define RIGID_ENGINE_OVERLAPS_H

#include <vector>

#include "engine/world.h"

namespace rigid {

struct Overlap {
  int body_a, body_b;
  double depth;
};

class OverlapSearch {
 public:
  // Which bodies overlap by more than `depth` where they are, of those that may touch; the deepest
  // contact of each two, in their order.
  static std::vector<Overlap> find(World& world, float depth);
};

}  // namespace rigid

#endif
