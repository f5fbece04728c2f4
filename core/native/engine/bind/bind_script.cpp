// SPDX-License-Identifier: MIT
// The bindings of scripts. A state goes in and comes out as a dictionary of plain lists
// (core/world/script/native_state.py).
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
#include "engine/bind/python_world.h"
#include "script/batch.h"
#include "script/read_program.h"
#include "script/runner.h"
#include "script/saving.h"

namespace rigid {

namespace {

namespace sc = script;
using Ids = std::vector<int64_t>;
using FoundRow = std::tuple<std::array<int64_t, 3>, std::vector<double>, bool, bool>;

struct PyProgram {
  std::shared_ptr<const sc::Program> program;
};

// A runner, and Python's functions for what portable mathematics is not sure of.
struct PyRunner {
  sc::Runner runner;
  nb::dict exact;

  std::optional<double> ask(Operation operation, std::span<const double> numbers) const {
    nb::gil_scoped_acquire acquire;
    nb::list given;
    for (double number : numbers) given.append(number);
    const nb::object result = exact[nb::int_(static_cast<int>(operation))](*given);
    if (result.is_none()) return std::nullopt;
    return nb::cast<double>(result);
  }
  sc::Exact asking() const {
    return [this](Operation operation, std::span<const double> numbers) {
      return ask(operation, numbers);
    };
  }
};

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

template <class T>
T at(const nb::dict& given, const char* name) {
  return nb::cast<T>(given[name]);
}

// ------------------------------------------------------------ events that were found

sc::Found found_of(const FoundRow& row, const sc::Program& program) {
  sc::Found found{};
  found.order = std::get<0>(row);
  const std::vector<double>& values = std::get<1>(row);
  require(values.size() <= found.values.size(), "an event has more values than there are");
  require(found.order[0] < static_cast<int64_t>(program.rules.size()), "there is no such event");
  found.given = static_cast<uint8_t>(values.size());
  std::copy(values.begin(), values.end(), found.values.begin());
  found.has_first = std::get<2>(row);
  found.has_second = std::get<3>(row);
  return found;
}

FoundRow row_of(const sc::Found& found) {
  const auto end = found.values.begin() + found.given;
  return {found.order, std::vector<double>(found.values.begin(), end), found.has_first,
          found.has_second};
}

// ------------------------------------------------------------ states

void put_things(sc::State& state, const nb::dict& given) {
  using Motors = std::vector<std::tuple<double, double, bool>>;
  using Actuators = std::vector<std::tuple<std::array<double, sc::quantity_count>, bool, bool,
                                           std::vector<std::pair<int, int>>>>;
  const auto motors = at<Motors>(given, "motors");
  const auto actuators = at<Actuators>(given, "actuators");
  require(motors.size() == state.motors.size() && actuators.size() == state.actuators.size(),
          "the program has other motors or actuators");
  for (std::size_t i = 0; i < motors.size(); ++i) {
    const auto& [target, strength, enabled] = motors[i];
    state.motors[i] = {target, strength, enabled, false};
  }
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    auto [numbers, enabled, gone, parts] = actuators[i];
    state.actuators[i] = {numbers, enabled, gone, false, std::move(parts)};
  }
}

void put_inputs(sc::State& state, const sc::Program& program, const nb::dict& given) {
  state.inputs.clear();
  for (const auto& [step, kind, what] :
       at<std::vector<std::tuple<int64_t, int, int>>>(given, "inputs")) {
    require(kind >= 0 && kind <= static_cast<int>(sc::InputKind::host), "there is no such input");
    const auto input = static_cast<sc::InputKind>(kind);
    const auto size = input == sc::InputKind::ask ? program.asked.size() : program.keys.size();
    require(input == sc::InputKind::host || (what >= 0 && what < static_cast<int>(size)),
            "there is no such input");
    state.inputs.push_back({step, input, what});
  }
  state.by_host.clear();
  for (const auto& [start, until] :
       at<std::vector<std::pair<int64_t, int64_t>>>(given, "by_host")) {
    state.by_host.push_back({start, until});
  }
}

void put_state(PyRunner& self, const nb::dict& given) {
  const sc::Program& program = self.runner.program();
  sc::State state = self.runner.state();
  state.seed = at<int64_t>(given, "seed");
  const auto variables = at<std::vector<double>>(given, "variables");
  require(variables.size() == state.variables.size(), "the program has other variables");
  state.variables = variables;
  state.held.clear();
  for (const auto& [key, since] : at<std::vector<std::pair<int, int64_t>>>(given, "held")) {
    require(key >= 0 && key < static_cast<int>(program.keys.size()), "there is no such key");
    state.held.push_back({key, since});
  }
  using Playings = std::vector<std::tuple<int64_t, double, bool, std::vector<uint8_t>>>;
  const auto animations = at<Playings>(given, "animations");
  require(animations.size() == state.animations.size(), "the program has other animations");
  for (std::size_t i = 0; i < animations.size(); ++i) {
    const auto& [begun, phase, settled, moved] = animations[i];
    require(moved.size() == program.animations[i].tracks.size(), "an animation has other tracks");
    state.animations[i] = {begun, phase, settled, moved};
  }
  put_things(state, given);
  put_inputs(state, program, given);
  state.tags = program.tags;
  for (const auto& [id, tags] : at<std::vector<std::pair<int64_t, uint64_t>>>(given, "tags")) {
    const int64_t slot = Slots::slot_of(id);
    require(slot < 1 << 24, "there is no such body");
    if (slot >= static_cast<int64_t>(state.tags.size())) state.tags.resize(slot + 1);
    state.tags[slot] = tags;
  }
  state.prepared = at<int64_t>(given, "prepared");
  state.busy = at<bool>(given, "busy");
  const auto was = at<std::vector<uint8_t>>(given, "was");
  require(was.size() == state.was.size(), "the program has other conditions");
  state.was = was;
  const auto inside = at<std::vector<Ids>>(given, "inside");
  const auto members = at<std::vector<Ids>>(given, "members");
  require(inside.size() == state.inside.size() && members.size() == state.members.size(),
          "the program has other regions");
  state.inside = inside;
  state.members = members;
  const auto fired = at<Ids>(given, "fired");
  state.fired = {fired.begin(), fired.end()};
  const auto pairs = at<std::vector<sc::PairKey>>(given, "pairs");
  state.pairs = {pairs.begin(), pairs.end()};
  state.pairs_pruned = at<int64_t>(given, "pairs_pruned");
  state.cooling.clear();
  for (const auto& [key, until] :
       at<std::vector<std::pair<sc::PairKey, int64_t>>>(given, "cooling")) {
    state.cooling[key] = until;
  }
  state.cooling_pruned = at<int64_t>(given, "cooling_pruned");
  const auto acted = at<std::vector<int>>(given, "acted");
  state.acted = {acted.begin(), acted.end()};
  state.waiting.clear();
  for (const auto& [step, row] : at<std::vector<std::pair<int64_t, FoundRow>>>(given, "waiting")) {
    state.waiting.push_back({step, found_of(row, program)});
  }
  state.ending = at<int>(given, "ending");
  require(state.ending < static_cast<int>(program.texts.size()), "there is no such outcome");
  state.ended_at = at<int64_t>(given, "ended_at");
  const auto uses = at<Ids>(given, "uses");
  const auto spawned = at<Ids>(given, "spawned");
  require(uses.size() == state.uses.size() && spawned.size() == state.spawned.size(),
          "the program has other spawners or random numbers");
  state.uses = uses;
  state.spawned = spawned;
  state.next_end = at<int64_t>(given, "next_end");
  state.host_finds = at<bool>(given, "host_finds");
  self.runner.state() = std::move(state);
}

nb::dict take_state(PyRunner& self) {
  const sc::State& state = self.runner.state();
  nb::dict found;
  found["variables"] = state.variables;
  std::vector<std::pair<int, int64_t>> held;
  for (const sc::HeldKey& each : state.held) held.emplace_back(each.key, each.since);
  found["held"] = held;
  nb::list animations;
  for (const sc::PlayingState& each : state.animations) {
    animations.append(nb::make_tuple(each.begun, each.phase, each.settled, each.moved));
  }
  found["animations"] = animations;
  found["prepared"] = state.prepared;
  found["busy"] = state.busy;
  found["was"] = state.was;
  found["inside"] = state.inside;
  found["fired"] = Ids(state.fired.begin(), state.fired.end());
  found["pairs"] = std::vector<sc::PairKey>(state.pairs.begin(), state.pairs.end());
  found["pairs_pruned"] = state.pairs_pruned;
  found["cooling"] =
      std::vector<std::pair<sc::PairKey, int64_t>>(state.cooling.begin(), state.cooling.end());
  found["cooling_pruned"] = state.cooling_pruned;
  found["acted"] = std::vector<int>(state.acted.begin(), state.acted.end());
  std::vector<std::pair<int64_t, FoundRow>> waiting;
  for (const sc::Waiting& each : state.waiting) {
    waiting.emplace_back(each.step, row_of(each.found));
  }
  found["waiting"] = waiting;
  found["ending"] = state.ending;
  found["ended_at"] = state.ended_at;
  found["uses"] = state.uses;
  return found;
}

// The motors and the actuators that the script has set since the last call.
nb::tuple take_changes(PyRunner& self) {
  nb::list motors, actuators;
  sc::State& state = self.runner.state();
  for (std::size_t i = 0; i < state.motors.size(); ++i) {
    sc::MotorState& each = state.motors[i];
    if (each.changed) motors.append(nb::make_tuple(i, each.target, each.strength, each.enabled));
    each.changed = false;
  }
  for (std::size_t i = 0; i < state.actuators.size(); ++i) {
    sc::ActuatorState& each = state.actuators[i];
    if (each.changed) actuators.append(nb::make_tuple(i, each.numbers, each.enabled));
    each.changed = false;
  }
  return nb::make_tuple(motors, actuators);
}

nb::list take_log(PyRunner& self) {
  nb::list rows;
  for (const sc::LogRow& row : self.runner.log()) {
    rows.append(nb::make_tuple(row.step, row.kind, row.a, row.b, row.amount));
  }
  return rows;
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
              OutTable out, const IntTable& variables) {
  Entry entry(world);
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
            new (self) PyRunner{sc::Runner(program.program), std::move(exact)};
          },
          "program"_a, "exact"_a)
      .def("put", put_state, "state"_a)
      .def(
          "put_things",
          [](PyRunner& self, const nb::dict& given) { put_things(self.runner.state(), given); },
          "things"_a)
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
      .def_prop_ro("fresh", [](PyRunner& self) { return self.runner.fresh(); })
      .def("clear_log", [](PyRunner& self) { self.runner.clear_log(); })
      .def_prop_ro("due",
                   [](PyRunner& self) {
                     nb::list rows;
                     for (const auto& [found, waited] : self.runner.due()) {
                       rows.append(nb::make_tuple(row_of(found), waited));
                     }
                     return rows;
                   })
      .def_prop_ro("happened", [](PyRunner& self) { return self.runner.happened(); })
      .def_prop_ro("variables", [](PyRunner& self) { return self.runner.state().variables; })
      .def_prop_ro("ending",
                   [](PyRunner& self) {
                     const sc::State& state = self.runner.state();
                     return nb::make_tuple(state.ending, state.ended_at);
                   })
      .def_prop_ro("counts",
                   [](PyRunner& self) {
                     return nb::make_tuple(self.runner.native_steps, self.runner.host_calls);
                   })
      .def(
          "press",
          [](PyRunner& self, PyWorld& world, int key, bool down) {
            Entry entry(world);
            require(key >= 0 && key < static_cast<int>(self.runner.program().keys.size()),
                    "there is no such key");
            self.runner.check_parts(*entry);
            return down ? self.runner.press(*entry, key) : self.runner.release(*entry, key);
          },
          "world"_a, "key"_a, "down"_a)
      .def("run", run, "world"_a, "end"_a, "every"_a, "channels"_a, "out"_a, "variables"_a);
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
