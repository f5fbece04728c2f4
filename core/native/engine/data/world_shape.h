// SPDX-License-Identifier: MIT
// The data of a shape in a world.
#ifndef RIGID_ENGINE_DATA_WORLD_SHAPE_H
#define RIGID_ENGINE_DATA_WORLD_SHAPE_H

#include "engine/data/kinds.h"
#include "geometry/shape.h"
#include "math.h"

namespace rigid {

struct WorldShape {
  int body = 0;
  ShapeKind kind = ShapeKind::circle;
  int first_vertex = 0, count = 0;
  float radius = 0;
  float density = 1, friction = 0.6f, restitution = 0, rolling_resistance = 0, tangent_speed = 0;
  bool sensor = false, alive = true;
  bool part = false;  // of a larger polygon: count corners, then 2 count points of its outline
  BodyKind body_kind = BodyKind::fixed;  // the body's, where the pair search has it at hand
  int category = 0;
  int proxy = -1, kinematic_proxy = -1;
  int link = -1;       // of a chain (contacts/chains.h)
  Vec2 one_way{0, 0};  // solid towards it, in the body's axes; zero: towards all sides
  Vec2 centroid{0, 0};
  float core_extent = 0;  // farthest point of its core from the centre of mass
  float thickness = 0;    // from the centroid to the nearest point of its surface
  Aabb fat{};
  float slack = 0;  // so far may any point of it still move without leaving `fat`
  bool is_one_way() const { return one_way.x != 0 || one_way.y != 0; }
};

// How many points it has in all.
inline int vertex_count(const WorldShape& shape) {
  return shape.part ? 3 * shape.count : shape.count;
}

}  // namespace rigid

#endif
