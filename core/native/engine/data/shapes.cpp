// SPDX-License-Identifier: MIT
// Addition and removal of entries in the arrays of shapes.
#include "engine/data/shapes.h"

#include <algorithm>

namespace rigid {

int Shapes::add(const WorldShape& given, const double* points, Place place) {
  const int index = slots.take(place);
  if (index == count()) {
    all.emplace_back();
  }
  WorldShape& shape = all[index] = given;
  may_bounce |= given.restitution != 0.0f;
  const int count = vertex_count(shape), end = static_cast<int>(vertices.size());
  shape.first_vertex = runs.take(count, end, place);
  if (shape.first_vertex == end) {
    given_points.resize(2 * static_cast<std::size_t>(end + count));
    vertices.resize(end + count);
    normals.resize(end + count);
  }
  std::copy(points, points + 2 * count, given_points.begin() + 2 * shape.first_vertex);
  of_body[shape.body].push_back(index);
  return index;
}

void Shapes::remove(int i) {
  WorldShape& shape = all[i];
  runs.give_back(shape.first_vertex, vertex_count(shape));
  shape = WorldShape{};
  shape.alive = false;
  shape.count = 1;
  slots.give_back(i);
}

}  // namespace rigid
