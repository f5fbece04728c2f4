// SPDX-License-Identifier: MIT
// States of scripts as dictionaries.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/bind/python_script.h"
#include "script/forms.h"
#include "script/reading/read_actuator.h"
#include "script/reading/read_breakable.h"
#include "script/reading/read_form.h"

namespace rigid {

namespace {

using Ids = std::vector<int64_t>;
using Words = std::vector<uint64_t>;

template <class T>
T at(const nb::dict& given, const char* name) {
  return nb::cast<T>(given[name]);
}

sc::Found found_of(const FoundRow& row, const sc::Program& program) {
  sc::Found found{};
  found.order = std::get<0>(row);
  const std::vector<double>& values = std::get<1>(row);
  require(values.size() <= found.values.size(), "an event has more values than there are");
  require(found.order[0] < static_cast<int64_t>(program.rules.size()) || !program.plans.empty(),
          "there is no such event");
  found.given = static_cast<uint8_t>(values.size());
  std::copy(values.begin(), values.end(), found.values.begin());
  found.has_first = std::get<2>(row);
  found.has_second = std::get<3>(row);
  return found;
}

sc::Tags tags_of(const Words& words) {
  if (words.empty()) return {};
  return {words[0], {words.begin() + 1, words.end()}};
}

// No bytes are those of no form.
std::shared_ptr<const sc::Form> form_of(const nb::bytes& bytes) {
  if (bytes.size() == 0) return nullptr;
  sc::Reader reader({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()});
  return std::make_shared<const sc::Form>(sc::read_form(reader));
}

std::shared_ptr<const sc::Breakable> breakable_of(const nb::bytes& bytes) {
  if (bytes.size() == 0) return nullptr;
  sc::Reader reader({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()});
  return std::make_shared<const sc::Breakable>(sc::read_breakable(reader));
}

}  // namespace

// Puts the tags, forms and outlines of bodies that were born into a state.
void put_bodies(sc::State& state, const sc::Program& program, const nb::dict& given) {
  state.tags = program.tags;
  for (const auto& [id, tags] : at<std::vector<std::pair<int64_t, Words>>>(given, "tags")) {
    const int64_t slot = Slots::slot_of(id);
    require(slot >= 0 && slot < 1 << 24, "there is no such body");
    if (slot >= static_cast<int64_t>(state.tags.size())) state.tags.resize(slot + 1);
    state.tags[slot] = tags_of(tags);
  }
  state.born.clear();
  auto forms = std::make_shared<sc::FormTable>();
  for (const auto& [id, name, form, root] :
       at<std::vector<std::tuple<int64_t, int, nb::bytes, int>>>(given, "born")) {
    require(id >= 0 && Slots::slot_of(id) < 1 << 24, "there is no such body");
    require(name < static_cast<int>(program.names.size()), "there is no such name");
    state.born.push_back({id, name, root});
    if (auto known = form_of(form)) forms->of[id] = std::move(known);
  }
  state.forms = forms->of.empty() ? nullptr : std::move(forms);
  state.breaking.clear();
  using Pair = std::array<int64_t, 2>;
  for (const auto& [id, name, bytes, along] :
       at<std::vector<std::tuple<int64_t, std::string, nb::bytes, Pair>>>(given, "breaking")) {
    auto what = breakable_of(bytes);
    require(what != nullptr, "a body cannot break");
    state.breaking[id] = {name, std::move(what), {}, along};
  }
}

namespace {

void put_born(sc::State& state, const sc::Program& program, const nb::dict& given) {
  const auto counts = at<Ids>(given, "counts");
  auto living = at<std::vector<std::vector<Ids>>>(given, "living");
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  const auto attached = at<std::vector<Pairs>>(given, "attached");
  auto counted = at<std::vector<uint8_t>>(given, "counted");
  require(counts.size() == state.counts.size() && living.size() == state.living.size() &&
              counted.size() == state.counted.size() && attached.size() == state.attached.size(),
          "the program has other names or spawners");
  state.counts = counts;
  state.living = std::move(living);
  state.watched.clear();
  for (const auto& [id, name] : at<std::vector<std::pair<int64_t, int>>>(given, "watched")) {
    require(name < static_cast<int>(program.names.size()), "there is no such name");
    state.watched.push_back({id, name});
  }
  for (std::size_t i = 0; i < attached.size(); ++i) {
    state.attached[i].clear();
    for (const auto& [count, id] : attached[i]) state.attached[i].push_back({count, id});
  }
  state.counted = std::move(counted);
  state.births = at<int64_t>(given, "births");
  state.lifetimes_given = at<int64_t>(given, "lifetimes_given");
  state.lifetimes.clear();
  for (auto& [due, order, bodies] :
       at<std::vector<std::tuple<int64_t, int64_t, Ids>>>(given, "lifetimes")) {
    state.lifetimes.push_back({due, order, std::move(bodies)});
  }
  state.told.clear();
  for (const auto& [step, kind, a, b] :
       at<std::vector<std::tuple<int32_t, int, int64_t, int64_t>>>(given, "told")) {
    state.told.push_back({step, kind, a, b});
  }
  state.deaths.clear();
  for (const auto& [id, tags, x, y] :
       at<std::vector<std::tuple<int64_t, Words, double, double>>>(given, "deaths")) {
    state.deaths.push_back({id, tags_of(tags), x, y});
  }
}

// ------------------------------------------------------------ copies

using Marks = std::vector<uint8_t>;
using Playings = std::vector<std::tuple<int64_t, double, bool, Marks>>;
using Motors = std::vector<std::tuple<double, double, bool>>;
using Springs = std::vector<std::array<double, 4>>;
using Pair = std::pair<int64_t, int64_t>;
using CopyRow =
    std::tuple<std::tuple<int64_t, int64_t, int, int64_t>, std::array<double, 5>,
               std::tuple<Ids, Ids, std::vector<int>>, std::tuple<Marks, Marks, Ids>,
               std::vector<Marks>, std::tuple<Ids, std::vector<std::vector<Ids>>, Marks>, Playings,
               std::tuple<Motors, Springs, Ids, std::vector<std::vector<Pair>>, std::vector<Pair>,
                          std::vector<int>>>;

std::vector<sc::MotorState> motors_of(const Motors& rows) {
  std::vector<sc::MotorState> found;
  for (const auto& [target, strength, enabled] : rows) {
    found.push_back({target, strength, enabled, false});
  }
  return found;
}

std::vector<sc::SpringState> springs_of(const Springs& rows) {
  std::vector<sc::SpringState> found;
  for (const auto& [first, second, shortest, longest] : rows) {
    found.push_back({first, second, shortest, longest, false, false});
  }
  return found;
}

sc::Copy copy_of(const CopyRow& row, const sc::Program& program, std::size_t actuators) {
  const auto& [head, pose, parts, marks, inside, brood, playings, driven] = row;
  sc::Copy copy{};
  std::tie(copy.serial, copy.born, copy.spawn, copy.count) = head;
  copy.pose = pose;
  std::tie(copy.bodies, copy.joints, copy.points) = parts;
  Ids fired;
  std::tie(copy.there, copy.was, fired) = marks;
  copy.fired = {fired.begin(), fired.end()};
  copy.inside = inside;
  std::tie(copy.spawned, copy.living, copy.counted) = brood;
  for (const auto& [begun, phase, settled, moved] : playings) {
    copy.playing.push_back({begun, phase, settled, moved});
  }
  const auto& [motors, springs, counts, attached, watched, acting] = driven;
  copy.motors = motors_of(motors);
  copy.springs = springs_of(springs);
  copy.counts = counts;
  copy.actuators = acting;
  for (const std::vector<Pair>& each : attached) {
    auto& joints = copy.attached.emplace_back();
    for (const auto& [count, id] : each) joints.push_back({count, id});
  }
  for (const auto& [id, place] : watched) copy.watched.push_back({id, static_cast<int>(place)});
  require(copy.spawn >= 0 && copy.spawn < static_cast<int>(program.spawns.size()),
          "there is no such birth");
  const int known = program.spawns[copy.spawn].original;
  require(known != sc::none, "a copy has no script");
  const sc::Original& original = program.originals[known];
  require(original.plan != sc::none, "a copy has no script");
  const sc::CopyPlan& plan = program.plans[original.plan];
  bool fits =
      copy.bodies.size() == original.parts.size() && copy.joints.size() == original.joints.size() &&
      copy.points.size() == original.mould->points.size() &&
      copy.there.size() == copy.bodies.size() &&
      (copy.was.empty() || copy.was.size() == plan.conditions.size()) &&
      copy.inside.size() == plan.leaving.size() && copy.spawned.size() == plan.spawners.size() &&
      copy.living.size() == plan.spawners.size() && copy.counted.size() == plan.spawners.size() &&
      copy.playing.size() == plan.animations.size() &&
      copy.motors.size() == original.motors.size() &&
      copy.springs.size() == original.springs.size() &&
      copy.actuators.size() == original.actuators.size() &&
      static_cast<int>(copy.counts.size()) == original.attached &&
      copy.attached.size() == copy.counts.size();
  for (const std::vector<uint8_t>& each : copy.inside) {
    fits = fits && (each.empty() || each.size() == copy.bodies.size());
  }
  for (int each : copy.actuators) {
    fits = fits && each >= sc::none && each < static_cast<int>(actuators);
  }
  for (std::size_t i = 0; fits && i < plan.animations.size(); ++i) {
    fits = copy.playing[i].moved.size() == plan.animations[i].tracks.size();
  }
  require(fits, "a copy is of another original");
  return copy;
}

CopyRow row_of(const sc::Copy& copy) {
  Playings playings;
  for (const sc::PlayingState& each : copy.playing) {
    playings.emplace_back(each.begun, each.phase, each.settled, each.moved);
  }
  std::vector<std::vector<Pair>> attached;
  for (const std::vector<sc::Attached>& joints : copy.attached) {
    auto& row = attached.emplace_back();
    for (const sc::Attached& each : joints) row.emplace_back(each.count, each.id);
  }
  // Motors and springs go by `take_changes`, watched joints and actuators by their removals.
  return {{copy.serial, copy.born, copy.spawn, copy.count},
          copy.pose,
          {copy.bodies, copy.joints, copy.points},
          {copy.there, copy.was, Ids(copy.fired.begin(), copy.fired.end())},
          copy.inside,
          {copy.spawned, copy.living, copy.counted},
          playings,
          {{}, {}, copy.counts, attached, {}, {}}};
}

void put_copies(PyRunner& self, const nb::dict& given) {
  sc::State& state = self.runner.state();
  const sc::Program& program = self.runner.program();
  state.copies = {};
  state.copies.births = at<int64_t>(given, "copy_births");
  state.copies.begun = at<int64_t>(given, "copies_begun");
  for (const CopyRow& row : at<std::vector<CopyRow>>(given, "copies")) {
    self.runner.take_copy(copy_of(row, program, state.actuators.size()), self.asking());
  }
  for (const CopyRow& row : at<std::vector<CopyRow>>(given, "gone")) {
    state.copies.gone.push_back(copy_of(row, program, state.actuators.size()));
  }
}

void take_copies(const sc::State& state, nb::dict& found) {
  std::vector<CopyRow> copies, gone;
  for (const auto& [serial, copy] : state.copies.all) copies.push_back(row_of(copy));
  for (const sc::Copy& copy : state.copies.gone) gone.push_back(row_of(copy));
  found["copies"] = copies;
  found["gone"] = gone;
  found["copy_births"] = state.copies.births;
  found["copies_begun"] = state.copies.begun;
}

}  // namespace

FoundRow row_of(const sc::Found& found) {
  const auto end = found.values.begin() + found.given;
  return {found.order, std::vector<double>(found.values.begin(), end), found.has_first,
          found.has_second};
}

// ------------------------------------------------------------ states

void put_objects(sc::State& state, const sc::Program& program, const nb::dict& given) {
  using Actuators = std::vector<std::tuple<std::array<double, sc::quantity_count>, bool, bool,
                                           std::vector<std::pair<int, int>>, nb::bytes>>;
  const std::size_t own = program.actuators.size();
  auto motors = motors_of(at<Motors>(given, "motors"));
  const auto actuators = at<Actuators>(given, "actuators");
  require(motors.size() == state.motors.size() && actuators.size() >= own,
          "the program has other motors or actuators");
  state.motors = std::move(motors);
  auto springs = springs_of(at<Springs>(given, "springs"));
  require(springs.size() == state.springs.size(), "the program has other springs");
  state.springs = std::move(springs);
  const auto mice = at<std::vector<sc::Numbers>>(given, "mice");
  require(mice.size() == state.mice.size(), "the program has other mice");
  for (std::size_t i = 0; i < mice.size(); ++i) state.mice[i] = {mice[i], false};
  state.actuators.resize(actuators.size());
  for (std::size_t i = 0; i < actuators.size(); ++i) {
    auto [numbers, enabled, gone, parts, bytes] = actuators[i];
    std::shared_ptr<const sc::Actuator> plan;
    if (i < own) {
      plan = program.actuators[i];
    } else if (bytes.size() != 0) {
      sc::Reader reader({reinterpret_cast<const std::byte*>(bytes.c_str()), bytes.size()});
      plan = sc::read_actuator(reader, 1);
    } else {
      plan = std::make_shared<const sc::Actuator>();
    }
    state.actuators[i] = {numbers, enabled, gone, sc::none, std::move(parts), std::move(plan)};
  }
}

void put_inputs(sc::State& state, const sc::Program& program, const nb::dict& given) {
  state.inputs.clear();
  for (const auto& [step, kind, what] :
       at<std::vector<std::tuple<int64_t, int, int>>>(given, "inputs")) {
    require(kind >= 0 && kind < sc::input_kind_count, "there is no such input");
    const auto input = static_cast<sc::InputKind>(kind);
    require(what >= 0 && what < static_cast<int>(program.places_of(input)),
            "there is no such input");
    state.inputs.push_back({step, input, what});
  }
  state.pulls.clear();
  using Pull = std::tuple<int, int64_t, std::array<double, 2>, double, int64_t, int64_t, Ids,
                          std::vector<std::array<double, 2>>, int64_t, std::string>;
  for (const auto& [number, body, point, force, start, until, steps, targets, joint, name] :
       at<std::vector<Pull>>(given, "pulls")) {
    state.pulls.push_back({number, body, point, force, start, until, steps, targets, joint, name});
    require(state.pulls.back().is_sound(), "a drag has other targets than times");
  }
  state.by_host = at<Ids>(given, "by_host");
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
  const auto animations = at<Playings>(given, "animations");
  require(animations.size() == state.animations.size(), "the program has other animations");
  for (std::size_t i = 0; i < animations.size(); ++i) {
    const auto& [begun, phase, settled, moved] = animations[i];
    require(moved.size() == program.animations[i].tracks.size(), "an animation has other tracks");
    state.animations[i] = {begun, phase, settled, moved};
  }
  put_objects(state, program, given);
  put_inputs(state, program, given);
  put_bodies(state, program, given);
  state.visible.clear();
  for (const auto& [id, shown] : at<std::vector<std::pair<int64_t, bool>>>(given, "visible")) {
    state.visible[id] = shown ? 1 : 0;
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
  put_born(state, program, given);
  self.runner.state() = std::move(state);
  put_copies(self, given);
  self.runner.begin_log();
}

void take_copied(PyRunner& self, const nb::list& bodies, int name, int64_t births) {
  const auto names = static_cast<int>(self.runner.program().names.size());
  require(name >= 0 && name < names, "there is no such name");
  std::vector<std::pair<sc::Born, sc::Tags>> born;
  using Row = std::tuple<int64_t, nb::bytes, Words, std::string, nb::bytes, std::array<int64_t, 2>>;
  for (const auto& [id, form, tags, full, breakable, along] : nb::cast<std::vector<Row>>(bodies)) {
    require(id >= 0 && Slots::slot_of(id) < 1 << 24, "there is no such body");
    born.emplace_back(sc::Born{id, name}, tags_of(tags));
    self.runner.find_pulled(id, full);
    if (auto known = form_of(form)) self.runner.learn(id, std::move(known));
    if (auto known = breakable_of(breakable)) {
      self.runner.state().breaking[id] = {full, std::move(known), {}, along};
    }
  }
  self.runner.take_copies(born, births);
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
  found["spawned"] = state.spawned;
  found["living"] = state.living;
  std::vector<std::tuple<int64_t, int64_t, Ids>> lifetimes;
  for (const sc::Lifetime& each : state.lifetimes) {
    lifetimes.emplace_back(each.due, each.order, each.bodies);
  }
  found["lifetimes"] = lifetimes;
  found["lifetimes_given"] = state.lifetimes_given;
  found["counted"] = state.counted;
  std::vector<Ids> attached;
  for (const std::vector<sc::Attached>& joints : state.attached) {
    Ids& counts = attached.emplace_back();
    for (const sc::Attached& each : joints) counts.push_back(each.count);
  }
  found["attached"] = attached;
  take_copies(state, found);
  return found;
}

}  // namespace rigid
