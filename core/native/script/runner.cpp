// SPDX-License-Identifier: MIT
// The stretches of a run, and the inputs before a step.
#include "script/runner.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "script/copy_keys.h"
#include "script/times.h"

namespace rigid::script {

Runner::Runner(std::shared_ptr<const Program> program) : program_(std::move(program)) {
  state_.variables.resize(program_->variables.size());
  state_.animations.resize(program_->animations.size());
  for (std::size_t i = 0; i < program_->animations.size(); ++i) {
    state_.animations[i].moved.resize(program_->animations[i].tracks.size());
  }
  state_.motors.resize(program_->motors.size());
  state_.springs.resize(program_->springs.size());
  state_.mice.resize(program_->mice.size());
  for (const auto& plan : program_->actuators) state_.actuators.emplace_back().plan = plan;
  state_.tags = program_->tags;
  state_.was.resize(program_->by_kind[static_cast<int>(Kind::condition)].size());
  const std::size_t regions = program_->by_kind[static_cast<int>(Kind::leave)].size();
  state_.inside.resize(regions);
  state_.members.resize(regions);
  state_.uses.assign(program_->uses, -1);
  state_.spawned.resize(program_->spawners.size());
  state_.living.resize(program_->spawners.size());
  state_.counted.resize(program_->spawners.size());
  state_.counts.resize(program_->names.size());
  begin_breaking();
  std::set<int> watched;
  for (int rule : program_->by_kind[static_cast<int>(Kind::deleted)]) {
    watched.insert(program_->rules[rule].joints.begin(), program_->rules[rule].joints.end());
  }
  for (int joint : watched) state_.watched.push_back({joint, none});
  state_.attached.resize(program_->names.size());
}

// Lists the scene's bodies that may break.
void Runner::begin_breaking() {
  own_breaking_.clear();
  for (const auto& [place, name, along] : program_->breaking) {
    own_breaking_.push_back(
        place == none
            ? Breaking{}
            : Breaking{
                  program_->texts[name], program_->breakables[place], {}, {along[0], along[1]}});
  }
}

void Runner::check_fits(const World& world) const {
  const WorldParts& parts = world.parts();
  if (program_->bodies > parts.bodies.count() || program_->joints > parts.joints.count() ||
      program_->points > parts.points.count() ||
      program_->pools != static_cast<int>(parts.definition.pools.size()) ||
      program_->dt != parts.definition.dt) {
    throw std::invalid_argument("the program of the script is of another world");
  }
}

Stop Runner::run(World& world, int64_t end, InterruptPoller* poller, Sampling& sampling,
                 const Exact& exact) {
  check_fits(world);
  failure_ = {};
  request_.reset();
  act_as(nullptr, exact);
  const WorldParts& parts = world.parts();
  const int64_t awaited = std::exchange(awaited_, int64_t{none});
  if (!resume_) given_.reset();
  if (resume_) {
    if (const std::optional<Stop> stop = end_step(world, exact)) return *stop;
  } else if (awaited == now(world)) {  // the caller has stepped
    steps_made += awaited - state_.prepared;
    if (const std::optional<Stop> stop = end_step(world, exact)) return *stop;
  }
  while (now(world) < end) {
    const int64_t step = now(world);
    if (parts.error) return {Reason::engine};
    if (state_.prepared != step) {
      if (is_for_host(step) || !prepare(world, step, exact)) return {Reason::prepare};
    }
    switch_actuators(scene(world), step);
    if (!push_fields(world, step, exact)) return {Reason::prepare};
    const bool single = state_.busy || has_fields() || view_moves_ || !state_.copies.empty();
    int64_t stop = single ? std::min(end, step + 1) : next_stop(step, end);
    const int room = sampling.rows - sampling.taken;
    if (sampling.out != nullptr) {  // not beyond the last row
      const int64_t full = (step / sampling.every + room) * sampling.every;
      if (full <= step) return {};
      stop = std::min(stop, full);
    }
    note_removals(world);
    if (engine() != nullptr || stops_at_steps) {
      awaited_ = stop;
      return {Reason::step, static_cast<int>(stop - step)};
    }
    const std::size_t width = sampling.codes.size() / 2;
    const int due = static_cast<int>(stop - step);
    const int taken = static_cast<int>(stop / sampling.every - step / sampling.every);
    double* const row = sampling.out + static_cast<std::size_t>(sampling.taken) * width;
    const bool reads = sampling.out != nullptr && due > 1;  // a single step is read at its end
    const int done = reads ? world.run(due, sampling.every, sampling.codes, row, room, poller)
                           : world.step(due, poller);
    steps_made += done;
    if (reads) {
      for (int i = 0; i < taken; ++i) fill_variables(sampling, row + i * width);
    }
    const int64_t last = step + done;
    const bool ends_row = sampling.out != nullptr && done > 0 && last % sampling.every == 0;
    if (sampling.out != nullptr) {  // the last one is read when all is done that follows its step
      sampling.taken += static_cast<int>(last / sampling.every - step / sampling.every) - ends_row;
    }
    if (done < due || parts.error) {
      if (ends_row) read_row(world, sampling);
      return {Reason::engine};
    }
    const std::optional<Stop> stopped = end_step(world, exact);
    if (stopped && stopped->reason != Reason::done) return *stopped;
    if (ends_row && !(changed_ && stops_at_changes)) read_row(world, sampling);
    if (stopped) return *stopped;
  }
  return parts.error ? Stop{Reason::engine} : Stop{};
}

// Does what follows steps; the reason to stop, if there is one. After a change whoever runs it
// reads the row of the step.
std::optional<Stop> Runner::end_step(World& world, const Exact& exact) {
  const WorldParts& parts = world.parts();
  changed_ = false;
  if (parts.bodies.removals != removals_ || parts.joints.removals() != joint_removals_) {
    take_in_removals(world);
  }
  const bool had_ended = state_.ending != none;
  if (std::optional<Stop> left = finish(world, exact)) {
    return left;
  }
  if (view_moves_ && !ask_view(world, none)) return Stop{Reason::engine};  // the host has its error
  if (changed_ && stops_at_changes) return Stop{};
  if (!had_ended && state_.ending != none) return Stop{};  // whoever runs it may stop at the end
  return std::nullopt;
}

void Runner::read_row(World& world, Sampling& sampling) const {
  const std::size_t width = sampling.codes.size() / 2;
  double* const row = sampling.out + static_cast<std::size_t>(sampling.taken) * width;
  world.finish();
  sample(world.parts(), sampling.codes, row);
  fill_variables(sampling, row);
  ++sampling.taken;
}

void Runner::fill_variables(const Sampling& sampling, double* row) const {
  for (std::size_t k = 0; 2 * k < sampling.variables.size(); ++k) {
    row[sampling.variables[2 * k]] = state_.variables[sampling.variables[2 * k + 1]];
  }
}

// ------------------------------------------------------------ inputs

bool Runner::is_for_host(int64_t step) const {
  return std::find(state_.by_host.begin(), state_.by_host.end(), step) != state_.by_host.end();
}

void Runner::begin_inputs(const World& world) { state_.prepared = now(world); }

void Runner::execute(World& world, InputKind kind, int what) {
  failure_ = {};
  if (kind == InputKind::press) press(world, what);
  if (kind == InputKind::release) release(world, what);
  if (kind == InputKind::ask) ask(world, what);
  if (kind == InputKind::set) set_all(world, program_->sets[what], 0, what);
}

bool Runner::prepare(World& world, int64_t step, const Exact& exact) {
  begin_inputs(world);
  for (const TimedInput& input : state_.inputs) {
    if (input.step != step || failure_.fault != Fault::none) continue;
    execute(world, input.kind, input.what);
  }
  return end_inputs(world, exact);
}

// Executes what follows the inputs before a step.
bool Runner::end_inputs(World& world, const Exact& exact) {
  const int64_t step = state_.prepared;
  bool repeats = false;
  act_again(world, step, repeats);
  if (failure_.fault != Fault::none) return false;
  const bool drags = drag(world, step);
  if (hand_) hand_();
  bool moves = animate(scene(world), ways(), exact);
  moves |= animate_copies(world, exact);
  note_looks(world);
  state_.busy = repeats || moves || drags;
  return true;
}

// Holds a key.
void Runner::press(World& world, int index) {
  if (is_held(index)) return;
  const Key& key = program_->keys[index];
  state_.held.push_back({index, now(world)});
  set_all(world, key.sets, 1, index);
  hold(world, key);
  if (key.pressed != none) ask(world, key.pressed);
  CopyKeys(*this).take(world, index, true);
}

// Lets a key go.
void Runner::release(World& world, int index) {
  const Key& key = program_->keys[index];
  const auto held = std::find_if(state_.held.begin(), state_.held.end(),
                                 [index](const HeldKey& each) { return each.key == index; });
  if (held == state_.held.end()) return;
  state_.held.erase(held);
  set_all(world, key.releases, 2, index);
  hold(world, key);
  if (key.released != none) ask(world, key.released);
  CopyKeys(*this).take(world, index, false);
}

bool Runner::is_held(int key) const {
  return std::any_of(state_.held.begin(), state_.held.end(),
                     [key](const HeldKey& each) { return each.key == key; });
}

// Sets constants; returns false where one cannot be set.
bool Runner::set_all(World& world, const std::vector<Setting>& settings, int of, int which) {
  bool all = true;
  for (const Setting& each : settings) {
    const Numbers value{each.value.numbers[0].constant, each.value.numbers[1].constant};
    const Scene there = scene(world);
    const Place to = own_place(there, each.place);
    if (to.owner == none || set(there, to, to.owner, value)) continue;
    const auto place = static_cast<double>(&each - settings.data());
    all = fail(Fault::setting, {static_cast<double>(which), place}, of);
  }
  note_looks(world);
  return all;
}

// Lets a key's actuators act while a key is held that holds them.
bool Runner::hold(World& world, const Key& key) {
  bool all = true;
  for (int actuator : key.holds) {
    bool acts = false;
    for (const HeldKey& held : state_.held) {
      const std::vector<int>& holds = program_->keys[held.key].holds;
      acts |= std::find(holds.begin(), holds.end(), actuator) != holds.end();
    }
    const Place place{Target::actuator_enabled, actuator, none};
    all &= set(scene(world), place, actuator, {acts ? 1.0 : 0.0, 0.0});
  }
  return all;
}

// Schedules what is asked for until after the next step; returns false where too much waits.
bool Runner::ask(World& world, int what) {
  const auto count = static_cast<int64_t>(program_->asked.size());
  if (static_cast<int>(state_.waiting.size()) >= program_->most_events) {
    return fail(Fault::waiting, {}, what);
  }
  Found found{};
  found.order = {what - count - 1, 0, 0};
  state_.waiting.push_back({now(world) + 1, found});
  return true;
}

// Asks again for the repeated actions of held keys.
bool Runner::act_again(World& world, int64_t step, bool& repeats) {
  for (const HeldKey& held : state_.held) {
    const Key& key = program_->keys[held.key];
    if (!std::isnan(key.every) && key.pressed != none) {
      repeats = true;
      const int64_t due = repeats_due(step, held.since, key.every, program_->dt);
      for (int64_t i = 0; i < due && ask(world, key.pressed);) ++i;
    }
    repeats |= CopyKeys(*this).act_again(world, step, held);
  }
  return repeats;
}

// The direction in which held keys move each animation; 0 if both are held.
std::vector<int> Runner::ways() const {
  std::vector<int> found(program_->animations.size(), 0);
  for (const HeldKey& held : state_.held) {
    const Key& key = program_->keys[held.key];
    for (int i : key.forward) found[i] = std::clamp(found[i] + 1, -1, 1);
    for (int i : key.backward) found[i] = std::clamp(found[i] - 1, -1, 1);
  }
  return found;
}

// The first step after `step`, and at most `end`, after which something may have to be done.
int64_t Runner::next_stop(int64_t step, int64_t end) const {
  for (const TimedInput& input : state_.inputs) {
    if (input.step > step) end = std::min(end, input.step);
  }
  for (const int64_t each : state_.by_host) {
    if (each > step) end = std::min(end, each);
  }
  for (const Pull& pull : state_.pulls) {
    if (pull.start > step) end = std::min(end, pull.start);
  }
  for (const ActuatorState& each : state_.actuators) {
    const Actuator& actuator = *each.plan;
    if (!actuator.by_joint) continue;
    for (int64_t at : {actuator.start, actuator.until}) {
      if (at > step) end = std::min(end, at);
    }
  }
  if (state_.ending != none) return end;
  if (program_->looks_at_each_step || !program_->outcome.empty()) return std::min(end, step + 1);
  const int64_t next_end = state_.lifetimes.empty() ? never : state_.lifetimes.front().due;
  int64_t stop = std::min(end, std::max(step + 1, next_end));
  for (const Rule& rule : program_->rules) {
    stop = std::min(stop, due_after(step, rule.at, rule.every, program_->dt));
  }
  for (const Waiting& each : state_.waiting) stop = std::min(stop, each.step);
  for (const Spawner& each : program_->spawners) {
    stop = std::min(stop, due_after(step, each.start, each.every, program_->dt));
  }
  return std::min(end, std::max(step + 1, stop));
}

}  // namespace rigid::script
