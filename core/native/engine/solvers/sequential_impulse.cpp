// SPDX-License-Identifier: MIT
#include "engine/solvers/sequential_impulse.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
  p.slowest_impact *= constants::slow_impact / constants::restitution_threshold;
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

// What moves freely bounces at the instant within the step at which it meets the other, blow after
// blow (contacts/impacts.h). Joints may let a body go the way that a blow sends it, as the rods of
// Newton's cradle do; where they do not, it is left to the iterations, and all begins anew without.
bool SequentialImpulse::hit() {
  if (!lanes_.stages().restitution) return false;
  impacts_.begin_step();
  std::vector<uint8_t> borne;  // what mechanisms bear, they take as a whole
  if (!loads_.empty()) {
    borne.resize(bodies_.size());
    for (std::size_t i = 0; i < borne.size(); ++i) borne[i] = bodies_[i].acting_joints > 0;
  }
  impacts_.leave_out(std::move(borne));
  start_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
  if (!impacts_.run_impacts()) return false;
  const std::vector<int> held = impacts_.hit_and_held();
  if (held.empty()) return true;
  std::vector<uint8_t> stopped = find_stopped(held);
  if (stopped.empty()) return true;
  std::copy(start_.begin(), start_.end(), bodies_.states.data());
  loads_.run_contacts(&Kernels::forget_blows, Share::none);
  impacts_.leave_out(std::move(stopped));
  return impacts_.run_impacts();
}

// By a mark of each body, those that joints hold and do not let go where a blow has sent them. None
// where the blows are as they would be without joints.
std::vector<uint8_t> SequentialImpulse::find_stopped(const std::vector<int>& held) {
  hit_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
  mechanisms_.for_systems([](JointSystem& system, const KernelContext&) { system.begin_blow(); });
  lanes_.run_joints(&JointKernels::relax);
  mechanisms_.for_systems(&JointSystem::relax);
  // Squares of speeds, a spin being taken as its body has it at its radius of gyration.
  auto change = [this](int i, const BodyState& from, const BodyState& to) {
    const InverseMass inverse = bodies_.masses[i];
    const double x = double{to.vx} - from.vx, y = double{to.vy} - from.vy;
    const double turn = double{to.omega} - from.omega;
    const double gyration = inverse.inertia > 0.0f ? inverse.mass / inverse.inertia : 0.0f;
    return x * x + y * y + gyration * turn * turn;
  };
  double most = 0;
  for (int i : held) most = std::max(most, change(i, start_[i], hit_[i]));
  std::vector<uint8_t> stopped;
  for (int i : held) {
    if (change(i, hit_[i], bodies_.states[i]) <= constants::free_blow * most) continue;
    stopped.resize(bodies_.size(), 0);
  }
  for (std::size_t i = 0; i < stopped.size(); ++i) {
    stopped[i] =
        change(static_cast<int>(i), hit_[i], bodies_.states[i]) > constants::free_blow * most;
  }
  std::copy(hit_.begin(), hit_.end(), bodies_.states.data());
  lanes_.run_joints(&JointKernels::prepare);
  return stopped;
}

// Before the forces act: the blows that were found in time, and the iterations for what is left.
void SequentialImpulse::bounce_freely() {
  const bool any = hit();
  if (any) {
    lanes_.stages().bounce = lanes_.stages().push = false;
    loads_.run_contacts(&Kernels::set_blows_aside, Share::none);
  }
  clusters_.find_hit(parameters_.h);
  bounce();
  if (any) loads_.run_contacts(&Kernels::add_blows, Share::none);
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
  // Without correction of places a step is as the source has it, with its one instant for blows.
  if (is_plain() && forces == ExternalForce::between && definition_.position_correction) {
    bounce_freely();
  } else {
    clusters_.find_hit(h);
    bounce();
  }
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
