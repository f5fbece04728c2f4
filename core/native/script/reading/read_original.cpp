// SPDX-License-Identifier: MIT
// The rows of an original, and what is done with its copies.
#include "script/reading/read_original.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "engine/building/read_rows.h"
#include "script/reading/read_actuator.h"
#include "script/reading/read_breakable.h"
#include "script/reading/read_form.h"
#include "script/reading/read_values.h"

namespace rigid::script {

namespace {

template <class Row>
std::vector<Row> rows(Reader& reader) {
  return reader.list<Row>(sizeof(Row), [&] { return reader.number<Row>(); });
}
std::vector<double> reals(Reader& reader) {
  return reader.list<double>(8, [&] { return reader.finite(); });
}

Part part(Reader& reader, const Program& program) {
  Part found{};
  for (double* each : {&found.x, &found.y, &found.angle, &found.vx, &found.vy}) {
    *each = reader.finite();
  }
  found.moves = reader.flag();
  found.turns = reader.flag();
  found.tags = read_tags(reader);
  found.name = program.texts[reader.place(program.texts.size())];
  const int breakable = reader.place(program.breakables.size(), none);
  if (breakable != none) found.breakable = program.breakables[breakable];
  const int form = reader.place(program.forms.size(), none);
  if (form != none) found.form = program.forms[form];
  for (int& other : found.along) other = reader.number<int32_t>();
  return found;
}

Solid solid(Reader& reader, std::size_t parts) {
  Solid found{};
  found.part = reader.place(parts);
  found.radius = reader.finite();
  found.corners = reals(reader);
  const std::size_t numbers = found.corners.size();
  require(found.radius >= 0.0 && numbers >= 2 && numbers % 2 == 0 && numbers <= 2 * max_vertices,
          "a shape has no corners");
  return found;
}

}  // namespace

Original read_original(Reader& reader, const Program& program, int plans) {
  Original found{};
  found.scale = reader.finite();
  require(found.scale > 0.0, "a size is not above 0");
  found.mirror = reader.word<uint8_t>(3);
  found.emits = reader.flag();
  found.plan = reader.place(plans, none);
  const auto bodies = rows<BodyRow>(reader);
  const auto shapes = rows<ShapeRow>(reader);
  const auto corners = reals(reader);
  const auto bars = rows<BarRow>(reader);
  const auto points = rows<PointRow>(reader);
  require(corners.size() % 2 == 0, "a corner has one coordinate");
  try {
    found.mould =
        std::make_shared<const Mould>(FragmentRows{bodies, shapes, corners, {}, bars, points});
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
  found.parts = reader.list<Part>(66, [&] { return part(reader, program); });
  for (const Part& each : found.parts) {
    for (int other : each.along) {
      require(other >= none && other < static_cast<int>(found.parts.size()),
              "a picture is aligned with no body");
    }
  }
  require(found.parts.size() == bodies.size(), "an original has other bodies");
  found.joints = rows<JointRow>(reader);
  const auto size = static_cast<int64_t>(found.parts.size());
  const auto joints = static_cast<int64_t>(found.joints.size());
  for (const JointRow& row : found.joints) {
    const auto is_part = [&](int64_t body) { return body >= 0 && body < size; };
    const auto is_link = [&](int64_t link) { return link >= 0 && link <= joints; };
    require(is_part(row.body_a) && is_part(row.body_b) && is_link(row.linked_a) &&
                is_link(row.linked_b),
            "a place is in no table");
  }
  found.solids = reader.list<Solid>(16, [&] { return solid(reader, found.parts.size()); });
  require(std::is_sorted(found.solids.begin(), found.solids.end(),
                         [](const Solid& a, const Solid& b) { return a.part < b.part; }),
          "shapes are in another order");
#ifdef RIGID_SMALL
  require(reader.count(1) == 0, "joints with the world are born in it, which pages do not do");
  require(reader.count(1) == 0, "actuators are born in it, which pages do not do");
#else
  found.grounded = reader.list<Grounded>(72, [&] {
    Grounded each{};
    each.joint = reader.place(found.joints.size());
    for (bool* flag : {&each.first, &each.second, &each.has_axis, &each.has_wheels}) {
      *flag = reader.flag();
    }
    for (Numbers* point : {&each.anchor, &each.axis, &each.wheels[0], &each.wheels[1]}) {
      for (double& number : *point) number = reader.finite();
    }
    return each;
  });
  found.actuators = reader.list<OwnActuator>(least_of_actuator, [&] {
    OwnActuator own{read_actuator(reader, 1), {}};
    own.parts = reader.list<int>(4, [&] { return reader.place(found.parts.size()); });
    return own;
  });
#endif
  return found;
}

#ifndef RIGID_SMALL
Given read_given(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Program tables;
  tables.texts = reader.list<std::string>(4, [&] { return reader.text(); });
  tables.forms = reader.list<std::shared_ptr<const Form>>(
      8, [&] { return std::make_shared<const Form>(read_form(reader)); });
  tables.breakables = reader.list<std::shared_ptr<const Breakable>>(
      8, [&] { return std::make_shared<const Breakable>(read_breakable(reader)); });
  const Original original = read_original(reader, tables, 0);
  const double x = reader.finite(), y = reader.finite();
  return {std::make_shared<const Original>(original), {x, y}};
}
#endif

}  // namespace rigid::script
