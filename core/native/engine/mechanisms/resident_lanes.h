// SPDX-License-Identifier: MIT
// Whole steps of W resident worlds (batch_state.h): begin and end of a step without contacts, as in
// step.cpp for one world, around the substeps of world_lanes.h.
#ifndef RIGID_ENGINE_MECHANISMS_RESIDENT_LANES_H
#define RIGID_ENGINE_MECHANISMS_RESIDENT_LANES_H

#include "engine/bodies/encounter.h"
#include "engine/mechanisms/step_formulas.h"
#include "engine/mechanisms/world_lanes.h"

namespace rigid {

template <int W>
RIGID_INLINE number<W> read_state(const BatchState::Doubles& from) {
  return read_numbers<W>(from.at);
}
template <int W>
RIGID_INLINE lanes<W> read_state(const BatchState::Floats& from) {
  return read_lanes<W>(from.at);
}
template <int W>
RIGID_INLINE void write_state(number<W> numbers, BatchState::Doubles& to) {
  write_numbers<W>(numbers, to.at);
}
template <int W>
RIGID_INLINE void write_state(lanes<W> number, BatchState::Floats& to) {
  write_lanes<W>(number, to.at);
}

// ------------------------------------------------------------ mechanisms

template <int W>
void SystemLanes<W>::settle(const LaneTask& task, int system, const BatchState::System& home) {
  plan(task, system);
  auto read = [](const BatchState::Doubles& from) { return read_state<W>(from); };
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    const BatchState::Node& own = home.nodes[n];
    node.mass_a = {single(read(own.mass_a)), single(read(own.inertia_a))};
    node.mass_b = {single(read(own.mass_b)), single(read(own.inertia_b))};
    node.length = read(own.length);
  }
  for (std::size_t i = 0; i < axial_.size(); ++i) {
    AxialRow& row = axial_[i];
    const BatchState::Row& own = home.rows[i];
    row.target = read(own.target);
    row.lower_at = read(own.lower_at);
    row.upper_at = read(own.upper_at);
    row.maximum = read(own.maximum);
    row.lowest = read(own.lowest);
    row.highest = read(own.highest);
    row.approach = read(own.approach);
    row.fastest = read(own.fastest);
  }
  if (!accounted_) return;
  account_.sums_ = {read(home.balance), read(home.reference)};
  for (std::size_t i = 0; i < account_.parts_.size(); ++i) {
    const BatchState::Account& own = home.accounts[i];
    account_.parts_[i].own = {read(own.own_mass), read(own.own_inertia)};
    account_.parts_[i].effective = {read(own.effective_mass), read(own.effective_inertia)};
  }
}

// JointSystem::prepare
template <int W>
void SystemLanes<W>::start(const BatchState& home, int system, double give) {
  reset();
  const BatchState::System& own = home.systems[system];
  auto read = [](const BatchState::Doubles& from) { return read_state<W>(from); };
  auto turned = [&](const BatchState::Body& body, const BatchState::Doubles& x,
                    const BatchState::Doubles& y) {
    const Number c = read(body.cosine), s = read(body.sine), vx = read(x), vy = read(y);
    return Vector{c * vx - s * vy, s * vx + c * vy};
  };
  const Number none = 0, least_mass = read(own.least_mass);
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    const BatchState::Node& from = own.nodes[n];
    const BatchState::Body &a = home.bodies[node.body_a], &b = home.bodies[node.body_b];
    node.start.anchor_a = turned(a, from.anchor_ax, from.anchor_ay);
    node.start.anchor_b = turned(b, from.anchor_bx, from.anchor_by);
    node.start.axis = turned(node.type->axis_of_b ? b : a, from.axis_x, from.axis_y);
    node.offset = {read(b.x) - read(a.x), read(b.y) - read(a.y)};
    node.start.between = {node.offset.x + node.start.anchor_b.x - node.start.anchor_a.x,
                          node.offset.y + node.start.anchor_b.y - node.start.anchor_a.y};
    node.start.angle = read(b.angle) - read(a.angle) - read(from.reference);
    const Number arm_a = node.moves_a ? dot(node.start.anchor_a, node.start.anchor_a) : none;
    const Number arm_b = node.moves_b ? dot(node.start.anchor_b, node.start.anchor_b) : none;
    const Number turning =
        turning_give(greater(arm_a, arm_b), least_mass, read(own.least_inertia), read(own.thrice));
    const int movers = (node.moves_a ? 1 : 0) + (node.moves_b ? 1 : 0);
    for (int i = 0; i < node.rows; ++i) {
      node.give[i] = give * movers * (node.angular[i] ? turning : least_mass);
    }
  }
}

// JointSystem::is_taut
template <int W>
auto SystemLanes<W>::is_taut(const BatchState::System& home, double most) const -> Mask {
  Mask taut{};
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    const BatchState::Node& own = home.nodes[n];
    if (!own.swings) continue;
    const Number a = read_state<W>(own.own_a), b = read_state<W>(own.own_b);
    const Number pull = node.total[0] * node.total[0] + node.total[1] * node.total[1];
    const Number inverse =
        turning_response(node.start, a, b, read_state<W>(own.own_mass), node.type->between_anchors);
    taut = taut | (pull * inverse > most * most);
  }
  return taut;
}

// JointSystem::store
template <int W>
void SystemLanes<W>::keep(BatchState::System& home) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    for (int k = 0; k < 3; ++k) write_state<W>(nodes_[n].total[k], home.nodes[n].total[k]);
  }
  for (std::size_t i = 0; i < axial_.size(); ++i) {
    const AxialRow& row = axial_[i];
    if (!row.motor) continue;
    write_state<W>(motor_impulse(row, step_), home.rows[i].motor);
  }
  if (!accounted_) return;
  write_state<W>(account_.sums_.balance, home.balance);
  write_state<W>(account_.sums_.reference, home.reference);
}

// ------------------------------------------------------------ bodies

template <int W>
RIGID_INLINE void settle_bodies(const LaneTask& task, const BatchState& home,
                                LaneMemory<W>& memory) {
  const single_number<W> none = 0, one = 1;
  for (int i = 0; i < task.member_count; ++i) {
    memory.bodies[i] = {none, none, none, none, none, none, one, none};
  }
  for (int k = 0; k < task.awake_count; ++k) {
    const BatchState::Body& from = home.bodies[k];
    auto& flight = memory.flights[k];
    flight.ax = read_state<W>(from.ax);
    flight.ay = read_state<W>(from.ay);
    flight.alpha = read_state<W>(from.alpha);
    flight.linear_factor = read_state<W>(from.linear_factor);
    flight.angular_factor = read_state<W>(from.angular_factor);
    flight.sweep_margin = read_state<W>(from.sweep_margin);
    flight.core_extent = read_state<W>(from.core_extent);
  }
}

template <int W>
RIGID_INLINE void start_bodies(const LaneTask& task, const BatchState& home,
                               LaneMemory<W>& memory) {
  const single_number<W> none = 0, one = 1;
  for (int k = 0; k < task.awake_count; ++k) {
    const BatchState::Body& from = home.bodies[k];
    memory.bodies[k] = {from_lanes(read_state<W>(from.vx)),
                        from_lanes(read_state<W>(from.vy)),
                        from_lanes(read_state<W>(from.omega)),
                        none,
                        none,
                        none,
                        one,
                        none};
    auto& flight = memory.flights[k];
    flight.moved_x = flight.moved_y = flight.turned = flight.looked_at = lanes<W>::splat(0.0f);
  }
}

// Forces::apply, World::apply and push_body: the effect of sources in the coming step.
template <int W>
RIGID_INLINE void push_bodies(const LaneTask& task, const BatchState& home, LaneMemory<W>& memory) {
  using Single = lanes<W>;
  const Single none = Single::splat(0.0f), h = Single::splat(task.parameters->h);
  const number<W> half_step = 0.5 * home.dt;
  for (std::size_t next = 0; next < home.sources.size();) {
    const int body = home.sources[next].body;
    const BatchState::Body& from = home.bodies[body];
    const number<W> x = read_state<W>(from.x), y = read_state<W>(from.y);
    const number<W> omega = in_double(from_lanes(read_state<W>(from.omega)));
    const auto q = sine_cosine(read_state<W>(from.angle) + half_step * omega);
    const Single c = in_lanes(single(q.cosine)), s = in_lanes(single(q.sine));
    Single force_x = none, force_y = none, torque = none;
    for (; next < home.sources.size() && home.sources[next].body == body; ++next) {
      const BatchState::Source& source = home.sources[next];
      const Single own_x = read_state<W>(source.x), own_y = read_state<W>(source.y);
      const Single along_x = source.turns ? c * own_x - s * own_y : own_x;
      const Single along_y = source.turns ? s * own_x + c * own_y : own_y;
      number<W> px = x, py = y;
      if (!source.at_center) {
        const number<W> at_x = read_state<W>(source.at_x), at_y = read_state<W>(source.at_y);
        px = px + (q.cosine * at_x - q.sine * at_y);
        py = py + (q.sine * at_x + q.cosine * at_y);
      }
      const Single arm_x = in_lanes(single(px - x)), arm_y = in_lanes(single(py - y));
      const Single turn = torque + (arm_x * along_y - arm_y * along_x);
      const auto acts = read_state<W>(source.enabled) > none;
      force_x = select(acts, force_x + along_x, force_x);
      force_y = select(acts, force_y + along_y, force_y);
      torque = select(acts, turn + read_state<W>(source.torque), torque);
    }
    const Single mass = read_state<W>(from.inverse_mass),
                 gained = read_state<W>(from.linear_gained);
    auto& flight = memory.flights[body];
    flight.ax = gained * (h * (read_state<W>(from.weight_x) + mass * force_x));
    flight.ay = gained * (h * (read_state<W>(from.weight_y) + mass * force_y));
    flight.alpha =
        read_state<W>(from.angular_gained) * (h * read_state<W>(from.inverse_inertia) * torque);
  }
}

template <int W>
struct EndOfMotion {
  number<W> x, y, angle;
};

// The position after the step; false where it would stop a world (World::check_errors).
template <int W>
RIGID_INLINE auto find_end(const BatchState& home, const BatchState::Body& from,
                           const typename DirectWorlds<W>::State& state, EndOfMotion<W>& end) {
  end.x = read_state<W>(from.x) + state.dx;
  end.y = read_state<W>(from.y) + state.dy;
  end.angle = read_state<W>(from.angle) + state.delta_angle;
  constexpr double known = 5.9e9;  // range of sine_cosine
  return home.limits.hold<number<W>>(end.x, end.y, end.angle, in_double(state.vx),
                                     in_double(state.vy), in_double(state.omega), known);
}

// finish_bodies
template <int W>
RIGID_INLINE void keep_body(const typename DirectWorlds<W>::State& state, const Flight<W>& flight,
                            const EndOfMotion<W>& end, BatchState::Body& to) {
  write_state<W>(end.x, to.x);
  write_state<W>(end.y, to.y);
  write_state<W>(end.angle, to.angle);
  const auto turn = sine_cosine(end.angle);
  write_state<W>(turn.sine, to.sine);
  write_state<W>(turn.cosine, to.cosine);
  write_state<W>(in_lanes(state.vx), to.vx);
  write_state<W>(in_lanes(state.vy), to.vy);
  write_state<W>(in_lanes(state.omega), to.omega);
  write_state<W>(in_lanes(state.dx), to.dx);
  write_state<W>(in_lanes(state.dy), to.dy);
  write_state<W>(in_lanes(state.delta_angle), to.turned);
  write_state<W>(flight.after_x, to.after_x);
  write_state<W>(flight.after_y, to.after_y);
  write_state<W>(flight.correction_x, to.correction_x);
  write_state<W>(flight.correction_y, to.correction_y);
  write_state<W>(flight.looked_at, to.looked_at);
  write_state<W>(flight.ax, to.ax);
  write_state<W>(flight.ay, to.ay);
  write_state<W>(flight.alpha, to.alpha);
}

// Continuous::clamp_to_impact of a body with no wall near, which has moved far in some worlds;
// returns the lanes in which it has left its predicted path and its boxes.
template <int W>
uint32_t look_at_sweeps(const LaneTask& task, int place, const BatchState::Body& began,
                        const typename DirectWorlds<W>::State& state, Flight<W>& flight,
                        typename lanes<W>::mask far, float time) {
  const lanes<W> times = lanes<W>::splat(time);
  struct Path {
    lanes<W> from, move;
  };
  auto path = [far](lanes<W>& seen, lanes<W> now) {
    const Path found = {seen, now - seen};
    seen = select(far, now, seen);
    return found;
  };
  // The distance of its end from where the body is expected.
  auto astray = [times](const Path& path, const BatchState::Floats& speed) {
    return absolute(path.from + path.move - times * read_state<W>(speed));
  };
  const Path x = path(flight.moved_x, in_lanes(state.dx)),
             y = path(flight.moved_y, in_lanes(state.dy)),
             turn = path(flight.turned, in_lanes(state.delta_angle));
  flight.looked_at = select(far, times, flight.looked_at);
  const lanes<W> distance =
      astray(x, began.vx) + astray(y, began.vy) + astray(turn, began.omega) * flight.core_extent;
  const auto strays = far & !(distance <= flight.sweep_margin);
  uint32_t failed = 0;
  if (!strays.any()) return failed;
  for (int lane = 0; lane < W; ++lane) {
    void* owner = task.worlds[lane].owner;
    if (!strays.lane(lane) || owner == nullptr) continue;
    const Sweep sweep = {{x.from.lane(lane), y.from.lane(lane)},
                         {x.move.lane(lane), y.move.lane(lane)},
                         turn.from.lane(lane),
                         turn.move.lane(lane)};
    if (!task.holds_sweep(owner, task.members[place], sweep)) failed |= 1u << lane;
  }
  return failed;
}

template <int W, class Mask>
uint32_t lanes_of(Mask which) {
  uint32_t found = 0;
  for (int lane = 0; lane < W; ++lane) found |= lane_at(which, lane) ? 1u << lane : 0;
  return found;
}

// Takes up to this many steps and returns how many were done before a step that needs the scalar
// path in some worlds, which `failed` tells. All worlds are then at the start of that step.
template <int W>
int step_residents(const LaneTask& task, BatchState& home, int steps) {
  auto& memory = *static_cast<LaneMemory<W>*>(task.memory);
  if (!task.settled) settle_bodies<W>(task, home, memory);
  for (int i = 0; !task.settled && i < task.system_count; ++i) {
    memory.systems[i].settle(task, i, home.systems[i]);
  }
  for (int done = 0; done < steps; ++done) {
    start_bodies<W>(task, home, memory);
    push_bodies<W>(task, home, memory);
    for (int i = 0; i < task.system_count; ++i) {
      memory.systems[i].start(home, i, task.parameters->joint_give);
      memory.systems[i].locate(memory.bodies);
    }
    uint32_t failed = 0;
    run_substeps<W>(task, memory, [&](int place, auto far, float time) {
      failed |= look_at_sweeps<W>(task, place, home.bodies[place], memory.bodies[place],
                                  memory.flights[place], far, time);
    });
    for (int i = 0; i < task.system_count; ++i) {
      const auto taut = memory.systems[i].is_taut(home.systems[i], task.parameters->tension);
      if (any(taut)) failed |= lanes_of<W>(taut);
    }
    EndOfMotion<W> ends[LaneTask::most_bodies];
    for (int k = 0; k < task.awake_count; ++k) {
      const auto valid = find_end<W>(home, home.bodies[k], memory.bodies[k], ends[k]);
      if (any(!valid)) failed |= lanes_of<W>(!valid);
    }
    home.failed = failed;
    if (failed != 0) return done;
    for (int k = 0; k < task.awake_count; ++k) {
      keep_body<W>(memory.bodies[k], memory.flights[k], ends[k], home.bodies[k]);
    }
    for (int i = 0; i < task.system_count; ++i) memory.systems[i].keep(home.systems[i]);
  }
  return steps;
}

}  // namespace rigid

#endif
