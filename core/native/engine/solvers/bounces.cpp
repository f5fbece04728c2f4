// SPDX-License-Identifier: MIT
// Bounces of free bodies at their instants, and by iterations for the others.
#include "engine/solvers/bounces.h"

#include <algorithm>
#include <utility>

#include "engine/data/constants.h"

namespace rigid {

// Bounces free bodies at the instants within the step at which they meet, blow after blow
// (collision/impacts.h). Joints may permit the motion after a blow, as the rods of Newton's cradle
// do; bodies whose joints do not are left to the iterations, and the bounces restart without them.
bool Bounces::hit() {
  if (!lanes_.stages().restitution) return false;
  impacts_.begin_step();
  std::vector<uint8_t> borne;  // bodies with effective masses are solved by mechanism
  if (!effective_masses_.empty()) {
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
  contacts_.run(&Kernels::forget_blows);
  impacts_.leave_out(std::move(stopped));
  return impacts_.run_impacts();
}

// Marks the bodies whose joints do not permit the motion after a blow. Empty if the blows are as
// they would be without joints.
std::vector<uint8_t> Bounces::find_stopped(const std::vector<int>& held) {
  hit_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
  direct_joints_.begin_bounce();
  joints_.bounce();
  direct_joints_.bounce();
  // Squared speeds; a spin counts with the body's radius of gyration.
  auto change = [this](int i, const BodyState& from, const BodyState& to) {
    const InverseMass inverse = bodies_.inverse_masses[i];
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
  joints_.finish_bounce();
  return stopped;
}

void Bounces::run(bool in_time) {
  if (in_time) return bounce_freely();
  impact_problems_.find_hit(parameters_.h);
  bounce();
}

// Called before the forces act: runs the blows found in time, and the iterations for the rest.
void Bounces::bounce_freely() {
  const bool any = hit();
  if (any) {
    lanes_.stages().bounce = lanes_.stages().push = false;
    contacts_.run(&Kernels::set_blows_aside);
  }
  impact_problems_.find_hit(parameters_.h);
  bounce();
  if (any) contacts_.run(&Kernels::add_blows);
}

// Contacts that hit at the step's start leave with their restitution, before the forces act.
// Mechanisms pass the blow on through their rigid joints; springs, motors and limits do not act in
// an instant.
void Bounces::bounce() {
  if (!lanes_.stages().bounce) return;
  kept_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
  contacts_.begin_bounce();
  direct_joints_.begin_bounce();
  double last = 0;
  for (int round = 0; round < constants::bounce_rounds; ++round) {
    for (int i = 0; i < definition_.iterations; ++i) {
      joints_.bounce();
      direct_joints_.bounce();
      contacts_.bounce();
    }
    contacts_.replace_bounces();
    // An impact on a moving wall rightly gains energy, the same in each round.
    const double gain = bounce_gain();
    if (gain - last < constants::bounce_gain && last - gain < constants::bounce_gain) break;
    last = gain;
  }
  joints_.finish_bounce();
}

// The energy that impacts have added to the bodies, as a share: in an unconverged solution of
// several points it may be any value. With friction limited as in the source, one body takes
// exactly the iterations of the source.
double Bounces::bounce_gain() const {
  double had = 0, has = 0;
  int count = 0;
  for (int i : bodies_.awake_list) {
    const BodyState &before = kept_[i], &after = bodies_.states[i];
    if (before.vx == after.vx && before.vy == after.vy && before.omega == after.omega) continue;
    auto energy = [&](const BodyState& s) {
      const InverseMass inverse = bodies_.inverse_masses[i];
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

}  // namespace rigid
