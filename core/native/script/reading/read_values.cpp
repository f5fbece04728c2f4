// SPDX-License-Identifier: MIT
#include "script/reading/read_values.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sorting.h"

namespace rigid::script {

rigid::Program read_formula(Reader& reader) {
  auto constants = reader.list<double>(8, [&] { return reader.real(); });
  auto instructions = reader.list<Instruction>(20, [&] {
    const auto operation = reader.number<int32_t>();
    require(operation >= 0 && operation < operation_count, "there is no such operation");
    Instruction found{};
    found.operation = static_cast<Operation>(operation);
    for (int* part : {&found.out, &found.a, &found.b, &found.c}) {
      *part = reader.number<int32_t>();
    }
    return found;
  });
  rigid::Program program(std::move(instructions), std::move(constants));
  require(program.results() == 1 && program.columns(1) == 0, "an expression reads what it has not");
  return program;
}

Tags read_tags(Reader& reader) {
  std::vector<uint64_t> words =
      reader.list<uint64_t>(8, [&reader] { return reader.number<uint64_t>(); });
  require(static_cast<int>(words.size()) <= most_tags / 64, "there are too many tags");
  if (words.empty()) return {};
  return {words[0], {words.begin() + 1, words.end()}};
}

#ifndef RIGID_SMALL
// Owners are also the bodies of an original's copies from here on, or of none.
void ValueReader::act_as(int place) {
  own_ = {};
  if (place == none) return;
  const Original& original = program_.originals[place];
  const auto size = [](const auto& all) { return static_cast<int>(all.size()); };
  own_ = {place,
          size(original.parts),
          size(original.joints),
          size(original.motors),
          size(original.springs),
          0,
          original.attached,
          size(original.actuators)};
}
#endif

Motor ValueReader::motor(std::size_t joints) {
  Motor found{};
  found.joint = reader_.place(joints);
  found.target = reader_.finite();
  found.strength = reader_.real();
  found.enabled = reader_.flag();
  found.relative = reader_.flag();
  found.lower = reader_.real();
  found.upper = reader_.real();
  return found;
}

JointSpring ValueReader::spring(std::size_t joints) {
  JointSpring found{};
  found.joint = reader_.place(joints);
  found.kind = reader_.place(3);
  found.by_frequency = reader_.flag();
  for (double* number : {&found.first, &found.second, &found.shortest, &found.longest}) {
    *number = reader_.real();
  }
  return found;
}

int ValueReader::owner() {
  const auto found = reader_.number<int32_t>();
  require(found >= least_owner() && found < program_.bodies && found != 0,
          "a place is in no table");
  return found;
}

Aggregate ValueReader::aggregate() {
  Aggregate found{};
  found.over = reader_.word<Over>(over_count);
  const auto known = channels();
  found.channels = places(known.size());
  for (int channel : found.channels) {
    require(known[channel].owner == Owner::body, "a channel is of no body");
  }
  require(static_cast<int>(found.channels.size()) == channels_of(found.over),
          "an aggregate reads other channels");
  require(found.over < Over::momentum || !program_.own_forms.empty(), "a body has no form");
  found.tag = reader_.place(most_tags, none);
  found.bodies = places(program_.bodies);
  return found;
}

BodyFilter ValueReader::body_filter() {
  BodyFilter found;
  found.bodies = places(program_.bodies);
  rigid::sort(found.bodies.begin(), found.bodies.end());
  found.tags = read_tags(reader_);
  return found;
}

ProbeReading ValueReader::probe_reading(int probes) {
  ProbeReading found{};
  found.probe = reader_.place(probes);
  found.quantity = reader_.word<ProbeQuantity>(probe_quantity_count);
  found.filter = body_filter();
  found.by_name = reader_.flag();
  found.names = places(most_elements);
  return found;
}

// A probe that reads probes might not come to an end.
void ValueReader::require_no_probe(const Number& number) const {
  if (number.expression == none) return;
  const Expression& expression = program_.expressions[number.expression];
  require(expression.use == none, "a probe is at random");
  for (const Input& input : expression.inputs) {
    require(input.source <= Source::actuator || input.source == Source::members ||
                input.source >= Source::camera,
            "a probe reads a probe or an event");
  }
}

Probe ValueReader::probe() {
  Probe found{};
  found.kind = reader_.word<ProbeKind>(probe_kind_count);
  found.frame = reader_.place(program_.bodies, none);
  found.body = reader_.place(program_.bodies, found.kind == ProbeKind::velocity ? 1 : none);
  require(found.frame != 0, "a place is in no table");
  found.at = value();
  found.to = value();
  require(found.at.width == 2 && found.to.width == 2, "a place is no point");
  found.angle = number();
  for (const Value& point : {found.at, found.to}) {
    for (const Number& each : point.numbers) require_no_probe(each);
  }
  require_no_probe(found.angle);
  found.parts = reader_.list<ConvexPart>(12, [this] {
    const double radius = reader_.finite();
    auto corners = reader_.list<double>(8, [this] { return reader_.finite(); });
    require(radius >= 0.0 && corners.size() % 2 == 0 && corners.size() >= 2 &&
                corners.size() <= 2 * max_vertices,
            "a probe has no shape");
    return ConvexPart{radius, std::move(corners)};
  });
  found.categories = reader_.number<uint64_t>();
  found.ignored = body_filter();
  found.only = body_filter();
  found.finds_all = reader_.flag();
  return found;
}

int ValueReader::owners_of(Owner owner) const {
  if (owner == Owner::body) return program_.bodies;
  if (owner == Owner::joint) return program_.joints;
  return owner == Owner::point ? program_.points : 1;
}

Input ValueReader::input() {
  Input found{};
  found.source = reader_.word<Source>(source_count);
  const auto known = channels();
  if (found.source == Source::channel) {
    found.a = reader_.place(known.size());
    found.b = reader_.place(owners_of(known[found.a].owner));
  } else if (found.source == Source::of_body) {
    found.a = reader_.place(2);
    found.b = reader_.place(known.size() + (program_.own_forms.empty() ? 0 : side_count));
    require(found.b >= static_cast<int>(known.size()) || known[found.b].owner == Owner::body,
            "a channel is of no body");
    std::vector<int>& all = program_.of_bodies;
    if (std::find(all.begin(), all.end(), found.b) == all.end()) all.push_back(found.b);
#ifndef RIGID_SMALL
  } else if (found.source == Source::actuator) {
    found.a = own_place(program_.actuators.size(), most_elements);
    reader_.number<int32_t>();
  } else if (found.source == Source::own) {
    found.a = reader_.place(known.size() + (program_.own_forms.empty() ? 0 : side_count));
    found.b = reader_.place(most_elements);
    require(found.a >= static_cast<int>(known.size()) || known[found.a].owner != Owner::world,
            "a channel is of no body");
#endif
  } else if (found.source == Source::members) {
    found.a = reader_.place(program_.aggregates.size());
    reader_.number<int32_t>();
  } else if (found.source == Source::probe) {
    found.a = reader_.place(program_.readings.size());
    reader_.number<int32_t>();
  } else {
    const std::size_t sizes[] = {program_.variables.size(),
                                 program_.actuators.size(),
                                 event_values,
                                 0,
                                 0,
                                 0,
                                 camera_numbers,
                                 solver_numbers,
                                 energy_numbers};  // by source, from variables on
    found.a = reader_.place(sizes[static_cast<int>(found.source) - 1]);
    reader_.number<int32_t>();
  }
  return found;
}

Expression ValueReader::expression() {
  const int path = text();
  const int use = reader_.place(program_.uses, none);
  const auto bodies = reader_.number<uint8_t>();
  const double low = reader_.real(), high = reader_.real();
  auto inputs = reader_.list<Input>(9, [this] { return input(); });
  rigid::Program program = read_formula(reader_);
  require(program.columns(0) <= static_cast<int>(inputs.size()),
          "an expression reads what it has not");
  return {path, use, bodies, low, high, std::move(inputs), std::move(program)};
}

Number ValueReader::number() {
  Number found;
  found.expression = expression_place();
  found.constant = reader_.real();
  return found;
}

Value ValueReader::value() {
  Value found;
  found.width = 1 + reader_.word<uint8_t>(2);
  for (int i = 0; i < found.width; ++i) found.numbers[i] = number();
  return found;
}

Place ValueReader::place() {
  Place found{};
  found.target = reader_.word<Target>(target_count);
  std::size_t size = std::numeric_limits<int32_t>::max();
  int own = 0;
  if (found.target == Target::variable) size = program_.variables.size();
  if (is_of_motor(found.target)) size = program_.motors.size(), own = own_.motors;
  if (found.target == Target::limits) size = program_.joints, own = own_.joints;
  if (found.target == Target::mouse_target) size = program_.mice.size();
  if (is_of_spring(found.target)) size = program_.springs.size(), own = own_.springs;
  if (is_of_actuator(found.target)) size = program_.actuators.size(), own = own_.actuators;
  if (is_of_pool(found.target)) size = program_.pools;
  if (is_of_material(found.target)) size = most_tags;
  found.owner = is_of_body(found.target) ? owner() : own_place(size, own);
  found.axis = reader_.place(4, none);
  const bool is_of_joint = found.owner < 0 && !is_of_body(found.target);
  require(found.axis < 2 || is_of_pool(found.target) || is_of_joint, "a place is in no table");
  return found;
}

int ValueReader::width_of(const Place& place) {
  switch (place.target) {
    case Target::position:
    case Target::velocity:
    case Target::mouse_target:
    case Target::actuator_force:
    case Target::gravity:
      return place.axis == none ? 2 : 1;
    case Target::limits:
      return 2;
    default:
      return 1;
  }
}

Spot ValueReader::spot() {
  Spot found{};
  found.where = reader_.word<Where>(where_count);
  found.owner = owner();
  found.is_origin = reader_.flag();
  found.x = reader_.finite();
  found.y = reader_.finite();
  found.at = value();
  require(found.where != Where::point || found.at.width == 2, "a place is no point");
  return found;
}

Move ValueReader::move() {
  Move found{};
  found.by = value();
  found.angle = number();
  found.has_velocity = reader_.flag();
  found.velocity = value();
  require(found.by.width == 2 && found.velocity.width == 2, "a motion has no direction");
  return found;
}

Reach ValueReader::reach() {
  Reach found{};
  found.by = reader_.place(program_.originals.size(), none);
  act_as(found.by);
  found.tip = spot();
  found.hinges = reader_.list<ChainHinge>(49, [this] {
    ChainHinge hinge{};
    hinge.joint = own_place(program_.joints, own_.joints);
    hinge.motor = own_place(program_.motors.size(), own_.motors);
    hinge.channel = reader_.place(channels().size());
    require(channels()[hinge.channel].owner == Owner::joint, "a channel is of no joint");
    hinge.end = reader_.place(2);
    hinge.x = reader_.finite();
    hinge.y = reader_.finite();
    hinge.lower = reader_.real();
    hinge.upper = reader_.real();
    hinge.relative = reader_.flag();
    return hinge;
  });
  require(!found.hinges.empty(), "a chain has no hinges");
  act_as(none);
  return found;
}

Setting ValueReader::setting() {
  Setting found{place(), value()};
  require(found.place.target != Target::none && found.value.width == width_of(found.place),
          "a value has another width than what is set to it");
  return found;
}

}  // namespace rigid::script
