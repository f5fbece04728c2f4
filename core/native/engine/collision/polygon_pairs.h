// SPDX-License-Identifier: MIT
// Pairs of polygons whose manifolds are found side by side (collision/polygon_kernels.h).
#ifndef RIGID_ENGINE_COLLISION_POLYGON_PAIRS_H
#define RIGID_ENGINE_COLLISION_POLYGON_PAIRS_H

#include "engine/data/body.h"
#include "geometry/manifold.h"
#include "geometry/shape.h"

namespace rigid {

constexpr int most_polygon_pairs = 16;  // the widest lanes

using PairRow = float[most_polygon_pairs];

// A batch of pairs of polygons with at most `corners` corners each, a column per pair. The lanes
// read points, rotations and velocities in place, and `corners` points of each: that many must be
// readable, whichever shapes they belong to.
template <int corners>
struct alignas(64) PolygonPairs {
  struct Polygon {
    const Vec2 *vertices[most_polygon_pairs], *normals[most_polygon_pairs];
    const Body* body[most_polygon_pairs];
    const BodyState* state[most_polygon_pairs];
    PairRow count, radius;
    void set(int column, const Shape& shape, const Body& its_body, const BodyState& its_state) {
      vertices[column] = shape.vertices;
      normals[column] = shape.normals;
      body[column] = &its_body;
      state[column] = &its_state;
      count[column] = static_cast<float>(shape.count);
      radius[column] = shape.radius;
    }
    void copy(int from, int to) {
      vertices[to] = vertices[from];
      normals[to] = normals[from];
      body[to] = body[from];
      state[to] = state[from];
      count[to] = count[from];
      radius[to] = radius[from];
    }
  };
  int used = 0;  // columns
  Polygon a, b;
  PairRow between_x, between_y;  // from A's centre to B's, world axes
  PairRow depth;
  float margin, dt;

  // Unused lanes repeat the first pair.
  void fill_up() {
    for (int i = used; i < most_polygon_pairs; ++i) {
      a.copy(0, i);
      b.copy(0, i);
      between_x[i] = between_x[0];
      between_y[i] = between_y[0];
      depth[i] = depth[0];
    }
  }

  // The result, in world axes from A's centre; for a pair without a point the normal is in A's
  // frame, as in `collide`.
  struct Point {
    PairRow x, y, separation, id;
  };
  PairRow normal_x, normal_y, point_count;
  Point points[2];
  PairRow comes_deeper;  // not 0: a point becomes deeper than `depth` in this step, and none is yet

  Manifold manifold(int i) const {
    auto at = [i](const Point& p) {
      return ManifoldPoint{{p.x[i], p.y[i]}, p.separation[i], static_cast<uint16_t>(p.id[i])};
    };
    return {{normal_x[i], normal_y[i]},
            static_cast<int>(point_count[i]),
            {at(points[0]), at(points[1])}};
  }
};

using BoxPairs = PolygonPairs<4>;
using OctagonPairs = PolygonPairs<8>;

}  // namespace rigid

#endif
