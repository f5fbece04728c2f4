// SPDX-License-Identifier: MIT
// Copies with scripts from their births to the removals of their last bodies, as
// core/world/script/copies.py has them.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "engine/channels.h"
#include "script/copy_keys.h"
#include "script/runner.h"
#include "script/times.h"

namespace rigid::script {

namespace {

// How a setting is placed: forces of thrusters are in the axes of their bodies.
Placement placed_for(Placement place, const Original& original, const Place& what) {
  const bool is_force = what.target == Target::actuator_force && what.owner <= first_own;
  if (is_force && !original.actuators[first_own - what.owner].what->turns_force) place.angle = 0.0;
  return place;
}

Numbers constants(const Value& value) {
  return {value.numbers[0].constant, value.numbers[1].constant};
}

OwnKey at_place(const OwnKey& plan, const Placement& place, const Original& original) {
  OwnKey found = plan;
  for (std::vector<Setting>* settings : {&found.does.sets, &found.does.releases}) {
    for (auto& [to, value] : *settings) {
      const Numbers placed = placed_for(place, original, to).setting(to, constants(value));
      for (int i = 0; i < value.width; ++i) value.numbers[i].constant = placed[i];
    }
  }
  return found;
}

Animation at_place(const Animation& plan, const Placement& place, const Original& original) {
  Animation found = plan;
  for (Track& track : found.tracks) {
    const auto width = static_cast<std::size_t>(track.width);
    const Placement placed = placed_for(place, original, track.place);
    for (std::size_t i = 0; i + width <= track.values.size(); i += width) {
      Numbers value{track.values[i], width == 2 ? track.values[i + 1] : 0.0};
      value = placed.setting(track.place, value);
      std::copy_n(value.begin(), width, track.values.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return found;
}

}  // namespace

const CopyPlan& Runner::plan_of(const Copy& copy) const {
  return program_->plans[program_->originals[program_->spawns[copy.spawn].original].plan];
}

Placement Runner::placement_of(const Copy& copy, const Exact& exact) const {
  const Spawn& spawn = program_->spawns[copy.spawn];
  const Original& original = program_->originals[spawn.original];
  const auto [x, y, angle, vx, vy] = copy.pose;
  return {{x, y},          {spawn.pivot_x, spawn.pivot_y},
          angle,           original.scale,
          original.mirror, angle == 0.0 ? Turn{1.0, 0.0} : turn_of(angle, exact)};
}

void Runner::begin_copy(World& world, const Birth& birth, const Exact& exact) {
  Copy copy{};
  copy.serial = state_.copies.births++;
  copy.born = now(world);
  copy.spawn = given_ && given_->spawn != none ? given_->spawn : birth.spawn;
  copy.count = birth.count;
  copy.pose = birth.pose;
  copy.bodies = birth.bodies;
  copy.joints = birth.joints;
  copy.points = birth.points;
  copy.there.assign(copy.bodies.size(), 1);
  const CopyPlan& plan = plan_of(copy);
  copy.inside.resize(plan.leaving.size());
  copy.spawned.resize(plan.spawners.size());
  copy.living.resize(plan.spawners.size());
  copy.counted.resize(plan.spawners.size());
  copy.counts.resize(program_->originals[program_->spawns[copy.spawn].original].attached);
  copy.attached.resize(copy.counts.size());
  for (std::size_t i = 0; i < copy.joints.size(); ++i) {
    watch_own(copy, static_cast<int>(i), copy.joints[i]);
  }
  const Original& original = program_->originals[program_->spawns[copy.spawn].original];
  copy.actuators = birth.actuators;
  copy.actuators.resize(original.actuators.size(), none);
  for (const Motor& each : original.motors) copy.motors.push_back(begun(each));
  for (const JointSpring& each : original.springs) copy.springs.push_back(begun(each));
  for (const Animation& each : plan.animations) {
    PlayingState& state = copy.playing.emplace_back();
    state.moved.resize(each.tracks.size());
    play(each, state, copy.born);
    const bool is_timed = each.kind != Playing::manual;
    if (!is_timed || !each.enabled) state.begun = none;
    state.settled = is_timed && !each.enabled;
  }
  take_copy(std::move(copy), exact);
  Copy& taken = state_.copies.all.rbegin()->second;
  Scene there = scene(world);
  there.copy = &taken;
  for (std::size_t i = 0; i < taken.playing.size(); ++i) {
    place_animation(there, taken.animations[i], taken.playing[i]);
  }
  CopyKeys(*this).hold_all(there);
}

// Remembers a joint of a copy if an event asks for its removal: one of its own, or behind those one
// that was attached.
void Runner::watch_own(Copy& copy, int place, int64_t joint) const {
  for (const Rule& rule : plan_of(copy).rules) {
    if (std::find(rule.joints.begin(), rule.joints.end(), place) == rule.joints.end()) continue;
    copy.watched.push_back({joint, place});
    return;
  }
}

// Takes a copy with all that follows from its place and its bodies.
void Runner::take_copy(Copy copy, const Exact& exact) {
  const Original& original = program_->originals[program_->spawns[copy.spawn].original];
  copy.animations.clear();
  for (const Animation& each : plan_of(copy).animations) {
    copy.animations.push_back(at_place(each, placement_of(copy, exact), original));
  }
  copy.keys.clear();
  for (const OwnKey& each : plan_of(copy).keys) {
    copy.keys.push_back(at_place(each, placement_of(copy, exact), original));
  }
  for (std::size_t i = 0; i < copy.bodies.size(); ++i) {
    if (copy.there[i] == 0) continue;
    state_.copies.bodies[copy.bodies[i]] = {copy.serial, static_cast<int>(i)};
  }
  for (std::size_t i = 0; i < copy.joints.size(); ++i) {
    state_.copies.joints[copy.joints[i]] = {copy.serial, static_cast<int>(i)};
  }
  const int64_t serial = copy.serial;
  state_.copies.all.insert_or_assign(serial, std::move(copy));
}

// Sets the values of the next step; returns whether the step after it needs new values.
bool Runner::animate_copies(World& world, const Exact& exact) {
  bool busy = false;
  Scene there = scene(world);
  for (auto& [serial, copy] : state_.copies.all) {
    there.copy = &copy;
    const std::vector<int> ways = CopyKeys(*this).ways(copy);
    for (std::size_t i = 0; i < copy.animations.size(); ++i) {
      busy |= go_on(there, copy.animations[i], copy.playing[i], ways[i], exact);
    }
  }
  return busy;
}

// Ends a copy that has no bodies any more.
void Runner::end_copy(int64_t serial) {
  const auto found = state_.copies.all.find(serial);
  for (int64_t joint : found->second.joints) state_.copies.joints.erase(joint);
  state_.copies.gone.push_back(std::move(found->second));
  state_.copies.all.erase(found);
}

// Forgets copies without bodies and without waiting actions.
void Runner::forget_copies() {
  if (state_.copies.gone.empty()) return;
  std::set<int64_t> kept;
  for (const Waiting& each : state_.waiting) kept.insert(serial_of(each.found));
  std::erase_if(state_.copies.gone,
                [&kept](const Copy& each) { return kept.count(each.serial) == 0; });
}

int64_t Runner::serial_of(const Found& found) const {
  const auto own = static_cast<int64_t>(program_->rules.size());
  if (found.order[0] == asked_of_copy) return found.order[1];
  return found.order[0] < own ? none : (found.order[0] - own) / rules_of_copy;
}

// Acts as the copy of an event; returns the rule, or nothing for one that no copy has.
const Rule* Runner::act_as_owner(const Found& found, const Exact& exact) {
  const auto own = static_cast<int64_t>(program_->rules.size());
  const auto place = static_cast<std::size_t>((found.order[0] - own) % rules_of_copy);
  Copy* const copy = state_.copies.find(serial_of(found));
  if (copy == nullptr || place >= plan_of(*copy).rules.size()) return nullptr;
  act_as(copy, exact);
  return &plan_of(*copy).rules[place];
}

void Runner::act_as(Copy* copy, const Exact& exact) {
  copy_ = copy;
  if (copy != nullptr) place_ = placement_of(*copy, exact);
}

// Does the births of the spawners of copies, numbered behind those of the scene.
std::optional<Stop> Runner::spawn_of_copies(World& world, int64_t step, const Stop& begun,
                                            const Exact& exact) {
  auto number = static_cast<int>(program_->spawners.size());
  const int64_t coming = state_.copies.births;
  for (auto& [serial, copy] : state_.copies.all) {
    if (serial >= coming) break;
    const std::vector<Spawner>& spawners = plan_of(copy).spawners;
    for (std::size_t i = 0; i < spawners.size(); ++i, ++number) {
      if (number < begun.turn) continue;
      const int64_t births = births_due(spawners[i], step - copy.born, program_->dt);
      const auto due = static_cast<int>(std::min(births, never >> 32));
      const Brood brood{copy.spawned[i], copy.living[i], copy.counted[i]};
      act_as(&copy, exact);
      const int first = number == begun.turn ? begun.action : 0;
      const std::optional<int> done = spawn_due(world, spawners[i], first, due, brood, exact);
      if (done) return Stop{Reason::after, number, *done};
    }
  }
  act_as(nullptr, exact);
  return std::nullopt;
}

// ------------------------------------------------------------ values

// A number of an object of the copy; 0 where that is gone, except that a joint is broken then.
std::optional<double> Runner::own_number(Reading& reading, const Input& input,
                                         const Exact& exact) const {
  if (copy_ == nullptr) return std::nullopt;
  const auto known = static_cast<int>(channels().size());
  const bool is_joint = input.a < known && channels()[input.a].owner == Owner::joint;
  const std::vector<int64_t>& ids = is_joint ? copy_->joints : copy_->bodies;
  const WorldParts& parts = reading.world;
  if (input.a < known && channels()[input.a].owner == Owner::point) {
    const auto& own = program_->originals[program_->spawns[copy_->spawn].original].mould->points;
    if (input.b >= static_cast<int>(std::min(own.size(), copy_->points.size())))
      return std::nullopt;
    const bool is_there = parts.bodies.find(copy_->bodies[own[input.b].body]) >= 0;
    return is_there ? read_channel(reading, input.a, copy_->points[input.b]) : 0.0;
  }
  if (input.b >= static_cast<int>(ids.size())) return std::nullopt;
  if (!is_joint) {
    const int slot = parts.bodies.find(ids[input.b]);
    return slot < 0 ? 0.0 : of_body(reading, slot, input.a, exact);
  }
  const int slot = parts.joints.find(ids[input.b]);
  if (slot >= 0) return read_channel(reading, input.a, slot);
  return std::string_view(channels()[input.a].quantity) == "broken" ? 1.0 : 0.0;
}

// Brings a setting of a copy into the axes of the world; false where it has one coordinate, which
// becomes a part of both.
bool Runner::place_setting(Place& place, Numbers& given, bool adds) const {
  if (copy_ == nullptr) return true;
  const Original& original = program_->originals[program_->spawns[copy_->spawn].original];
  const Placement placed = placed_for(place_, original, place);
  const bool is_point = place.target == Target::position || place.target == Target::velocity ||
                        place.target == Target::actuator_force;
  if (!is_point || place.axis == none) {
    given = adds ? placed.change(place, given) : placed.setting(place, given);
    return true;
  }
  Numbers one{};
  one[place.axis] = 1.0;
  const Numbers origin = placed.setting(place, {0.0, 0.0});
  const Numbers to = placed.setting(place, one);
  const Numbers along{to[0] - origin[0], to[1] - origin[1]};
  const double size = std::fabs(along[0]) + std::fabs(along[1]);
  for (const int i : {0, 1}) {
    if (!(std::fabs(along[1 - i]) <= 1e-12 * size)) continue;
    place.axis = i;
    given = {given[0] * along[i] + (adds ? 0.0 : origin[i]), 0.0};
    return true;
  }
  if (!adds) return false;
  Numbers both{};
  both[place.axis] = given[0];
  place.axis = none;
  given = placed.change(place, both);
  return true;
}

// A place that an action of a copy gives as a point.
Numbers Runner::of_copy(const Spot& spot, const Numbers& at) const {
  return copy_ != nullptr && spot.where == Where::point ? place_.point(at) : at;
}

// A way of the copy, in the world.
Numbers Runner::scaled_way(const Numbers& way) const {
  const auto [x, y] = place_.direction(way);
  return {x * place_.scale, y * place_.scale};
}

// Places the birth of a copy of a copy; without a frame it is in the axes of the world then.
void Runner::place_birth(const Spawn& spawn, std::optional<Numbers>& at, double& angle,
                         Numbers& moving) const {
  if (at && spawn.spot.where == Where::point) {
    at = spawn.has_frame ? place_.local(*at) : place_.point(*at);
  }
  angle = place_.turned(angle);
  if (spawn.turns) angle = angle + std::numbers::pi;
  if (!spawn.has_frame) angle = angle + place_.angle;
  moving = spawn.has_frame ? place_.mirrored(moving) : place_.direction(moving);
}

}  // namespace rigid::script
