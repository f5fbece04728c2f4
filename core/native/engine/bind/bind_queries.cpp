// SPDX-License-Identifier: MIT
// The bindings of rays and overlaps.
#include "engine/bind/python_world.h"
#include "engine/queries/queries.h"

namespace rigid {

namespace {

constexpr uint64_t everything = ~uint64_t{0};

nb::ndarray<nb::numpy, int32_t> pairs_array(const std::vector<std::pair<int, int>>& pairs) {
  auto* data = new int32_t[pairs.size() * 2 + 1];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    data[2 * i] = pairs[i].first;
    data[2 * i + 1] = pairs[i].second;
  }
  return make_array(data, pairs.size(), 2);
}

// A convex shape of these corners; `normals` has room for as many.
Shape shape_of(const Vec2* vertices, int count, float radius, Vec2* normals) {
  ShapeKind kind = count == 1   ? ShapeKind::circle
                   : count == 2 ? ShapeKind::capsule
                                : ShapeKind::polygon;
  compute_normals(kind, vertices, count, normals);
  return {kind, count, radius, vertices, normals, compute_centroid(kind, vertices, count)};
}

nb::ndarray<nb::numpy, int32_t> overlap(PyWorld& self, const Vec2* vertices, int count,
                                        float radius, double x, double y, uint64_t mask) {
  Entry world(self);
  const Broadphase& broadphase = world->refreshed_broadphase();
  Vec2 normals[max_vertices];
  Shape shape = shape_of(vertices, count, radius, normals);
  return pairs_array(
      overlap_shape(world->parts().bodies, world->parts().shapes, broadphase, shape, x, y, mask));
}

// The shapes that overlap a convex one with these corners, at the place (x, y), without sensors.
std::vector<std::pair<int, int>> solid_overlaps(PyWorld& self, const Table& points, double radius,
                                                Point place, uint64_t mask) {
  if (points.shape(0) < 1 || points.shape(0) > max_vertices || points.shape(1) != 2) {
    throw std::invalid_argument("points must be [1 to 64, 2]");
  }
  Vec2 vertices[max_vertices];
  const int count = static_cast<int>(points.shape(0));
  for (int i = 0; i < count; ++i) {
    vertices[i] = {static_cast<float>(finite(points(i, 0), "points")),
                   static_cast<float>(finite(points(i, 1), "points"))};
  }
  Entry world(self);
  const Broadphase& broadphase = world->refreshed_broadphase();
  const WorldParts& parts = world->parts();
  return overlap_solids(parts.bodies, parts.shapes, broadphase, std::span(vertices, count),
                        static_cast<float>(not_negative(radius, "radius")),
                        finite(place.first, "place"), finite(place.second, "place"), mask);
}

nb::tuple hit_tuple(const RayHit& hit) {
  return nb::make_tuple(hit.body, hit.shape, static_cast<double>(hit.fraction), hit.x, hit.y,
                        static_cast<double>(hit.normal.x), static_cast<double>(hit.normal.y));
}

void check_ray(Point origin, Point translation) {
  finite(origin.first, "origin");
  finite(origin.second, "origin");
  finite(translation.first, "translation");
  finite(translation.second, "translation");
}

}  // namespace

void bind_queries(nb::class_<PyWorld>& type) {
  type.def(
          "ray_cast",
          [](PyWorld& self, Point origin, Point translation, uint64_t mask) -> nb::object {
            Entry world(self);
            const Broadphase& broadphase = world->refreshed_broadphase();
            check_ray(origin, translation);
            RayHit hit{};
            if (!ray_cast(world->parts().bodies, world->parts().shapes, broadphase, origin.first,
                          origin.second, translation.first, translation.second, mask, hit)) {
              return nb::none();
            }
            return hit_tuple(hit);
          },
          "origin"_a, "translation"_a, "category_mask"_a = everything)
      .def(
          "ray_hits",
          [](PyWorld& self, Point origin, Point translation, uint64_t mask) {
            Entry world(self);
            const Broadphase& broadphase = world->refreshed_broadphase();
            check_ray(origin, translation);
            nb::list found;
            for (const RayHit& hit :
                 ray_hits(world->parts().bodies, world->parts().shapes, broadphase, origin.first,
                          origin.second, translation.first, translation.second, mask)) {
              found.append(hit_tuple(hit));
            }
            return found;
          },
          "origin"_a, "translation"_a, "category_mask"_a = everything)
      .def(
          "overlap_box",
          [](PyWorld& self, Point lower, Point upper, uint64_t mask) {
            for (double v : {lower.first, lower.second, upper.first, upper.second}) {
              finite(v, "box");
            }
            double cx = 0.5 * (lower.first + upper.first), cy = 0.5 * (lower.second + upper.second);
            float w = static_cast<float>(std::fabs(upper.first - lower.first) * 0.5);
            float h = static_cast<float>(std::fabs(upper.second - lower.second) * 0.5);
            Vec2 v[4] = {{-w, -h}, {w, -h}, {w, h}, {-w, h}};
            return overlap(self, v, 4, 0.0f, cx, cy, mask);
          },
          "lower"_a, "upper"_a, "category_mask"_a = everything)
      .def(
          "overlap_circle",
          [](PyWorld& self, Point center, double radius, uint64_t mask) {
            Vec2 v = {0, 0};
            return overlap(self, &v, 1, static_cast<float>(not_negative(radius, "radius")),
                           finite(center.first, "center"), finite(center.second, "center"), mask);
          },
          "center"_a, "radius"_a, "category_mask"_a = everything)
      .def(
          "overlap_point",
          [](PyWorld& self, Point point, uint64_t mask) {
            Vec2 v = {0, 0};
            return overlap(self, &v, 1, 0.0f, finite(point.first, "point"),
                           finite(point.second, "point"), mask);
          },
          "point"_a, "category_mask"_a = everything)
      .def(
          "overlap_convex",
          [](PyWorld& self, const Table& points, double radius, Point place, uint64_t mask) {
            return pairs_array(solid_overlaps(self, points, radius, place, mask));
          },
          "points"_a, "radius"_a, "place"_a, "category_mask"_a = everything)
      .def(
          "is_taken",
          [](PyWorld& self, const Table& points, double radius, Point place) {
            return !solid_overlaps(self, points, radius, place, everything).empty();
          },
          "points"_a, "radius"_a, "place"_a);
}

}  // namespace rigid
