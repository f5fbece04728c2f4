// SPDX-License-Identifier: MIT
// The bindings of batches, many worlds of one scene.
#include <nanobind/ndarray.h>

#include "engine/batch/batch.h"
#include "engine/bind/checked_channels.h"
#include "engine/bind/python_world.h"

namespace rigid {

namespace {

using Values = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Indices = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

struct PyBatch {
  PyBatch(std::unique_ptr<World> first, int count, int threads)
      : batch(std::move(first), count, threads) {}
  Batch batch;
  std::atomic<bool> busy{false}, torn{false};
};

using BatchEntry = Guard<PyBatch>;

// Settings of one family may be set together.
int family(int code) {
  const auto setting = static_cast<Setting>(code);
  if (is_of_source(setting)) return 1;
  if (is_of_world(setting)) return 3;
  if (is_of_pool(setting)) return 4;
  return is_of_joint(setting) ? 2 : 0;
}
int family(Setting setting) { return family(static_cast<int>(setting)); }

std::span<const int32_t> check_settings(const World& world, const IntTable& table) {
  require_aligned(table);
  if (table.shape(1) != 3) throw std::invalid_argument("settings must have 3 columns");
  for (std::size_t i = 0; i < table.shape(0); ++i) {
    const int32_t* row = table.data() + 3 * i;
    const auto setting = static_cast<Setting>(whole(row[0], 0, setting_count - 1, "setting code"));
    const int index = row[1];
    if (row[2] != 0) {
      const bool fits = i > 0 && row[1] == row[-2] && family(setting) == family(row[-3]);
      if (!fits) throw std::invalid_argument("a setting goes with one of the same target");
    }
    if (is_of_source(setting)) {
      check_index(index, world.parts().forces.count(), "force");
    } else if (is_of_joint(setting)) {
      check_index(index, world.parts().joints.count(), "joint");
    } else if (is_of_pool(setting)) {
      check_index(index, static_cast<int>(world.parts().definition.pools.size()), "pool");
    } else {
      check_index(index, world.parts().bodies.count(), "body");
    }
  }
  return {table.data(), table.size()};
}

// Checks the values [worlds, settings] of `rows` worlds.
void check_values(std::span<const int32_t> settings, const Values& values, std::size_t rows) {
  require_aligned(values);
  const std::size_t width = settings.size() / 3;
  if (values.shape(0) != rows || values.shape(1) != width) {
    throw std::invalid_argument("values must be [worlds, settings]");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto setting = static_cast<Setting>(settings[3 * (i % width)]);
    if (is_of_joint(setting)) continue;  // NaN leaves it unchanged
    check_setting(setting, finite(values.data()[i], "a value"));
  }
}

// Checks a table [worlds, channels] to be filled.
std::span<const int32_t> check_readings(const Batch& batch, const IntTable& channels,
                                        const OutTable& out) {
  const std::span<const int32_t> codes = check_channels(batch.start(), channels);
  require_aligned(out);
  if (out.shape(0) != static_cast<std::size_t>(batch.size()) || out.shape(1) != channels.shape(0)) {
    throw std::invalid_argument("out must be [worlds, channels]");
  }
  return codes;
}

}  // namespace

void bind_batch(nb::module_& module) {
  nb::dict codes;
  for (int i = 0; i < setting_count; ++i) codes[setting_names[i]] = i;
  module.attr("SETTINGS") = codes;
  nb::class_<PyBatch>(module, "Batch")
      .def(
          "__init__",
          [](PyBatch* self, PyWorld& first, int count, int threads) {
            Entry world(first);
            whole(count, 1, 1 << 20, "count");
            whole(threads, 1, 256, "threads");
            new (self) PyBatch(world->fork(), count, threads);
          },
          "first"_a, "count"_a, "threads"_a = 1)
      .def("__len__", [](PyBatch& self) { return self.batch.size(); })
      .def(
          "step",
          [](PyBatch& self, int steps) {
            BatchEntry entry(self);
            interruptible(self, [&](InterruptPoller* poller) {
              self.batch.step(std::max(0, steps), poller);
              return 0;
            });
          },
          "steps"_a = 1)
      .def(
          "read",
          [](PyBatch& self, const IntTable& table, OutTable out) {
            BatchEntry entry(self);
            const std::span<const int32_t> channels = check_readings(self.batch, table, out);
            interruptible(self, [&](InterruptPoller* poller) {
              self.batch.read(channels, out.data(), poller);
              return 0;
            });
          },
          "channels"_a, "out"_a)
      .def(
          "act",
          [](PyBatch& self, const IntTable& settings, const Values& values, int steps,
             const IntTable& channels, OutTable out) {
            BatchEntry entry(self);
            Batch& batch = self.batch;
            const std::span<const int32_t> set = check_settings(batch.start(), settings);
            const std::span<const int32_t> read = check_readings(batch, channels, out);
            check_values(set, values, batch.size());
            interruptible(self, [&](InterruptPoller* poller) {
              batch.write(batch.all(), set, values.data());
              batch.step(std::max(0, steps), poller);
              if (!read.empty()) batch.read(read, out.data(), poller);
              return 0;
            });
            return batch.has_stopped();
          },
          "settings"_a, "values"_a, "steps"_a, "channels"_a, "out"_a)
      .def(
          "write",
          [](PyBatch& self, const Indices& worlds, const IntTable& table, const Values& values) {
            BatchEntry entry(self);
            std::span<const int32_t> settings = check_settings(self.batch.start(), table);
            require_aligned(worlds);
            check_values(settings, values, worlds.size());
            for (std::size_t i = 0; i < worlds.size(); ++i) {
              check_index(worlds.data()[i], self.batch.size(), "world");
            }
            self.batch.write({worlds.data(), worlds.size()}, settings, values.data());
          },
          "worlds"_a, "settings"_a, "values"_a)
      .def(
          "reset",
          [](PyBatch& self, const Places& worlds) {
            BatchEntry entry(self);
            require_aligned(worlds);
            for (std::size_t i = 0; i < worlds.size(); ++i) {
              check_index(static_cast<double>(worlds.data()[i]), self.batch.size(), "world");
            }
            self.batch.reset({worlds.data(), worlds.size()});
          },
          "worlds"_a)
      .def(
          "replace",
          [](PyBatch& self, int index, PyWorld& by) {
            BatchEntry entry(self);
            check_index(index, self.batch.size(), "world");
            Entry world(by);
            self.batch.replace(index, *world);
          },
          "index"_a, "by"_a)
      .def(
          "fork",
          [](PyBatch& self, int index) {
            BatchEntry entry(self);
            check_index(index, self.batch.size(), "world");
            return new PyWorld(self.batch.fork(index));  // Python takes ownership
          },
          "index"_a)
      .def_prop_ro("stopped",
                   [](PyBatch& self) {
                     BatchEntry entry(self);
                     return self.batch.has_stopped() && !self.batch.stopped().empty();
                   })
      .def("errors", [](PyBatch& self) {
        BatchEntry entry(self);
        nb::list found;
        for (int i : self.batch.stopped()) {
          found.append(nb::make_tuple(i, error_tuple(*self.batch.error(i))));
        }
        return found;
      });
}

}  // namespace rigid
