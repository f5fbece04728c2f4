// SPDX-License-Identifier: MIT
// The stages of sequential_impulse.
#include "engine/solvers/sequential_impulse.h"

#include <algorithm>
#include <cmath>

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"
#include "engine/solvers/step_parameters.h"

namespace rigid {

StepParameters SequentialImpulse::parameters(const WorldDefinition& d) {
  StepParameters p = common_parameters(d, d.dt);
  p.warm_start = d.warm_start;
  p.bounces_first = p.accumulates = p.needs_overlap = p.pushes_apart = true;
  p.contact_margin = p.slop;
  p.joint_give = constants::joint_give_of_steps;
  const float slow = is_weightless(d) ? constants::weightless_impact : constants::slow_impact;
  p.slowest_impact *= slow / constants::restitution_threshold;
  const float rate = d.position_correction ? static_cast<float>(d.correction_rate) : 0.0f;
  p.correction_rate = rate * p.inverse_h;
  p.allowed_penetration = static_cast<float>(d.allowed_penetration);
  p.joint = {rate * p.inverse_h, 1.0f, 0.0f};
  p.weighs_friction = d.friction_limit == FrictionLimit::weight;
  if (p.weighs_friction) p.gravity_friction = p.h;
  if (d.friction_limit == FrictionLimit::gravity) {
    const double gravity = std::sqrt(d.gravity_x * d.gravity_x + d.gravity_y * d.gravity_y);
    p.gravity_friction = static_cast<float>(gravity) * p.h;
  }
  return p;
}

void SequentialImpulse::solve() {
  clock_.start();
  const ExternalForce forces = definition_.external_force;
  if (forces == ExternalForce::before) {
    // Contacts are prepared from velocities that include the forces, so a fall counts as an
    // approach.
    integrate_forces();
    contact_constraints_.run(&ContactKernels::prepare);
  }
  if (is_plain()) contact_constraints_.begin_step();
  bounces_.run(is_plain() && forces == ExternalForce::between && definition_.position_correction);
  clock_.lap(Stage::bounce);
  run(Stage::begin, &Constraint::begin_substep);
  if (forces == ExternalForce::between) integrate_forces();
  run(Stage::forces, &Constraint::note_forces);
  if (definition_.warm_start) run(Stage::warm_start, &Constraint::warm_start);
  iterate([this](int pass) { run(Stage::solve, &Constraint::rest, pass); });
  run(Stage::solve, &Constraint::finish_rest);
  // Impulses of the push are not stored: the next step must not begin with them.
  const bool late = !tracks_.empty() && !lanes_.stages().push;
  if (!late) run(Stage::store, &Constraint::store);
  if (forces == ExternalForce::after) integrate_forces();
  move_and_push();
  turn_along_tracks();
  if (late) run(Stage::store, &Constraint::store);
  run(Stage::store, &Constraint::limit_energy);
}

// Whether contacts follow the law of impact problems; teaching variants do not.
bool SequentialImpulse::is_plain() const {
  return parameters_.clamp == ImpulseClamp::accumulated && parameters_.gravity_friction == 0.0f;
}

// Runs the passes, up to the first that changes the velocity of no point of a body by stop_below.
template <class Pass>
void SequentialImpulse::iterate(Pass&& pass) {
  const auto least = static_cast<float>(definition_.stop_below);
  for (int i = 0; i < definition_.iterations; ++i) {
    if (least > 0.0f)
      before_pass_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
    pass(i);
    if (least > 0.0f && change_by_pass() < least) return;
  }
}

// The largest change of the velocity of a point of a body.
float SequentialImpulse::change_by_pass() const {
  float most = 0.0f;
  for (const int i : bodies_.awake_list) {
    const BodyState &from = before_pass_[i], &to = bodies_.states[i];
    const float turned = std::fabs(to.omega - from.omega) * bodies_[i].extent;
    const float x = to.vx - from.vx, y = to.vy - from.vy;
    most = std::max(most, std::sqrt(x * x + y * y) + turned);
  }
  return most;
}

// Moves the bodies as if overlaps were pushed apart, and keeps their velocities.
void SequentialImpulse::move_and_push() {
  const bool push = lanes_.stages().push && parameters_.correction_rate > 0.0f;
  if (push) {
    kept_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
    iterate([this](int) { run(Stage::push, &Constraint::push); });
    run(Stage::push, &Constraint::finish_push);
    // Keeps the change by the push, to undo it; a stop in the meantime remains.
    bodies_.for_awake(pool_, [this](int i) {
      kept_[i].vx -= bodies_.states[i].vx;
      kept_[i].vy -= bodies_.states[i].vy;
      kept_[i].omega -= bodies_.states[i].omega;
    });
  }
  move_bodies(parameters_.h);
  if (!push) return;
  bodies_.for_awake(pool_, [this](int i) {
    BodyState& state = bodies_.states[i];
    state.vx += kept_[i].vx;
    state.vy += kept_[i].vy;
    state.omega += kept_[i].omega;
  });
  clock_.lap(Stage::push);
}

// Turns the velocities of shapes on tracks along the chain where they are at the step's end.
void SequentialImpulse::turn_along_tracks() {
  if (tracks_.empty()) return;
  if (!lanes_.stages().push) contact_constraints_.store();
  tracks_.level_tracks();
  if (tracks_.coupled()) {
    mechanisms_.for_systems(
        [](JointSystem& system, const KernelContext& context) { system.locate(context); });
  }
  for (int i = 0; i < definition_.iterations; ++i) {
    if (tracks_.coupled()) {
      joint_constraints_.bounce();
      direct_constraints_.bounce();
    }
    contact_constraints_.run(&Kernels::rest, Share::change);
  }
  clock_.lap(Stage::tracks);
}

}  // namespace rigid
