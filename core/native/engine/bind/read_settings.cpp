// SPDX-License-Identifier: MIT
// Conversion and checks of the settings of a world.
#include "engine/bind/read_settings.h"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace rigid {

namespace {

// left, bottom, right, top; density, damping, drag
using PoolNumbers = std::tuple<double, double, double, double, double, double, double>;

// The arguments, each read once.
class Arguments {
 public:
  explicit Arguments(const nb::kwargs& given) : given_(given) {}

  // Whether it is given; then sets `value`.
  template <class Value>
  bool take(const char* name, Value& value, const char* what) {
    asked_.emplace_back(name);
    if (!given_.contains(name)) return false;
    if (!nb::try_cast(given_[name], value)) {
      throw nb::type_error((std::string(name) + " must be " + what).c_str());
    }
    return true;
  }
  bool is_none(const char* name) const { return given_.contains(name) && given_[name].is_none(); }
  void note(const char* name) { asked_.emplace_back(name); }

  void refuse_others() const {
    for (const auto [name, value] : given_) {
      const std::string text = nb::cast<std::string>(name);
      if (std::find(asked_.begin(), asked_.end(), text) != asked_.end()) continue;
      throw nb::type_error(("a world has no setting " + text).c_str());
    }
  }

 private:
  nb::dict given_;
  std::vector<std::string> asked_;
};

double between(double value, double least, double most, const char* name) {
  if (!(value >= least && value <= most)) {
    throw std::invalid_argument(std::string(name) + " is out of its range");
  }
  return value;
}

int find_choice(const std::string& value, std::span<const char* const> names, const char* name) {
  std::string all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (value == names[i]) return static_cast<int>(i);
    all += (i == 0 ? "" : i + 1 < names.size() ? ", " : " or ") + std::string(names[i]);
  }
  throw std::invalid_argument(std::string(name) + " must be " + all);
}

void take_number(Arguments& arguments, const char* name, double least, double most, double& field) {
  double value;
  if (arguments.take(name, value, "a number")) field = between(value, least, most, name);
}

void take_count(Arguments& arguments, const char* name, int least, int most, int& field) {
  int value;
  if (!arguments.take(name, value, "a whole number")) return;
  field = static_cast<int>(between(value, least, most, name));
}

template <class Kind>
void take_choice(Arguments& arguments, const char* name, std::span<const char* const> names,
                 Kind& field) {
  std::string value;
  if (arguments.take(name, value, "a name")) {
    field = static_cast<Kind>(find_choice(value, names, name));
  }
}

void take_box(Arguments& arguments, const char* name, bool& has, double (&field)[4]) {
  std::tuple<double, double, double, double> value;
  if (arguments.is_none(name)) return arguments.note(name);
  if (!arguments.take(name, value, "left, bottom, right and top")) return;
  has = true;
  std::tie(field[0], field[1], field[2], field[3]) = value;
  for (double side : field) limit(side, name);
}

void take_gravity(Arguments& arguments, WorldDefinition& d) {
  Point gravity;
  if (!arguments.take("gravity", gravity, "two numbers")) return;
  d.gravity_x = between(gravity.first, -1e9, 1e9, "gravity");
  d.gravity_y = between(gravity.second, -1e9, 1e9, "gravity");
}

void take_pools(Arguments& arguments, WorldDefinition& d) {
  std::vector<PoolNumbers> pools;
  arguments.take("pools", pools, "a list of left, bottom, right, top, density, damping, drag");
  for (const auto& [left, bottom, right, top, density, damping, drag] : pools) {
    for (double side : {left, bottom, right, top}) finite(side, "a side of a pool");
    d.pools.push_back({left, bottom, right, top, not_negative(density, "density"),
                       not_negative(damping, "damping"), not_negative(drag, "drag")});
  }
}

}  // namespace

WorldDefinition read_settings(const nb::kwargs& given) {
  Arguments arguments(given);
  WorldDefinition d;
  std::string solver = "soft_step";
  arguments.take("solver", solver, "a name");
  d.solver = find_solver(solver);
  if (d.solver == nullptr) throw std::invalid_argument("there is no solver " + solver);
  take_gravity(arguments, d);
#define RIGID_TAKE_NUMBER(name, start, least, most, meaning) \
  take_number(arguments, #name, least, most, d.name);
#define RIGID_TAKE_COUNT(name, start, least, most, meaning) \
  take_count(arguments, #name, least, most, d.name);
#define RIGID_TAKE_CHOICE(Kind, name, start, names, meaning) \
  take_choice(arguments, #name, names, d.name);
#define RIGID_TAKE_FLAG(name, start, meaning) arguments.take(#name, d.name, "True or False");
#define RIGID_TAKE_BOX(name, meaning) take_box(arguments, #name, d.has_##name, d.name);
  RIGID_SETTINGS(RIGID_TAKE_NUMBER, RIGID_TAKE_COUNT, RIGID_TAKE_CHOICE, RIGID_TAKE_FLAG,
                 RIGID_TAKE_BOX)
  RIGID_STEP_SETTINGS(RIGID_TAKE_NUMBER, RIGID_TAKE_COUNT)
  take_pools(arguments, d);
  arguments.take("lanes", d.lanes, "a whole number");
  if (d.lanes != 0 && !find_kernels(d.lanes)) {
    throw std::invalid_argument("lanes: this processor runs other widths, see lanes_supported()");
  }
  arguments.refuse_others();
  return d;
}

nb::dict settings_table() {
  nb::dict table;
#define RIGID_SHOW_RANGE(name, start, least, most, meaning) \
  table[#name] = nb::make_tuple(start, nb::make_tuple(least, most), meaning);
#define RIGID_SHOW_CHOICE(Kind, name, start, names, meaning)                                \
  {                                                                                         \
    nb::list all;                                                                           \
    for (const char* each : names) all.append(nb::str(each));                               \
    table[#name] = nb::make_tuple(names[static_cast<int>(start)], nb::tuple(all), meaning); \
  }
#define RIGID_SHOW_FLAG(name, start, meaning) \
  table[#name] = nb::make_tuple(start, nb::make_tuple(false, true), meaning);
#define RIGID_SHOW_BOX(name, meaning) \
  table[#name] = nb::make_tuple(nb::none(), nb::make_tuple(), meaning);
  RIGID_SETTINGS(RIGID_SHOW_RANGE, RIGID_SHOW_RANGE, RIGID_SHOW_CHOICE, RIGID_SHOW_FLAG,
                 RIGID_SHOW_BOX)
  RIGID_STEP_SETTINGS(RIGID_SHOW_RANGE, RIGID_SHOW_RANGE)
  return table;
}

}  // namespace rigid
