// SPDX-License-Identifier: MIT
// Stepping, sampling, and what happened, for Python. The GIL is released while a world steps.
#include <algorithm>

#include "engine/bind/checked_channels.h"
#include "engine/bind/python_world.h"
#include "engine/overlaps.h"

namespace rigid {

void bind_running(nb::class_<PyWorld>& type) {
  type.def(
          "step",
          [](PyWorld& self, int steps) {
            Entry world(self);
            return interruptible(
                self, [&](Watch* watch) { return world->step(std::max(0, steps), watch); });
          },
          "steps"_a = 1)
      .def(
          "run",
          [](PyWorld& self, int steps, int every, const IntTable& table, OutTable out) {
            Entry world(self);
            std::span<const int32_t> codes = check_channels(*world, table);
            require_aligned(out);
            if (out.shape(1) != table.shape(0)) {
              throw std::invalid_argument("out must have one column a channel");
            }
            if (every < 1) throw std::invalid_argument("every must be 1 or more");
            return interruptible(self, [&](Watch* watch) {
              return world->run(std::max(0, steps), every, codes, out.data(),
                                static_cast<int>(out.shape(0)), watch);
            });
          },
          "steps"_a, "every"_a, "channels"_a, "out"_a)
      .def(
          "sample",
          [](PyWorld& self, const IntTable& table) {
            Entry world(self);
            std::span<const int32_t> codes = check_channels(*world, table);
            world->finish();
            auto* values = new double[table.shape(0) + 1];
            sample(*world, codes, values);
            return make_array(values, table.shape(0));
          },
          "channels"_a)
      .def_prop_ro("error",
                   [](PyWorld& self) -> nb::object {
                     Entry world(self);
                     if (!world->error()) return nb::none();
                     return error_tuple(*world->error());
                   })
      .def("take_errors",
           [](PyWorld& self) {
             Entry world(self);
             nb::list errors;
             for (const StepError& error : world->take_errors()) errors.append(error_tuple(error));
             return errors;
           })
      .def(
          "find_overlaps",
          [](PyWorld& self, double depth) {
            if (!(depth >= 0)) throw nb::value_error("depth must not be negative");
            Entry world(self);
            nb::list found;
            for (const Overlap& each : OverlapSearch::find(*world, static_cast<float>(depth))) {
              found.append(nb::make_tuple(each.body_a, each.body_b, each.depth));
            }
            return found;
          },
          "depth"_a)
      .def_prop_ro("step_count", [](PyWorld& self) { return Entry(self)->clock().steps; })
      .def_prop_ro("time", [](PyWorld& self) { return Entry(self)->clock().time(); })
      .def_prop_ro("body_count", [](PyWorld& self) { return Entry(self)->bodies().count(); })
      .def_prop_ro("joint_count", [](PyWorld& self) { return Entry(self)->joints().count(); })
      .def("take_events",
           [](PyWorld& self) {
             Entry world(self);
             nb::list told;
             for (const EventRow& event : world->take_events()) {
               told.append(nb::make_tuple(event.step, event.kind, event.a, event.b));
             }
             return told;
           })
      .def(
          "enable_contact_events",
          [](PyWorld& self, bool enabled) { Entry(self)->set_world({.tells_contacts = enabled}); },
          "enabled"_a)
      .def("statistics", [](PyWorld& self) {
        Entry world(self);
        nb::dict d;
        const Statistics s = world->statistics();
        d["lanes"] = static_cast<double>(s.lanes);
        d["contacts"] = static_cast<double>(s.constraints);
        d["colors"] = static_cast<double>(s.colors);
        d["piles"] = static_cast<double>(s.piles);
        d["awake"] = static_cast<double>(s.awake);
        d["pairs_ms"] = s.pairs;
        d["narrow_phase_ms"] = s.narrow;
        d["prepare_ms"] = s.prepare;
        d["solve_ms"] = s.solve;
        d["finish_ms"] = s.finish;
        d["sleep_ms"] = s.sleep;
        return d;
      });
}

}  // namespace rigid
