// SPDX-License-Identifier: MIT
// Search for bodies that overlap before a step.
#ifndef RIGID_ENGINE_OVERLAPS_H
#define RIGID_ENGINE_OVERLAPS_H

#include <vector>

#include "engine/world.h"

namespace rigid {

struct Overlap {
  int body_a, body_b;
  double depth;
};

// Finds pairs of bodies that may touch and overlap by more than `depth` at their places; returns
// the deepest contact of each pair, in their order.
std::vector<Overlap> find_overlaps(World& world, float depth);

}  // namespace rigid

#endif
