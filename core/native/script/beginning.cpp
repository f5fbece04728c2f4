// SPDX-License-Identifier: MIT
// The beginning of a run that has no host, as core/world/script/script.py begins one.
#include <stdexcept>

#include "script/runner.h"

namespace rigid::script {

void Runner::begin(World& world, const Exact& exact) {
  check_fits(world);
  if (!program_->is_whole) {
    throw std::invalid_argument("the program of the script needs a host");
  }
  world.finish();
  *this = Runner(std::shared_ptr(program_));
  has_host_ = false;
  state_.seed = program_->seed;
  for (std::size_t i = 0; i < program_->variables.size(); ++i) {
    state_.variables[i] = program_->variables[i].start;
  }
  for (std::size_t i = 0; i < program_->motors.size(); ++i) {
    state_.motors[i] = begun(program_->motors[i]);
  }
  for (std::size_t i = 0; i < program_->springs.size(); ++i) {
    state_.springs[i] = begun(program_->springs[i]);
  }
  for (std::size_t i = 0; i < program_->mice.size(); ++i) {
    state_.mice[i] = {program_->mice[i].target, false};
  }
  for (std::size_t i = 0; i < program_->actuators.size(); ++i) {
    const Actuator& actuator = *program_->actuators[i];
    state_.actuators[i] = {actuator.numbers, actuator.enabled,      false, none,
                           actuator.parts,   program_->actuators[i]};
  }
  check_parts(world);
  state_.inputs = program_->inputs;
  state_.pulls = program_->pulls;
  const auto has = [this](Kind kind) { return !program_->by_kind[static_cast<int>(kind)].empty(); };
  bool listens = has(Kind::collision) || has(Kind::touch_end);
#ifndef RIGID_SMALL
  for (const CopyPlan& plan : program_->plans) {
    for (const Rule& rule : plan.rules) listens |= rule.kind <= Kind::touch_end;
  }
#endif
  if (listens) world.set_world({.tells_contacts = true});
  if (const auto held = find_conditions(world, exact)) state_.was = *held;
  const std::vector<int>& leaves = program_->by_kind[static_cast<int>(Kind::leave)];
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    const Selector& selector = program_->rules[leaves[i]].who[0];
    if (selector.tag == none) {
      state_.members[i].assign(selector.bodies.begin(), selector.bodies.end());
    } else {
      for (int body = 1; body < program_->bodies; ++body) {
        if (state_.tags[body].has(selector.tag)) state_.members[i].push_back(body);
      }
    }
    std::vector<Found> nothing;
    find_leaving(world, static_cast<int>(i), state_.inside[i], nothing);
  }
  for (std::size_t i = 0; i < program_->animations.size(); ++i) {
    const Animation& plan = program_->animations[i];
    PlayingState& state = state_.animations[i];
    const bool plays = plan.enabled && plan.kind != Playing::manual;
    const bool waits = !plan.enabled && plan.kind != Playing::manual;
    play(plan, state, 0);
    state.begun = plays ? 0 : none;
    state.settled = waits;
  }
  for (const Key& key : program_->keys) hold(world, key);
  place_animations(scene(world));
}

void Runner::check_is_only_read() const {
  const bool acts =
      !program_->animations.empty() || !program_->keys.empty() ||
      program_->by_kind[static_cast<int>(Kind::condition)].size() != program_->rules.size();
  if (acts) throw std::invalid_argument("the readings of the scene do more than read");
}

void Runner::check_parts(const World& world) const {
  const WorldParts& parts = world.parts();
  for (std::size_t i = 0; i < state_.actuators.size(); ++i) {
    const bool by_joint = state_.actuators[i].plan->by_joint;
    if (!by_joint && engine() != nullptr) continue;  // which has the forces
    const int size = by_joint ? parts.joints.count() : parts.forces.count();
    for (const auto& [place, body] : state_.actuators[i].parts) {
      if (place < 0 || place >= size || body < 0 || body >= parts.bodies.count()) {
        throw std::invalid_argument("an actuator is on no body");
      }
    }
  }
}

}  // namespace rigid::script
