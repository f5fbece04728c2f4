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
  bool part = false;  // a part of a larger polygon: count corners, then 2 count points of its
                      // outline
  BodyKind body_kind = BodyKind::fixed;  // the body's, copied for the pair search
  int category = 0;
  int proxy = -1, kinematic_proxy = -1;
  int link = -1;       // of a chain (contacts/chains.h)
  Vec2 one_way{0, 0};  // solid direction, in the body's axes; zero: all directions
  Vec2 centroid{0, 0};
  float core_extent = 0;  // farthest point of its core from the centre of mass
  float thickness = 0;    // from the centroid to the nearest point of its surface
  Aabb fat{};
  float slack = 0;  // distance that any point of it may still move without leaving `fat`
  bool is_one_way() const { return one_way.x != 0 || one_way.y != 0; }
};

// The number of its points.
inline int vertex_count(const WorldShape& shape) {
  return shape.part ? 3 * shape.count : shape.count;
}

}  // namespace rigid

#endif
