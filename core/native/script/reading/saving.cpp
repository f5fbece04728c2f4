// SPDX-License-Identifier: MIT
// The fields of a state in one list, which writing and reading both go through.
#include "script/reading/saving.h"

#include <algorithm>

#include "engine/data/archive.h"
#include "engine/data/slots.h"
#include "script/reading/read_breakable.h"
#include "script/reading/save_joints.h"

namespace rigid::script {

namespace {

template <class Archive, class T, std::size_t n>
void put_each(Archive& archive, std::array<T, n>& values) {
  for (T& value : values) put(archive, value);
}

template <class Archive>
void list(Archive& a, Found& found) {
  put_each(a, found.order);
  put(a, found.given, found.has_first, found.has_second);
  put_each(a, found.values);
}

template <class Archive>
void list(Archive& a, Waiting& waiting) {
  put(a, waiting.step);
  list(a, waiting.found);
}

template <class Archive>
void list(Archive& a, HeldKey& held) {
  put(a, held.key, held.since);
}

template <class Archive>
void list(Archive& a, PlayingState& state) {
  put(a, state.begun, state.phase, state.settled, state.moved);
}

template <class Archive>
void list(Archive& a, MotorState& state) {
  put(a, state.target, state.strength, state.enabled);
}

template <class Archive>
void list(Archive& a, SpringState& state) {
  put(a, state.first, state.second, state.shortest, state.longest);
}

template <class Archive>
void list(Archive& a, MouseState& state) {
  put_each(a, state.target);
}

template <class Archive>
void list(Archive& a, Tags& tags) {
  put(a, tags.first, tags.rest);
}

template <class Archive>
void list(Archive& a, ActuatorState& state) {
  put_each(a, state.numbers);
  put(a, state.enabled, state.gone, state.parts);
}

template <class Archive>
void list(Archive& a, Born& born) {
  put(a, born.id, born.name);
}

template <class Archive>
void list(Archive& a, Lifetime& lifetime) {
  put(a, lifetime.due, lifetime.order, lifetime.bodies);
}

template <class Archive>
void list(Archive& a, Death& death) {
  put(a, death.id, death.tags.first, death.tags.rest, death.x, death.y);
}

template <class Archive>
void list(Archive& a, EventRow& row) {
  put(a, row.step, row.kind, row.a, row.b);
}

template <class Archive>
void list(Archive& a, TimedInput& input) {
  put(a, input.step, input.kind, input.what);
}

// Elements for which `put` finds no list.
template <class Archive, class T>
void put_list(Archive& archive, std::vector<T>& values) {
  std::size_t size = values.size();
  archive.count(size, 1);
  if constexpr (Archive::reads) values.assign(size, T{});
  for (T& value : values) list(archive, value);
}

template <class Archive>
void put_keys(Archive& archive, std::vector<PairKey>& keys) {
  std::size_t size = keys.size();
  archive.count(size, sizeof(PairKey));
  if constexpr (Archive::reads) keys.assign(size, PairKey{});
  for (PairKey& key : keys) put_each(archive, key);
}

template <class Archive>
void list(Archive& a, Breaking& breaking) {
  std::vector<uint8_t> name(breaking.name.begin(), breaking.name.end()), bytes;
  if constexpr (!Archive::reads) {
    for (std::byte each : bytes_of(*breaking.what)) bytes.push_back(static_cast<uint8_t>(each));
  }
  put(a, name, bytes, breaking.origin.x, breaking.origin.y, breaking.along[0], breaking.along[1]);
  if constexpr (Archive::reads) {
    breaking.name.assign(name.begin(), name.end());
    Reader reader(std::as_bytes(std::span(bytes)));
    breaking.what = std::make_shared<const Breakable>(read_breakable(reader));
  }
}

template <class Archive>
void put_state(Archive& a, State& state) {
  put(a, state.seed, state.variables);
  put_list(a, state.held);
  put_list(a, state.animations);
  put_list(a, state.motors);
  put_list(a, state.springs);
  put_list(a, state.mice);
  put_list(a, state.actuators);
  put_list(a, state.inputs);
  put(a, state.prepared, state.busy, state.was, state.inside);
  std::vector<int64_t> fired(state.fired.begin(), state.fired.end());
  std::vector<PairKey> pairs(state.pairs.begin(), state.pairs.end()), cooling;
  std::vector<int64_t> until;
  for (const auto& [key, step] : state.cooling) {
    cooling.push_back(key);
    until.push_back(step);
  }
  std::vector<int> acted(state.acted.begin(), state.acted.end());
  put(a, fired, state.pairs_pruned, state.cooling_pruned, until, acted);
  put_keys(a, pairs);
  put_keys(a, cooling);
  put_list(a, state.waiting);
  put(a, state.ended_at, state.ending, state.uses);
  put_list(a, state.tags);
  put(a, state.members, state.spawned, state.counted, state.counts, state.births,
      state.lifetimes_given);
  std::vector<int64_t> watched;
  for (const Watched& each : state.watched) {
    watched.insert(watched.end(), {each.id, int64_t{each.name}});
  }
  put(a, watched);
  if constexpr (Archive::reads) {
    state.watched.clear();
    for (std::size_t i = 0; i + 1 < watched.size(); i += 2) {
      state.watched.push_back({watched[i], static_cast<int>(watched[i + 1])});
    }
  }
  put_joints(a, state);
  put_list(a, state.told);
  put_list(a, state.born);
  put_list(a, state.lifetimes);
  put_list(a, state.deaths);
  put(a, state.visible);
  std::size_t breaking = state.breaking.size();
  a.count(breaking, 1);
  if constexpr (Archive::reads) {
    for (std::size_t i = 0; i < breaking; ++i) {
      int64_t id = 0;
      put(a, id);
      list(a, state.breaking[id]);
    }
  } else {
    for (auto& [id, each] : state.breaking) {
      int64_t copy = id;
      put(a, copy);
      list(a, each);
    }
  }
  std::size_t spawners = state.living.size();
  a.count(spawners, 1);
  if constexpr (Archive::reads) state.living.assign(spawners, {});
  for (auto& births : state.living) put(a, births);
  put_forms(a, state);
  if constexpr (Archive::reads) {
    if (until.size() != cooling.size()) throw DamagedState();
    state.fired = {fired.begin(), fired.end()};
    state.pairs = {pairs.begin(), pairs.end()};
    state.acted = {acted.begin(), acted.end()};
    state.cooling.clear();
    for (std::size_t i = 0; i < until.size(); ++i) state.cooling[cooling[i]] = until[i];
  }
}

constexpr std::size_t most_slots = 1 << 24;

bool is_slot(int64_t id) { return id >= 0 && Slots::slot_of(id) < int64_t{most_slots}; }

void require(bool holds) {
  if (!holds) throw DamagedState();
}

template <class T>
bool is_place(T value, std::size_t size, T least = 0) {
  return value >= least && value < static_cast<T>(size);
}

}  // namespace

std::vector<std::byte> save(State state) {
  StateWriter archive;
  put_state(archive, state);
  return archive.take();
}

State restored(std::span<const std::byte> bytes, const Runner& runner) {
  const Program& program = runner.program();
  const State& now = runner.state();
  State state;
  StateReader archive(bytes);
  try {
    put_state(archive, state);
  } catch (const std::invalid_argument&) {
    throw DamagedState();
  }
  require(archive.at_end() && state.variables.size() == now.variables.size() &&
          state.animations.size() == now.animations.size() &&
          state.motors.size() == now.motors.size() && state.springs.size() == now.springs.size() &&
          state.mice.size() == now.mice.size() && state.actuators.size() == now.actuators.size() &&
          state.was.size() == now.was.size() && state.inside.size() == now.inside.size() &&
          state.uses.size() == now.uses.size());
  require(state.members.size() == now.members.size() &&
          state.spawned.size() == now.spawned.size() && state.counts.size() == now.counts.size() &&
          state.attached.size() <= now.attached.size() &&
          state.living.size() == now.living.size() && state.counted.size() == now.counted.size() &&
          state.tags.size() >= program.tags.size() && state.tags.size() < most_slots);
  state.attached.resize(now.attached.size());  // a page's state has none
  for (const Born& each : state.born) {
    require(is_slot(each.id) && is_place(each.name, program.names.size(), none));
  }
  for (const Watched& each : state.watched) {
    require(is_place(each.name, program.names.size(), none));
  }
  for (const Death& each : state.deaths) require(is_slot(each.id));
  for (const auto& [id, breaking] : state.breaking) require(is_slot(id));
  for (const auto& [id, shown] : state.visible) require(is_slot(id));
  for (const std::vector<int64_t>& members : state.members) {
    for (int64_t id : members) require(is_slot(id));
  }
  for (std::size_t i = 1; i < state.lifetimes.size(); ++i) {
    require(state.lifetimes[i - 1].due <= state.lifetimes[i].due);
  }
  for (std::size_t i = 0; i < state.animations.size(); ++i) {
    require(state.animations[i].moved.size() == program.animations[i].tracks.size());
    require(state.animations[i].phase >= 0.0 && state.animations[i].phase <= 1.0);
  }
  require(state.actuators.size() == program.actuators.size());
  for (std::size_t i = 0; i < state.actuators.size(); ++i) {
    state.actuators[i].plan = program.actuators[i];
    const auto& all = program.actuators[i]->parts;  // of which some may be gone
    for (const auto& part : state.actuators[i].parts) {
      require(std::find(all.begin(), all.end(), part) != all.end());
    }
  }
  for (const HeldKey& held : state.held) require(is_place(held.key, program.keys.size()));
  for (const TimedInput& input : state.inputs) {
    require(is_place(input.what, program.places_of(input.kind)));
  }
  const auto asked = static_cast<int64_t>(program.asked.size());
  for (const Waiting& each : state.waiting) {
    require(is_place(each.found.order[0], program.rules.size(), -asked - 1));
    require(each.found.given <= each.found.values.size());
  }
  require(is_place(state.ending, program.texts.size(), none));
  return state;
}

}  // namespace rigid::script
