// SPDX-License-Identifier: MIT
// The Python object of a world, and definitions shared by the files of the binding.
#ifndef RIGID_ENGINE_BIND_PYTHON_WORLD_H
#define RIGID_ENGINE_BIND_PYTHON_WORLD_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "aligned.h"
#include "engine/building/checked_numbers.h"
#include "engine/world.h"

namespace rigid {

namespace nb = nanobind;
using namespace nb::literals;

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using BoolTable = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using IntTable = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Point = std::pair<double, double>;

// A world that two threads of Python must not enter simultaneously, nor any after an interrupted
// step.
struct PyWorld {
  explicit PyWorld(const WorldDefinition& definition)
      : world(std::make_unique<World>(definition)) {}
  explicit PyWorld(std::unique_ptr<World> given) : world(std::move(given)) {}
  std::unique_ptr<World> world;
  std::atomic<bool> busy{false}, torn{false};
};

// Becomes rigid2d.core.errors.UsageError.
struct Unusable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Guards every call from Python: one thread at a time, and no world left inside a step.
template <class Self>
class Guard {
 public:
  explicit Guard(Self& self) : self_(self) {
    if (self_.busy.exchange(true)) throw Unusable("this world is in use by another thread");
    if (self_.torn) {
      self_.busy = false;
      throw Unusable("this world was interrupted in the middle of a step; build it anew");
    }
  }
  ~Guard() { self_.busy = false; }
  Guard(const Guard&) = delete;
  auto* operator->() { return self_.world.get(); }
  auto& operator*() { return *self_.world; }

 private:
  Self& self_;
};
using Entry = Guard<PyWorld>;

// The slot of the object of an id. Throws Unusable if it was removed.
inline int body_slot(const World& world, int64_t id, int least = 0) {
  if (id >> 32 <= 0)
    whole(static_cast<double>(id), least, world.parts().bodies.count() - 1, "body");
  const int slot = world.parts().bodies.find(id);
  if (slot < least) throw Unusable("there is no body " + std::to_string(id) + "; it was removed");
  return slot;
}

inline int joint_slot(const World& world, int64_t id) {
  if (id >> 32 <= 0) check_index(static_cast<double>(id), world.parts().joints.count(), "joint");
  const int slot = world.parts().joints.find(id);
  if (slot < 0) throw Unusable("there is no joint " + std::to_string(id) + "; it was removed");
  return slot;
}

inline nb::tuple error_tuple(const StepError& e) {
  return nb::make_tuple(event_kinds[static_cast<int>(e.kind)], e.body, e.step,
                        nb::make_tuple(e.x, e.y, e.vx, e.vy, e.omega));
}

template <class T, class... Size>
auto make_array(T* data, Size... size) {
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
  return nb::ndarray<nb::numpy, T>(data, {static_cast<std::size_t>(size)...}, owner);
}

void bind_building(nb::class_<PyWorld>& type);
void bind_running(nb::class_<PyWorld>& type);
void bind_observing(nb::module_& module, nb::class_<PyWorld>& type);
void bind_state(nb::class_<PyWorld>& type);
void bind_queries(nb::class_<PyWorld>& type);
void bind_saving(nb::class_<PyWorld>& type);
void bind_batch(nb::module_& module);
void bind_mould(nb::module_& module);
void bind_compiled(nb::module_& module);

}  // namespace rigid

#endif
