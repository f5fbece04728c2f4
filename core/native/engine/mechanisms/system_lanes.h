// SPDX-License-Identifier: MIT
// Mechanisms of W worlds side by side: what joint_system.h does for one, in the same order and with
// the same arithmetic, so that each world has the bits that it has alone. The formulas are those of
// stairs.h and of the joints, with wide<W> for a number; which rows act, and which world needs
// another revision, is a mask.
//
// Known here are rigid rows, limits and motors. A world in which something else happens (a
// mechanism that gains energy) is left as it was, to be stepped alone.
#ifndef RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_H
#define RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_H

#include "engine/constants.h"
#include "engine/joints/types.h"
#include "engine/mechanisms/joint_system.h"
#include "engine/mechanisms/lane_home.h"
#include "engine/mechanisms/lane_task.h"
#include "engine/mechanisms/stairs.h"
#include "engine/solvers/wide.h"

namespace rigid {

// The stairs of W rows.
template <int W>
struct Stairs {
  using mask = typename wide<W>::mask;
  wide<W> code;
  Stairs() = default;
  RIGID_INLINE Stairs(Stair stair) : code(static_cast<double>(stair)) {}
  RIGID_INLINE explicit Stairs(wide<W> given) : code(given) {}
  friend RIGID_INLINE mask operator==(Stairs a, Stairs b) { return a.code == b.code; }
  friend RIGID_INLINE Stairs select(mask which, Stairs a, Stairs b) {
    return Stairs(select(which, a.code, b.code));
  }
};

template <int W>
class SystemLanes {
 public:
  using Number = wide<W>;
  using Mask = typename Number::mask;
  using Vector = WideVec2<W>;

  struct Mass {
    Number mass, inertia;
  };
  struct State {
    Number vx, vy, omega, delta_angle, dx, dy, c, s;
  };
  struct Velocity {
    Number vx, vy, omega;
  };
  struct Flight {  // single precision, as BodyStep
    lanes<W> ax, ay, alpha, linear_factor, angular_factor, after_x, after_y, correction_x,
        correction_y, after_spin, correction_turn, leeway, reach, moved_x, moved_y, turned;
  };
  struct Block {
    Number v[most_rows][most_rows];
  };
  struct Node {
    const SystemNode* plan;
    Mass mass_a, mass_b;
    Vector offset;
    Number length;
    PlaceOf<Vector, Number> start;
    Number jacobian[most_rows][6];
    Number error[most_rows], scale[most_rows], give[most_rows], x[most_rows], found[most_rows];
    Number total[3];
    Block inverse;
    int axial[most_rows];   // in axial_, or -1
    int row_of[most_rows];  // of the joint's rows, or -1
  };
  struct Row {
    StairRow<Number> data;
    Stairs<W> stair, next;
    Mask on, factored, acted, leaves;
    int node, row;
    bool endless;
  };
  struct Account {  // of a body, see EnergyAccount
    Mass own, effective;
    State began;
    Velocity forced;
  };

  // One system of the worlds; `bodies` are those of the worlds, by their indices.
  void gather(const LaneTask& task, int system, State* bodies);
  void scatter(const LaneTask& task, int system) const;
  // The same from and to where worlds stay (home_lanes.h): once, before each step, and after it.
  void settle(const LaneTask& task, int system, const LaneHome::System& home, State* bodies);
  void start(const LaneHome& home, int system, double give);
  Mask is_taut(const LaneHome::System& home, double most) const;
  void keep(LaneHome::System& home) const;
  void begin();
  void solve(double servo_rate);
  void locate();
  void relax() { solve_active_set(true); }
  // Which worlds are to be stepped alone: what they gained is taken back in another way.
  Mask keep_energy();

 private:
  void plan(const LaneTask& task, int system, State* bodies);
  void reset();
  // What a joint's rows are written to: those that the node has, with all that follows from them.
  struct RowSink;
  template <class... Types>
  void find_rows(JointKind kind, const PlaceOf<Vector, Number>& place, RowSink& rows,
                 JointTypeList<Types...>);
  Number speed_along(const Node& node, int row) const;
  Mask acts(const Node& node, int row) const;
  void push(int body, Mass mass, const Number* impulse, Mask which);
  template <int n>
  void invert(Node& node, const Block& pivot);
  void factor();
  void substitute();
  void find_impulses(bool relaxing);
  void apply_impulses(Mask which);
  void give(Row& row, Mask which);
  void stand(Row& row, Stairs<W> stair, Mask which);
  bool find_leaving(bool relaxing, Mask open);
  void solve_active_set(bool relaxing);
  void add_totals();
  static Number product(const Mass& m, const Velocity& a, const Velocity& b);
  Number give_back(Number excess, Mask which);
  Number slow_down(Number excess, Mask which);
  Number kinetic_energy() const;
  Number work_of_forces() const;
  Number work_of_motors() const;

  const JointSystem* plan_;
  State* bodies_;
  SystemStep step_;
  int nodes_count_, axial_count_, own_count_;
  bool accounted_, factored_;
  Node nodes_[LaneTask::most_nodes];
  Row axial_[LaneTask::most_axial];
  Block below_[LaneTask::most_below], scaled_[LaneTask::most_below];
  Block diagonals_[LaneTask::most_nodes];
  Account accounts_[LaneTask::most_bodies];
  Velocity saved_[LaneTask::most_bodies];
  Number balance_, reference_, kinetic_before_;
};

// ------------------------------------------------------------ in and out

template <int W, class Read>
RIGID_INLINE wide<W> collect(Read&& read) {
  wide<W> number;
  for (int lane = 0; lane < W; ++lane) number.set(lane, read(lane));
  return number;
}

// What is the same in all worlds.
template <int W>
void SystemLanes<W>::plan(const LaneTask& task, int system, State* bodies) {
  plan_ = task.plans + system;
  bodies_ = bodies;
  step_ = plan_->step_;
  accounted_ = plan_->accounted_;
  nodes_count_ = static_cast<int>(plan_->nodes_.size());
  own_count_ = static_cast<int>(plan_->bodies_.size());
  axial_count_ = 0;
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    node.plan = &plan_->nodes_[n];
    for (int& row : node.row_of) row = -1;
    for (int i = 0; i < node.plan->rows; ++i) {
      node.row_of[node.plan->source[i]] = i;
      node.axial[i] = -1;
      const Axial& axial = node.plan->axial[i];
      if (!axial.present) continue;
      node.axial[i] = axial_count_;
      Row& row = axial_[axial_count_++];
      row.node = n;
      row.row = i;
      row.endless = axial.is_endless();
      StairRow<Number>& data = row.data;
      data = {};
      data.angular = axial.angular;
      data.motor = axial.motor;
      data.position = axial.position;
      data.lower = axial.lower;
      data.upper = axial.upper;
      data.equal = axial.equal;
      data.bounded = axial.bounded;
      data.stops = axial.stops;
      data.one_way = axial.one_way;
    }
  }
}

// Before a step: nothing is known of any impulse.
template <int W>
void SystemLanes<W>::reset() {
  factored_ = false;
  for (int n = 0; n < nodes_count_; ++n) {
    for (Number& total : nodes_[n].total) total = 0;
  }
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    row.stair = Stair::idle;
    row.on = row.factored = row.acted = row.leaves = Mask::none();
    row.data.sum = row.data.earlier = row.data.given = row.data.applied = 0;
  }
}

template <int W>
void SystemLanes<W>::gather(const LaneTask& task, int system, State* bodies) {
  const JointSystem* all[W];
  for (int lane = 0; lane < W; ++lane) all[lane] = task.worlds[lane].systems + system;
  plan(task, system, bodies);
  reset();
  for (int n = 0; n < nodes_count_; ++n) {
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
    for (int i = 0; i < node.plan->rows; ++i) {
      node.give[i] = number([i](Plan each) { return each.give[i]; });
      if (node.axial[i] < 0) continue;
      auto of = [&](auto&& read) { return number([&](Plan each) { return read(each.axial[i]); }); };
      using From = const Axial&;
      StairRow<Number>& data = axial_[node.axial[i]].data;
      data.target = of([](From each) { return each.target; });
      data.lower_at = of([](From each) { return each.lower_at; });
      data.upper_at = of([](From each) { return each.upper_at; });
      data.maximum = of([](From each) { return each.maximum; });
      data.lowest = of([](From each) { return each.lowest; });
      data.highest = of([](From each) { return each.highest; });
      data.approach = of([](From each) { return each.approach; });
      data.fastest = of([](From each) { return each.fastest; });
      data.heading = of([](From each) { return each.heading; });
    }
  }
  if (accounted_) {
    auto of = [&](auto&& read) {
      return collect<W>([&](int lane) { return read(all[lane]->account_); });
    };
    using From = const EnergyAccount&;
    balance_ = of([](From each) { return each.sums_.balance; });
    reference_ = of([](From each) { return each.sums_.reference; });
    for (int i = 0; i < own_count_; ++i) {
      accounts_[i].own = {of([i](From each) { return each.parts_[i].own.mass; }),
                          of([i](From each) { return each.parts_[i].own.inertia; })};
      accounts_[i].effective = {of([i](From each) { return each.parts_[i].effective.mass; }),
                                of([i](From each) { return each.parts_[i].effective.inertia; })};
    }
  }
}

template <int W>
void SystemLanes<W>::scatter(const LaneTask& task, int system) const {
  for (int lane = 0; lane < W; ++lane) {
    if (!task.worlds[lane].done) continue;
    JointSystem& to = task.worlds[lane].systems[system];
    for (int n = 0; n < nodes_count_; ++n) {
      for (int k = 0; k < 3; ++k) to.nodes_[n].total[k] = nodes_[n].total[k].lane(lane);
    }
    for (int i = 0; i < axial_count_; ++i) {
      const Row& row = axial_[i];
      Axial& axial = to.nodes_[row.node].axial[row.row];
      axial.mode = static_cast<Stair>(static_cast<int>(row.stair.code.lane(lane)));
      axial.on = row.on.lane(lane);
      axial.coordinate = row.data.coordinate.lane(lane);
      axial.sum = row.data.sum.lane(lane);
      axial.earlier = row.data.earlier.lane(lane);
    }
    if (!accounted_) continue;
    to.account_.sums_.balance = balance_.lane(lane);
    to.account_.sums_.reference = reference_.lane(lane);
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
    for (int k = 0; k < 6; ++k) node.jacobian[i][k] = j[k];
    if (node.axial[i] >= 0) system.axial_[node.axial[i]].data.coordinate = at;
    node.error[i] = node.plan->type->between_anchors ? at - node.length : at;
    node.scale[i] = row_product(j, j, node.mass_a, node.mass_b);
  }
  RIGID_INLINE void set_angle(int source, Number at) { set(source, {0, 0}, 1, 1, at); }
  RIGID_INLINE void set_point(const PlaceOf<Vector, Number>& p) {
    set(0, {1, 0}, -p.anchor_a.y, -p.anchor_b.y, p.between.x);
    set(1, {0, 1}, p.anchor_a.x, p.anchor_b.x, p.between.y);
  }
};

template <int W>
template <class... Types>
RIGID_INLINE void SystemLanes<W>::find_rows(JointKind kind, const PlaceOf<Vector, Number>& place,
                                            RowSink& rows, JointTypeList<Types...>) {
  auto of_type = [&]<class Type>(Type*) {
    if constexpr (requires { Type::find_rows(place, rows); }) {
      if (Type::traits.kind == kind) Type::find_rows(place, rows);
    }
  };
  (of_type(static_cast<Types*>(nullptr)), ...);
}

template <int W>
void SystemLanes<W>::locate() {
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    const JointType& type = *node.plan->type;
    const PlaceOf<Vector, Number> place =
        place_after<Vector, Number>(type.axis_of_b, node.start, node.offset,
                                    bodies_[node.plan->body_a], bodies_[node.plan->body_b]);
    RowSink rows{*this, node};
    find_rows(type.kind, place, rows, JointTypes{});
  }
  factored_ = false;
}

template <int W>
RIGID_INLINE wide<W> SystemLanes<W>::speed_along(const Node& node, int row) const {
  const State &a = bodies_[node.plan->body_a], &b = bodies_[node.plan->body_b];
  const Number* j = node.jacobian[row];
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

template <int W>
RIGID_INLINE auto SystemLanes<W>::acts(const Node& node, int row) const -> Mask {
  return node.axial[row] < 0 ? Mask::all() : axial_[node.axial[row]].on;
}

template <int W>
RIGID_INLINE void SystemLanes<W>::push(int body, Mass mass, const Number* impulse, Mask which) {
  State& state = bodies_[body];
  state.vx = select(which, rounded(state.vx + mass.mass * impulse[0]), state.vx);
  state.vy = select(which, rounded(state.vy + mass.mass * impulse[1]), state.vy);
  state.omega = select(which, rounded(state.omega + mass.inertia * impulse[2]), state.omega);
}

}  // namespace rigid

#endif
