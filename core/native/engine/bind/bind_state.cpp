// SPDX-License-Identifier: MIT
// The bindings for reading and changing a running world.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "engine/bind/python_world.h"
#include "engine/bind/row_arrays.h"
#include "engine/bodies/readings.h"
#include "engine/contacts/contact_row.h"

namespace rigid {

namespace {

// A read-only view of one member of an array of structs; the storage lives as long as the view.
template <class T, class Element>
nb::ndarray<nb::numpy, const T> view(const SharedArray<Element>& array, const T* first) {
  auto* keep = new std::shared_ptr<Element[]>(array.storage());
  nb::capsule owner(keep,
                    [](void* p) noexcept { delete static_cast<std::shared_ptr<Element[]>*>(p); });
  return nb::ndarray<nb::numpy, const T>(first, {array.size()}, owner,
                                         {static_cast<int64_t>(sizeof(Element) / sizeof(T))});
}

template <class T, class Element>
auto member(SharedArray<Element> Bodies::* array, T Element::* field) {
  return [array, field](PyWorld& self) {
    Entry world(self);
    world->finish();
    const auto& storage = world->parts().bodies.*array;
    return view<T>(storage, &(storage.data()->*field));
  };
}

template <class T>
auto whole_array(SharedArray<T> Bodies::* array) {
  return [array](PyWorld& self) {
    Entry world(self);
    world->finish();
    const auto& storage = world->parts().bodies.*array;
    return view<T>(storage, storage.data());
  };
}

// One property of a body, or of all its shapes, by its name in a scene.
BodyChange read_change(const std::string& what, double value) {
  const float checked = static_cast<float>(finite(value, what));
  const auto positive = [&] { return static_cast<float>(not_negative(value, what)); };
  if (what == "gravity_scale") return {.gravity_scale = checked};
  if (what == "linear_damping") return {.linear_damping = positive()};
  if (what == "angular_damping") return {.angular_damping = positive()};
  if (what == "friction") return {.friction = positive()};
  if (what == "restitution") return {.restitution = positive()};
  if (what == "rolling_resistance") return {.rolling_resistance = positive()};
  if (what == "tangent_speed") return {.tangent_speed = checked};
  if (what == "category") return {.category = whole(value, 0, 63, what)};
  if (what == "type") return {.kind = static_cast<BodyKind>(whole(value, 0, 2, what))};
  if (what == "collide") return {.collides = whole(value, 0, 1, what) != 0};
  throw std::invalid_argument("a body has no " + what + " to be set");
}

using Coordinate = std::optional<double>;

// A push at a point, or at the centre of mass, where it causes no torque.
Push push_at(World& world, Push::Kind kind, int index, Vec2 along, Coordinate x, Coordinate y) {
  const Body& body = world.parts().bodies[index];
  return {kind, index, along, x ? finite(*x, "px") : body.center_x,
          y ? finite(*y, "py") : body.center_y};
}

nb::object contacts(PyWorld& self) {
  Entry world(self);
  const std::vector<int> touching = world->parts().contacts.touching();
  std::size_t count = 0;
  for (int index : touching) count += world->parts().contacts.all()[index].count;
  const double per_dt = 1.0 / world->parts().definition.dt;
  return new_rows<ContactRow>(count, [&](std::span<ContactRow> rows) {
    std::size_t next = 0;
    for (int index : touching) {
      const Contact& c = world->parts().contacts.all()[index];
      for (int k = 0; k < c.count; ++k) {
        rows[next++] = contact_row(world->parts().bodies, c, k, per_dt);
      }
    }
  });
}

nb::object joint_states(PyWorld& self) {
  Entry world(self);
  world->finish();
  return new_rows<JointStateRow>(world->parts().joints.count(), [&](std::span<JointStateRow> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i] = joint_state(world->parts().joints[i], world->parts().bodies, world->parts().clock);
  });
}

}  // namespace

void bind_state(nb::class_<PyWorld>& type) {
  auto body_of = [](World& world, int64_t body) { return body_slot(world, body); };
  type.def_prop_ro("x", whole_array<double>(&Bodies::x), nb::rv_policy::reference)
      .def_prop_ro("y", whole_array<double>(&Bodies::y), nb::rv_policy::reference)
      .def_prop_ro("angle", whole_array<double>(&Bodies::angle), nb::rv_policy::reference)
      .def_prop_ro("mass", whole_array<float>(&Bodies::mass), nb::rv_policy::reference)
      .def_prop_ro("inertia", whole_array<float>(&Bodies::inertia), nb::rv_policy::reference)
      .def_prop_ro("awake", whole_array<uint8_t>(&Bodies::awake), nb::rv_policy::reference)
      .def_prop_ro("alive", whole_array<uint8_t>(&Bodies::alive), nb::rv_policy::reference)
      .def_prop_ro("vx", member(&Bodies::states, &BodyState::vx), nb::rv_policy::reference)
      .def_prop_ro("vy", member(&Bodies::states, &BodyState::vy), nb::rv_policy::reference)
      .def_prop_ro("omega", member(&Bodies::states, &BodyState::omega), nb::rv_policy::reference)
      .def(
          "center_of_mass",
          [](PyWorld& self, int slot) {
            Entry world(self);
            world->finish();
            Vec2 c = world->parts()
                         .bodies[check_index(slot, world->parts().bodies.count(), "body")]
                         .local_center;
            return std::make_pair(static_cast<double>(c.x), static_cast<double>(c.y));
          },
          "slot"_a)
      .def(
          "set_pose",
          [](PyWorld& self, int64_t body, double x, double y, double angle) {
            Entry world(self);
            world->set_pose(body_slot(*world, body, 1), finite(x, "x"), finite(y, "y"),
                            finite(angle, "angle"));
          },
          "body"_a, "x"_a, "y"_a, "angle"_a)
      .def(
          "read_body",
          [](PyWorld& self, int64_t body, int number) -> nb::object {
            Entry world(self);
            const Bodies& bodies = world->parts().bodies;
            const int i = bodies.find(body);
            if (i < 0) return nb::none();
            const BodyState& state = bodies.states[i];
            const double values[] = {bodies.x[i], bodies.y[i], bodies.angle[i], state.vx,
                                     state.vy,    state.omega, bodies.mass[i],  bodies.inertia[i]};
            return nb::float_(values[whole(number, 0, 7, "number")]);
          },
          "body"_a, "number"_a)
      .def(
          "set_velocity",
          [body_of](PyWorld& self, int64_t body, double vx, double vy, double omega) {
            Entry world(self);
            world->set_velocity(body_of(*world, body), static_cast<float>(finite(vx, "vx")),
                                static_cast<float>(finite(vy, "vy")),
                                static_cast<float>(finite(omega, "omega")));
          },
          "body"_a, "vx"_a, "vy"_a, "omega"_a)
      .def(
          "apply_force",
          [body_of](PyWorld& self, int64_t body, double fx, double fy, Coordinate px,
                    Coordinate py) {
            Entry world(self);
            Vec2 force = {static_cast<float>(finite(fx, "fx")),
                          static_cast<float>(finite(fy, "fy"))};
            world->apply(push_at(*world, Push::Kind::force, body_of(*world, body), force, px, py));
          },
          "body"_a, "fx"_a, "fy"_a, "px"_a = nb::none(), "py"_a = nb::none())
      .def(
          "apply_torque",
          [body_of](PyWorld& self, int64_t body, double torque) {
            Entry world(self);
            world->apply({.kind = Push::Kind::torque,
                          .body = body_of(*world, body),
                          .turn = static_cast<float>(finite(torque, "torque"))});
          },
          "body"_a, "torque"_a)
      .def(
          "apply_impulse",
          [body_of](PyWorld& self, int64_t body, double jx, double jy, Coordinate px,
                    Coordinate py) {
            Entry world(self);
            Vec2 impulse = {static_cast<float>(finite(jx, "jx")),
                            static_cast<float>(finite(jy, "jy"))};
            world->apply(
                push_at(*world, Push::Kind::impulse, body_of(*world, body), impulse, px, py));
          },
          "body"_a, "jx"_a, "jy"_a, "px"_a = nb::none(), "py"_a = nb::none())
      .def(
          "apply_angular_impulse",
          [body_of](PyWorld& self, int64_t body, double impulse) {
            Entry world(self);
            world->apply({.kind = Push::Kind::angular_impulse,
                          .body = body_of(*world, body),
                          .turn = static_cast<float>(finite(impulse, "impulse"))});
          },
          "body"_a, "impulse"_a)
      .def(
          "set_awake",
          [body_of](PyWorld& self, int64_t body, bool awake) {
            Entry world(self);
            world->set_body(body_of(*world, body), {.awake = awake});
          },
          "body"_a, "awake"_a)
      .def(
          "set_body",
          [](PyWorld& self, int64_t body, const std::string& what, double value) {
            Entry world(self);
            world->set_body(body_slot(*world, body, 1), read_change(what, value));
          },
          "body"_a, "what"_a, "value"_a)
      .def(
          "set_gravity",
          [](PyWorld& self, double x, double y) {
            Entry(self)->set_world({.gravity = Double2{finite(x, "x"), finite(y, "y")}});
          },
          "x"_a, "y"_a)
      .def(
          "body_type",
          [](PyWorld& self, int slot) {
            Entry world(self);
            const int index = check_index(slot, world->parts().bodies.count(), "body");
            return static_cast<int>(world->parts().bodies[index].kind);
          },
          "slot"_a)
      .def(
          "body_settings",
          [](PyWorld& self, int slot) {
            Entry world(self);
            const int index = check_index(slot, world->parts().bodies.count(), "body");
            const Body& body = world->parts().bodies[index];
            nb::list shapes;
            for (int i : world->parts().shapes.of_body[index]) {
              const WorldShape& shape = world->parts().shapes[i];
              shapes.append(nb::make_tuple(shape.friction, shape.restitution,
                                           shape.rolling_resistance, shape.tangent_speed,
                                           static_cast<int>(shape.category)));
            }
            return nb::make_tuple(body.gravity_scale, body.linear_damping, body.angular_damping,
                                  shapes);
          },
          "slot"_a)
      .def("body_types",
           [](PyWorld& self) {
             Entry world(self);
             std::string types;
             for (const Body& body : world->parts().bodies) types += static_cast<char>(body.kind);
             return nb::bytes(types.data(), types.size());
           })
      .def(
          "collides",
          [](PyWorld& self, int slot) {
            Entry world(self);
            return world->parts()
                .bodies[check_index(slot, world->parts().bodies.count(), "body")]
                .collides;
          },
          "slot"_a)
      .def("gravity",
           [](PyWorld& self) {
             Entry world(self);
             return std::make_pair(world->parts().definition.gravity_x,
                                   world->parts().definition.gravity_y);
           })
      .def(
          "pool",
          [](PyWorld& self, int pool) {
            Entry world(self);
            const std::vector<Pool>& all = world->parts().definition.pools;
            const Pool& p = all[check_index(pool, static_cast<int>(all.size()), "pool")];
            return std::make_tuple(p.left, p.bottom, p.right, p.top, p.density, p.damping, p.drag);
          },
          "pool"_a)
      .def(
          "set_pool",
          [](PyWorld& self, int pool, double left, double bottom, double right, double top,
             double density, double damping, double drag) {
            Entry world(self);
            const int count = static_cast<int>(world->parts().definition.pools.size());
            const int index = check_index(pool, count, "pool");
            for (double side : {left, bottom, right, top}) finite(side, "a side of a pool");
            if (left > right || bottom > top) {
              throw std::invalid_argument("a pool's sides are the wrong way round");
            }
            world->set_world(
                {.pool = {{index,
                           {left, bottom, right, top, not_negative(density, "density"),
                            not_negative(damping, "damping"), not_negative(drag, "drag")}}}});
          },
          "pool"_a, "left"_a, "bottom"_a, "right"_a, "top"_a, "density"_a, "damping"_a, "drag"_a)
      .def(
          "set_motor",
          [](PyWorld& self, int64_t joint, double target, double maximum) {
            Entry world(self);
            const JointChange::Motor motor{static_cast<float>(finite(target, "target")),
                                           static_cast<float>(limit(maximum, "maximum"))};
            world->set_joint(joint_slot(*world, joint), {.motor = motor});
          },
          "joint"_a, "target"_a, "maximum"_a)
      .def(
          "motor_state",
          [](PyWorld& self, int64_t joint) {
            Entry world(self);
            const Joint& found = world->parts().joints[joint_slot(*world, joint)];
            return nb::make_tuple(found.motor_target, found.motor_maximum);
          },
          "joint"_a)
      .def("contacts", contacts)
      .def("joint_state", joint_states)
      .def("energy",
           [](PyWorld& self) {
             Entry world(self);
             world->finish();
             double kinetic, potential;
             const WorldDefinition& d = world->parts().definition;
             find_energy(world->parts().bodies, d.gravity_x, d.gravity_y, kinetic, potential);
             potential += attraction_energy(world->parts().bodies, d);
             return std::make_pair(kinetic, potential);
           })
      .def("state_hash", [](PyWorld& self) {
        Entry world(self);
        world->finish();
        return hash_bodies(world->parts().bodies);
      });
}

}  // namespace rigid
