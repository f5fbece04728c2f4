// SPDX-License-Identifier: MIT
// Finds the events of a step, as core/world/script/event_detection.py does.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "engine/contacts/contact_row.h"
#include "script/kinds_of_events.h"
#include "script/runner.h"
#include "script/times.h"
#include "sorting.h"

namespace rigid::script {

// Takes in the engine's events, and puts those of the step and those that are due into `due_`, in
// order. Returns false where a condition has no value or an event comes too often.
bool Runner::find(World& world, int64_t step, const Exact& exact) {
  take_events(world);
  touching_.reset();
  std::vector<Found> found;
  for (const EventRow& row : state_.told) {
    find_told(world, row, found);
  }
  const std::vector<int>& starts = program_->by_kind[static_cast<int>(Kind::actuator_start)];
  const std::vector<int>& stops = program_->by_kind[static_cast<int>(Kind::actuator_stop)];
  std::set<int> acted;
  if (program_->switches) {
    acted = acting(step - 1);
    // In the order of their names, which are those of their places.
    for (int i = 0; i < static_cast<int>(state_.actuators.size()); ++i) {
      const bool now = acted.count(i) != 0, before = state_.acted.count(i) != 0;
      if (now == before) continue;
      for (int rule : now ? starts : stops) {
        const int subject = program_->rules[rule].subject;
        if (subject == none || subject == i) add(rule, found);
      }
    }
  }
  find_deaths(found);
  find_joint_ends(world, found);
  if (!find_times(step, found)) return false;
  const std::vector<int>& leaves = program_->by_kind[static_cast<int>(Kind::leave)];
  std::vector<std::vector<int64_t>> inside = state_.inside;
  for (std::size_t i = 0; i < leaves.size(); ++i) find_leaving(world, i, inside[i], found);
  std::optional<std::vector<uint8_t>> now = find_conditions(world, exact);
  if (!now) return false;
  const std::vector<int>& conditions = program_->by_kind[static_cast<int>(Kind::condition)];
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if ((*now)[i] != 0 && state_.was[i] == 0) add(conditions[i], found);
  }
  if (!find_of_copies(world, step, acted, found, exact)) return false;
  state_.was = std::move(*now);
  state_.inside = std::move(inside);
  state_.acted = std::move(acted);
  state_.told.clear();
  state_.deaths.clear();
  found_ = logged_;

  due_.clear();
  std::vector<Waiting> later;
  for (Waiting& each : state_.waiting) {
    if (each.step <= step) {
      due_.emplace_back(each.found, true);
    } else {
      later.push_back(each);
    }
  }
  state_.waiting = std::move(later);
  for (const Found& each : found) due_.emplace_back(each, false);
  rigid::stable_sort(due_.begin(), due_.end(),
                     [](const auto& a, const auto& b) { return a.first.order < b.first.order; });
  return true;
}

void Runner::add(int rule, std::vector<Found>& found) const {
  if (program_->rules[rule].once == Once::run && state_.fired.count(rule) != 0) return;
  Found each{};
  each.order = {rule, 0, 0};
  found.push_back(each);
}

// The removed bodies of rules of `deleted`.
void Runner::find_deaths(std::vector<Found>& found) {
  const std::vector<int>& rules = program_->by_kind[static_cast<int>(Kind::deleted)];
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Rule& rule = program_->rules[rules[i]];
    if (!rule.joints.empty() || rule.attached != none) continue;
    for (const Death& death : state_.deaths) {
      if (!rule.who.empty() && !fits(rule.who[0], death.id, death.tags)) continue;
      if (rule.once == Once::run && state_.fired.count(rules[i]) != 0) continue;
      Found each{};
      each.order = {rules[i], death.id, 0};
      each.given = 2;
      each.values = {death.x, death.y};
      found.push_back(each);
    }
  }
}

// The removed joints of rules of `deleted`, which are watched no longer.
void Runner::find_joint_ends(const World& world, std::vector<Found>& found) {
  const Joints& joints = world.parts().joints;
  const auto is_gone = [&](const Watched& each) { return joints.find(each.id) < 0; };
  for (const Watched& each : state_.watched) {
    if (!is_gone(each)) continue;
    for (int i : program_->by_kind[static_cast<int>(Kind::deleted)]) {
      const Rule& rule = program_->rules[i];
      const bool is_own = each.name == none && std::find(rule.joints.begin(), rule.joints.end(),
                                                         each.id) != rule.joints.end();
      if (is_own || (each.name != none && each.name == rule.attached)) add(i, found);
    }
  }
  std::erase_if(state_.watched, is_gone);
}

void Runner::find_told(World& world, const EventRow& row, std::vector<Found>& found) {
  const std::optional<Kind> kind = kind_of(row.kind);
  if (!kind) return;
  for (int i : program_->by_kind[static_cast<int>(*kind)]) {
    const Rule& rule = program_->rules[i];
    if (!is_of_pair(*kind)) {
      if (rule.subject == none || rule.subject == row.a) add(i, found);
      continue;
    }
    int64_t a = row.a, b = row.b;
    if (!fits(world, rule, 0, a) || !fits(world, rule, 1, b)) {
      std::swap(a, b);
      if (!fits(world, rule, 0, a) || !fits(world, rule, 1, b)) continue;
    }
    Found each{};
    if (rule.asks && *kind == Kind::collision) {
      find_touch(world, a, b, each.values);
      each.given = 5;
      if (each.values[4] < rule.min_impulse) continue;
    }
    if (rule.once == Once::run && state_.fired.count(i) != 0) continue;
    each.order = {i, a, b};
    each.has_first = each.has_second = true;
    found.push_back(each);
  }
}

// Whether a body was born and is removed.
bool Runner::is_lost(const World& world, int64_t body) const {
  return Slots::slot_of(body) >= program_->bodies && world.parts().bodies.find(body) < 0;
}

// Whether a body fits a selector of a rule.
bool Runner::fits(const World& world, const Rule& rule, std::size_t place, int64_t body) const {
  if (place >= rule.who.size()) return true;
  const int64_t slot = Slots::slot_of(body);
  if (is_lost(world, body)) return false;
  const bool known = slot < static_cast<int64_t>(state_.tags.size());
  return fits(rule.who[place], body, known ? state_.tags[slot] : no_tags);
}

bool Runner::fits(const Selector& selector, int64_t body, const Tags& tags) {
  if (selector.tag != none) return tags.has(selector.tag);
  const int64_t slot = Slots::slot_of(body);
  return body == slot &&
         std::binary_search(selector.bodies.begin(), selector.bodies.end(), static_cast<int>(slot));
}

// The mean point and normal of two bodies, from the first to the second, and the sum of their
// impulses; zeros where they touched within the step, not at its end.
bool Runner::find_touch(World& world, int64_t a, int64_t b, std::array<double, 5>& values) {
  const WorldParts& parts = world.parts();
  const int first = parts.bodies.find(a), second = parts.bodies.find(b);
  values = {};
  if (first < 0 || second < 0) return false;
  if (const HostEngine* const own = engine()) {
    values = own->touch(first, second);
    return true;
  }
  if (!touching_) touching_ = parts.contacts.touching();
  const double per_dt = 1.0 / parts.definition.dt;
  for (const bool turned : {false, true}) {
    const int one = turned ? second : first, other = turned ? first : second;
    std::array<double, 5> sums{};
    int count = 0;
    for (int index : *touching_) {
      const Contact& contact = parts.contacts.all()[index];
      if (contact.body_a != one || contact.body_b != other) continue;
      for (int k = 0; k < contact.count; ++k, ++count) {
        const ContactRow row = contact_row(parts.bodies, contact, k, per_dt);
        const double each[] = {row.x, row.y, row.normal_x, row.normal_y, row.normal_impulse};
        for (int n = 0; n < 5; ++n) sums[n] += each[n];
      }
    }
    if (count == 0) continue;
    const double sign = turned ? -1.0 : 1.0, number = count;
    values = {sums[0] / number, sums[1] / number, sign * sums[2] / number, sign * sums[3] / number,
              sums[4]};
    return true;
  }
  return false;
}

std::set<int> Runner::acting(int64_t step) const {
  std::set<int> found;
  for (std::size_t i = 0; i < state_.actuators.size(); ++i) {
    const Actuator& plan = *state_.actuators[i].plan;
    const ActuatorState& now = state_.actuators[i];
    if (now.enabled && plan.acts_at(step) && !now.parts.empty()) found.insert(static_cast<int>(i));
  }
  return found;
}

bool Runner::find_times(int64_t step, std::vector<Found>& found) {
  for (int i : program_->by_kind[static_cast<int>(Kind::time)]) {
    const Rule& rule = program_->rules[i];
    const int64_t times = times_due(step, rule.at, rule.every, program_->dt);
    if (times > program_->most_events) return fail(Fault::times, {static_cast<double>(times)}, i);
    for (int64_t k = 0; k < times; ++k) add(i, found);
  }
  return true;
}

// The bodies of a rule that were inside its region and are outside now.
void Runner::find_leaving(World& world, int place, std::vector<int64_t>& inside,
                          std::vector<Found>& found) const {
  const int index = program_->by_kind[static_cast<int>(Kind::leave)][place];
  const auto [left, bottom, right, top] = program_->rules[index].region;
  const Bodies& bodies = world.parts().bodies;
  std::vector<int64_t> now, others;
  for (int64_t id : state_.members[place]) {
    const int64_t slot = Slots::slot_of(id);
    if (slot >= bodies.count()) continue;
    const double x = bodies.x[slot], y = bodies.y[slot];
    const bool is_in = x >= left && x <= right && y >= bottom && y <= top && bodies.alive[slot];
    (is_in ? now : others).push_back(id);
  }
  const auto leave = [&](int64_t id) {
    if (program_->rules[index].once == Once::run && state_.fired.count(index) != 0) return;
    Found each{};
    each.order = {index, id, 0};
    each.has_first = true;
    found.push_back(each);
  };
  if (!inside.empty()) {
    const std::set<int64_t> before(inside.begin(), inside.end());
    rigid::sort(others.begin(), others.end());
    for (int64_t id : others) {
      if (before.count(id) != 0 && bodies.find(id) >= 0) leave(id);
    }
    for (const Death& death : state_.deaths) {  // at the bounds, in the same step
      const bool is_within =
          death.x >= left && death.x <= right && death.y >= bottom && death.y <= top;
      if (before.count(death.id) != 0 && !is_within) leave(death.id);
    }
  }
  inside = std::move(now);
}

// Whether each condition holds now; nothing where one has no value.
std::optional<std::vector<uint8_t>> Runner::find_conditions(World& world, const Exact& exact) {
  std::vector<uint8_t> now;
  for (int i : program_->by_kind[static_cast<int>(Kind::condition)]) {
    const Expression& condition = program_->expressions[program_->rules[i].condition];
    const std::optional<double> value = evaluate(world, condition, nullptr, exact);
    if (!value) return std::nullopt;
    now.push_back(*value != 0.0 ? 1 : 0);
  }
  return now;
}

}  // namespace rigid::script
