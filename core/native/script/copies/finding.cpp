// SPDX-License-Identifier: MIT
// Finds the events of copies in a step, as core/world/script/copy_finding.py does.
#include <algorithm>

#include "script/kinds_of_events.h"
#include "script/runner.h"
#include "script/times.h"

namespace rigid::script {

namespace {

bool contains(const std::vector<int>& all, int one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_inside(const Rule& rule, const Numbers& at) {
  const auto [left, bottom, right, top] = rule.region;
  return left <= at[0] && at[0] <= right && bottom <= at[1] && at[1] <= top;
}

}  // namespace

// The events that `find_of_copies` found, and the state of copies after them.
struct CopyNews {
  std::vector<Found> found;
  std::vector<CopyPart> dead;
  std::vector<int64_t> ending;
  std::map<int64_t, std::vector<uint8_t>> was;
  std::map<int64_t, std::vector<std::vector<uint8_t>>> inside;
};

void Runner::add_of_copy(const Copy& copy, int rule, Found each, std::vector<Found>& found) const {
  if (plan_of(copy).rules[rule].once == Once::run && copy.fired.count(rule) != 0) return;
  each.order[0] = static_cast<int64_t>(program_->rules.size()) + copy.serial * rules_of_copy + rule;
  found.push_back(each);
}

// Whether a body fits the second selector of a copy's rule.
bool Runner::is_other(const World& world, const Copy& copy, const Rule& rule, int64_t body) const {
  if (rule.who.size() < 2) return true;
  if (rule.who[1].tag != none) return fits(world, rule, 1, body);
  const auto other = state_.copies.bodies.find(body);
  return other != state_.copies.bodies.end() && other->second.serial == copy.serial &&
         contains(rule.who[1].bodies, other->second.part);
}

// Finds the events of copies from one of the engine.
void Runner::find_told_of_copies(World& world, const EventRow& row, std::vector<Found>& found) {
  const std::optional<Kind> kind = kind_of(row.kind);
  if (!kind) return;
  if (!is_of_pair(*kind)) {
    const auto part = state_.copies.joints.find(row.a);
    if (part == state_.copies.joints.end()) return;
    const Copy& copy = state_.copies.all.at(part->second.serial);
    const std::vector<Rule>& rules = plan_of(copy).rules;
    for (int i = 0; i < static_cast<int>(rules.size()); ++i) {
      const bool is_about = rules[i].kind == *kind && rules[i].subject == part->second.part;
      if (is_about) add_of_copy(copy, i, {}, found);
    }
    return;
  }
  std::set<std::pair<int64_t, int>> done;  // once, whichever of its bodies is the first
  for (const auto& [a, b] : {std::pair(row.a, row.b), std::pair(row.b, row.a)}) {
    const auto part = state_.copies.bodies.find(a);
    if (part == state_.copies.bodies.end()) continue;
    const Copy& copy = state_.copies.all.at(part->second.serial);
    const std::vector<Rule>& rules = plan_of(copy).rules;
    for (int i = 0; i < static_cast<int>(rules.size()); ++i) {
      const Rule& rule = rules[i];
      if (rule.kind != *kind || rule.who.empty() ||
          !contains(rule.who[0].bodies, part->second.part) || done.count({copy.serial, i}) != 0 ||
          !is_other(world, copy, rule, b)) {
        continue;
      }
      done.insert({copy.serial, i});
      Found each{};
      if (rule.asks && *kind == Kind::collision) {
        find_touch(world, a, b, each.values);
        each.given = 5;
        if (each.values[4] < rule.min_impulse) continue;
      }
      each.order = {0, a, b};
      each.has_first = each.has_second = true;
      add_of_copy(copy, i, each, found);
    }
  }
}

// The actuators of copies that began or ceased to act in a step, in which those of `acted` did.
void Runner::find_switches_of_copies(const std::set<int>& acted, std::vector<Found>& found) const {
  for (const auto& [serial, copy] : state_.copies.all) {
    const std::vector<Rule>& rules = plan_of(copy).rules;
    for (std::size_t i = 0; i < rules.size(); ++i) {
      const bool starts = rules[i].kind == Kind::actuator_start;
      if ((!starts && rules[i].kind != Kind::actuator_stop) || rules[i].subject == none) continue;
      const int place = copy.actuators[rules[i].subject];
      const bool now = acted.count(place) != 0, before = state_.acted.count(place) != 0;
      if (now != before && now == starts) add_of_copy(copy, static_cast<int>(i), {}, found);
    }
  }
}

void Runner::find_deaths_of_copies(CopyNews& news, const Exact& exact) const {
  std::map<int64_t, std::size_t> dead;
  for (const Death& death : state_.deaths) {
    const auto part = state_.copies.bodies.find(death.id);
    if (part == state_.copies.bodies.end()) continue;
    const auto [serial, body] = part->second;
    const Copy& copy = state_.copies.all.at(serial);
    const CopyPlan& plan = plan_of(copy);
    Found each{};
    each.order[1] = death.id;
    for (std::size_t k = 0; k < plan.leaving.size(); ++k) {  // at the bounds, in the same step
      const bool was = !copy.inside[k].empty() && copy.inside[k][body] != 0;
      if (!was) continue;
      const Numbers at = placement_of(copy, exact).inverse({death.x, death.y});
      if (is_inside(plan.rules[plan.leaving[k]], at)) continue;
      Found left = each;
      left.has_first = true;
      add_of_copy(copy, plan.leaving[k], left, news.found);
    }
    each.given = 2;
    each.values = {death.x, death.y};
    for (int i = 0; i < static_cast<int>(plan.rules.size()); ++i) {
      const Rule& rule = plan.rules[i];
      if (rule.kind == Kind::deleted && !rule.who.empty() && contains(rule.who[0].bodies, body)) {
        add_of_copy(copy, i, each, news.found);
      }
    }
    news.dead.push_back(part->second);
    const auto there = std::count(copy.there.begin(), copy.there.end(), 1);
    if (static_cast<std::ptrdiff_t>(++dead[serial]) == there) news.ending.push_back(serial);
  }
}

// The bodies of a copy inside the region of a rule.
std::vector<uint8_t> Runner::inside_of(const World& world, const Copy& copy, int rule,
                                       const Exact& exact) const {
  const Bodies& bodies = world.parts().bodies;
  const Placement place = placement_of(copy, exact);
  const Rule& plan = plan_of(copy).rules[rule];
  std::vector<uint8_t> inside(copy.bodies.size());
  for (int part : plan.who[0].bodies) {
    const int slot = bodies.find(copy.bodies[part]);
    if (slot < 0) continue;
    inside[part] = is_inside(plan, place.inverse({bodies.x[slot], bodies.y[slot]})) ? 1 : 0;
  }
  return inside;
}

// Whether each condition of a copy holds now; nothing where one has no value.
std::optional<std::vector<uint8_t>> Runner::conditions_of(World& world, Copy& copy,
                                                          const Exact& exact) {
  std::vector<uint8_t> now;
  act_as(&copy, exact);
  for (int i : plan_of(copy).conditions) {
    const Expression& condition = program_->expressions[plan_of(copy).rules[i].condition];
    const std::optional<double> value = evaluate(world, condition, nullptr, exact);
    if (!value) return std::nullopt;
    now.push_back(*value != 0.0 ? 1 : 0);
  }
  copy_ = nullptr;
  return now;
}

// Adds the events of copies, and takes notice of copies that end; false where a condition has no
// value or an event comes too often, and nothing has changed then.
bool Runner::find_of_copies(World& world, int64_t step, const std::set<int>& acted,
                            std::vector<Found>& found, const Exact& exact) {
  if (state_.copies.empty()) return true;
  CopyNews news;
  for (const EventRow& row : state_.told) {
    find_told_of_copies(world, row, news.found);
  }
  find_switches_of_copies(acted, news.found);
  const Joints& joints = world.parts().joints;
  const auto is_gone = [&](const Watched& each) { return joints.find(each.id) < 0; };
  for (const auto& [serial, copy] : state_.copies.all) {
    for (const Watched& each : copy.watched) {
      const std::vector<Rule>& rules = plan_of(copy).rules;
      for (std::size_t i = 0; is_gone(each) && i < rules.size(); ++i) {
        if (contains(rules[i].joints, each.name)) add_of_copy(copy, i, {}, news.found);
      }
    }
  }
  find_deaths_of_copies(news, exact);
  const auto ends = [&news](int64_t serial) {
    return std::find(news.ending.begin(), news.ending.end(), serial) != news.ending.end();
  };
  const Bodies& bodies = world.parts().bodies;
  for (const auto& [serial, copy] : state_.copies.all) {
    if (ends(serial)) continue;
    const CopyPlan& plan = plan_of(copy);
    for (int i : plan.times) {
      const Rule& rule = plan.rules[i];
      const int64_t times = times_due(step - copy.born, rule.at, rule.every, program_->dt);
      if (times > program_->most_events) {
        act_as(&state_.copies.all.at(serial), exact);
        return fail(Fault::times, {static_cast<double>(times)}, i);
      }
      for (int64_t k = 0; k < times; ++k) add_of_copy(copy, i, {}, news.found);
    }
    for (std::size_t k = 0; k < plan.leaving.size(); ++k) {
      auto& inside = news.inside[serial].emplace_back();
      inside = inside_of(world, copy, plan.leaving[k], exact);
      for (std::size_t part = 0; part < copy.inside[k].size(); ++part) {
        if (copy.inside[k][part] == 0 || inside[part] != 0) continue;
        Found each{};
        each.order[1] = copy.bodies[part];
        each.has_first = true;
        if (bodies.find(copy.bodies[part]) < 0) continue;
        add_of_copy(copy, plan.leaving[k], each, news.found);
      }
    }
  }
  for (auto& [serial, copy] : state_.copies.all) {
    const std::vector<int>& conditions = plan_of(copy).conditions;
    if (ends(serial) || conditions.empty()) continue;
    const std::optional<std::vector<uint8_t>> now = conditions_of(world, copy, exact);
    if (!now) return false;
    for (std::size_t k = 0; k < conditions.size(); ++k) {
      const bool before = copy.was.empty() || copy.was[k] != 0;
      if ((*now)[k] != 0 && !before) add_of_copy(copy, conditions[k], {}, news.found);
    }
    news.was[serial] = *now;
  }
  for (const auto& [serial, part] : news.dead) {
    Copy& copy = state_.copies.all.at(serial);
    copy.there[part] = 0;
    state_.copies.bodies.erase(copy.bodies[part]);
  }
  for (auto& [serial, inside] : news.inside)
    state_.copies.all.at(serial).inside = std::move(inside);
  for (auto& [serial, was] : news.was) state_.copies.all.at(serial).was = std::move(was);
  for (auto& [serial, copy] : state_.copies.all) std::erase_if(copy.watched, is_gone);
  for (int64_t serial : news.ending) end_copy(serial);
  found.insert(found.end(), news.found.begin(), news.found.end());
  return true;
}

// Looks at what holds of new copies, so that it does not count as becoming true; false where it has
// no value.
bool Runner::begin_copies(World& world, const Exact& exact) {
  std::map<int64_t, std::vector<uint8_t>> held;
  for (auto it = state_.copies.all.lower_bound(state_.copies.begun); it != state_.copies.all.end();
       ++it) {
    const std::optional<std::vector<uint8_t>> now = conditions_of(world, it->second, exact);
    if (!now) return false;
    held[it->first] = *now;
  }
  for (auto& [serial, now] : held) {
    Copy& copy = state_.copies.all.at(serial);
    const std::vector<int>& leaving = plan_of(copy).leaving;
    copy.was = std::move(now);
    for (std::size_t k = 0; k < leaving.size(); ++k) {
      copy.inside[k] = inside_of(world, copy, leaving[k], exact);
    }
  }
  state_.copies.begun = state_.copies.births;
  return true;
}

}  // namespace rigid::script
