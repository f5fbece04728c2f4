// SPDX-License-Identifier: MIT
// Motion of bodies: integrates velocities from forces and damping, and positions from velocities.
#ifndef RIGID_ENGINE_BODIES_MOTION_H
#define RIGID_ENGINE_BODIES_MOTION_H

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/bodies/damping.h"
#include "engine/bodies/motion_formulas.h"
#include "engine/bodies/validity_limits.h"
#include "engine/data/bodies.h"
#include "engine/data/constants.h"
#include "engine/data/kernels.h"
#include "engine/data/separations.h"
#include "engine/data/settings.h"
#include "engine/parallel/thread_pool.h"
#include "prefetch.h"

namespace rigid {

// The share of its weight that pulls a body: 1 except where stiffen made it heavier, since its
// weight is unchanged. `own`: its inverse mass without geometric stiffness.
RIGID_INLINE float weight_of(InverseMass inverse, float own) {
  return inverse.mass > 0.0f ? inverse.mass / own : 0.0f;
}

// Prepares the effect of forces and damping on a dynamic body for each substep of a step. `weighs`:
// its own inverse mass, without geometric stiffness. Returns the inverse masses for the solver.
RIGID_INLINE InverseMass push_body(BodyStep& step, const Body& body, InverseMass inverse,
                                   float weighs, const StepParameters& p) {
  const float gravity = weight_of(inverse, weighs) * body.gravity_scale;
  const Damping linear = damping_of(body.linear_damping, body.drag, p.h);
  const Damping angular = damping_of(body.angular_damping, body.angular_drag, p.h);
  step.ax = linear.gained * (p.h * (p.gravity_x * gravity + inverse.mass * body.force.x));
  step.ay = linear.gained * (p.h * (p.gravity_y * gravity + inverse.mass * body.force.y));
  step.alpha = angular.gained * (p.h * inverse.inertia * body.torque);
  step.linear_factor = linear.kept;
  step.angular_factor = angular.kept;
  step.sweep_margin = body.sweep_margin;
  step.core_extent = body.core_extent;
  step.moved_x = step.moved_y = step.turned = step.looked_at = 0.0f;
  step.led = false;
  return {inverse.mass * std::max(linear.gained, constants::least_mobility),
          inverse.inertia * std::max(angular.gained, constants::least_mobility)};
}

// Called before a step: the same for all bodies.
void prepare_bodies(Bodies& bodies, const StepParameters& parameters, ThreadPool& pool);

RIGID_INLINE bool is_turned(const BodyStep& step) {
  return step.alpha != 0.0f || step.angular_factor != 1.0f;
}

void integrate_velocities(Bodies& bodies, std::span<const int> which, float h);
void integrate_velocities(Bodies& bodies, float h, ThreadPool& pool);

// Damping makes bodies heavier for impulses during a step; an impact is instantaneous, and its
// impulses on the two bodies are equal and opposite.
inline InverseMass without_damping(InverseMass inverse, const Bodies& bodies, int i) {
  const InverseMass own = bodies.stiffened_inverse_masses[i],
                    damped = bodies.step_inverse_masses[i];
  if (damped.mass > 0.0f) inverse.mass *= own.mass / damped.mass;
  if (damped.inertia > 0.0f) inverse.inertia *= own.inertia / damped.inertia;
  return inverse;
}

// Whether a body has moved so far that its sweep must be checked.
RIGID_INLINE bool has_gone_far(const BodyStep& step, const BodyState& state) {
  return swept_path(state.dx - step.moved_x, state.dy - step.moved_y,
                    state.delta_angle - step.turned, step.core_extent) > step.sweep_margin;
}

// Calls far(body) for bodies that have moved far.
//
// A body whose velocity no constraint has changed since its forces acted flies freely, and one
// whose spin no constraint has changed spins freely. For all others the velocity after the solver
// is the one that satisfies the constraints. A body on a chain track is pushed for the end of its
// true path: so the forces' share is that of RATTLE (collision/chain_tracks.h).
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
      const BodyStep& step = steps[i];
      const bool free = step.led || (state.vx == step.after_x && state.vy == step.after_y);
      state.dx = moved_path(state.dx, state.vx, h, free, step.correction_x);
      state.dy = moved_path(state.dy, state.vy, h, free, step.correction_y);
      const bool turns_free = is_turned(step) && state.omega == bodies.turns[i].after;
      const float correction = turns_free ? bodies.turns[i].correction : 0.0f;
      state.delta_angle = moved_path(state.delta_angle, state.omega, h, turns_free, correction);
      const Rotation q = small_rotation(state.delta_angle);
      state.c = q.c;
      state.s = q.s;
      if (!has_gone_far(step, state)) continue;
      prefetch_to_read(&all[i].sweep_margin);
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

// Sets a body's origin and its rotation, by the sine and cosine of its angle.
inline void place_origin(Bodies& bodies, int i, SineCosine turn) {
  Body& body = bodies[i];
  body.rotation = {static_cast<float>(turn.cosine), static_cast<float>(turn.sine)};
  const double x = body.local_center.x, y = body.local_center.y;
  bodies.x[i] = body.center_x - (turn.cosine * x - turn.sine * y);
  bodies.y[i] = body.center_y - (turn.sine * x + turn.cosine * y);
  bodies.angle[i] = body.angle;
}

// Stores the motion of a step for the next one.
inline void keep_motion(Body& body, BodyStep& step, float dx, float dy, float turned) {
  body.travel = std::fabs(dx) + std::fabs(dy) + std::fabs(turned) * body.extent;
  step.moved_x = dx;
  step.moved_y = dy;
  step.turned = turned;
}

// Adds the step's motion to the double-precision state; returns whether all bodies are valid after
// it.
bool finish_bodies(Bodies& bodies, Separations& separations, const WorldDefinition& definition,
                   ThreadPool& pool);

}  // namespace rigid

#endif
