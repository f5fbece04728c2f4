// SPDX-License-Identifier: MIT
// The bindings of compiled scenes, run as a page runs them.
#include <nanobind/stl/vector.h>

#include "compiled/compiled_world.h"
#include "compiled/layout.h"
#include "engine/bind/checked_channels.h"
#include "engine/bind/python_world.h"
#include "engine/bodies/readings.h"

namespace rigid {

namespace {

std::span<const std::byte> bytes_of(const nb::bytes& bytes) {
  return {static_cast<const std::byte*>(bytes.data()), bytes.size()};
}

struct PyCompiled {
  explicit PyCompiled(const nb::bytes& bytes, int lanes) : compiled(bytes_of(bytes), lanes) {}
  CompiledWorld compiled;
};

nb::list sections_of(const nb::bytes& bytes) {
  const Container container(bytes_of(bytes));
  nb::list list;
  for (const Container::Section& section : container.sections()) {
    const auto content = container.bytes(section.name);
    list.append(nb::make_tuple(section.name, nb::bytes(content.data(), content.size())));
  }
  return list;
}

}  // namespace

void bind_compiled(nb::module_& module) {
  module.attr("COMPILED_LAYOUT") = compiled_layout();
  module.def("read_container", sections_of, "bytes"_a);
  nb::class_<PyCompiled>(module, "CompiledWorld")
      .def(nb::init<const nb::bytes&, int>(), "bytes"_a, "lanes"_a = 0)
      .def(
          "step",
          [](PyCompiled& self, int steps) {
            return self.compiled.step(whole(steps, 0, 1 << 30, "steps"));
          },
          "steps"_a = 1)
      .def_prop_ro("step_count",
                   [](PyCompiled& self) { return self.compiled.world().parts().clock.steps; })
      .def("state_hash",
           [](PyCompiled& self) {
             self.compiled.world().finish();
             return hash_bodies(self.compiled.world().parts().bodies);
           })
      .def_prop_ro("error",
                   [](PyCompiled& self) -> nb::object {
                     const auto& error = self.compiled.world().parts().error;
                     if (!error) return nb::none();
                     return error_tuple(*error);
                   })
      .def(
          "sample",
          [](PyCompiled& self, const IntTable& table) {
            World& world = self.compiled.world();
            const auto codes = check_channels(world, table);
            world.finish();
            auto* values = new double[table.shape(0) + 1];
            sample(world.parts(), codes, values);
            return make_array(values, table.shape(0));
          },
          "channels"_a)
      .def("read",
           [](PyCompiled& self) {
             nb::list list;
             for (const double value : self.compiled.read()) list.append(value);
             return list;
           })
      .def(
          "grab",
          [](PyCompiled& self, int number, int body, Point point, Point target, double force) {
            self.compiled.grab(number, body, {point.first, point.second},
                               {target.first, target.second}, force);
          },
          "number"_a, "body"_a, "point"_a, "target"_a, "force"_a)
      .def(
          "drag",
          [](PyCompiled& self, int number, Point target) {
            self.compiled.drag(number, {target.first, target.second});
          },
          "number"_a, "target"_a)
      .def(
          "drop", [](PyCompiled& self, int number) { self.compiled.drop(number); }, "number"_a)
      .def(
          "find_dynamic",
          [](PyCompiled& self, Point point, double reach) {
            return self.compiled.find_dynamic(point.first, point.second, reach);
          },
          "point"_a, "reach"_a)
      .def("save",
           [](PyCompiled& self) {
             const std::vector<std::byte> bytes = self.compiled.save();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def(
          "restore",
          [](PyCompiled& self, const nb::bytes& state) { self.compiled.restore(bytes_of(state)); },
          "state"_a);
}

}  // namespace rigid
