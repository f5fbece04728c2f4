// SPDX-License-Identifier: MIT
// The bindings for adding rows to a world.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "engine/bind/python_world.h"
#include "engine/bind/row_arrays.h"
#include "engine/rows/add_rows.h"

namespace rigid {

namespace {

std::span<const double> numbers_of(const Table& points) {
  require_aligned(points);
  if (points.shape(1) != 2) throw std::invalid_argument("points must have 2 columns");
  return {points.data(), points.size()};
}

nb::dict as_dict(const AddedObjects& added) {
  auto listed = [](const auto& numbers) {
    nb::list all;
    for (const auto number : numbers) all.append(number);
    return all;
  };
  nb::dict lists;
  lists["bodies"] = listed(added.bodies);
  lists["joints"] = listed(added.joints);
  lists["forces"] = listed(added.forces);
  lists["points"] = listed(added.points);
  return lists;
}

template <class R, class Add>
auto adding(Add add) {
  return [add](PyWorld& self, const nb::object& array) {
    Entry world(self);
    return add(*world, Rows<R>(array).get());
  };
}

nb::dict add_python_fragment(PyWorld& self, const nb::object& bodies, const nb::object& shapes,
                             const Table& corners, const nb::object& joints,
                             const nb::object& forces, const nb::object& bars,
                             const nb::object& points) {
  Entry world(self);
  const Rows<BodyRow> body_rows(bodies);
  const Rows<ShapeRow> shape_rows(shapes);
  const Rows<JointRow> joint_rows(joints);
  const Rows<ForceRow> force_rows(forces);
  const Rows<BarRow> bar_rows(bars);
  const Rows<PointRow> point_rows(points);
  return as_dict(add_fragment(*world, {body_rows.get(),
                                       shape_rows.get(),
                                       numbers_of(corners),
                                       {joint_rows.get(), force_rows.get()},
                                       bar_rows.get(),
                                       point_rows.get()}));
}

nb::dict add_python_copies(PyWorld& self, const Mould& mould, const std::vector<Motion>& motions,
                           const nb::object& joints, const nb::object& forces) {
  Entry world(self);
  std::optional<Rows<JointRow>> joint_rows;
  std::optional<Rows<ForceRow>> force_rows;
  LinkRows links;
  if (!joints.is_none()) {
    links = {joint_rows.emplace(joints).get(), force_rows.emplace(forces).get()};
  }
  return as_dict(add_copies(*world, mould, motions, links));
}

}  // namespace

void bind_mould(nb::module_& module) {
  nb::class_<Mould>(module, "Mould")
      .def(
          "__init__",
          [](Mould* self, const nb::object& bodies, const nb::object& shapes, const Table& corners,
             const nb::object& bars, const nb::object& points) {
            const Rows<BodyRow> body_rows(bodies);
            const Rows<ShapeRow> shape_rows(shapes);
            const Rows<BarRow> bar_rows(bars);
            const Rows<PointRow> point_rows(points);
            new (self) Mould({body_rows.get(),
                              shape_rows.get(),
                              numbers_of(corners),
                              {},
                              bar_rows.get(),
                              point_rows.get()});
          },
          nb::kw_only(), "bodies"_a, "shapes"_a, "corners"_a, "bars"_a, "points"_a);
}

void bind_adding(nb::class_<PyWorld>& type) {
  type.def("add_bodies", adding<BodyRow>(add_bodies), "rows"_a)
      .def(
          "add_shapes",
          [](PyWorld& self, const nb::object& array, const Table& points) {
            Entry world(self);
            return add_shapes(*world, Rows<ShapeRow>(array).get(), numbers_of(points));
          },
          "rows"_a, "points"_a)
      .def("add_joints", adding<JointRow>(add_joints), "rows"_a)
      .def("add_points", adding<PointRow>(add_points), "rows"_a)
      .def("add_forces", adding<ForceRow>(add_forces), "rows"_a)
      .def("set_bars", adding<BarRow>(set_bars), "rows"_a)
      .def("add_fragment", add_python_fragment, "bodies"_a, "shapes"_a, "corners"_a, "joints"_a,
           "forces"_a, "bars"_a, "points"_a)
      .def("add_copies", add_python_copies, "mould"_a, "motions"_a, "joints"_a.none(),
           "forces"_a.none());
}

}  // namespace rigid
