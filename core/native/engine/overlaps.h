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

// Which bodies overlap by more than `depth` where they are, of those that may touch; the deepest
// contact of each two, in their order.
std::vector<Overlap> find_overlaps(World& world, float depth);

}  // namespace rigid

#endif
