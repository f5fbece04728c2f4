// SPDX-License-Identifier: MIT
// The arrays of shapes: plain data, one entry for each shape, and their points in one array.
#ifndef RIGID_ENGINE_DATA_SHAPES_H
#define RIGID_ENGINE_DATA_SHAPES_H

#include <vector>

#include "engine/data/archive.h"
#include "engine/data/bodies.h"
#include "engine/data/shape_list.h"
#include "engine/data/slots.h"
#include "engine/data/world_shape.h"
#include "geometry/shape.h"

namespace rigid {

struct Shapes {
  std::vector<WorldShape> all;
  std::vector<double> given_points;     // body coordinates, x y
  std::vector<Vec2> vertices, normals;  // from the centre of mass
  std::vector<ShapeList> of_body;
  Slots slots;
  Runs runs;                // of points
  bool may_bounce = false;  // a shape has restitution, or had

  int add(const WorldShape& shape, const double* points, Place place);
  // The shape must have no contacts.
  void remove(int i);

  WorldShape& operator[](std::size_t i) { return all[i]; }
  const WorldShape& operator[](std::size_t i) const { return all[i]; }
  std::size_t size() const { return all.size(); }
  int count() const { return static_cast<int>(all.size()); }

  template <class Archive>
  void list(Archive& a) {
    put(a, all, given_points, vertices, normals, of_body, slots, runs, may_bounce);
  }
  // Throws DamagedState if the values read are invalid.
  void check(const Bodies& bodies) const;

  // The shape as the geometry reads it.
  Shape view(const WorldShape& shape) const {
    return {shape.kind,
            shape.count,
            shape.radius,
            vertices.data() + shape.first_vertex,
            normals.data() + shape.first_vertex,
            shape.centroid,
            shape.part ? normals.data() + shape.first_vertex + shape.count : nullptr};
  }
};

}  // namespace rigid

#endif
