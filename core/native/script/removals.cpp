// SPDX-License-Identifier: MIT
// Removals from a running world: by actions, at the end of a lifetime, and by the engine.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/data/kinds.h"
#include "engine/joints/joint.h"
#include "script/runner.h"
#include "script/times.h"

namespace rigid::script {

namespace {

bool is_leaving(int kind) {
  switch (static_cast<EventKind>(kind)) {
    case EventKind::left_bounds:
    case EventKind::not_finite:
    case EventKind::runaway:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<EventRow> Runner::take_rows(World& world) {
  return engine() == nullptr ? world.take_events() : std::exchange(host_events_, {});
}

// Adds the engine's events to the log; events of the script may follow from them.
void Runner::take_events(World& world) {
  for (const EventRow& row : take_rows(world)) {
    note({row.step, row.kind, row.a, row.b});
    if (program_->reacts) state_.told.push_back(row);
  }
}

// Takes notice of the bodies that the engine has removed in a step.
void Runner::take_in_removals(World& world) {
  std::map<int64_t, int64_t> steps;
  std::vector<int64_t> own, gone;
  const std::vector<EventRow> rows = take_rows(world);
  for (const EventRow& row : rows) {
    note({row.step, row.kind, row.a, row.b});
    if (program_->reacts) state_.told.push_back(row);
    if (!is_leaving(row.kind)) continue;
    if (steps.emplace(row.a, row.step).second && Slots::slot_of(row.a) < program_->bodies) {
      own.push_back(row.a);
    }
  }
  const Bodies& bodies = world.parts().bodies;
  for (const Born& each : state_.born) {
    if (bodies.find(each.id) < 0) gone.push_back(each.id);
  }
  gone.insert(gone.end(), own.begin(), own.end());
  for (int64_t id : gone) {
    const auto step = steps.find(id);
    forget(world, id, step == steps.end() ? now(world) : step->second, News::body_lost);
  }
}

void Runner::forget(World& world, int64_t id, int64_t step, News news) {
  const Bodies& bodies = world.parts().bodies;
  const int64_t slot = Slots::slot_of(id);
  const bool is_place = slot < bodies.count();  // of a changed state it may be none
  const double x = is_place ? bodies.x[slot] : 0.0, y = is_place ? bodies.y[slot] : 0.0;
  const bool is_known = slot < static_cast<int64_t>(state_.tags.size());
  const auto has = [this](Kind kind) { return !program_->by_kind[static_cast<int>(kind)].empty(); };
  const bool is_copied = state_.copies.has_body(id);
  if (program_->reacts && (has(Kind::deleted) || has(Kind::leave) || is_copied)) {
    state_.deaths.push_back({id, is_known ? state_.tags[slot] : no_tags, x, y});
  }
  note({step, static_cast<int>(news), id, asked_for(is_copied), x, y});
  for (std::size_t i = 0; i < state_.actuators.size(); ++i) {
    ActuatorState& actuator = state_.actuators[i];
    const std::size_t left =
        std::erase_if(actuator.parts, [slot](const auto& part) { return part.second == slot; });
    const bool rests = i < program_->actuators.size() || actuator.plan->tags.any();
    actuator.gone |= left != 0 && actuator.parts.empty() && !rests;
  }
  changed_ = true;
  state_.visible.erase(id);
  if (slot < program_->bodies) return;  // the scene's own keep their names
  if (is_known) state_.tags[slot] = {};
  std::erase_if(state_.born, [id](const Born& each) { return each.id == id; });
  state_.breaking.erase(id);
  unlearn(id);
  for (std::vector<int64_t>& members : state_.members) std::erase(members, id);
}

void Runner::remove_body(World& world, int slot) {
  const int64_t id = world.parts().bodies.slots.id(slot);
  world.remove_body(slot);
  if (HostEngine* const own = engine()) {
    for (const EventRow& row : own->removed(slot)) host_events_.push_back(row);
  }
  take_events(world);
  forget(world, id, now(world), News::body_removed);
}

void Runner::remove_joint(World& world, int slot) {
  const int64_t id = world.parts().joints.id(slot);
  world.remove_joint(slot);
  tell(scene(world), Change::joint_removed, slot);
  note({now(world), static_cast<int>(News::joint_removed), id, asked_for(false)});
  changed_ = true;
}

void Runner::remove_actuator(World& world, int index) {
  ActuatorState& actuator = state_.actuators[index];
  if (actuator.gone) return;
  for (const auto& [place, body] : actuator.parts) {
    if (actuator.plan->by_joint) {
      if (!world.parts().joints[place].alive) continue;
      world.remove_joint(place);
      tell(scene(world), Change::joint_removed, place);
    } else if (engine() != nullptr) {
      tell(scene(world), Change::force_removed, place);
    } else {
      world.remove_force(place);
    }
  }
  actuator.parts.clear();
  actuator.gone = true;
  note({now(world), static_cast<int>(News::actuator_removed), index, -1});
  changed_ = true;
}

// The bodies of a name that are there, in the order in which they came.
std::vector<int> Runner::slots_of(const World& world, const Members& members,
                                  const Found& found) const {
  const Bodies& bodies = world.parts().bodies;
  std::vector<int> slots;
  for (int owner : members.bodies) {
    const int slot = slot_of(world, owner, &found);
    if (slot >= 0) slots.push_back(slot);
  }
  if (members.tag != none) {
    for (int slot = 1; slot < program_->bodies; ++slot) {
      if (bodies.alive[slot] && state_.tags[slot].has(members.tag)) slots.push_back(slot);
    }
  }
  for (const Born& each : state_.born) {
    const int slot = bodies.find(each.id);
    if (slot < 0) continue;
    const bool has_tag = members.tag != none && state_.tags[slot].has(members.tag);
    const bool has_name = is_one_of(members.names, each.name);
    if (has_tag || has_name || is_piece(members, each)) slots.push_back(slot);
  }
  return slots;
}

// Removes those of the bodies, joints and actuators of a name that are there.
void Runner::remove(World& world, const Members& members, const Found& found) {
  for (int joint : members.joints) {
    const int slot = joint_of(scene(world), joint);
    if (slot >= 0 && !is_broken(world.parts().joints[slot])) remove_joint(world, slot);
  }
  if (members.attached != none) detach(world, members.attached);
  for (int actuator : members.actuators) {
    const Place place{Target::actuator_enabled, actuator, none};
    const int index = own_place(scene(world), place).owner;
    if (index != none) remove_actuator(world, index);
  }
  for (int slot : slots_of(world, members, found)) {
    if (world.parts().bodies.alive[slot]) remove_body(world, slot);
  }
}

// Gives bodies that were born after a step a lifetime.
void Runner::end_later(int64_t step, double time, const std::vector<int64_t>& born) {
  const int64_t due = step + std::max(int64_t{1}, ceil_step(time, program_->dt));
  const Lifetime lifetime{due, state_.lifetimes_given++, born};
  const auto later = [](const Lifetime& a, const Lifetime& b) { return a.due < b.due; };
  auto& all = state_.lifetimes;
  all.insert(std::upper_bound(all.begin(), all.end(), lifetime, later), lifetime);
}

// Removes the bodies whose lifetime is over.
void Runner::end_lives(World& world, int64_t step) {
  while (!state_.lifetimes.empty() && state_.lifetimes.front().due <= step) {
    const Lifetime over = std::move(state_.lifetimes.front());
    state_.lifetimes.erase(state_.lifetimes.begin());
    for (int64_t id : over.bodies) {
      const int slot = world.parts().bodies.find(id);
      if (slot >= 0) remove_body(world, slot);
    }
  }
}

// ------------------------------------------------------------ removed bodies of an event

// Keeps the numbers of the bodies of an event for later actions, which may find them removed.
void Runner::keep(World& world, const Found& found, const Exact& exact) {
  world.finish();
  Reading reading(world.parts());
  for (const int which : {0, 1}) {
    const bool has = which == 0 ? found.has_first : found.has_second;
    const int slot = has ? world.parts().bodies.find(found.order[1 + which]) : -1;
    if (slot < 0) continue;
    kept_[which].clear();
    for (int channel : program_->of_bodies) {
      kept_[which].push_back(of_body(reading, slot, channel, exact).value_or(no_number));
    }
    kept_at_[which] = Numbers{world.parts().bodies.x[slot], world.parts().bodies.y[slot]};
  }
}

void Runner::forget_kept() {
  for (const int which : {0, 1}) {
    kept_[which].clear();
    kept_at_[which].reset();
  }
}

std::optional<Numbers> Runner::kept_place(int owner) const {
  return kept_at_[owner == first_body ? 0 : 1];
}

// A number of a removed body of an event, as it was last.
std::optional<double> Runner::kept(int which, int channel) const {
  const auto at = std::find(program_->of_bodies.begin(), program_->of_bodies.end(), channel);
  const auto place = static_cast<std::size_t>(at - program_->of_bodies.begin());
  if (place >= kept_[which].size()) return std::nullopt;
  return kept_[which][place];
}

}  // namespace rigid::script
