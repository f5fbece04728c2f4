// SPDX-License-Identifier: MIT
// Entering, stepping and leaving of resident worlds.
#include "engine/batch/resident_group.h"

#include <algorithm>
#include <cmath>

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"
#include "engine/step.h"

namespace rigid {

namespace {

// The rotation of a body that does not move, as in SystemRows::prepare_node.
SineCosine still_turn(double angle) {
  const bool level = angle == 0 && !std::signbit(angle);
  return level ? SineCosine{0, 1} : sine_cosine(angle);
}

// Whether a body keeps the masses of the last step in the next one: mechanisms are copied with
// those masses. A body that was stiffened for that step only (geometric_stiffness.h) does not.
bool keeps_masses(const Bodies& bodies, int i, const StepParameters& parameters) {
  BodyStep step;
  const InverseMass had = bodies.step_inverse_masses[i];
  const InverseMass has = push_body(step, bodies[i], bodies.stiffened_inverse_masses[i],
                                    bodies.inverse_masses[i].mass, parameters);
  return has.mass == had.mass && has.inertia == had.inertia;
}

}  // namespace

// Whether the coming steps, by present knowledge, consist only of the motion of mechanisms.
bool ResidentGroup::may_enter(const WorldParts& world) {
  const WorldDefinition& d = world.definition;
  const Bodies& bodies = world.bodies;
  if (bodies.count() > LaneTask::most_bodies || !world.parameters.explicit_springs) return false;
  if (world.error || why_not_in_lanes(world) != nullptr || !world.unfinished.empty()) return false;
  if (d.sleep || d.has_bounds || !d.pools.empty() || (d.air_density > 0 && d.air_drag > 0))
    return false;
  if (world.joints.regrouped() || world.joints.any_watched() ||
      world.geometric_stiffness.stiffened())
    return false;
  if (bodies.awake_changed || !bodies.waking.empty() || world.broadphase.any_moved()) return false;
  const auto& contacts = world.contacts.all();
  const auto& forces = world.forces.all();
  if (std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.alive; }) ||
      std::any_of(forces.begin(), forces.end(), [](const ForceSource& f) { return f.enabled; })) {
    return false;
  }
  return std::all_of(bodies.awake_list.begin(), bodies.awake_list.end(), [&](int i) {
    return bodies.is_dynamic(i) && can_move(bodies.inverse_masses[i]) &&
           world.broadphase.leaves_out(i) && keeps_masses(bodies, i, world.parameters);
  });
}

bool ResidentGroup::enter(std::shared_ptr<const LaneModel>& model) {
  if (!ready_) return false;
  if (waits_ > 0) {
    --waits_;
    return false;
  }
  ready_ = false;
  waits_ = constants::steps_between_stays;
  for (const WorldParts* world : worlds_) {
    if (!may_enter(*world)) return false;
  }
  const WorldParts& first = *worlds_.front();
  if (!model || model->kind() != LaneKind::of(first))
    model = std::make_shared<const LaneModel>(first, size());
  model_ = model;
  state_.limits = ValidityLimits(first.definition);
  state_.bodies.resize(first.bodies.size());
  const int systems = static_cast<int>(first.mechanisms.systems().size());
  state_.systems.resize(systems);
  for (std::size_t lane = 0; lane < worlds_.size(); ++lane) {
    const WorldParts& world = *worlds_[lane];
    take_bodies(static_cast<int>(lane), world);
    for (int i = 0; i < systems; ++i) {
      world.mechanisms.systems()[i].copy_to(state_.systems[i], static_cast<int>(lane), world.joints,
                                            world.bodies.inverse_masses);
    }
  }
  holds_ = true;
  stayed_ = ahead_ = 0;
  return true;
}

void ResidentGroup::take_bodies(int lane, const WorldParts& world) {
  const Bodies& bodies = world.bodies;
  for (int i = 0; i < bodies.count(); ++i) {
    const Body& body = bodies[i];
    BatchState::Body& to = state_.bodies[i];
    to.x.at[lane] = body.center_x;
    to.y.at[lane] = body.center_y;
    to.angle.at[lane] = body.angle;
    const bool moves = bodies.awake[i] && bodies.alive[i];
    const SineCosine turn = moves ? sine_cosine(body.angle) : still_turn(body.angle);
    to.sine.at[lane] = turn.sine;
    to.cosine.at[lane] = turn.cosine;
    if (!moves) continue;
    const BodyState& state = bodies.states[i];
    to.vx.at[lane] = state.vx;
    to.vy.at[lane] = state.vy;
    to.omega.at[lane] = state.omega;
    BodyStep step;
    push_body(step, body, bodies.stiffened_inverse_masses[i], bodies.inverse_masses[i].mass,
              world.parameters);
    to.ax.at[lane] = step.ax;
    to.ay.at[lane] = step.ay;
    to.alpha.at[lane] = step.alpha;
    to.linear_factor.at[lane] = step.linear_factor;
    to.angular_factor.at[lane] = step.angular_factor;
    to.sweep_margin.at[lane] = step.sweep_margin;
    to.core_extent.at[lane] = step.core_extent;
  }
}

int ResidentGroup::step(LaneTask& task, int steps) {
  const int done = model_->step(task, state_, steps);
  stayed_ += done;
  ahead_ += done;
  return done;
}

void ResidentGroup::leave() {
  ready_ = false;
  if (!holds_) return;
  write_back();
  holds_ = false;
  // A group that left immediately is not tested again so soon.
  if (stayed_ > constants::steps_between_stays) waits_ = 0;
}

void ResidentGroup::write_back() {
  if (!holds_ || ahead_ == 0) return;
  for (std::size_t lane = 0; lane < worlds_.size(); ++lane) {
    WorldParts& world = *worlds_[lane];
    write_bodies(static_cast<int>(lane), world);
    for (std::size_t i = 0; i < state_.systems.size(); ++i) {
      world.mechanisms.for_lanes()[i].copy_from(state_.systems[i], static_cast<int>(lane),
                                                world.joints);
    }
    world.clock.steps += ahead_;
  }
  ahead_ = 0;
}

// Writes the bodies of a lane, as finish_bodies leaves them.
void ResidentGroup::write_bodies(int lane, WorldParts& world) const {
  Bodies& bodies = world.bodies;
  for (int i : bodies.awake_list) {
    Body& body = bodies[i];
    const BatchState::Body& from = state_.bodies[i];
    body.center_x = from.x.at[lane];
    body.center_y = from.y.at[lane];
    body.angle = from.angle.at[lane];
    place_origin(bodies, i, {from.sine.at[lane], from.cosine.at[lane]});
    BodyStep& step = bodies.steps[i];
    push_body(step, body, bodies.stiffened_inverse_masses[i], bodies.inverse_masses[i].mass,
              world.parameters);
    step.after_x = from.after_x.at[lane];
    step.after_y = from.after_y.at[lane];
    step.correction_x = from.correction_x.at[lane];
    step.correction_y = from.correction_y.at[lane];
    keep_motion(body, step, from.dx.at[lane], from.dy.at[lane], from.turned.at[lane]);
    BodyState& state = bodies.states[i];
    state.vx = from.vx.at[lane];
    state.vy = from.vy.at[lane];
    state.omega = from.omega.at[lane];
    body.expected_velocity = {state.vx, state.vy};
    body.expected_spin = state.omega;
    world.separations.place(i, body);
  }
}

}  // namespace rigid
