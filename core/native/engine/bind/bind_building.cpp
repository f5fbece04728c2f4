// SPDX-License-Identifier: MIT
// The bindings for building a world and removing objects from it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/bind/python_world.h"
#include "engine/bind/read_settings.h"
#include "engine/bind/row_arrays.h"
#include "engine/building/read_rows.h"

namespace rigid {

namespace {

Corners corners_of(const Table& points) {
  require_aligned(points);
  if (points.shape(1) != 2) throw std::invalid_argument("points must have 2 columns");
  return {points.data(), points.size()};
}

// A method that adds rows of one kind.
template <class R, class Add>
auto adding(Add add) {
  return [add](PyWorld& self, const nb::object& array) {
    Entry world(self);
    return add(*world, Rows<R>(array).get());
  };
}

nb::dict told(const Added& added) {
  nb::dict dict;
  const auto put = [&](const char* name, const auto& numbers) {
    nb::list list;
    for (const auto number : numbers) list.append(number);
    dict[name] = list;
  };
  put("bodies", added.bodies);
  put("joints", added.joints);
  put("forces", added.forces);
  put("points", added.points);
  return dict;
}

nb::dict add_fragment_rows(PyWorld& self, const nb::object& bodies, const nb::object& shapes,
                           const Table& corners, const nb::object& joints, const nb::object& forces,
                           const nb::object& bars, const nb::object& points) {
  Entry world(self);
  const Rows<BodyRow> body_rows(bodies);
  const Rows<ShapeRow> shape_rows(shapes);
  const Rows<JointRow> joint_rows(joints);
  const Rows<ForceRow> force_rows(forces);
  const Rows<BarRow> bar_rows(bars);
  const Rows<PointRow> point_rows(points);
  return told(add_fragment(*world, {body_rows.get(),
                                    shape_rows.get(),
                                    corners_of(corners),
                                    {joint_rows.get(), force_rows.get()},
                                    bar_rows.get(),
                                    point_rows.get()}));
}

// Joints and forces are rows, or both None.
nb::dict add_mould_copies(PyWorld& self, const Mould& mould, const std::vector<Motion>& motions,
                          const nb::object& joints, const nb::object& forces) {
  Entry world(self);
  if (joints.is_none()) return told(add_copies(*world, mould, motions, {}));
  const Rows<JointRow> joint_rows(joints);
  const Rows<ForceRow> force_rows(forces);
  return told(add_copies(*world, mould, motions, {joint_rows.get(), force_rows.get()}));
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
                              corners_of(corners),
                              {},
                              bar_rows.get(),
                              point_rows.get()});
          },
          nb::kw_only(), "bodies"_a, "shapes"_a, "corners"_a, "bars"_a, "points"_a);
}

void bind_building(nb::class_<PyWorld>& type) {
  type.def("__init__",
           [](PyWorld* self, const nb::kwargs& settings) {
             new (self) PyWorld(read_settings(settings));
           })
      .def("add_bodies", adding<BodyRow>(add_bodies), "rows"_a)
      .def(
          "add_shapes",
          [](PyWorld& self, const nb::object& rows, const Table& points) {
            Entry world(self);
            return add_shapes(*world, Rows<ShapeRow>(rows).get(), corners_of(points));
          },
          "rows"_a, "points"_a)
      .def("add_joints", adding<JointRow>(add_joints), "rows"_a)
      .def("add_points", adding<PointRow>(add_points), "rows"_a)
      .def("add_forces", adding<ForceRow>(add_forces), "rows"_a)
      .def("set_bars", adding<BarRow>(set_bars), "rows"_a)
      .def(
          "set_force",
          [](PyWorld& self, int index, double x, double y, double torque, bool enabled) {
            Entry world(self);
            check_index(index, world->parts().forces.count(), "force");
            if (!world->parts().forces.all()[index].alive) throw Unusable("this force was removed");
            world->set_force(index, static_cast<float>(finite(x, "x")),
                             static_cast<float>(finite(y, "y")),
                             static_cast<float>(finite(torque, "torque")), enabled);
          },
          "index"_a, "x"_a, "y"_a, "torque"_a, "enabled"_a)
      .def(
          "force_state",
          [](PyWorld& self, int index) {
            Entry world(self);
            check_index(index, world->parts().forces.count(), "force");
            const ForceSource& source = world->parts().forces.all()[index];
            return nb::make_tuple(source.x, source.y, source.torque, source.enabled);
          },
          "index"_a)
      .def(
          "set_spring",
          [](PyWorld& self, int64_t joint, int kind, double first, double second) {
            Entry world(self);
            world->set_joint(joint_slot(*world, joint),
                             {.spring = read_spring(kind, first, second, "spring ")});
          },
          "joint"_a, "kind"_a, "first"_a, "second"_a)
      .def(
          "set_limits",
          [](PyWorld& self, int64_t joint, double lower, double upper) {
            Entry world(self);
            const JointChange::Limits limits{static_cast<float>(limit(lower, "lower")),
                                             static_cast<float>(limit(upper, "upper"))};
            world->set_joint(joint_slot(*world, joint), {.limits = limits});
          },
          "joint"_a, "lower"_a, "upper"_a)
      .def(
          "set_joint_target",
          [](PyWorld& self, int64_t joint, double x, double y) {
            Entry world(self);
            const int slot = joint_slot(*world, joint);
            if (world->parts().joints[slot].kind != JointKind::mouse) {
              throw std::invalid_argument("only a mouse has a target");
            }
            world->set_joint(slot, {.target = Double2{finite(x, "x"), finite(y, "y")}});
          },
          "joint"_a, "x"_a, "y"_a)
      .def(
          "set_collision_matrix",
          [](PyWorld& self, const BoolTable& matrix) {
            Entry world(self);
            world->set_collision_matrix(
                read_collision_matrix({matrix.data(), matrix.size()}, matrix.shape(0)));
          },
          "matrix"_a)
      .def(
          "ignore_pairs",
          [](PyWorld& self, const IntTable& pairs) {
            Entry world(self);
            require_aligned(pairs);
            if (pairs.shape(1) != 2) throw std::invalid_argument("pairs must have 2 columns");
            for (std::size_t i = 0; i < pairs.size(); ++i) {
              body_slot(*world, pairs.data()[i]);
            }
            for (std::size_t i = 0; i < pairs.shape(0); ++i) {
              world->ignore_pair(pairs.data()[2 * i], pairs.data()[2 * i + 1]);
            }
          },
          "bodies"_a)
      .def("finish", [](PyWorld& self) { Entry(self)->finish(); })
      .def(
          "next_bodies",
          [](PyWorld& self, int count) {
            return Entry(self)->parts().bodies.slots.next(whole(count, 0, 1 << 24, "count"));
          },
          "count"_a)
      .def(
          "next_joints",
          [](PyWorld& self, int count) {
            return Entry(self)->parts().joints.slots().next(whole(count, 0, 1 << 24, "count"));
          },
          "count"_a)
      .def("add_fragment", add_fragment_rows, "bodies"_a, "shapes"_a, "corners"_a, "joints"_a,
           "forces"_a, "bars"_a, "points"_a)
      .def("add_copies", add_mould_copies, "mould"_a, "motions"_a, "joints"_a.none(),
           "forces"_a.none())
      .def("keep_slots", [](PyWorld& self) { Entry(self)->keep_slots(); })
      .def(
          "remove_body",
          [](PyWorld& self, int64_t body) {
            Entry world(self);
            world->remove_body(body_slot(*world, body, 1));
          },
          "body"_a)
      .def(
          "remove_joint",
          [](PyWorld& self, int64_t joint) {
            Entry world(self);
            world->remove_joint(joint_slot(*world, joint));
          },
          "joint"_a)
      .def(
          "break_joint",
          [](PyWorld& self, int64_t joint) {
            Entry world(self);
            world->set_joint(joint_slot(*world, joint), {.breaks = true});
          },
          "joint"_a)
      .def(
          "remove_force",
          [](PyWorld& self, int index) {
            Entry world(self);
            check_index(index, world->parts().forces.count(), "force");
            world->remove_force(index);
          },
          "index"_a)
      .def(
          "has_body",
          [](PyWorld& self, int64_t body) { return Entry(self)->parts().bodies.find(body) >= 0; },
          "body"_a)
      .def(
          "has_joint",
          [](PyWorld& self, int64_t joint) { return Entry(self)->parts().joints.find(joint) >= 0; },
          "joint"_a)
      .def_prop_ro("removals", [](PyWorld& self) {
        Entry world(self);
        return world->parts().bodies.removals + world->parts().joints.removals();
      });
}

}  // namespace rigid
