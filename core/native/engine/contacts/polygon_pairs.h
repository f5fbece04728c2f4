// Pairs of polygons whose manifolds are found side by side (contacts/polygon_kernels.h).
#ifndef RIGID_ENGINE_CONTACTS_POLYGON_PAIRS_H
#define RIGID_ENGINE_CONTACTS_POLYGON_PAIRS_H

#include <algorithm>

#include "engine/bodies/body.h"
#include "geometry/manifold.h"
#include "geometry/shape.h"

namespace rigid {

constexpr int most_polygon_pairs = 16;  // the widest lanes there are

using PairRow = float[most_polygon_pairs];
using PairPoints = Vec2[most_polygon_pairs];

// Up to so many pairs of polygons of at most `corners` corners each, a column a pair. Rows are what
// the lanes hold; corners that a polygon does not have repeat its last one.
template <int corners>
struct alignas(64) PolygonPairs {
  struct Polygon {
    PairPoints vertices[corners], normals[corners];
    PairRow count, radius;
    PairPoints rotation, velocity;  // of the body: cosine and sine of its angle
    PairRow spin;
  };
  Polygon a, b;
  PairPoints between;  // from A's centre to B's, world axes
  PairRow margin, depth;
  float dt;

  // What comes out, in world axes from A's centre; of a pair without a point the normal is in A's
  // frame, as `collide` has it.
  struct Point {
    PairRow x, y, separation, id;
  };
  PairRow normal_x, normal_y, point_count;
  Point points[2];
  PairRow comes_deeper;  // not 0: a point comes deeper than `depth` in this step, and none is yet

  static void set(Polygon& polygon, int column, const Shape& shape, Rotation rotation,
                  const BodyState& state) {
    for (int i = 0; i < corners; ++i) {
      const int from = std::min(i, shape.count - 1);
      polygon.vertices[i][column] = shape.vertices[from];
      polygon.normals[i][column] = shape.normals[from];
    }
    polygon.rotation[column] = {rotation.c, rotation.s};
    polygon.velocity[column] = {state.vx, state.vy};
    polygon.spin[column] = state.omega;
    polygon.count[column] = static_cast<float>(shape.count);
    polygon.radius[column] = shape.radius;
  }

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
