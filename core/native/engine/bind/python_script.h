// SPDX-License-Identifier: MIT
// Scripts as Python has them. A state goes in and comes out as a dictionary of plain lists
// (core/world/script/native_state.py).
#ifndef RIGID_ENGINE_BIND_PYTHON_SCRIPT_H
#define RIGID_ENGINE_BIND_PYTHON_SCRIPT_H

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <tuple>
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

inline void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// script_states.cpp
FoundRow row_of(const sc::Found& found);
void put_objects(sc::State& state, const nb::dict& given);
void put_inputs(sc::State& state, const sc::Program& program, const nb::dict& given);
void put_state(PyRunner& self, const nb::dict& given);
nb::dict take_state(PyRunner& self);
// The motors and the actuators that the script has set since the last call.
nb::tuple take_changes(PyRunner& self);

}  // namespace rigid

#endif
