// SPDX-License-Identifier: MIT
// Asks the host for what needs the scene's text: originals with vars that are worked out, copies of
// bodies, joints that the program has no rules for, and consent to more particles.
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "script/runner.h"

namespace rigid::script {

// Works out the vars of an original that the host makes; false where it has not made it yet.
bool Runner::asks_for(World& world, const Spawn& spawn, const Found* found, const Exact& exact) {
  std::vector<double> values;
  for (const Number& each : spawn.vars) {
    const std::optional<double> value = number(world, each, found, exact);
    if (!value) return false;
    values.push_back(*value);
  }
  if (given_) return true;
  const auto place = static_cast<int>(&spawn - program_->spawns.data());
  request_ = Request{Task::original, place, std::move(values), {}};
  return false;
}

void Runner::extend(std::shared_ptr<const Program> program, int spawn) {
  const Program &was = *program_, &now = *program;
  const auto goes_on = [&](auto table) { return (now.*table).size() >= (was.*table).size(); };
  const auto is_same = [&](auto table) { return (now.*table).size() == (was.*table).size(); };
  bool fits = now.bodies == was.bodies && now.joints == was.joints && now.points == was.points &&
              now.pools == was.pools && now.dt == was.dt && now.uses >= was.uses;
  fits = fits && is_same(&Program::variables) && is_same(&Program::motors) &&
         is_same(&Program::springs) && is_same(&Program::mice) && is_same(&Program::actuators) &&
         is_same(&Program::animations) && is_same(&Program::keys) && is_same(&Program::asked) &&
         is_same(&Program::sets) && is_same(&Program::rules) && is_same(&Program::spawners);
  fits = fits && goes_on(&Program::texts) && goes_on(&Program::expressions) &&
         goes_on(&Program::names) && goes_on(&Program::spawns) && goes_on(&Program::originals) &&
         goes_on(&Program::plans) && goes_on(&Program::destructions) &&
         goes_on(&Program::attachments);
  for (std::size_t i = 0; fits && i < was.spawns.size(); ++i) {
    fits = now.spawns[i].original == was.spawns[i].original;
  }
  for (std::size_t i = 0; fits && i < was.originals.size(); ++i) {
    const Original &old = was.originals[i], &same = now.originals[i];
    fits = old.plan == same.plan && old.parts.size() == same.parts.size() &&
           old.joints.size() == same.joints.size() && old.attached == same.attached &&
           old.actuators.size() == same.actuators.size() &&
           old.motors.size() == same.motors.size() && old.springs.size() == same.springs.size();
  }
  for (std::size_t i = 0; fits && i < was.plans.size(); ++i) {
    const CopyPlan &old = was.plans[i], &same = now.plans[i];
    fits = old.rules.size() == same.rules.size() && old.leaving == same.leaving &&
           old.conditions == same.conditions && old.spawners.size() == same.spawners.size() &&
           old.animations.size() == same.animations.size() && old.keys.size() == same.keys.size();
  }
  fits = fits && (spawn == none || (spawn >= 0 && spawn < static_cast<int>(now.spawns.size()) &&
                                    now.spawns[spawn].original != none));
  if (!fits) throw std::invalid_argument("the program is of another scene");
  program_ = std::move(program);
  state_.uses.resize(now.uses, none);
  state_.counts.resize(now.names.size());
  state_.attached.resize(now.names.size());
  begin_breaking();
  if (spawn == none) return;
  const Spawn& made = now.spawns[spawn];
  given_ = Given{{program_, &now.originals[made.original]}, {made.pivot_x, made.pivot_y}, spawn};
}

// Asks the host for copies of bodies; true where there are none.
bool Runner::copy(World& world, const Action& action, const Found& found, const Exact& exact) {
  world.finish();
  const std::vector<int> slots = slots_of(world, action.members, found);
  bool fails = false;
  const std::optional<Shift> shift = shift_of(world, action, found, slots, exact, fails);
  if (!shift) return !fails;
  const auto& [about, to, angle, velocity] = *shift;
  request_ = Request{
      Task::copies, none, {about[0], about[1], to[0], to[1], angle, velocity[0], velocity[1]}, {}};
  for (int slot : slots) request_->bodies.push_back(world.parts().bodies.slots.id(slot));
  return false;
}

void Runner::take_copies(const std::vector<std::pair<Born, Tags>>& bodies, int64_t births) {
  for (const auto& [born, tags] : bodies) take_in(born, tags);
  if (!bodies.empty()) ++state_.counts[bodies.front().first.name];
  ++births_now_;
  state_.births = births;
  changed_ = true;
}

}  // namespace rigid::script
