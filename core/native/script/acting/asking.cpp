// SPDX-License-Identifier: MIT
// Asks the host for what needs the scene's text: prototypes with vars that are worked out, and
// copies of bodies as they are.
#include <optional>
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
  request_ = Request{static_cast<int>(&spawn - program_->spawns.data()), std::move(values), {}};
  return false;
}

// Asks the host for copies of bodies; true where there are none.
bool Runner::copy(World& world, const Action& action, const Found& found, const Exact& exact) {
  world.finish();
  const std::vector<int> slots = slots_of(world, action.members, found);
  bool fails = false;
  const std::optional<Shift> shift = shift_of(world, action, found, slots, exact, fails);
  if (!shift) return !fails;
  const auto& [about, to, angle, velocity] = *shift;
  request_ = Request{none, {about[0], about[1], to[0], to[1], angle, velocity[0], velocity[1]}, {}};
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
