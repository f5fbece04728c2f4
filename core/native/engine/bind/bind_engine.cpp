// SPDX-License-Identifier: MIT
// The bindings of the engine's kinds, rows and channels, and of World itself.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "compiled/compiled_rows.h"
#include "engine/bind/python_world.h"
#include "engine/bind/read_settings.h"
#include "engine/bind/row_arrays.h"
#include "engine/channels.h"
#include "engine/data/constants.h"
#include "engine/data/kernels.h"
#include "engine/data/observed_rows.h"
#include "engine/forces/pull_tree.h"
#include "geometry/shape.h"

namespace rigid {

namespace {

template <class Names>
nb::dict codes_by_name(const Names& names) {
  nb::dict codes;
  int code = 0;
  for (const char* name : names) codes[name] = code++;
  return codes;
}

struct RowKind {
  const char* name;
  std::span<const RowField> fields;
  std::size_t size;
};

template <class... R>
std::vector<RowKind> kinds_of() {
  return {RowKind{R::name_of_rows, R::fields(), sizeof(R)}...};
}

std::vector<RowKind> row_kinds() {
  return kinds_of<BodyRow, ShapeRow, JointRow, ForceRow, BarRow, PointRow, JointStateRow,
                  ContactRow, SwitchRow, ObservedBody, ObservedContact, ObservedRow,
                  ObservedJoint>();
}

// The dtype of a row, made at its first use (PEP 562): reading scenes needs no NumPy, which takes
// longer to load than a scene.
nb::object missing_attribute(const std::string& name) {
  for (const RowKind& kind : row_kinds()) {
    if (name != kind.name) continue;
    nb::object dtype = make_dtype(kind.fields, kind.size);
    nb::module_::import_("rigid2d.core._native").attr(kind.name) = dtype;
    return dtype;
  }
  const std::string message = "module 'rigid2d.core._native' has no attribute '" + name + "'";
  throw nb::attribute_error(message.c_str());
}

void bind_rows(nb::module_& module) {
  nb::dict rows;
  for (const RowKind& kind : row_kinds()) {
    nb::dict fields;
    for (const RowField& field : kind.fields) {
      fields[field.name] = nb::make_tuple(field.start, field.unit, field.meaning);
    }
    rows[kind.name] = fields;
  }
  module.attr("ROWS") = rows;
  module.def("__getattr__", missing_attribute);
}

void bind_channels(nb::module_& module) {
  nb::dict table;
  int code = 0;
  for (const Channel& channel : channels()) {
    const char* owner = owners[static_cast<int>(channel.owner)];
    std::string name = std::string(owner) + "." + channel.quantity;
    table[name.c_str()] = nb::make_tuple(code++, channel.unit);
  }
  module.attr("CHANNELS") = table;
}

// The attraction of points [x, y, mass], by cells.
std::vector<std::array<double, 2>> attraction_of(const std::vector<std::array<double, 3>>& given,
                                                 double softening) {
  std::vector<PullPoint> points;
  for (const auto& [x, y, mass] : given) points.push_back({{x, y}, mass, {0, 0}});
  PullTree().add_forces(points, softening, 1);
  std::vector<std::array<double, 2>> forces;
  for (const PullPoint& point : points) forces.push_back({point.force.x, point.force.y});
  return forces;
}

double attraction_potential(const std::vector<std::array<double, 3>>& given, double softening) {
  std::vector<PullPoint> points;
  for (const auto& [x, y, mass] : given) points.push_back({{x, y}, mass, {0, 0}});
  return PullTree().potential(points, softening);
}

void bind_attraction(nb::module_& module) {
  module.attr("ATTRACTION_EXACT") = PullTree::most_exact;
  module.def("attraction_of", attraction_of, nb::arg("points"), nb::arg("softening"));
  module.def("attraction_potential", attraction_potential, nb::arg("points"), nb::arg("softening"));
}

void raise_usage_error(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Unusable& error) {
    nb::object type = nb::module_::import_("rigid2d.core.errors").attr("UsageError");
    PyErr_SetString(type.ptr(), error.what());
  }
}

}  // namespace

void bind_engine(nb::module_& module) {
  module.attr("BODY_KINDS") = codes_by_name(body_kinds);
  module.attr("SHAPE_KINDS") = codes_by_name(shape_kinds);
  module.attr("JOINT_KINDS") = codes_by_name(joint_kinds);
  module.attr("MOTOR_KINDS") = codes_by_name(motor_kinds);
  module.attr("MOTOR_SIDES") = codes_by_name(motor_sides);
  module.attr("SPRING_KINDS") = codes_by_name(spring_kinds);
  module.attr("FORCE_KINDS") = codes_by_name(force_kinds);
  module.attr("EVENT_KINDS") = codes_by_name(event_kinds);
  module.attr("WORLD_SETTINGS") = settings_table();
  bind_rows(module);
  bind_channels(module);
  module.attr("RUNAWAY_DISTANCE") = constants::runaway_distance;
  module.attr("RUNAWAY_SPEED") = constants::runaway_speed;
  module.attr("LINEAR_SLOP") = static_cast<double>(constants::linear_slop);
  module.def("lanes_supported", [] {
    nb::list widths;
    for (int width : {1, 4, 8, 16}) {
      if (find_kernels(width)) widths.append(width);
    }
    return widths;
  });
  nb::register_exception_translator(raise_usage_error);
  nb::class_<PyWorld> type(module, "World");
  type.doc() = "The engine. Body 0 is `world`, a static body without shapes.";
  bind_attraction(module);
  bind_building(type);
  bind_running(type);
  bind_observing(module, type);
  bind_state(type);
  bind_queries(type);
  bind_saving(type);
  bind_batch(module);
  bind_mould(module);
  bind_compiled(module);
}

}  // namespace rigid
