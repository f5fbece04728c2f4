// SPDX-License-Identifier: MIT
// Building a world and taking things out of it, from Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "engine/bind/python_world.h"
#include "engine/bind/read_rows.h"

namespace rigid {

namespace {

// left, bottom, right, top; density, damping, drag
using PoolSides = std::tuple<double, double, double, double, double, double, double>;

WorldDefinition define(Point gravity, double dt, const std::string& solver, int substeps,
                       const std::string& joint_solver, int iterations, bool warm_start,
                       bool position_correction, double correction_rate, double allowed_penetration,
                       bool gravity_friction, const std::string& clamp,
                       const std::string& external_force, double length_unit,
                       double time_per_second, bool sleep, const std::string& friction_mixing,
                       const std::string& restitution_mixing,
                       std::optional<std::tuple<double, double, double, double>> bounds,
                       bool freeze_on_error, Point air, Point attraction,
                       const std::vector<PoolSides>& pools, int max_pairs, int threads, int lanes) {
  auto between = [](double value, double low, double high, const char* what) {
    if (!(value >= low && value <= high)) {
      throw std::invalid_argument(std::string(what) + " is out of its range");
    }
    return value;
  };
  auto mixing = [](const std::string& name) {
    const char* names[] = {"min", "max", "mean", "product", "geometric_mean"};
    for (int i = 0; i < 5; ++i) {
      if (name == names[i]) return static_cast<Mixing>(i);
    }
    throw std::invalid_argument("mixing must be min, max, mean, product or geometric_mean");
  };
  auto one_of_three = [](const std::string& name, const char* what, const char* const(&names)[3]) {
    for (int i = 0; i < 3; ++i) {
      if (name == names[i]) return i;
    }
    throw std::invalid_argument(std::string(what) + " must be " + names[0] + ", " + names[1] +
                                " or " + names[2]);
  };
  WorldDefinition d;
  d.gravity_x = between(gravity.first, -1e9, 1e9, "gravity");
  d.gravity_y = between(gravity.second, -1e9, 1e9, "gravity");
  d.dt = between(dt, 1e-9, 1e9, "dt");
  d.solver = find_solver(solver);
  if (d.solver == nullptr) throw std::invalid_argument("there is no solver " + solver);
  d.substeps = static_cast<int>(between(substeps, 1, 1000, "substeps"));
  if (joint_solver == "direct") {
    d.joints = JointSolver::direct;
  } else if (joint_solver == "iterative") {
    d.joints = JointSolver::iterative;
  } else if (joint_solver != "auto") {
    throw std::invalid_argument("joint_solver must be auto, direct or iterative");
  }
  d.iterations = static_cast<int>(between(iterations, 1, 100000, "iterations"));
  d.warm_start = warm_start;
  d.position_correction = position_correction;
  d.correction_rate = between(correction_rate, 0, 1, "correction_rate");
  d.allowed_penetration = between(allowed_penetration, 0, 1e9, "allowed_penetration");
  d.gravity_friction = gravity_friction;
  d.clamp =
      static_cast<ImpulseClamp>(one_of_three(clamp, "clamp", {"accumulated", "each", "none"}));
  d.external_force = static_cast<ExternalForce>(
      one_of_three(external_force, "external_force", {"before", "between", "after"}));
  d.length_unit = between(length_unit, 1e-6, 1e6, "length_unit");
  d.time_per_second = between(time_per_second, 1e-6, 1e6, "time_per_second");
  d.sleep = sleep;
  d.friction_mixing = mixing(friction_mixing);
  d.restitution_mixing = mixing(restitution_mixing);
  if (bounds) {
    d.has_bounds = true;
    std::tie(d.bounds[0], d.bounds[1], d.bounds[2], d.bounds[3]) = *bounds;
    for (double value : d.bounds) limit(value, "bounds");
  }
  d.freeze_on_error = freeze_on_error;
  d.air_drag = not_negative(air.first, "air");
  d.air_density = not_negative(air.second, "air");
  d.attraction = finite(attraction.first, "attraction");
  d.softening = not_negative(attraction.second, "attraction");
  for (const auto& [left, bottom, right, top, density, damping, drag] : pools) {
    for (double side : {left, bottom, right, top}) finite(side, "a side of a pool");
    d.pools.push_back({left, bottom, right, top, not_negative(density, "density"),
                       not_negative(damping, "damping"), not_negative(drag, "drag")});
  }
  d.max_pairs = static_cast<int>(between(max_pairs, 1, 1e9, "max_pairs"));
  d.threads = static_cast<int>(between(threads, 1, 256, "threads"));
  d.lanes = lanes;
  if (lanes != 0 && !find_kernels(lanes)) {
    throw std::invalid_argument("lanes: this processor runs other widths, see lanes_supported()");
  }
  return d;
}

}  // namespace

void bind_mould(nb::module_& module) {
  nb::class_<Mould>(module, "Mould")
      .def(nb::init<const nb::object&, const nb::object&, const Table&, const nb::object&,
                    const nb::object&>(),
           nb::kw_only(), "bodies"_a, "shapes"_a, "corners"_a, "bars"_a, "points"_a);
}

void bind_building(nb::class_<PyWorld>& type) {
  type.def(
          "__init__",
          [](PyWorld* self, Point gravity, double dt, const std::string& solver, int substeps,
             const std::string& joint_solver, int iterations, bool warm_start,
             bool position_correction, double correction_rate, double allowed_penetration,
             bool gravity_friction, const std::string& clamp, const std::string& external_force,
             double length_unit, double time_per_second, bool sleep,
             const std::string& friction_mixing, const std::string& restitution_mixing,
             std::optional<std::tuple<double, double, double, double>> bounds, bool freeze_on_error,
             Point air, Point attraction, const std::vector<PoolSides>& pools, int max_pairs,
             int threads, int lanes) {
            new (self)
                PyWorld(define(gravity, dt, solver, substeps, joint_solver, iterations, warm_start,
                               position_correction, correction_rate, allowed_penetration,
                               gravity_friction, clamp, external_force, length_unit,
                               time_per_second, sleep, friction_mixing, restitution_mixing, bounds,
                               freeze_on_error, air, attraction, pools, max_pairs, threads, lanes));
          },
          nb::kw_only(), "gravity"_a = Point(0.0, -9.81), "dt"_a = 1.0 / 60,
          "solver"_a = "soft_step", "substeps"_a = 4, "joint_solver"_a = "auto",
          "iterations"_a = 10, "warm_start"_a = true, "position_correction"_a = true,
          "correction_rate"_a = 0.2, "allowed_penetration"_a = 0.01, "gravity_friction"_a = false,
          "clamp"_a = "accumulated", "external_force"_a = "between", "length_unit"_a = 1.0,
          "time_per_second"_a = 1.0, "sleep"_a = true, "friction_mixing"_a = "geometric_mean",
          "restitution_mixing"_a = "max", "bounds"_a = nb::none(), "freeze_on_error"_a = false,
          "air"_a = Point(0.0, 0.0), "attraction"_a = Point(0.0, 0.0),
          "pools"_a = std::vector<PoolSides>(), "max_pairs"_a = 1000000, "threads"_a = 1,
          "lanes"_a = 0)
      .def("add_bodies", add_bodies, "rows"_a)
      .def("add_shapes", add_shapes, "rows"_a, "points"_a)
      .def("add_joints", add_joints, "rows"_a)
      .def("add_points", add_points, "rows"_a)
      .def("add_forces", add_forces, "rows"_a)
      .def("set_bars", set_bars, "rows"_a)
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
      .def("add_fragment", add_fragment, "bodies"_a, "shapes"_a, "corners"_a, "joints"_a,
           "forces"_a, "bars"_a, "points"_a)
      .def("add_copies", add_copies, "mould"_a, "motions"_a, "joints"_a.none(), "forces"_a.none())
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
