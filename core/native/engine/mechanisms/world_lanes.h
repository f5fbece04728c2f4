// SPDX-License-Identifier: MIT
// The substeps of W worlds side by side: forces, mechanisms and motion, as in soft_step.cpp and
// bodies/motion.h for one world.
#ifndef RIGID_ENGINE_MECHANISMS_WORLD_LANES_H
#define RIGID_ENGINE_MECHANISMS_WORLD_LANES_H

#include "engine/bodies/motion_formulas.h"
#include "engine/mechanisms/system_lanes.h"

namespace rigid {

// As in BodyStep.
template <int W>
struct Flight {
  lanes<W> ax, ay, alpha, linear_factor, angular_factor, after_x, after_y, correction_x,
      correction_y, after_spin, correction_turn, sweep_margin, core_extent, moved_x, moved_y,
      turned, looked_at;
};

template <int W>
struct LaneMemory {
  typename DirectWorlds<W>::State bodies[LaneTask::most_bodies];
  Flight<W> flights[LaneTask::most_bodies];
  SystemLanes<W> systems[LaneTask::most_systems];
};

template <int W, class Read>
RIGID_INLINE lanes<W> collect_floats(Read&& read) {
  lanes<W> number;
  for (int lane = 0; lane < W; ++lane) number.set(lane, read(lane));
  return number;
}

template <int W>
RIGID_INLINE void gather_bodies(const LaneTask& task, LaneMemory<W>& memory) {
  for (int i = 0; i < task.member_count; ++i) {
    const int body = task.members[i];
    auto of = [&](float BodyState::* part) {
      return from_lanes(
          collect_floats<W>([&](int lane) { return task.worlds[lane].states[body].*part; }));
    };
    memory.bodies[i] = {of(&BodyState::vx),          of(&BodyState::vy), of(&BodyState::omega),
                        of(&BodyState::delta_angle), of(&BodyState::dx), of(&BodyState::dy),
                        of(&BodyState::c),           of(&BodyState::s)};
  }
  for (int k = 0; k < task.awake_count; ++k) {
    const int body = task.members[k];
    auto of = [&](float BodyStep::* part) {
      return collect_floats<W>([&](int lane) { return task.worlds[lane].steps[body].*part; });
    };
    auto& flight = memory.flights[k];
    flight.ax = of(&BodyStep::ax);
    flight.ay = of(&BodyStep::ay);
    flight.alpha = of(&BodyStep::alpha);
    flight.linear_factor = of(&BodyStep::linear_factor);
    flight.angular_factor = of(&BodyStep::angular_factor);
    flight.sweep_margin = of(&BodyStep::sweep_margin);
    flight.core_extent = of(&BodyStep::core_extent);
    flight.moved_x = flight.moved_y = flight.turned = lanes<W>::splat(0.0f);
  }
}

template <int W>
RIGID_INLINE void integrate_velocity(typename DirectWorlds<W>::State& state, Flight<W>& flight,
                                     float h) {
  const lanes<W> half = lanes<W>::splat(0.5f * h);
  flight.after_x =
      pushed_speed(in_lanes(state.vx), flight.linear_factor, flight.ax, half, flight.correction_x);
  flight.after_y =
      pushed_speed(in_lanes(state.vy), flight.linear_factor, flight.ay, half, flight.correction_y);
  flight.after_spin = pushed_speed(in_lanes(state.omega), flight.angular_factor, flight.alpha, half,
                                   flight.correction_turn);
  state.vx = from_lanes(flight.after_x);
  state.vy = from_lanes(flight.after_y);
  state.omega = from_lanes(flight.after_spin);
}

template <int W>
RIGID_INLINE void set_state(typename DirectWorlds<W>::State& to, int lane, const BodyState& from) {
  set_lane(to.vx, lane, from.vx);
  set_lane(to.vy, lane, from.vy);
  set_lane(to.omega, lane, from.omega);
  set_lane(to.delta_angle, lane, from.delta_angle);
  set_lane(to.dx, lane, from.dx);
  set_lane(to.dy, lane, from.dy);
  set_lane(to.c, lane, from.c);
  set_lane(to.s, lane, from.s);
}
template <int W>
RIGID_INLINE BodyState state_at(const typename DirectWorlds<W>::State& from, int lane) {
  auto part = [lane](const auto& number) { return static_cast<float>(lane_at(number, lane)); };
  return {part(from.vx), part(from.vy), part(from.omega), part(from.delta_angle),
          part(from.dx), part(from.dy), part(from.c),     part(from.s)};
}

// Calls far(place, mask, time) for a body that moved far in some worlds.
template <int W, class Far>
RIGID_INLINE void integrate_position(int place, float h, float time, LaneMemory<W>& memory,
                                     Far&& far) {
  auto& state = memory.bodies[place];
  auto& flight = memory.flights[place];
  const lanes<W> step = lanes<W>::splat(h);
  const lanes<W> vx = in_lanes(state.vx), vy = in_lanes(state.vy), omega = in_lanes(state.omega);
  const auto free = (vx <= flight.after_x) & (flight.after_x <= vx) & (vy <= flight.after_y) &
                    (flight.after_y <= vy);
  const auto turns_free = (omega <= flight.after_spin) & (flight.after_spin <= omega);
  const lanes<W> dx = moved_path(in_lanes(state.dx), vx, step, free, flight.correction_x);
  const lanes<W> dy = moved_path(in_lanes(state.dy), vy, step, free, flight.correction_y);
  const lanes<W> angle =
      moved_path(in_lanes(state.delta_angle), omega, step, turns_free, flight.correction_turn);
  auto number = [](float value) { return lanes<W>::splat(value); };
  lanes<W> c, s;
  small_turn(angle, number, c, s);
  const auto small = (angle > number(-0.5f)) & (angle < number(0.5f));
  if ((!small).any()) {
    for (int lane = 0; lane < W; ++lane) {
      if (small.lane(lane)) continue;
      const Rotation q = small_rotation(angle.lane(lane));
      c.set(lane, q.c);
      s.set(lane, q.s);
    }
  }
  state.dx = from_lanes(dx);
  state.dy = from_lanes(dy);
  state.delta_angle = from_lanes(angle);
  state.c = from_lanes(c);
  state.s = from_lanes(s);
  const auto gone = swept_path(dx - flight.moved_x, dy - flight.moved_y, angle - flight.turned,
                               flight.core_extent) > flight.sweep_margin;
  if (gone.any()) far(place, gone, time);
}

template <int W, class Lanes>
void look_at_sweeps(const LaneTask& task, int place, Lanes far, float time, LaneMemory<W>& memory) {
  const int body = task.members[place];
  auto& state = memory.bodies[place];
  auto& flight = memory.flights[place];
  for (int lane = 0; lane < W; ++lane) {
    if (!far.lane(lane)) continue;
    const LaneTask::World& world = task.worlds[lane];
    const BodyState before = world.states[body];
    world.states[body] = state_at<W>(state, lane);
    task.look_at_sweep(world.owner, body, time);
    set_state<W>(state, lane, world.states[body]);
    world.states[body] = before;
    const BodyStep& seen = world.steps[body];
    flight.moved_x.set(lane, seen.moved_x);
    flight.moved_y.set(lane, seen.moved_y);
    flight.turned.set(lane, seen.turned);
  }
}

// Runs all substeps of a step whose systems are located.
template <int W, class Far>
RIGID_INLINE void run_substeps(const LaneTask& task, LaneMemory<W>& memory, Far&& far) {
  const StepParameters& p = *task.parameters;
  for (int substep = 0; substep < task.substeps; ++substep) {
    const float servo_rate = p.inverse_h / static_cast<float>(task.substeps - substep);
    for (int i = 0; i < task.system_count; ++i) memory.systems[i].begin(memory.bodies);
    for (int k = 0; k < task.awake_count; ++k) {
      integrate_velocity<W>(memory.bodies[k], memory.flights[k], p.h);
    }
    for (int i = 0; i < task.system_count; ++i) memory.systems[i].solve(memory.bodies, servo_rate);
    const float time = static_cast<float>(substep + 1) * p.h;
    for (int k = 0; k < task.awake_count; ++k) {
      integrate_position<W>(k, p.h, time, memory, far);
    }
    for (int i = 0; i < task.system_count; ++i) {
      memory.systems[i].locate(memory.bodies);
      memory.systems[i].solve_active_set(memory.bodies, true);
      memory.systems[i].keep_energy(memory.bodies, nullptr);
    }
  }
}

template <int W>
void solve_side_by_side(LaneTask& task) {
  auto& memory = *static_cast<LaneMemory<W>*>(task.memory);
  gather_bodies<W>(task, memory);
  for (int i = 0; i < task.system_count; ++i) {
    memory.systems[i].gather(task, i);
    memory.systems[i].locate(memory.bodies);
  }
  run_substeps<W>(task, memory, [&](int place, auto far, float time) {
    look_at_sweeps<W>(task, place, far, time, memory);
  });
  for (int lane = 0; lane < W; ++lane) {
    const LaneTask::World& world = task.worlds[lane];
    for (int k = 0; k < task.awake_count; ++k) {
      const int body = task.members[k];
      const auto& flight = memory.flights[k];
      world.states[body] = state_at<W>(memory.bodies[k], lane);
      BodyStep& step = world.steps[body];
      step.after_x = flight.after_x.lane(lane);
      step.after_y = flight.after_y.lane(lane);
      step.correction_x = flight.correction_x.lane(lane);
      step.correction_y = flight.correction_y.lane(lane);
    }
  }
  for (int i = 0; i < task.system_count; ++i) memory.systems[i].scatter(task, i);
}

}  // namespace rigid

#endif
