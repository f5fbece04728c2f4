// SPDX-License-Identifier: MIT
// Whole steps of W resident worlds (batch_state.h): begin and end of a step without contacts, as in
// step.cpp for one world, around the substeps of world_lanes.h.
#ifndef RIGID_ENGINE_MECHANISMS_RESIDENT_LANES_H
#define RIGID_ENGINE_MECHANISMS_RESIDENT_LANES_H

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
  plan(task.plans[system]);
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
  for (int i = 0; i < task.body_count; ++i) {
    memory.bodies[i] = {none, none, none, none, none, none, one, none};
  }
  for (int k = 0; k < task.awake_count; ++k) {
    const BatchState::Body& from = home.bodies[task.awake[k]];
    auto& flight = memory.flights[task.awake[k]];
    flight.ax = read_state<W>(from.ax);
    flight.ay = read_state<W>(from.ay);
    flight.alpha = read_state<W>(from.alpha);
    flight.linear_factor = read_state<W>(from.linear_factor);
    flight.angular_factor = read_state<W>(from.angular_factor);
    flight.sweep_margin = read_state<W>(from.sweep_margin);
    flight.core_extent = read_state<W>(from.core_extent);
    flight.moved_x = flight.moved_y = flight.turned = lanes<W>::splat(0.0f);
  }
}

template <int W>
RIGID_INLINE void start_bodies(const LaneTask& task, const BatchState& home,
                               LaneMemory<W>& memory) {
  const single_number<W> none = 0, one = 1;
  for (int k = 0; k < task.awake_count; ++k) {
    const BatchState::Body& from = home.bodies[task.awake[k]];
    memory.bodies[task.awake[k]] = {from_lanes(read_state<W>(from.vx)),
                                    from_lanes(read_state<W>(from.vy)),
                                    from_lanes(read_state<W>(from.omega)),
                                    none,
                                    none,
                                    none,
                                    one,
                                    none};
  }
}

template <int W>
struct EndOfMotion {
  number<W> x, y, angle;
};

// The position after the step; false if it would stop a world (World::check_errors).
template <int W>
RIGID_INLINE bool find_end(const BatchState& home, const BatchState::Body& from,
                           const typename DirectWorlds<W>::State& state, EndOfMotion<W>& end) {
  end.x = read_state<W>(from.x) + state.dx;
  end.y = read_state<W>(from.y) + state.dy;
  end.angle = read_state<W>(from.angle) + state.delta_angle;
  constexpr double known = 5.9e9;  // range of sine_cosine
  const auto valid =
      home.limits.hold<number<W>>(end.x, end.y, end.angle, in_double(state.vx), in_double(state.vy),
                                  in_double(state.omega), known);
  return !any(!valid);
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
}

// Takes up to this many steps and returns how many were done before a step that needs the scalar
// path in some world. All worlds are then at the start of that step.
template <int W>
int step_residents(const LaneTask& task, BatchState& home, int steps) {
  auto& memory = *static_cast<LaneMemory<W>*>(task.memory);
  if (!task.settled) settle_bodies<W>(task, home, memory);
  for (int i = 0; !task.settled && i < task.system_count; ++i) {
    memory.systems[i].settle(task, i, home.systems[i]);
  }
  for (int done = 0; done < steps; ++done) {
    start_bodies<W>(task, home, memory);
    for (int i = 0; i < task.system_count; ++i) {
      memory.systems[i].start(home, i, task.parameters->joint_give);
      memory.systems[i].locate(memory.bodies);
    }
    bool stays = true;
    run_substeps<W>(task, memory, [&](int, auto, float) { stays = false; });
    for (int i = 0; stays && i < task.system_count; ++i) {
      stays = !any(memory.systems[i].is_taut(home.systems[i], task.parameters->tension));
    }
    EndOfMotion<W> ends[LaneTask::most_bodies];
    for (int k = 0; stays && k < task.awake_count; ++k) {
      const int body = task.awake[k];
      stays = find_end<W>(home, home.bodies[body], memory.bodies[body], ends[k]);
    }
    if (!stays) return done;
    for (int k = 0; k < task.awake_count; ++k) {
      const int body = task.awake[k];
      keep_body<W>(memory.bodies[body], memory.flights[body], ends[k], home.bodies[body]);
    }
    for (int i = 0; i < task.system_count; ++i) memory.systems[i].keep(home.systems[i]);
  }
  return steps;
}

}  // namespace rigid

#endif
