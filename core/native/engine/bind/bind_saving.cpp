// SPDX-License-Identifier: MIT
// The bindings of saving, restoring and forking worlds.
#include "engine/bind/python_world.h"

namespace rigid {

void bind_saving(nb::class_<PyWorld>& type) {
  type.def("save",
           [](PyWorld& self) {
             Entry world(self);
             const std::vector<std::byte> bytes = world->save();
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def(
          "restore",
          [](PyWorld& self, const nb::bytes& state) {
            Entry world(self);
            const auto* first = static_cast<const std::byte*>(state.data());
            world->restore({first, state.size()});
          },
          "state"_a)
      .def("fork", [](PyWorld& self) {
        Entry world(self);
        return new PyWorld(world->fork());  // Python takes ownership
      });
}

}  // namespace rigid
