// SPDX-License-Identifier: MIT
// The bindings for building a world and removing objects from it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/bind/python_world.h"
#include "engine/bind/read_settings.h"
#include "engine/rows/read_rows.h"

namespace rigid {

void bind_building(nb::class_<PyWorld>& type) {
  type.def("__init__",
           [](PyWorld* self, const nb::kwargs& settings) {
             new (self) PyWorld(read_settings(settings));
           })
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
            std::size_t n = matrix.shape(0);
            if (n != matrix.shape(1) || n > 64) {
              throw std::invalid_argument("the collision matrix must be square, at most 64 x 64");
            }
            std::vector<uint64_t> rows(64, ~uint64_t{0});
            for (std::size_t i = 0; i < n; ++i) {
              for (std::size_t j = 0; j < n; ++j) {
                if (matrix.data()[i * n + j] != matrix.data()[j * n + i]) {
                  throw std::invalid_argument("the collision matrix must be symmetric");
                }
                if (!matrix.data()[i * n + j]) rows[i] &= ~(uint64_t{1} << j);
              }
            }
            world->set_collision_matrix(std::move(rows));
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
