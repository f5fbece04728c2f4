// SPDX-License-Identifier: MIT
// Mechanisms of W worlds side by side: gathering into lanes, scattering out of them, and locating
// their rows. The solver itself is shared with single worlds (direct_joints.h).
//
// Supports rigid rows, limits and motors.
#ifndef RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_H
#define RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_H

#include "engine/joints/types.h"
#include "engine/mechanisms/batch_state.h"
#include "engine/mechanisms/direct_energy.h"
#include "engine/mechanisms/joint_system.h"
#include "engine/mechanisms/lane_task.h"

namespace rigid {

template <int W>
class SystemLanes : public DirectJoints<W, true> {
 public:
  using Base = DirectJoints<W, true>;
  using typename Base::AxialRow;
  using typename Base::Mask;
  using typename Base::Node;
  using typename Base::Number;
  using typename Base::State;
  using typename Base::Vector;
  using Place = PlaceOf<Vector, Number>;

  // Gathers one system of the worlds.
  void gather(const LaneTask& task, int system);
  void scatter(const LaneTask& task, int system) const;
  // The same from and to the state of resident worlds (resident_lanes.h): once, before each step,
  // and after it.
  void settle(const LaneTask& task, int system, const BatchState::System& home);
  void start(const BatchState& home, int system, double give);
  Mask is_taut(const BatchState::System& home, double most) const;
  void keep(BatchState::System& home) const;
  // Sets Jacobians and errors at the bodies' present places.
  void locate(const State* states);
  using Base::begin;
  using Base::keep_energy;
  using Base::solve;
  using Base::solve_active_set;

 private:
  using Base::account_;
  using Base::accounted_;
  using Base::axial_;
  using Base::bodies_;
  using Base::factored_;
  using Base::nodes_;
  using Base::step_;

  void plan(const LaneTask& task, int system);
  void reset();
  // Receives a joint's rows: writes those that the node has, with all derived values.
  struct RowSink;
  template <class... Types>
  void find_rows(JointKind kind, const Place& place, RowSink& rows, JointTypeList<Types...>);
};

// ------------------------------------------------------------ in and out

template <int W, class Read>
RIGID_INLINE number<W> collect(Read&& read) {
  number<W> numbers;
  for (int lane = 0; lane < W; ++lane) set_lane(numbers, lane, read(lane));
  return numbers;
}

// The structure, equal in all worlds.
template <int W>
void SystemLanes<W>::plan(const LaneTask& task, int index) {
  const JointSystem& system = task.plans[index];
  step_ = system.step_;
  accounted_ = system.accounted_;
  nodes_.resize(system.nodes_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    static_cast<NodePlan&>(node) = system.nodes_[n];
    node.body_a = task.place_of(node.body_a);
    node.body_b = task.place_of(node.body_b);
  }
  axial_.resize(system.axial_.size());
  for (std::size_t i = 0; i < axial_.size(); ++i) {
    const Axial& from = system.axial_[i];
    AxialRow row{};
    row.node = from.node;
    row.row = from.row;
    row.endless = from.endless;
    row.angular = from.angular;
    row.motor = from.motor;
    row.position = from.position;
    row.lower = from.lower;
    row.upper = from.upper;
    row.equal = from.equal;
    row.bounded = from.bounded;
    row.stops = from.stops;
    row.one_way = from.one_way;
    axial_[i] = row;
  }
  bodies_.resize(system.bodies_.size());
  account_.parts_.resize(system.bodies_.size());
  account_.h_ = system.account_.h_;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    account_.parts_[i].body = bodies_[i] = task.place_of(system.bodies_[i]);
  }
  this->reserve(system.blocks_.get());
}

// Called before a step: no impulse is known.
template <int W>
void SystemLanes<W>::reset() {
  factored_ = false;
  for (Node& node : nodes_) {
    for (Number& total : node.total) total = 0;
  }
  for (AxialRow& row : axial_) {
    row.mode = RowMode::idle;
    row.on = row.factored = row.acted = row.leaves = {};
    row.sum = row.earlier = row.given = row.applied = 0;
  }
}

template <int W>
void SystemLanes<W>::gather(const LaneTask& task, int system) {
  const JointSystem* all[W];
  for (int lane = 0; lane < W; ++lane) all[lane] = task.worlds[lane].systems + system;
  plan(task, system);
  reset();
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    Node& node = nodes_[n];
    auto number = [&](auto&& read) {
      return collect<W>([&](int lane) { return read(all[lane]->nodes_[n]); });
    };
    auto vector = [&](auto&& read) {
      return Vector{number([&](const SystemNode& each) { return read(each).x; }),
                    number([&](const SystemNode& each) { return read(each).y; })};
    };
    using Plan = const SystemNode&;
    node.mass_a = {number([](Plan each) { return each.mass_a.mass; }),
                   number([](Plan each) { return each.mass_a.inertia; })};
    node.mass_b = {number([](Plan each) { return each.mass_b.mass; }),
                   number([](Plan each) { return each.mass_b.inertia; })};
    node.offset = vector([](Plan each) { return each.offset; });
    node.length = number([](Plan each) { return each.length; });
    node.start.anchor_a = vector([](Plan each) { return each.start.anchor_a; });
    node.start.anchor_b = vector([](Plan each) { return each.start.anchor_b; });
    node.start.between = vector([](Plan each) { return each.start.between; });
    node.start.axis = vector([](Plan each) { return each.start.axis; });
    node.start.angle = number([](Plan each) { return each.start.angle; });
    for (int i = 0; i < node.rows; ++i) {
      node.give[i] = number([i](Plan each) { return each.give[i]; });
    }
  }
  for (std::size_t i = 0; i < axial_.size(); ++i) {
    auto of = [&](auto&& read) {
      return collect<W>([&](int lane) { return read(all[lane]->axial_[i]); });
    };
    using From = const Axial&;
    AxialRow& row = axial_[i];
    row.target = of([](From each) { return each.target; });
    row.lower_at = of([](From each) { return each.lower_at; });
    row.upper_at = of([](From each) { return each.upper_at; });
    row.maximum = of([](From each) { return each.maximum; });
    row.lowest = of([](From each) { return each.lowest; });
    row.highest = of([](From each) { return each.highest; });
    row.approach = of([](From each) { return each.approach; });
    row.fastest = of([](From each) { return each.fastest; });
    row.heading = of([](From each) { return each.heading; });
  }
  if (!accounted_) return;
  auto of = [&](auto&& read) {
    return collect<W>([&](int lane) { return read(all[lane]->account_); });
  };
  using From = const EnergyAccount&;
  account_.sums_ = {of([](From each) { return each.sums_.balance; }),
                    of([](From each) { return each.sums_.reference; })};
  for (std::size_t i = 0; i < account_.parts_.size(); ++i) {
    auto& part = account_.parts_[i];
    part.own = {of([i](From each) { return each.parts_[i].own.mass; }),
                of([i](From each) { return each.parts_[i].own.inertia; })};
    part.effective = {of([i](From each) { return each.parts_[i].effective.mass; }),
                      of([i](From each) { return each.parts_[i].effective.inertia; })};
  }
}

template <int W>
void SystemLanes<W>::scatter(const LaneTask& task, int system) const {
  for (int lane = 0; lane < W; ++lane) {
    JointSystem& to = task.worlds[lane].systems[system];
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      for (int k = 0; k < 3; ++k) to.nodes_[n].total[k] = lane_at(nodes_[n].total[k], lane);
    }
    for (std::size_t i = 0; i < axial_.size(); ++i) {
      const AxialRow& row = axial_[i];
      Axial& axial = to.axial_[i];
      axial.mode = lane_at(row.mode, lane);
      axial.on = lane_at(row.on, lane);
      axial.coordinate = lane_at(row.coordinate, lane);
      axial.sum = lane_at(row.sum, lane);
      axial.earlier = lane_at(row.earlier, lane);
    }
    if (!accounted_) continue;
    to.account_.sums_.balance = lane_at(account_.sums_.balance, lane);
    to.account_.sums_.reference = lane_at(account_.sums_.reference, lane);
  }
}

// ------------------------------------------------------------ rows

template <int W>
struct SystemLanes<W>::RowSink {
  SystemLanes& system;
  Node& node;
  RIGID_INLINE void set(int source, Vector u, Number arm_a, Number arm_b, Number at) {
    const int i = node.row_of[source];
    if (i < 0) return;
    const Number j[6] = {-u.x, -u.y, -arm_a, u.x, u.y, arm_b};
    system.set_row(node, i, j, at, node.type->by_length ? at - node.length : at);
  }
  RIGID_INLINE void set_angle(int source, Number at) { set(source, {0, 0}, 1, 1, at); }
  RIGID_INLINE void set_point(const Place& p) {
    set(0, {1, 0}, -p.anchor_a.y, -p.anchor_b.y, p.between.x);
    set(1, {0, 1}, p.anchor_a.x, p.anchor_b.x, p.between.y);
  }
};

template <int W>
template <class... Types>
RIGID_INLINE void SystemLanes<W>::find_rows(JointKind kind, const Place& place, RowSink& rows,
                                            JointTypeList<Types...>) {
  auto of_type = [&]<class Type>(Type*) {
    if constexpr (requires { Type::find_rows(place, rows); }) {
      if (Type::traits.kind == kind) Type::find_rows(place, rows);
    }
  };
  (of_type(static_cast<Types*>(nullptr)), ...);
}

template <int W>
void SystemLanes<W>::locate(const State* states) {
  for (Node& node : nodes_) {
    const Place place = place_after<Vector, Number>(node.type->axis_of_b, node.start, node.offset,
                                                    states[node.body_a], states[node.body_b]);
    RowSink rows{*this, node};
    find_rows(node.type->kind, place, rows, JointTypes{});
  }
  factored_ = false;
}

}  // namespace rigid

#endif
