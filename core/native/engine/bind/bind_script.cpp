// SPDX-License-Identifier: MIT
// The bindings of scripts.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <deque>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "engine/bind/checked_channels.h"
#include "engine/bind/python_script.h"
#include "script/batch.h"
#include "script/reading/read_original.h"
#include "script/reading/read_program.h"
#include "script/reading/saving.h"

namespace rigid {

namespace {

// Lists of those that were set: `number` gives a place in a table, or the id of a copy's joint.
template <class Number>
void take_driven(std::vector<sc::MotorState>& all, nb::list& motors, const Number& number) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    sc::MotorState& each = all[i];
    if (each.changed) {
      motors.append(nb::make_tuple(number(i), each.target, each.strength, each.enabled));
    }
    each.changed = false;
  }
}

template <class Number>
void take_driven(std::vector<sc::SpringState>& all, nb::list& springs, const Number& number) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    sc::SpringState& each = all[i];
    if (each.changed || each.lengths_changed) {
      springs.append(nb::make_tuple(number(i), each.changed, each.first, each.second,
                                    each.lengths_changed, each.shortest, each.longest));
    }
    each.changed = each.lengths_changed = false;
  }
}

nb::tuple take_changes(PyRunner& self) {
  nb::list motors, actuators, springs, mice, own_motors, own_springs;
  sc::State& state = self.runner.state();
  const auto same = [](std::size_t i) { return i; };
  take_driven(state.motors, motors, same);
  take_driven(state.springs, springs, same);
  for (std::size_t i = 0; i < state.actuators.size(); ++i) {
    sc::ActuatorState& each = state.actuators[i];
    if (each.set_at != sc::none) {
      actuators.append(nb::make_tuple(i, each.numbers, each.enabled, each.set_at));
    }
    each.set_at = sc::none;
  }
  const sc::Program& program = self.runner.program();
  for (auto& [serial, copy] : state.copies.all) {
    const sc::Original& plan = program.originals[program.spawns[copy.spawn].original];
    const auto joint = [&copy = copy](const auto& of) {
      return [&copy, &of](std::size_t i) { return copy.joints[of[i].joint]; };
    };
    take_driven(copy.motors, own_motors, joint(plan.motors));
    take_driven(copy.springs, own_springs, joint(plan.springs));
  }
  for (std::size_t i = 0; i < state.mice.size(); ++i) {
    sc::MouseState& each = state.mice[i];
    if (each.changed) mice.append(nb::make_tuple(i, each.target));
    each.changed = false;
  }
  return nb::make_tuple(motors, actuators, springs, mice, own_motors, own_springs);
}

nb::list take_log(PyRunner& self) {
  nb::list rows;
  for (const sc::LogRow& row : self.runner.log()) {
    rows.append(nb::make_tuple(row.step, row.kind, row.a, row.b, row.x, row.y));
  }
  return rows;
}

nb::list take_births(PyRunner& self) {
  nb::list rows;
  for (const sc::Birth& birth : self.runner.births()) {
    rows.append(nb::make_tuple(birth.spawn, birth.count, birth.pose, birth.bodies, birth.joints,
                               birth.points, birth.driven, birth.forces, birth.joined));
  }
  return rows;
}

nb::list take_broken(PyRunner& self) {
  nb::list rows;
  for (const sc::Broken& each : self.runner.broken()) {
    rows.append(nb::make_tuple(each.destruction, each.body, each.kind, each.collides, each.motion,
                               each.pieces, each.joined));
  }
  return rows;
}

nb::list take_joined(PyRunner& self) {
  nb::list rows;
  for (const sc::Joined& each : self.runner.joined()) {
    rows.append(nb::make_tuple(each.attachment, each.count, each.id, each.bodies, each.numbers,
                               each.spawn, each.of));
  }
  return rows;
}

// The last numbers of the removed bodies of an event, by channel.
nb::list kept_numbers(PyRunner& self) {
  nb::list found;
  for (const int which : {0, 1}) {
    nb::dict numbers;
    const std::vector<double>& kept = self.runner.kept(which);
    for (std::size_t i = 0; i < kept.size(); ++i) {
      numbers[nb::int_(self.runner.program().of_bodies[i])] = kept[i];
    }
    found.append(numbers);
  }
  return found;
}

// ------------------------------------------------------------ running

// Threads that run the scripts of many worlds.
struct PyScripts {
  explicit PyScripts(int threads) : batch(threads) {}
  sc::Batch batch;
  std::atomic<bool> torn{false};
};

// Runs scripts up to the ends of steps; returns the place of each that stops before, and where.
nb::list run_all(PyScripts& self, const std::vector<PyRunner*>& runners,
                 const std::vector<PyWorld*>& worlds, const std::vector<int64_t>& ends) {
  require(runners.size() == worlds.size() && runners.size() == ends.size(),
          "each script needs its world and an end");
  std::deque<Entry> entries;
  std::deque<sc::Exact> exact;
  std::vector<sc::Run> runs;
  for (std::size_t i = 0; i < runners.size(); ++i) {
    require(runners[i] != nullptr && worlds[i] != nullptr, "each script needs its world");
    Entry& entry = entries.emplace_back(*worlds[i]);
    sc::Runner& runner = runners[i]->runner;
    runner.stops_at_changes = runner.stops_at_steps = false;
    runner.check_fits(*entry);
    runner.check_parts(*entry);
    runs.push_back({&*entry, &runner, &exact.emplace_back(runners[i]->asking()), ends[i], {}});
  }
  interruptible(self, [&](InterruptPoller* poller) {
    self.batch.run(runs, poller);
    return 0;
  });
  nb::list stopped;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const sc::Stop& stop = runs[i].stop;
    if (stop.reason == sc::Reason::done) continue;
    stopped.append(nb::make_tuple(i, static_cast<int>(stop.reason), stop.turn, stop.action));
  }
  return stopped;
}

nb::tuple run(PyRunner& self, PyWorld& world, int64_t end, int every, const IntTable& codes,
              OutTable out, const IntTable& variables, bool stops_at_changes, bool stops_at_steps) {
  Entry entry(world);
  self.runner.stops_at_changes = stops_at_changes;
  self.runner.stops_at_steps = stops_at_steps;
  sc::Sampling sampling;
  if (every < 0) throw std::invalid_argument("every must not be negative");
  if (every > 0) {
    sampling.every = every;
    sampling.codes = check_channels(*entry, codes);
    require_aligned(out);
    require(out.shape(1) == codes.shape(0), "out must have one column a channel");
    sampling.out = out.data();
    sampling.rows = static_cast<int>(out.shape(0));
    require_aligned(variables);
    require(variables.shape(1) == 2, "variables must have 2 columns");
    for (std::size_t i = 0; i < variables.shape(0); ++i) {
      const int32_t* row = variables.data() + 2 * i;
      const auto count = static_cast<int>(self.runner.state().variables.size());
      require(
          row[0] >= 0 && row[0] < static_cast<int>(codes.shape(0)) && row[1] >= 0 && row[1] < count,
          "a column is of no variable");
    }
    sampling.variables = {variables.data(), variables.size()};
  }
  self.runner.check_parts(*entry);
  const sc::Exact exact = self.asking();
  sc::Stop stop;
  interruptible(world, [&](InterruptPoller* poller) {
    stop = self.runner.run(*entry, end, poller, sampling, exact);
    return 0;
  });
  return nb::make_tuple(static_cast<int>(stop.reason), stop.turn, stop.action, sampling.taken);
}

}  // namespace

void bind_script(nb::module_& module) {
  nb::class_<PyProgram>(module, "ScriptProgram")
      .def(
          "__init__",
          [](PyProgram* self, const nb::bytes& bytes) {
            const auto* data = reinterpret_cast<const std::byte*>(bytes.c_str());
            new (self) PyProgram{sc::read_program({data, bytes.size()})};
          },
          "bytes"_a);
  nb::class_<PyRunner>(module, "ScriptRunner")
      .def(
          "__init__",
          [](PyRunner* self, const PyProgram& program, nb::dict exact) {
            new (self) PyRunner{sc::Runner(program.program), std::move(exact), {}};
          },
          "program"_a, "exact"_a)
      .def(
          "set_view",
          [](PyRunner& self, nb::object view, bool moves) {
            self.view = std::move(view);
            const auto ask = [&self](int number, int64_t step, std::span<const double> bodies) {
              return self.ask_view(number, step, bodies);
            };
            self.runner.set_view(ask, moves);
          },
          "view"_a, "moves"_a)
      .def(
          "set_engine",
          [](PyRunner& self, nb::object engine, const std::vector<int>& channels) {
            self.runner.set_engine(std::make_shared<PyEngine>(std::move(engine), channels));
          },
          "engine"_a, "channels"_a)
      .def(
          "set_steps",
          [](PyRunner& self, int64_t steps, const nb::list& events) {
            self.runner.set_steps(steps, PyEngine::event_rows(events));
          },
          "steps"_a, "events"_a)
      .def("put", put_state, "state"_a)
      .def(
          "put_objects",
          [](PyRunner& self, const nb::dict& given) {
            put_objects(self.runner.state(), self.runner.program(), given);
          },
          "objects"_a)
      .def(
          "put_inputs",
          [](PyRunner& self, const nb::dict& given) {
            put_inputs(self.runner.state(), self.runner.program(), given);
          },
          "inputs"_a)
      .def(
          "begin",
          [](PyRunner& self, PyWorld& world) {
            Entry entry(world);
            self.runner.begin(*entry, self.asking());
          },
          "world"_a)
      .def("save",
           [](PyRunner& self) {
             const std::vector<std::byte> bytes = sc::save(self.runner.state());
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def(
          "restore",
          [](PyRunner& self, const nb::bytes& bytes) {
            const auto* data = reinterpret_cast<const std::byte*>(bytes.c_str());
            self.runner.state() = sc::restored({data, bytes.size()}, self.runner);
          },
          "bytes"_a)
      .def("take", take_state)
      .def("take_changes", take_changes)
      .def_prop_ro("log", take_log)
      .def_prop_ro("logged", [](PyRunner& self) { return self.runner.log().size(); })
      .def_prop_ro("births", take_births)
      .def_prop_ro("broken", take_broken)
      .def_prop_ro("joined", take_joined)
      .def_prop_ro(
          "found",
          [](PyRunner& self) { return nb::make_tuple(self.runner.found(), self.runner.logged()); })
      .def_prop_ro("kept", kept_numbers)
      .def_prop_ro("births_now",
                   [](PyRunner& self) {
                     return nb::make_tuple(self.runner.births_now(), self.runner.tries_now());
                   })
      .def_prop_ro("request",
                   [](PyRunner& self) -> nb::object {
                     const auto& request = self.runner.request();
                     if (!request) return nb::none();
                     return nb::make_tuple(static_cast<int>(request->task), request->place,
                                           request->values, request->bodies);
                   })
      .def(
          "give",
          [](PyRunner& self, const nb::bytes& bytes) {
            const auto* data = reinterpret_cast<const std::byte*>(bytes.c_str());
            self.runner.give(sc::read_given({data, bytes.size()}));
          },
          "bytes"_a)
      .def(
          "extend",
          [](PyRunner& self, const PyProgram& program, int spawn) {
            self.runner.extend(program.program, spawn);
          },
          "program"_a, "spawn"_a)
      .def(
          "put_bodies",
          [](PyRunner& self, const nb::dict& given) {
            put_bodies(self.runner.state(), self.runner.program(), given);
          },
          "bodies"_a)
      .def("consent", [](PyRunner& self) { self.runner.consent(); })
      .def(
          "give_joint",
          [](PyRunner& self, int64_t joint) {
            self.runner.give({nullptr, {}, sc::none, false, joint});
          },
          "joint"_a)
      .def("drop_actuators", [](PyRunner& self) { return self.runner.drop_actuators(); })
      .def("take_copies", take_copied, "bodies"_a, "name"_a, "births"_a)
      .def(
          "resume",
          [](PyRunner& self, int reason, int turn, int action) {
            require(reason == static_cast<int>(sc::Reason::turn) ||
                        reason == static_cast<int>(sc::Reason::after),
                    "nothing goes on there");
            require(turn >= 0 && action >= 0, "nothing goes on there");
            self.runner.resume({static_cast<sc::Reason>(reason), turn, action});
          },
          "reason"_a, "turn"_a, "action"_a)
      .def("clear_log", [](PyRunner& self) { self.runner.clear_log(); })
      .def_prop_ro("due",
                   [](PyRunner& self) {
                     nb::list rows;
                     for (const auto& [found, waited] : self.runner.due()) {
                       rows.append(nb::make_tuple(row_of(found), waited));
                     }
                     return rows;
                   })
      .def_prop_ro("prepared", [](PyRunner& self) { return self.runner.state().prepared; })
      .def_prop_ro("failure",
                   [](PyRunner& self) -> nb::object {
                     const auto& [fault, which, numbers] = self.runner.failure();
                     if (fault == sc::Fault::none) return nb::none();
                     return nb::make_tuple(static_cast<int>(fault), which, numbers);
                   })
      .def_prop_ro("whose", [](PyRunner& self) { return self.runner.whose(); })
      .def_prop_ro("variables", [](PyRunner& self) { return self.runner.state().variables; })
      .def_prop_ro("ending",
                   [](PyRunner& self) {
                     const sc::State& state = self.runner.state();
                     return nb::make_tuple(state.ending, state.ended_at);
                   })
      .def_prop_ro("steps_made", [](PyRunner& self) { return self.runner.steps_made; })
      .def(
          "begin_inputs",
          [](PyRunner& self, PyWorld& world) { self.runner.begin_inputs(*Entry(world)); },
          "world"_a)
      .def(
          "execute",
          [](PyRunner& self, PyWorld& world, int kind, int what) {
            Entry entry(world);
            require(kind >= 0 && kind < sc::input_kind_count, "there is no such kind of input");
            const auto to = static_cast<sc::InputKind>(kind);
            require(what >= 0 && what < static_cast<int>(self.runner.program().places_of(to)),
                    "there is no such input");
            self.runner.check_parts(*entry);
            self.runner.execute(*entry, to, what);
          },
          "world"_a, "kind"_a, "what"_a)
      .def(
          "end_inputs",
          [](PyRunner& self, PyWorld& world) {
            Entry entry(world);
            self.runner.check_parts(*entry);
            self.runner.end_inputs(*entry, self.asking());
          },
          "world"_a)
      .def("run", run, "world"_a, "end"_a, "every"_a, "channels"_a, "out"_a, "variables"_a,
           "stops_at_changes"_a = false, "stops_at_steps"_a = false)
      .def(
          "finish_step",
          [](PyRunner& self, PyWorld& world, bool is_from_host) {
            Entry entry(world);
            self.runner.finish_step(*entry, is_from_host);
          },
          "world"_a, "is_from_host"_a);
  nb::class_<PyScripts>(module, "Scripts")
      .def(
          "__init__",
          [](PyScripts* self, int threads) {
            new (self) PyScripts(whole(threads, 1, 256, "threads"));
          },
          "threads"_a)
      .def("run", run_all, "runners"_a, "worlds"_a, "ends"_a);
}

}  // namespace rigid
