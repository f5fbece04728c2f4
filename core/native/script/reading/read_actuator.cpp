// SPDX-License-Identifier: MIT
#include "script/reading/read_actuator.h"

#include <utility>

#include "script/reading/read_values.h"

namespace rigid::script {

std::shared_ptr<const Actuator> read_actuator(Reader& reader, int bodies) {
  Actuator found{};
  found.by_joint = reader.flag();
  found.turns = reader.flag();
  found.start = reader.number<int64_t>();
  found.until = reader.number<int64_t>();
  for (double& number : found.numbers) number = reader.real();
  found.enabled = reader.flag();
  found.parts = reader.list<std::pair<int, int>>(8, [&] {
    const int place = reader.place(most_elements);
    return std::pair(place, reader.place(bodies));
  });
  found.field = reader.list<rigid::Program>(8, [&] { return read_formula(reader); });
  require(found.field.empty() || (found.field.size() == 2 && !found.by_joint),
          "a field has no direction");
  for (const rigid::Program& along : found.field) {
    require(along.columns(0) <= field_inputs, "an expression reads what it has not");
  }
  found.potential = reader.list<rigid::Program>(8, [&] { return read_formula(reader); });
  require(found.potential.size() <= 1 && !(found.by_joint && !found.potential.empty()),
          "a field has more than one energy");
  for (const rigid::Program& energy : found.potential) {
    require(energy.columns(0) <= potential_inputs, "an expression reads what it has not");
  }
  found.tags = read_tags(reader);
  found.turns_force = reader.flag();
  found.blows = reader.flag();
  if (found.by_joint) {
    found.joint = reader.number<JointRow>();
    const JointRow& row = found.joint;
    require(row.body_a == 0 && row.linked_a == 0 && row.linked_b == 0, "a motor is linked");
  } else {
    found.force = reader.number<ForceRow>();
  }
  return std::make_shared<const Actuator>(std::move(found));
}

}  // namespace rigid::script
