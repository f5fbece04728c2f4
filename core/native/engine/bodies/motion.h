// SPDX-License-Identifier: MIT
// Motion of bodies: integrates velocities from forces and damping, and positions from velocities.
#ifndef RIGID_ENGINE_BODIES_MOTION_H
#define RIGID_ENGINE_BODIES_MOTION_H

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/bodies/damping.h"
#include "engine/data/bodies.h"
#include "engine/data/constants.h"
#include "engine/data/kernels.h"
#include "engine/data/separations.h"
#include "engine/data/settings.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

// Prepares the effect of forces and damping on a dynamic body for each substep of a step.
// `weighs`: its own mass, without geometric stiffness.
// Returns the inverse masses that the solver sees.
RIGID_INLINE InverseMass push_body(BodyStep& step, const Body& body, InverseMass inverse,
                                   float weighs, const StepParameters& p) {
  // 1 but where stiffen made the body heavier: it weighs what it did.
  const float weight = inverse.mass > 0.0f ? inverse.mass / weighs : 0.0f;
  const float gravity = weight * body.gravity_scale;
  const Damping linear = damping_of(body.linear_damping, body.drag, p.h);
  const Damping angular = damping_of(body.angular_damping, body.angular_drag, p.h);
  step.ax = linear.gained * (p.h * (p.gravity_x * gravity + inverse.mass * body.force.x));
  step.ay = linear.gained * (p.h * (p.gravity_y * gravity + inverse.mass * body.force.y));
  step.alpha = angular.gained * (p.h * inverse.inertia * body.torque);
  step.linear_factor = linear.kept;
  step.angular_factor = angular.kept;
  step.leeway = body.leeway;
  step.reach = body.reach;
  step.moved_x = step.moved_y = step.turned = step.looked_at = 0.0f;
  step.led = false;
  return {inverse.mass * std::max(linear.gained, constants::least_mobility),
          inverse.inertia * std::max(angular.gained, constants::least_mobility)};
}

// Before a step: the same of all.
void prepare_bodies(Bodies& bodies, const StepParameters& parameters, ThreadPool& pool);

RIGID_INLINE bool is_turned(const BodyStep& step) {
  return step.alpha != 0.0f || step.angular_factor != 1.0f;
}

void integrate_velocities(Bodies& bodies, std::span<const int> which, float h);
void integrate_velocities(Bodies& bodies, float h, ThreadPool& pool);

// Damping makes bodies heavier for what acts on them during a step; an impact is an instant, and
// what it takes from one body it gives to the other.
inline InverseMass without_damping(InverseMass inverse, const Bodies& bodies, int i) {
  const InverseMass own = bodies.heavy_masses[i], damped = bodies.step_masses[i];
  if (damped.mass > 0.0f) inverse.mass *= own.mass / damped.mass;
  if (damped.inertia > 0.0f) inverse.inertia *= own.inertia / damped.inertia;
  return inverse;
}

// Whether a body has moved so far that its sweep must be checked.
RIGID_INLINE bool has_gone_far(const BodyStep& step, const BodyState& state) {
  return std::fabs(state.dx - step.moved_x) + std::fabs(state.dy - step.moved_y) +
             std::fabs(state.delta_angle - step.turned) * step.reach >
         step.leeway;
}

// far(body) for what has gone far.
//
// A body that no constraint has touched since its forces acted flies freely: the mean of the
// velocities before and after is its exact motion under constant acceleration; so is that of the
// spins of a body that no constraint has turned. For all others the
// velocity after the solver is what the constraints were solved for. What is led along a chain is
// pushed for the end of its true path: so the forces' share is that of RATTLE
// (collision/chain_tracks.h).
template <class Far>
void integrate_positions(Bodies& bodies, std::span<const int> which, float h, Far&& far) {
  BodyState* states = bodies.states.data();
  const BodyStep* steps = bodies.steps.data();
  const Body* all = bodies.all.data();
  constexpr std::size_t piece = 256;
  // Bodies that moved far are handled later, once the rest of their data has been prefetched.
  for (; !which.empty(); which = which.subspan(std::min(piece, which.size()))) {
    int gone[piece], count = 0;
    for (int i : which.first(std::min(piece, which.size()))) {
      BodyState& state = states[i];
      state.dx += h * state.vx;
      state.dy += h * state.vy;
      const BodyStep& step = steps[i];
      if (step.led || (state.vx == step.after_x && state.vy == step.after_y)) {
        state.dx += step.correction_x;
        state.dy += step.correction_y;
      }
      state.delta_angle += h * state.omega;
      if (is_turned(step) && state.omega == bodies.turns[i].after) {
        state.delta_angle += bodies.turns[i].correction;
      }
      const Rotation q = small_rotation(state.delta_angle);
      state.c = q.c;
      state.s = q.s;
      if (!has_gone_far(step, state)) continue;
      __builtin_prefetch(&all[i].leeway);
      gone[count++] = i;
    }
    for (int k = 0; k < count; ++k) far(gone[k]);
  }
}

template <class Far>
void integrate_positions(Bodies& bodies, float h, ThreadPool& pool, Far&& far) {
  bodies.for_awake_pieces(
      pool, [&](std::span<const int> which) { integrate_positions(bodies, which, h, far); });
}

// Limits of position and speed of a valid state.
struct ValidityLimits {
  double farthest, fastest, fastest_spin;
  explicit ValidityLimits(const WorldDefinition& d)
      : farthest(constants::runaway_distance * d.length_unit),
        fastest(constants::runaway_speed * d.length_unit / d.time_per_second),
        fastest_spin(constants::runaway_speed / d.time_per_second) {}
  bool hold(const Body& body, const BodyState& state) const {
    // A NaN fails every comparison.
    return std::fabs(body.center_x) <= farthest && std::fabs(body.center_y) <= farthest &&
           std::fabs(state.vx) <= fastest && std::fabs(state.vy) <= fastest &&
           std::fabs(state.omega) <= fastest_spin && std::fabs(body.angle) <= 1e15;
  }
};

// Carries the step's motion over to the double-precision state; whether all are valid after it.
bool finish_bodies(Bodies& bodies, Separations& separations, const WorldDefinition& definition,
                   ThreadPool& pool);

}  // namespace rigid

#endif
