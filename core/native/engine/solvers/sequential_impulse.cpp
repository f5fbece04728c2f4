// SPDX-License-Identifier: MIT
#include "engine/solvers/sequential_impulse.h"

#include <cmath>

#include "engine/bodies/motion.h"
#include "engine/constants.h"
#include "engine/solvers/step_parameters.h"

namespace rigid {

StepParameters SequentialImpulse::parameters(const WorldDefinition& d) {
  StepParameters p = common_parameters(d, d.dt);
  p.warm_start = d.warm_start;
  p.bounces_first = p.accumulates = p.needs_overlap = p.pushes_apart = true;
  p.contact_margin = p.slop;
  p.joint_give = constants::joint_give_of_steps;
  const float rate = d.position_correction ? static_cast<float>(d.correction_rate) : 0.0f;
  p.correction_rate = rate * p.inverse_h;
  p.allowed_penetration = static_cast<float>(d.allowed_penetration);
  p.joint = {rate * p.inverse_h, 1.0f, 0.0f};
  if (d.gravity_friction) {
    const double gravity = std::sqrt(d.gravity_x * d.gravity_x + d.gravity_y * d.gravity_y);
    p.gravity_friction = static_cast<float>(gravity) * p.h;
  }
  return p;
}

// What hits at the step's start leaves with its restitution, before the forces act. Mechanisms hand
// it on by what holds them together; springs, motors and limits have no part in an instant.
void SequentialImpulse::bounce() {
  if (!lanes_.stages().bounce) return;
  kept_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
  clusters_.begin();
  mechanisms_.for_systems([](JointSystem& system, const KernelContext&) { system.begin_blow(); });
  double last = 0;
  for (int round = 0; round < constants::bounce_rounds; ++round) {
    for (int i = 0; i < definition_.iterations; ++i) {
      lanes_.run_joints(&JointKernels::relax);
      mechanisms_.for_systems(&JointSystem::relax);
      loads_.run_contacts(&Kernels::bounce, Share::blows);
    }
    clusters_.bounce();
    if (!loads_.empty()) mechanisms_.for_systems(&JointSystem::relax);
    // What hits a moving wall gains rightly, and the same in each round.
    const double gain = bounce_gain();
    if (gain - last < constants::bounce_gain && last - gain < constants::bounce_gain) break;
    last = gain;
  }
  // What begins after it begins with last step's impulses.
  lanes_.run_joints(&JointKernels::prepare);
}

// The share of their energy that impacts have given the bodies: halfway to the solution of several
// points it may be anything. With friction limited as in the source, one body takes just the
// iterations of the source.
double SequentialImpulse::bounce_gain() const {
  double had = 0, has = 0;
  int count = 0;
  for (int i : bodies_.awake_list) {
    const BodyState &before = kept_[i], &after = bodies_.states[i];
    if (before.vx == after.vx && before.vy == after.vy && before.omega == after.omega) continue;
    auto energy = [&](const BodyState& s) {
      const InverseMass inverse = bodies_.masses[i];
      const double vx = s.vx, vy = s.vy, omega = s.omega;
      const double linear = inverse.mass > 0.0f ? (vx * vx + vy * vy) / inverse.mass : 0;
      return linear + (inverse.inertia > 0.0f ? omega * omega / inverse.inertia : 0);
    };
    had += energy(before);
    has += energy(after);
    ++count;
  }
  const bool as_source = count < 2 && parameters_.gravity_friction > 0.0f;
  return !as_source && has > had && had > 0 ? has / had - 1 : 0;
}

// Moves the bodies as if overlaps were pushed apart, and leaves them the velocities they had.
void SequentialImpulse::move_and_push(float h) {
  const bool push = lanes_.stages().push && parameters_.correction_rate > 0.0f;
  if (push) {
    kept_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
    for (int i = 0; i < definition_.iterations; ++i) {
      lanes_.run_joints(&JointKernels::solve);
      mechanisms_.for_systems(&JointSystem::iterate);
      footings_.note();
      loads_.run_contacts(&Kernels::push, Share::change);
      footings_.push();
      if (!loads_.empty()) mechanisms_.for_systems(&JointSystem::iterate);
    }
    clusters_.push();
    // From here on what the push has to be taken away again: what stops a body meanwhile stays.
    bodies_.for_awake(pool_, [this](int i) {
      kept_[i].vx -= bodies_.states[i].vx;
      kept_[i].vy -= bodies_.states[i].vy;
      kept_[i].omega -= bodies_.states[i].omega;
    });
  }
  integrate_positions(bodies_, h, pool_, [&](int i) { continuous_.clamp_to_impact(i, h); });
  iterative_.correct_apart();
  iterative_.for_apart([&](int i) { continuous_.clamp_shifted(i, h); });
  continuous_.stop_bullets(h);
  if (!push) return;
  bodies_.for_awake(pool_, [this](int i) {
    BodyState& state = bodies_.states[i];
    state.vx += kept_[i].vx;
    state.vy += kept_[i].vy;
    state.omega += kept_[i].omega;
  });
}

// Whether contacts follow the law that clusters are solved for: others are lessons.
bool SequentialImpulse::is_plain() const {
  return parameters_.clamp == ImpulseClamp::accumulated && parameters_.gravity_friction == 0.0f;
}

void SequentialImpulse::solve() {
  const float h = parameters_.h;
  const ExternalForce forces = definition_.external_force;
  if (forces == ExternalForce::before) {
    // What is made of the velocities is made of these, and takes a fall for an approach.
    integrate_velocities(bodies_, h, pool_);
    loads_.run_contacts(&ContactKernels::prepare, Share::none);
  }
  if (is_plain()) clusters_.find();
  clusters_.find_hit(h);
  bounce();
  mechanisms_.for_systems(&JointSystem::begin);
  iterative_.open_accounts();
  if (forces == ExternalForce::between) integrate_velocities(bodies_, h, pool_);
  clusters_.begin();
  iterative_.note_forces();
  if (definition_.warm_start) {
    iterative_.warm_start_joints();
    loads_.run_contacts(&ContactKernels::warm_start, Share::all);
  }
  for (int i = 0; i < definition_.iterations; ++i) {
    lanes_.run_joints(&JointKernels::solve);
    mechanisms_.for_systems(i == 0 ? &JointSystem::solve : &JointSystem::iterate);
    tracks_.aim_tracks();
    footings_.note();
    loads_.run_contacts(&Kernels::rest, Share::change);
    footings_.rest();
    if (!loads_.empty()) mechanisms_.for_systems(&JointSystem::iterate);
  }
  clusters_.rest();
  auto store = [this] {
    lanes_.run_joints(&JointKernels::store);
    mechanisms_.store_systems();
    loads_.run_contacts(&ContactKernels::store, Share::none);
  };
  // What pushes apart is not kept, and must not be where the next step begins.
  const bool late = !tracks_.empty() && !lanes_.stages().push;
  if (!late) store();
  if (forces == ExternalForce::after) integrate_velocities(bodies_, h, pool_);
  move_and_push(h);
  turn_along_tracks();
  if (late) store();
  iterative_.keep_energies();
  mechanisms_.for_systems([](JointSystem& system, const KernelContext& context) {
    if (system.is_accounted()) system.locate(context);
    system.keep_energy(context);
  });
}

// What is led along a chain goes, at the step's end, along the chain where it is then.
void SequentialImpulse::turn_along_tracks() {
  if (tracks_.empty()) return;
  if (!lanes_.stages().push) loads_.run_contacts(&ContactKernels::store, Share::none);
  tracks_.level_tracks();
  if (tracks_.coupled()) {
    mechanisms_.for_systems(
        [](JointSystem& system, const KernelContext& context) { system.locate(context); });
  }
  for (int i = 0; i < definition_.iterations; ++i) {
    if (tracks_.coupled()) {
      lanes_.run_joints(&JointKernels::relax);
      mechanisms_.for_systems(&JointSystem::relax);
    }
    loads_.run_contacts(&Kernels::rest, Share::change);
  }
}

}  // namespace rigid
