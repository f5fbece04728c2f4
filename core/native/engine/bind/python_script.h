// SPDX-License-Identifier: MIT
// Scripts as Python has them. A state goes in and comes out as a dictionary of plain lists
// (core/world/script/native_state.py).
#ifndef RIGID_ENGINE_BIND_PYTHON_SCRIPT_H
#define RIGID_ENGINE_BIND_PYTHON_SCRIPT_H

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/bind/python_world.h"
#include "script/runner.h"

namespace rigid {

namespace sc = script;
using FoundRow = std::tuple<std::array<int64_t, 3>, std::vector<double>, bool, bool>;

struct PyProgram {
  std::shared_ptr<const sc::Program> program;
};

// A runner, and Python's functions for what portable mathematics is not sure of.
struct PyRunner {
  sc::Runner runner;
  nb::dict exact;
  nb::object view;

  std::optional<double> ask(Operation operation, std::span<const double> numbers) const {
    nb::gil_scoped_acquire acquire;
    nb::list given;
    for (double number : numbers) given.append(number);
    const nb::object result = exact[nb::int_(static_cast<int>(operation))](*given);
    if (result.is_none()) return std::nullopt;
    return nb::cast<double>(result);
  }
  // A number of the view, or none after an error, which the view keeps.
  std::optional<double> ask_view(int number, int64_t step, std::span<const double> bodies) const {
    nb::gil_scoped_acquire acquire;
    nb::list rows;
    for (double each : bodies) rows.append(each);
    try {
      return nb::cast<double>(view(number, step, rows));
    } catch (const nb::python_error&) {
      return std::nullopt;
    }
  }
  sc::Exact asking() const {
    return [this](Operation operation, std::span<const double> numbers) {
      return ask(operation, numbers);
    };
  }
};

// The engine of a textbook solver (core/world/textbook/scripted.py).
class PyEngine : public sc::HostEngine {
 public:
  PyEngine(nb::object engine, std::vector<int> channels)
      : engine_(std::move(engine)), channels_(channels.begin(), channels.end()) {}
  ~PyEngine() override {
    nb::gil_scoped_acquire acquire;
    engine_.reset();
  }
  bool has(int channel) const override { return channels_.count(channel) != 0; }
  double read(int channel, int slot) const override {
    nb::gil_scoped_acquire acquire;
    return nb::cast<double>(engine_.attr("read")(channel, slot));
  }
  std::array<double, 5> touch(int a, int b) const override {
    nb::gil_scoped_acquire acquire;
    return nb::cast<std::array<double, 5>>(engine_.attr("touch")(a, b));
  }
  std::vector<EventRow> removed(int slot) override {
    nb::gil_scoped_acquire acquire;
    return event_rows(engine_.attr("removed")(slot));
  }
  int add_force(const ForceRow& row) override {
    nb::gil_scoped_acquire acquire;
    return nb::cast<int>(engine_.attr("add_force")(nb::bytes(&row, sizeof(row))));
  }
  bool change(sc::Change what, int64_t owner, int which,
              const std::array<double, 3>& numbers) override {
    nb::gil_scoped_acquire acquire;
    return nb::cast<bool>(engine_.attr("change")(static_cast<int>(what), owner, which, numbers));
  }
  static std::vector<EventRow> event_rows(const nb::handle& given) {
    using Row = std::tuple<int32_t, int32_t, int64_t, int64_t>;
    std::vector<EventRow> rows;
    for (const auto& [step, kind, a, b] : nb::cast<std::vector<Row>>(given)) {
      rows.push_back({step, kind, a, b});
    }
    return rows;
  }

 private:
  nb::object engine_;
  std::set<int> channels_;
};

inline void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// script_states.cpp
FoundRow row_of(const sc::Found& found);
void put_objects(sc::State& state, const sc::Program& program, const nb::dict& given);
void put_inputs(sc::State& state, const sc::Program& program, const nb::dict& given);
void put_state(PyRunner& self, const nb::dict& given);
void put_bodies(sc::State& state, const sc::Program& program, const nb::dict& given);
nb::dict take_state(PyRunner& self);
// Takes notice of bodies that the host has copied: their ids, forms, tags, and names and bytes of
// those that may break.
void take_copied(PyRunner& self, const nb::list& bodies, int name, int64_t births);
// The motors and the actuators that the script has set since the last call.

}  // namespace rigid

#endif
