// SPDX-License-Identifier: MIT
// Python bindings of the geometry module: masses and decompositions for building worlds, and the
// shape functions alone so that they can be tested without a world.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "aligned.h"
#include "geometry/decompose.h"
#include "geometry/manifold.h"
#include "geometry/mass.h"
#include "geometry/query.h"
#include "geometry/simple_polygon.h"

namespace nb = nanobind;

namespace rigid {

namespace {

using Pair = std::tuple<double, double>;
using Pose = std::tuple<double, double, double>;
using Numbers = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Array = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// The fourth powers of floats must not overflow.
constexpr double largest = 1e9;

double checked(double value, const char* name) {
  if (!(value >= -largest && value <= largest)) {
    refuse(std::string(name) + " must be a finite number within 1e9");
  }
  return value;
}

double checked_positive(double value, const char* name) {
  if (!(checked(value, name) >= 0.0)) refuse(std::string(name) + " must not be negative");
  return value;
}

Vec2 checked_vector(const Pair& pair, const char* name) {
  return {static_cast<float>(checked(std::get<0>(pair), name)),
          static_cast<float>(checked(std::get<1>(pair), name))};
}

nb::object as_array(const nb::object& points) {
  try {
    return nb::module_::import_("numpy").attr("ascontiguousarray")(points, nb::str("float64"));
  } catch (const nb::python_error&) {
    refuse("points must be an array of numbers [n, 2]");
  }
}

// Any input that numpy accepts as an array of numbers, as rows of x and y. A memoryview of such
// rows is used directly, without loading numpy.
Numbers load_points(const nb::object& points) {
  Numbers numbers;
  const bool plain = PyMemoryView_Check(points.ptr()) && nb::try_cast(points, numbers, false);
  if ((!plain && !nb::try_cast(as_array(points), numbers)) || numbers.shape(1) != 2) {
    refuse("points must be an array [n, 2] of x and y");
  }
  require_aligned(numbers);
  return numbers;
}

void check_count(ShapeKind kind, std::size_t count) {
  switch (kind) {
    case ShapeKind::circle:
      if (count != 1) refuse("a circle has 1 point, its centre");
      return;
    case ShapeKind::capsule:
    case ShapeKind::segment:
    case ShapeKind::half_space:
      if (count != 2) refuse("a capsule, a segment or a half-space has 2 points");
      return;
    case ShapeKind::polygon:
      if (count < 3 || count > static_cast<std::size_t>(max_vertices)) {
        refuse("a convex polygon has 3 to 64 points");
      }
      return;
    case ShapeKind::chain_segment:
      if (count != 4) refuse("a chain segment has 4 points: ghost, p1, p2, ghost");
      return;
    case ShapeKind::polygon_part:
      if (count < 9 || count % 3 != 0 || count > static_cast<std::size_t>(3 * max_vertices)) {
        refuse("a part of a polygon has 3 to 64 corners, and two neighbours for each");
      }
      return;
  }
}

// A shape that owns its arrays, as the engine does.
struct OwnedShape {
  Numbers points;
  Vec2 vertices[3 * max_vertices];
  Vec2 normals[max_vertices];
  Vec2 outline[2 * max_vertices];
  Shape shape;

  OwnedShape(const OwnedShape&) = delete;
  OwnedShape(int kind, const nb::object& given, double radius) {
    if (kind < 0 || kind > 6) refuse("the kind of a shape is a number from 0 to 6");
    ShapeKind k = static_cast<ShapeKind>(kind);
    points = load_points(given);
    check_count(k, points.shape(0));
    int count = static_cast<int>(points.shape(0));
    checked_positive(radius, "radius");
    for (int i = 0; i < count; ++i) {
      vertices[i] = {static_cast<float>(checked(points(i, 0), "every coordinate")),
                     static_cast<float>(checked(points(i, 1), "every coordinate"))};
    }
    bool part = k == ShapeKind::polygon_part;
    if (part) {
      k = ShapeKind::polygon;
      count /= 3;
      compute_outline(vertices, count, outline);
    }
    compute_normals(k, vertices, count, normals);
    shape = {k,
             count,
             static_cast<float>(radius),
             vertices,
             normals,
             compute_centroid(k, vertices, count),
             part ? outline : nullptr};
  }
};

Transform load_pose(const Pose& pose) {
  Vec2 p = checked_vector({std::get<0>(pose), std::get<1>(pose)}, "the pose");
  return {p, make_rotation(checked(std::get<2>(pose), "the angle"))};
}

PlanePolygon load_polygon(const nb::object& points) {
  Numbers numbers = load_points(points);
  PlanePolygon polygon(numbers.shape(0));
  for (std::size_t i = 0; i < polygon.size(); ++i) polygon[i] = {numbers(i, 0), numbers(i, 1)};
  return polygon;
}

std::vector<PlanePolygon> load_polygons(const std::vector<nb::object>& all) {
  std::vector<PlanePolygon> polygons;
  for (const nb::object& points : all) polygons.push_back(load_polygon(points));
  return polygons;
}

std::vector<Array> bind_decompose(const nb::object& points, const std::vector<nb::object>& holes) {
  std::vector<Array> result;
  for (const PlanePolygon& part : decompose_polygon(load_polygon(points), load_polygons(holes))) {
    double* data = new double[2 * part.size()];
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    for (std::size_t i = 0; i < part.size(); ++i) {
      data[2 * i] = part[i].x;
      data[2 * i + 1] = part[i].y;
    }
    result.push_back(Array(data, {part.size(), 2}, owner));
  }
  return result;
}

using Mass = std::tuple<double, double, double, double>;

Mass bind_shape_mass(int kind, const nb::object& points, double radius, double density) {
  OwnedShape owned(kind, points, radius);
  checked_positive(density, "density");
  MassData m =
      shape_mass(owned.shape.kind, owned.points.data(), owned.shape.count, radius, density);
  if (m.mass < 0.0 || (m.mass == 0.0 && owned.shape.kind == ShapeKind::polygon && density > 0.0)) {
    refuse("the points of a polygon must go counter-clockwise round an area");
  }
  return {m.mass, m.cx, m.cy, m.inertia};
}

Mass bind_polygon_mass(const nb::object& points, double radius, double density) {
  return bind_shape_mass(static_cast<int>(ShapeKind::polygon), points, radius, density);
}

using Point = std::tuple<double, double, double, int>;

std::tuple<Pair, std::vector<Point>> bind_collide(int kind_a, const nb::object& points_a,
                                                  double radius_a, int kind_b,
                                                  const nb::object& points_b, double radius_b,
                                                  const Pose& pose, double speculative) {
  OwnedShape a(kind_a, points_a, radius_a);
  OwnedShape b(kind_b, points_b, radius_b);
  checked_positive(speculative, "speculative");
  Manifold m = collide(a.shape, b.shape, load_pose(pose), static_cast<float>(speculative));
  std::vector<Point> points;
  for (int i = 0; i < m.count; ++i) {
    const ManifoldPoint& p = m.points[i];
    points.emplace_back(p.point.x, p.point.y, p.separation, p.id);
  }
  return {{m.normal.x, m.normal.y}, points};
}

std::optional<std::tuple<double, double, double>> bind_ray_cast(int kind, const nb::object& points,
                                                                double radius, const Pair& origin,
                                                                const Pair& translation) {
  OwnedShape owned(kind, points, radius);
  float fraction = 0.0f;
  Vec2 normal{0.0f, 0.0f};
  if (!ray_cast(owned.shape, checked_vector(origin, "the origin"),
                checked_vector(translation, "the translation"), fraction, normal)) {
    return std::nullopt;
  }
  return std::tuple{static_cast<double>(fraction), static_cast<double>(normal.x),
                    static_cast<double>(normal.y)};
}

bool bind_contains(int kind, const nb::object& points, double radius, const Pair& point) {
  OwnedShape owned(kind, points, radius);
  return contains_point(owned.shape, checked_vector(point, "the point"));
}

bool bind_overlap(int kind_a, const nb::object& points_a, double radius_a, int kind_b,
                  const nb::object& points_b, double radius_b, const Pose& pose) {
  OwnedShape a(kind_a, points_a, radius_a);
  OwnedShape b(kind_b, points_b, radius_b);
  return overlaps(a.shape, b.shape, load_pose(pose));
}

std::tuple<double, Pair, Pair> bind_distance(int kind_a, const nb::object& points_a,
                                             double radius_a, int kind_b,
                                             const nb::object& points_b, double radius_b,
                                             const Pose& pose) {
  OwnedShape a(kind_a, points_a, radius_a);
  OwnedShape b(kind_b, points_b, radius_b);
  Vec2 p{0.0f, 0.0f};
  Vec2 q{0.0f, 0.0f};
  float d = distance(a.shape, b.shape, load_pose(pose), &p, &q);
  return {d, {p.x, p.y}, {q.x, q.y}};
}

}  // namespace

void bind_geometry(nb::module_& module) {
  using namespace nb::literals;
  module.def("decompose_polygon", &bind_decompose, "points"_a.none(),
             "holes"_a = std::vector<nb::object>());
  module.def(
      "misplaced_hole",
      [](const nb::object& points, const std::vector<nb::object>& holes) {
        for (const nb::object& each : holes) {
          if (load_points(each).shape(0) < 3) refuse("a hole needs at least 3 points");
        }
        return misplaced_hole(load_polygon(points), load_polygons(holes));
      },
      "points"_a.none(), "holes"_a);
  module.def(
      "near_points",
      [](const nb::object& points, double near) {
        return near_points(load_polygon(points), checked(near, "the distance"));
      },
      "points"_a.none(), "near"_a);
  module.def(
      "clashing_edges",
      [](const nb::object& points) { return clashing_edges(load_polygon(points)); },
      "points"_a.none());
  module.def("polygon_mass", &bind_polygon_mass, "points"_a.none(), "radius"_a, "density"_a);
  module.def("shape_mass", &bind_shape_mass, "kind"_a, "points"_a.none(), "radius"_a, "density"_a);
  module.def("collide", &bind_collide, "kind_a"_a, "points_a"_a.none(), "radius_a"_a, "kind_b"_a,
             "points_b"_a.none(), "radius_b"_a, "pose_b_in_a"_a, "speculative"_a);
  module.def("shape_ray_cast", &bind_ray_cast, "kind"_a, "points"_a.none(), "radius"_a, "origin"_a,
             "translation"_a);
  module.def("shape_contains", &bind_contains, "kind"_a, "points"_a.none(), "radius"_a, "point"_a);
  module.def("shapes_overlap", &bind_overlap, "kind_a"_a, "points_a"_a.none(), "radius_a"_a,
             "kind_b"_a, "points_b"_a.none(), "radius_b"_a, "pose_b_in_a"_a);
  module.def("shape_distance", &bind_distance, "kind_a"_a, "points_a"_a.none(), "radius_a"_a,
             "kind_b"_a, "points_b"_a.none(), "radius_b"_a, "pose_b_in_a"_a);
}

}  // namespace rigid
