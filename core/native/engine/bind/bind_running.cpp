// SPDX-License-Identifier: MIT
// The bindings of stepping, sampling and events. The GIL is released while a world steps.
#include <algorithm>
#include <string>

#include "engine/bind/checked_channels.h"
#include "engine/bind/python_world.h"
#include "engine/overlaps.h"
#include "engine/statistics.h"

namespace rigid {

namespace {

// Whether a step takes some microseconds, on one thread.
bool is_small(const WorldParts& parts) {
  const WorldDefinition& d = parts.definition;
  return d.threads == 1 && d.substeps <= 8 && parts.bodies.size() <= 8 && parts.shapes.size() <= 16;
}

}  // namespace

void bind_running(nb::class_<PyWorld>& type) {
  type.def(
          "step",
          [](PyWorld& self, int steps) {
            Entry world(self);
            return interruptible(self, [&](InterruptPoller* poller) {
              return world->step(std::max(0, steps), poller);
            });
          },
          "steps"_a = 1)
      .def(
          "advance",
          [](PyWorld& self, int steps, int64_t removals) -> nb::object {
            Entry world(self);
            const WorldParts& parts = world->parts();
            const int done = interruptible(
                self,
                [&](InterruptPoller* poller) { return world->step(std::max(0, steps), poller); },
                steps == 1 && is_small(parts));
            const bool same = parts.bodies.removals + parts.joints.removals() == removals;
            if (done == steps && same && !parts.error) return nb::none();
            return nb::int_(done);
          },
          "steps"_a, "removals"_a)
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
            return interruptible(self, [&](InterruptPoller* poller) {
              return world->run(std::max(0, steps), every, codes, out.data(),
                                static_cast<int>(out.shape(0)), poller);
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
            sample(world->parts(), codes, values);
            return make_array(values, table.shape(0));
          },
          "channels"_a)
      .def_prop_ro("error",
                   [](PyWorld& self) -> nb::object {
                     Entry world(self);
                     if (!world->parts().error) return nb::none();
                     return error_tuple(*world->parts().error);
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
            for (const Overlap& each : find_overlaps(*world, static_cast<float>(depth))) {
              found.append(nb::make_tuple(each.body_a, each.body_b, each.depth));
            }
            return found;
          },
          "depth"_a)
      .def_prop_ro("step_count", [](PyWorld& self) { return Entry(self)->parts().clock.steps; })
      .def_prop_ro("time", [](PyWorld& self) { return Entry(self)->parts().clock.time(); })
      .def_prop_ro("body_count", [](PyWorld& self) { return Entry(self)->parts().bodies.count(); })
      .def_prop_ro("joint_count", [](PyWorld& self) { return Entry(self)->parts().joints.count(); })
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
      .def("statistics",
           [](PyWorld& self) {
             Entry world(self);
             nb::dict d;
             const Statistics s = read_statistics(world->parts());
             d["lanes"] = static_cast<double>(s.lanes);
             d["contacts"] = static_cast<double>(s.constraints);
             d["colors"] = static_cast<double>(s.colors);
             d["islands"] = static_cast<double>(s.islands);
             d["island_batches"] = static_cast<double>(s.island_batches);
             d["direct_joints"] = static_cast<double>(s.direct_joints);
             d["direct_mechanisms"] = static_cast<double>(s.direct_mechanisms);
             d["iterative_joints"] = static_cast<double>(s.iterative_joints);
             d["iterative_mechanisms"] = static_cast<double>(s.iterative_mechanisms);
             d["costly_joints"] = static_cast<double>(s.costly_joints);
             d["soft_joints"] = static_cast<double>(s.soft_joints);
             d["impact_problems"] = static_cast<double>(s.impact_problems);
             d["contact_problems"] = static_cast<double>(s.contact_problems);
             d["effective_masses"] = static_cast<double>(s.effective_masses);
             d["tracks"] = static_cast<double>(s.tracks);
             d["side_by_side"] = s.alone ? 0.0 : 1.0;
             d["awake"] = static_cast<double>(s.awake);
             d["asleep"] = static_cast<double>(s.asleep);
             d["touched_mechanisms"] = static_cast<double>(s.touched_mechanisms);
             d["checked_islands"] = static_cast<double>(s.checked_islands);
             d["repeats"] = static_cast<double>(s.repeats);
             d["pairs_ms"] = s.pairs;
             d["narrow_phase_ms"] = s.narrow;
             d["prepare_ms"] = s.prepare;
             d["solve_ms"] = s.solve;
             d["finish_ms"] = s.finish;
             d["sleep_ms"] = s.sleep;
             for (std::size_t i = 0; s.measured && i < stage_count; ++i) {
               d[(std::string(stage_names[i]) + "_stage_ms").c_str()] = s.stages[i];
             }
             return d;
           })
      .def("why_alone",
           [](PyWorld& self) -> nb::object {
             Entry world(self);
             const char* why = read_statistics(world->parts()).alone;
             return why ? nb::cast(why) : nb::none();
           })
      .def(
          "measure_stages",
          [](PyWorld& self, bool measures) {
            Entry(self)->set_world({.measures_stages = measures});
          },
          "measures"_a);
}

}  // namespace rigid
