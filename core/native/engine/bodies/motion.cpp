// SPDX-License-Identifier: MIT
// The integration of velocities and the end of a step for all bodies.
#include "engine/bodies/motion.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "engine/bodies/rest.h"
#include "engine/data/constants.h"

namespace rigid {

// Applies forces and damping for one substep. Damping also acts on constraint impulses:
//   v' = f v + g M^-1 (h F + J^T impulse)        (damping.h),
// so that the solver uses masses larger by 1 / g. A body at rest is not damped: a joint or a
// contact bears all of its weight. Impacts are instantaneous, and use the undamped masses.
void prepare_bodies(Bodies& bodies, const StepParameters& p, ThreadPool& pool) {
  if (bodies.turns.size() < bodies.size()) bodies.turns.resize(bodies.size());
  const Body* all = bodies.all.data();
  BodyStep* steps = bodies.steps.data();
  const InverseMass *inverse_masses = bodies.inverse_masses.data(),
                    *stiffened_inverse_masses = bodies.stiffened_inverse_masses.data();
  InverseMass* step_inverse_masses = bodies.step_inverse_masses.data();
  const uint8_t* near_walls = bodies.near_walls.data();
  bodies.for_awake(pool, [=, &p](int i) {
    const Body& body = all[i];
    BodyStep& step = steps[i];
    if (body.kind != BodyKind::dynamic) {
      step = BodyStep{};
      step.linear_factor = step.angular_factor = 1.0f;
      step.sweep_margin = std::numeric_limits<float>::infinity();
      return;
    }
    const InverseMass inverse = stiffened_inverse_masses[i];
    step_inverse_masses[i] = push_body(step, body, inverse, inverse_masses[i].mass, p);
    if ((near_walls[i] & (wall_comes | wall_deep)) != 0) step.sweep_margin = -1.0f;
  });
}

// Kinematic bodies have steps without effect (prepare_bodies), and need no branch.
void integrate_velocities(Bodies& bodies, std::span<const int> which, float h) {
  const float half = 0.5f * h;
  for (int i : which) {
    BodyState& state = bodies.states.data()[i];
    BodyStep& step = bodies.steps[i];
    state.vx = step.after_x =
        pushed_speed(state.vx, step.linear_factor, step.ax, half, step.correction_x);
    state.vy = step.after_y =
        pushed_speed(state.vy, step.linear_factor, step.ay, half, step.correction_y);
    if (is_turned(step)) {
      auto& turn = bodies.turns[i];
      state.omega = turn.after =
          pushed_speed(state.omega, step.angular_factor, step.alpha, half, turn.correction);
    }
  }
}

void integrate_velocities(Bodies& bodies, float h, ThreadPool& pool) {
  bodies.for_awake_pieces(
      pool, [&](std::span<const int> which) { integrate_velocities(bodies, which, h); });
}

bool finish_bodies(Bodies& bodies, Separations& separations, const WorldDefinition& definition,
                   ThreadPool& pool) {
  const ValidityLimits valid(definition);
  std::atomic<bool> all_valid = true;
  Body* all = bodies.all.data();
  BodyState* states = bodies.states.data();
  BodyStep* steps = bodies.steps.data();
  Rest* rests = bodies.rests.data();
  const RestLimits limits(definition);
  bodies.for_awake(pool, [=, &bodies, &separations, &definition, &limits, &all_valid](int i) {
    Body& body = all[i];
    BodyState& state = states[i];
    body.center_x += state.dx;
    body.center_y += state.dy;
    body.angle += state.delta_angle;
    place_origin(bodies, i, sine_cosine(body.angle));
    BodyStep& step = steps[i];
    keep_motion(body, step, state.dx, state.dy, state.delta_angle);
    separations.move(i, body, state.delta_angle);
    state.dx = state.dy = state.delta_angle = state.s = 0.0f;
    state.c = 1.0f;
    body.force = {0, 0};
    body.torque = 0;
    body.drag = body.angular_drag = 0;
    if (body.kind == BodyKind::dynamic) {
      count_rest(body, rests[i], state, step, definition, limits);
    }
    if (!valid.hold(body, state)) all_valid.store(false, std::memory_order_relaxed);
  });
  return all_valid;
}

}  // namespace rigid
