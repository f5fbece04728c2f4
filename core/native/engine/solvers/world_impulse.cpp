// A step of `sequential_impulse`: bounces, forces and rest, then the correction of overlap
// (impulse_kernels.h).
#include "engine/constants.h"
#include "engine/world.h"

namespace rigid {

// What hits at the step's start leaves with its restitution, before the forces act. Mechanisms hand
// it on by what holds them together; springs, motors and limits have no part in an instant.
void World::bounce() {
  if (!stages_.bounce) return;
  kept_.assign(states_.data(), states_.data() + states_.size());
  for_systems([](JointSystem& system, const KernelContext&) { system.begin_blow(); });
  double last = 0;
  for (int round = 0; round < constants::bounce_rounds; ++round) {
    for (int i = 0; i < definition_.iterations; ++i) {
      run_joints(&JointKernels::relax);
      for_systems(&JointSystem::relax);
      run_contacts(kernels_->impulse.bounce, single_->impulse.bounce, Share::blows);
    }
    if (!lent_.empty()) for_systems(&JointSystem::relax);
    // What hits a moving wall gains rightly, and the same in each round.
    const double gain = bounce_gain();
    if (gain - last < constants::bounce_gain && last - gain < constants::bounce_gain) break;
    last = gain;
  }
  // What begins after it begins with last step's impulses.
  run_joints(&JointKernels::prepare);
}

// The share of their energy that impacts have given the bodies: halfway to the solution of several
// points it may be anything. With friction limited as in the source, one body takes just the
// iterations of the source.
double World::bounce_gain() const {
  double had = 0, has = 0;
  int count = 0;
  for (int i : awake_bodies_) {
    const BodyState &before = kept_[i], &after = states_[i];
    if (before.vx == after.vx && before.vy == after.vy && before.omega == after.omega) continue;
    auto energy = [&](const BodyState& s) {
      const InverseMass inverse = masses_[i];
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
void World::move_and_push(float h) {
  const bool push = stages_.push && parameters_.correction_rate > 0.0f;
  if (push) {
    kept_.assign(states_.data(), states_.data() + states_.size());
    for (int i = 0; i < definition_.iterations; ++i) {
      run_joints(&JointKernels::solve);
      for_systems(&JointSystem::iterate);
      run_contacts(kernels_->impulse.push, single_->impulse.push, Share::change);
      if (!lent_.empty()) for_systems(&JointSystem::iterate);
    }
    // From here on what the push has to be taken away again: what stops a body meanwhile stays.
    for_bodies([this](int i) {
      kept_[i].vx -= states_[i].vx;
      kept_[i].vy -= states_[i].vy;
      kept_[i].omega -= states_[i].omega;
    });
  }
  integrate_positions(h, h);
  correct_apart();
  stop_bullets(h);
  if (!push) return;
  for_bodies([this](int i) {
    BodyState& state = states_[i];
    state.vx += kept_[i].vx;
    state.vy += kept_[i].vy;
    state.omega += kept_[i].omega;
  });
}

void World::sequential_impulse() {
  const float h = parameters_.h;
  const ExternalForce forces = definition_.external_force;
  if (forces == ExternalForce::before) {
    // What is made of the velocities is made of these, and takes a fall for an approach.
    integrate_velocities(h);
    run_contacts(kernels_->impulse.prepare, single_->impulse.prepare, Share::none);
  }
  bounce();
  for_systems(&JointSystem::begin);
  open_accounts();
  if (forces == ExternalForce::between) integrate_velocities(h);
  note_forces();
  if (definition_.warm_start) {
    warm_start_joints();
    run_contacts(kernels_->impulse.warm_start, single_->impulse.warm_start, Share::all);
  }
  for (int i = 0; i < definition_.iterations; ++i) {
    run_joints(&JointKernels::solve);
    for_systems(i == 0 ? &JointSystem::solve : &JointSystem::iterate);
    aim_tracks();
    run_contacts(kernels_->impulse.rest, single_->impulse.rest, Share::change);
    if (!lent_.empty()) for_systems(&JointSystem::iterate);
  }
  auto store = [this] {
    run_joints(&JointKernels::store);
    store_systems();
    run_contacts(kernels_->impulse.store, single_->impulse.store, Share::none);
  };
  // What pushes apart is not kept, and must not be where the next step begins.
  const bool late = !tracks_.empty() && !stages_.push;
  if (!late) store();
  if (forces == ExternalForce::after) integrate_velocities(h);
  move_and_push(h);
  turn_along_tracks();
  if (late) store();
  keep_energies();
  for_systems([](JointSystem& system, const KernelContext& context) {
    if (system.is_accounted()) system.locate(context);
    system.keep_energy(context);
  });
}

// What is led along a chain goes, at the step's end, along the chain where it is then.
void World::turn_along_tracks() {
  if (tracks_.empty()) return;
  if (!stages_.push) run_contacts(kernels_->impulse.store, single_->impulse.store, Share::none);
  for_tracks(&World::level_track);
  if (coupled_tracks_) {
    for_systems([](JointSystem& system, const KernelContext& context) { system.locate(context); });
  }
  for (int i = 0; i < definition_.iterations; ++i) {
    if (coupled_tracks_) {
      run_joints(&JointKernels::relax);
      for_systems(&JointSystem::relax);
    }
    run_contacts(kernels_->impulse.rest, single_->impulse.rest, Share::change);
  }
}

}  // namespace rigid
