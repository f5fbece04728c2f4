// SPDX-License-Identifier: MIT
// Queries by rays and overlaps. Results are in the order of the shapes, for any form of the tree.
#ifndef RIGID_ENGINE_QUERIES_QUERIES_H
#define RIGID_ENGINE_QUERIES_QUERIES_H

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/broadphase/broadphase.h"
#include "engine/data/bodies.h"
#include "engine/data/shapes.h"

namespace rigid {

struct RayHit {
  int body, shape;
  float fraction;
  double x, y;
  Vec2 normal;
};

// `mask` has a bit for each category.
bool ray_cast(const Bodies& bodies, const Shapes& shapes, const Broadphase& broadphase, double ox,
              double oy, double tx, double ty, uint64_t mask, RayHit& hit);
// All shapes that the ray meets, by distance, at equal distances the lower index first.
std::vector<RayHit> ray_hits(const Bodies& bodies, const Shapes& shapes,
                             const Broadphase& broadphase, double ox, double oy, double tx,
                             double ty, uint64_t mask);
std::vector<std::pair<int, int>> overlap_shape(const Bodies& bodies, const Shapes& shapes,
                                               const Broadphase& broadphase, const Shape& query,
                                               double x, double y, uint64_t mask);
// Those without sensors that overlap a convex one with these corners, at the place (x, y).
std::vector<std::pair<int, int>> overlap_solids(const Bodies& bodies, const Shapes& shapes,
                                                const Broadphase& broadphase,
                                                std::span<const Vec2> corners, float radius,
                                                double x, double y, uint64_t mask);

}  // namespace rigid

#endif
