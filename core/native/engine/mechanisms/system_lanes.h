// The substeps of mechanisms of W worlds side by side: what joint_system.h does for one, and
// soft_step.cpp with it, in the same order and with the same arithmetic, so that each world has the
// bits that it has alone. The formulas are those of stairs.h and of the joints, with wide<W> for a
// number; which rows act, and which world needs another revision, is a mask.
//
// Known here are rigid rows, limits and motors. A world in which something else happens (a
// mechanism that gains energy) is left as it was, to be stepped alone.
#ifndef RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_H
#define RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_H

#include "engine/constants.h"
#include "engine/joints/types.h"
#include "engine/mechanisms/joint_system.h"
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
        correction_y, leeway, reach, moved_x, moved_y, turned;
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
    int axial[most_rows];  // in axial_, or -1
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
  void begin();
  void solve(double servo_rate);
  void locate();
  void relax() { solve_active_set(true); }
  // Which worlds are to be stepped alone: what they gained is taken back in another way.
  Mask keep_energy();

 private:
  template <class... Types>
  void find_rows(JointKind kind, const PlaceOf<Vector, Number>& place, RowsOf<Vector, Number>& rows,
                 JointTypeList<Types...>);
  Number speed_along(const Node& node, int row) const;
  Mask acts(const Node& node, int row) const;
  void push(int body, Mass mass, const Number* impulse, Mask which);
  void invert(Node& node, const Block& pivot, int n);
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

template <int W>
void SystemLanes<W>::gather(const LaneTask& task, int system, State* bodies) {
  const JointSystem* all[W];
  for (int lane = 0; lane < W; ++lane) all[lane] = task.worlds[lane].systems + system;
  plan_ = all[0];
  bodies_ = bodies;
  step_ = plan_->step_;
  accounted_ = plan_->accounted_;
  factored_ = false;
  nodes_count_ = static_cast<int>(plan_->nodes_.size());
  own_count_ = static_cast<int>(plan_->bodies_.size());
  axial_count_ = 0;
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    node.plan = &plan_->nodes_[n];
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
    for (Number& total : node.total) total = 0;
    for (int i = 0; i < node.plan->rows; ++i) {
      node.give[i] = number([i](Plan each) { return each.give[i]; });
      node.axial[i] = -1;
      const Axial& axial = node.plan->axial[i];
      if (!axial.present) continue;
      node.axial[i] = axial_count_;
      Row& row = axial_[axial_count_++];
      auto of = [&](auto&& read) { return number([&](Plan each) { return read(each.axial[i]); }); };
      using From = const Axial&;
      row.node = n;
      row.row = i;
      row.endless = axial.is_endless();
      row.stair = Stair::idle;
      row.on = row.factored = row.acted = row.leaves = Mask::none();
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
      data.target = of([](From each) { return each.target; });
      data.lower_at = of([](From each) { return each.lower_at; });
      data.upper_at = of([](From each) { return each.upper_at; });
      data.maximum = of([](From each) { return each.maximum; });
      data.lowest = of([](From each) { return each.lowest; });
      data.highest = of([](From each) { return each.highest; });
      data.approach = of([](From each) { return each.approach; });
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
      accounts_[i].own = {of([i](From each) { return each.own_[i].mass; }),
                          of([i](From each) { return each.own_[i].inertia; })};
      accounts_[i].effective = {of([i](From each) { return each.effective_[i].mass; }),
                                of([i](From each) { return each.effective_[i].inertia; })};
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
template <class... Types>
RIGID_INLINE void SystemLanes<W>::find_rows(JointKind kind, const PlaceOf<Vector, Number>& place,
                                            RowsOf<Vector, Number>& rows, JointTypeList<Types...>) {
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
    RowsOf<Vector, Number> rows;
    find_rows(type.kind, place, rows, JointTypes{});
    for (int i = 0; i < node.plan->rows; ++i) {
      const int source = node.plan->source[i];
      for (int k = 0; k < 6; ++k) node.jacobian[i][k] = rows.jacobian[source][k];
      const Number at = rows.coordinate[source];
      if (node.axial[i] >= 0) axial_[node.axial[i]].data.coordinate = at;
      node.error[i] = type.between_anchors ? at - node.length : at;
      node.scale[i] = row_product(node.jacobian[i], node.jacobian[i], node.mass_a, node.mass_b);
    }
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

// ------------------------------------------------------------ factors (block_factors.cpp)

template <int W>
void SystemLanes<W>::invert(Node& node, const Block& pivot, int n) {
  const Number none = 0, whole = 1;
  Number l[most_rows][most_rows], pivots[most_rows], d[most_rows];
  for (int i = 0; i < n; ++i) {
    const Mask in = acts(node, i);
    for (int k = 0; k < i; ++k) {
      Number sum = pivot.v[i][k];
      for (int m = 0; m < k; ++m) sum -= l[i][m] * pivots[m] * l[k][m];
      l[i][k] = select(in, sum * d[k], none);
    }
    Number rest = pivot.v[i][i];
    for (int k = 0; k < i; ++k) rest -= l[i][k] * l[i][k] * pivots[k];
    const Mask regular = in & (rest > constants::dependent_pivot * node.scale[i]);
    pivots[i] = select(regular, rest, none);
    d[i] = select(regular, whole / rest, none);
  }
  for (int column = 0; column < n; ++column) {
    Number x[most_rows];
    for (int i = 0; i < n; ++i) {
      x[i] = i == column ? whole : none;
      for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    }
    for (int i = 0; i < n; ++i) x[i] = x[i] * d[i];
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
    }
    for (int i = 0; i < n; ++i) {
      node.inverse.v[i][column] = select((d[i] > none) & (d[column] > none), x[i], none);
    }
  }
}

template <int W>
void SystemLanes<W>::factor() {
  const BlockFactors& plan = plan_->factors_;
  factored_ = true;
  for (int i = 0; i < axial_count_; ++i) axial_[i].factored = axial_[i].on;
  for (int p = 0; p < nodes_count_; ++p) {
    Node& node = nodes_[p];
    const Number none = 0;
    for (int i = 0; i < node.plan->rows; ++i) {
      for (int k = 0; k <= i; ++k) {
        const Number value =
            row_product(node.jacobian[i], node.jacobian[k], node.mass_a, node.mass_b);
        diagonals_[p].v[i][k] = diagonals_[p].v[k][i] = value + (i == k ? node.give[i] : none);
      }
    }
  }
  for (int p = 0; p < nodes_count_; ++p) {
    const Node& column = nodes_[p];
    const Mass a = column.mass_a, b = column.mass_b;
    for (int at = plan.first_below_[p]; at < plan.first_below_[p + 1]; ++at) {
      const Node& row = nodes_[plan.below_[at].row];
      const int sides = plan.below_[at].sides;
      for (int i = 0; i < row.plan->rows; ++i) {
        for (int k = 0; k < column.plan->rows; ++k) {
          const Number *ji = row.jacobian[i], *jk = column.jacobian[k];
          Number sum = 0;
          if (sides & 1) sum += body_product(ji, jk, a.mass, a.inertia);
          if (sides & 2) sum += body_product(ji, jk + 3, b.mass, b.inertia);
          if (sides & 4) sum += body_product(ji + 3, jk, a.mass, a.inertia);
          if (sides & 8) sum += body_product(ji + 3, jk + 3, b.mass, b.inertia);
          below_[at].v[i][k] = sum;
        }
      }
    }
  }
  for (int p = 0; p < nodes_count_; ++p) {
    Node& node = nodes_[p];
    const int n = node.plan->rows;
    invert(node, diagonals_[p], n);
    for (int at = plan.first_below_[p]; at < plan.first_below_[p + 1]; ++at) {
      scaled_[at] = below_[at];
      for (int i = 0; i < nodes_[plan.below_[at].row].plan->rows; ++i) {
        for (int k = 0; k < n; ++k) {
          Number sum = 0;
          for (int j = 0; j < n; ++j) sum += scaled_[at].v[i][j] * node.inverse.v[j][k];
          below_[at].v[i][k] = sum;
        }
      }
    }
    for (int u = plan.first_update_[p]; u < plan.first_update_[p + 1]; ++u) {
      const auto& update = plan.updates_[u];
      Block& target = update.target < 0 ? diagonals_[~update.target] : below_[update.target];
      const int rows = nodes_[plan.below_[update.left].row].plan->rows;
      const int columns = nodes_[plan.below_[update.right].row].plan->rows;
      for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
          Number sum = 0;
          for (int j = 0; j < n; ++j) {
            sum += below_[update.left].v[i][j] * scaled_[update.right].v[k][j];
          }
          target.v[i][k] -= sum;
        }
      }
    }
  }
}

template <int W>
void SystemLanes<W>::substitute() {
  const BlockFactors& plan = plan_->factors_;
  for (int p = 0; p < nodes_count_; ++p) {
    const Node& node = nodes_[p];
    for (int at = plan.first_below_[p]; at < plan.first_below_[p + 1]; ++at) {
      Node& row = nodes_[plan.below_[at].row];
      for (int i = 0; i < row.plan->rows; ++i) {
        for (int k = 0; k < node.plan->rows; ++k) row.x[i] -= below_[at].v[i][k] * node.x[k];
      }
    }
  }
  for (int p = nodes_count_ - 1; p >= 0; --p) {
    Node& node = nodes_[p];
    const int n = node.plan->rows;
    Number x[most_rows];
    for (int i = 0; i < n; ++i) {
      x[i] = 0;
      for (int k = 0; k < n; ++k) x[i] += node.inverse.v[i][k] * node.x[k];
    }
    for (int at = plan.first_below_[p]; at < plan.first_below_[p + 1]; ++at) {
      const Node& row = nodes_[plan.below_[at].row];
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < row.plan->rows; ++k) x[i] -= below_[at].v[k][i] * row.x[k];
      }
    }
    for (int i = 0; i < n; ++i) node.x[i] = x[i];
  }
}

// ------------------------------------------------------------ impulses

template <int W>
void SystemLanes<W>::find_impulses(bool relaxing) {
  const Number none = 0;
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    for (int i = 0; i < node.plan->rows; ++i) {
      const Number speed = speed_along(node, i);
      if (node.axial[i] >= 0) {
        const Row& row = axial_[node.axial[i]];
        const Number wanted = wanted_speed(row.data, row.stair, step_, node.error[i], relaxing);
        node.x[i] = select(row.on, wanted - speed, none);
      } else {
        const Number wanted =
            relaxing ? none : correcting_speed(step_, node.error[i], node.plan->angular[i]);
        node.x[i] = wanted - speed;
      }
    }
  }
  substitute();
}

template <int W>
void SystemLanes<W>::apply_impulses(Mask which) {
  for (int n = 0; n < nodes_count_; ++n) {
    const Node& node = nodes_[n];
    auto apply = [&](int body, Mass mass, int column) {
      Number j[3] = {0, 0, 0};
      for (int i = 0; i < node.plan->rows; ++i) {
        for (int k = 0; k < 3; ++k) j[k] += node.x[i] * node.jacobian[i][column + k];
      }
      push(body, mass, j, which);
    };
    if (node.plan->moves_a) apply(node.plan->body_a, node.mass_a, 0);
    if (node.plan->moves_b) apply(node.plan->body_b, node.mass_b, 3);
  }
}

template <int W>
void SystemLanes<W>::give(Row& row, Mask which) {
  const Node& node = nodes_[row.node];
  const Number change = row.data.given - row.data.applied, none = 0;
  const Mask changes = which & !(change == none);
  if (!changes.any()) return;
  Number j[6];
  for (int k = 0; k < 6; ++k) j[k] = change * node.jacobian[row.row][k];
  if (node.plan->moves_a) push(node.plan->body_a, node.mass_a, j, changes);
  if (node.plan->moves_b) push(node.plan->body_b, node.mass_b, j + 3, changes);
  row.data.applied = select(changes, row.data.given, row.data.applied);
}

template <int W>
void SystemLanes<W>::stand(Row& row, Stairs<W> stair, Mask which) {
  row.stair = select(which, stair, row.stair);
  row.on = select(which, !is_tread(stair), row.on);
  row.data.given = select(which, missing_impulse(row.data, stair), row.data.given);
  give(row, which);
}

template <int W>
void SystemLanes<W>::begin() {
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    if (row.data.motor) row.data.earlier += motor_share(row.data, row.stair);
    row.data.sum = 0;
  }
  if (!accounted_) return;
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    row.data.coordinate_before = row.data.coordinate;
    row.data.speed_before = speed_along(nodes_[row.node], row.row);
  }
  for (int i = 0; i < own_count_; ++i) accounts_[i].began = bodies_[plan_->bodies_[i]];
  kinetic_before_ = kinetic_energy();
  reference_ = greater(kinetic_before_, reference_ * (1 - constants::gain_memory));
}

template <int W>
void SystemLanes<W>::solve(double servo_rate) {
  if (accounted_) {
    for (int i = 0; i < own_count_; ++i) {
      const State& state = bodies_[plan_->bodies_[i]];
      accounts_[i].forced = {state.vx, state.vy, state.omega};
    }
  }
  step_.servo_rate = servo_rate;
  for (int i = 0; i < axial_count_; ++i) axial_[i].data.given = axial_[i].data.applied = 0;
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    if (row.data.position) row.data.heading = servo_speed(row.data, step_);
    const Number speed = speed_along(nodes_[row.node], row.row);
    stand(row, first_stair(row.data, row.stair, step_, speed), Mask::all());
  }
  solve_active_set(false);
}

// Which rows of the worlds that are open are not where they belong; whether any are.
template <int W>
bool SystemLanes<W>::find_leaving(bool relaxing, Mask open) {
  for (int i = 0; i < own_count_; ++i) {
    const State& state = bodies_[plan_->bodies_[i]];
    saved_[i] = {state.vx, state.vy, state.omega};
  }
  apply_impulses(open);
  Mask any = Mask::none();
  for (int i = 0; i < axial_count_; ++i) {
    Row& row = axial_[i];
    row.leaves = Mask::none();
    if (row.endless || row.data.equal) continue;
    const Node& node = nodes_[row.node];
    const Number impulse = row.data.sum + row.data.applied + node.x[row.row];
    const Number speed = speed_along(node, row.row);
    const Number blur =
        blur_along(bodies_[node.plan->body_a], bodies_[node.plan->body_b], node.jacobian[row.row]);
    row.next = next_stair(row.data, row.stair, step_, impulse, speed, blur, relaxing);
    row.leaves = open & !(row.next == row.stair);
    if (relaxing) row.leaves = row.leaves & row.acted;
    any = any | row.leaves;
  }
  return any.any();
}

template <int W>
void SystemLanes<W>::solve_active_set(bool relaxing) {
  const Number one = 1, none = 0;
  for (int i = 0; i < axial_count_; ++i) axial_[i].acted = axial_[i].on;
  Number fewest = axial_count_ + 1, vain = 0;
  Mask open = Mask::all();
  for (int revision = 0;; ++revision) {
    bool same = factored_;
    for (int i = 0; same && i < axial_count_; ++i) {
      same = !(axial_[i].on != axial_[i].factored).any();
    }
    if (!same) factor();
    find_impulses(relaxing);
    if (axial_count_ == 0) {
      apply_impulses(open);
      break;
    }
    bool leaving = find_leaving(relaxing, open);
    if (leaving && revision >= constants::most_revisions) {
      for (int i = 0; i < axial_count_; ++i) axial_[i].leaves = axial_[i].leaves & axial_[i].on;
    }
    Number count = 0;
    for (int i = 0; leaving && i < axial_count_; ++i) {
      count += select(axial_[i].leaves, one, none);
    }
    const Mask leave = leaving ? count > none : Mask::none(), ends = open & !leave;
    for (int n = 0; n < nodes_count_; ++n) {
      Node& node = nodes_[n];
      for (int i = 0; i < node.plan->rows; ++i) {
        node.found[i] = revision == 0 ? node.x[i] : select(ends, node.x[i], node.found[i]);
      }
    }
    open = open & leave;
    if (!open.any()) {
      for (int n = 0; revision > 0 && n < nodes_count_; ++n) {
        Node& node = nodes_[n];
        for (int i = 0; i < node.plan->rows; ++i) node.x[i] = node.found[i];
      }
      break;
    }
    for (int i = 0; i < own_count_; ++i) {
      State& state = bodies_[plan_->bodies_[i]];
      state.vx = select(open, saved_[i].vx, state.vx);
      state.vy = select(open, saved_[i].vy, state.vy);
      state.omega = select(open, saved_[i].omega, state.omega);
    }
    const Mask fewer = count < fewest;
    fewest = select(fewer, count, fewest);
    vain = select(fewer, none, vain + one);
    Mask first_alone = Mask::none();
    if (revision < constants::most_revisions) {
      first_alone = (!fewer) & (vain > Number(constants::most_vain_revisions));
    }
    Mask taken = Mask::none();
    for (int i = 0; i < axial_count_; ++i) {
      Row& row = axial_[i];
      const Mask goes = open & row.leaves & !(first_alone & taken);
      taken = taken | row.leaves;
      if (goes.any()) stand(row, row.next, goes);
    }
  }
  add_totals();
}

template <int W>
void SystemLanes<W>::add_totals() {
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    for (int i = 0; i < node.plan->rows; ++i) {
      if (node.axial[i] >= 0) {
        StairRow<Number>& data = axial_[node.axial[i]].data;
        node.x[i] += data.applied;
        data.sum += node.x[i];
        data.given = data.applied = 0;
      }
      if (node.plan->angular[i]) {
        node.total[2] += node.x[i];
      } else {
        node.total[0] += node.x[i] * node.jacobian[i][3];
        node.total[1] += node.x[i] * node.jacobian[i][4];
      }
    }
  }
}

// ------------------------------------------------------------ energy (energy_account.cpp)

template <int W>
wide<W> SystemLanes<W>::kinetic_energy() const {
  Number sum = 0;
  for (int i = 0; i < own_count_; ++i) {
    const State& s = bodies_[plan_->bodies_[i]];
    const Mass& own = accounts_[i].own;
    sum += own.mass * (s.vx * s.vx + s.vy * s.vy) + own.inertia * (s.omega * s.omega);
  }
  return 0.5 * sum;
}

template <int W>
wide<W> SystemLanes<W>::work_of_forces() const {
  const double h = plan_->account_.h_;
  const Number none = 0, half = 0.5;
  Number sum = 0;
  for (int i = 0; i < own_count_; ++i) {
    const State& a = accounts_[i].began;
    const Velocity& b = accounts_[i].forced;
    const State& now = bodies_[plan_->bodies_[i]];
    const Number ahead = select((now.vx == b.vx) & (now.vy == b.vy), none, half);
    auto path = [&](Number moved, Number speed, Number speed_before, Number share) {
      return moved / h - share * (speed - speed_before);
    };
    const Number x = path(now.dx - a.dx, now.vx, a.vx, ahead);
    const Number y = path(now.dy - a.dy, now.vy, a.vy, ahead);
    const Number turn = path(now.delta_angle - a.delta_angle, now.omega, a.omega, half);
    sum += accounts_[i].effective.mass * ((b.vx - a.vx) * x + (b.vy - a.vy) * y);
    sum += accounts_[i].effective.inertia * (b.omega - a.omega) * turn;
  }
  return sum;
}

template <int W>
wide<W> SystemLanes<W>::work_of_motors() const {
  const Number none = 0;
  Number sum = 0;
  for (int i = 0; i < axial_count_; ++i) {
    const Row& row = axial_[i];
    if (!row.data.motor) continue;
    const Number impulse = motor_share(row.data, row.stair);
    const Number work = impulse * (row.data.coordinate - row.data.coordinate_before) / step_.h;
    const Mask known = (row.stair == Stair::most) | (row.stair == Stair::least);
    const Number speed = speed_along(nodes_[row.node], row.row);
    sum +=
        select(known, work - 0.5 * impulse * (speed - row.data.speed_before), greater(work, none));
  }
  return sum;
}

// Twice the kinetic energy, or the same of two velocities.
template <int W>
RIGID_INLINE wide<W> SystemLanes<W>::product(const Mass& m, const Velocity& a, const Velocity& b) {
  return m.mass * (a.vx * b.vx + a.vy * b.vy) + m.inertia * (a.omega * b.omega);
}

// Which worlds are to be stepped alone.
template <int W>
auto SystemLanes<W>::keep_energy() -> Mask {
  if (!accounted_) return Mask::none();
  const Number none = 0;
  const Number given = work_of_forces() + work_of_motors();
  const Number gained = kinetic_energy() - kinetic_before_ - given + none;
  balance_ = greater(balance_ + gained, -constants::most_regain * reference_);
  const Number excess = balance_ - constants::most_gain * reference_;
  const Mask gains = excess > none;
  if (!gains.any()) return Mask::none();
  Number taken = give_back(excess, gains);
  const Number rest = lesser(excess, gained + none) - taken;
  const Mask more = gains & (rest > none);
  Mask alone = Mask::none();
  if (more.any()) {
    if (plan_->is_held()) {
      taken = select(more, taken + slow_down(rest, more), taken);
    } else {
      alone = more;
    }
  }
  balance_ = select(gains, balance_ - taken, balance_);
  return alone;
}

// See JointSystem::give_back.
template <int W>
wide<W> SystemLanes<W>::give_back(Number excess, Mask which) {
  const Number none = 0, one = 1;
  if (!factored_) factor();
  for (int i = 0; i < own_count_; ++i) {
    State& state = bodies_[plan_->bodies_[i]];
    saved_[i] = {state.vx, state.vy, state.omega};
    const Velocity& forced = accounts_[i].forced;
    state.vx = forced.vx;
    state.vy = forced.vy;
    state.omega = forced.omega;
  }
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    for (int i = 0; i < node.plan->rows; ++i) {
      node.x[i] = select(acts(node, i), -speed_along(node, i), none);
    }
  }
  substitute();
  apply_impulses(Mask::all());
  Number slope = 0, bend = 0;
  Velocity changes[LaneTask::most_bodies];
  for (int i = 0; i < own_count_; ++i) {
    const State& state = bodies_[plan_->bodies_[i]];
    const Velocity& saved = saved_[i];
    changes[i] = {rounded(state.vx - saved.vx), rounded(state.vy - saved.vy),
                  rounded(state.omega - saved.omega)};
    slope += product(accounts_[i].own, saved, changes[i]);
    bend += product(accounts_[i].own, changes[i], changes[i]);
  }
  const Number infinity = std::numeric_limits<double>::infinity();
  const Mask known = (slope < none) & (absolute(slope) < infinity) & (absolute(bend) < infinity);
  const Number square = slope * slope - 2 * bend * excess;
  const Number some = select(square > none, 2 * excess / (root(square) - slope), -slope / bend);
  const Number share = select(known, lesser(some, one), none);
  const Mask moves = which & !(share == none);
  for (int i = 0; i < own_count_; ++i) {
    State& state = bodies_[plan_->bodies_[i]];
    auto part = [&](Number saved, Number change) {
      return select(moves, rounded(saved + rounded(share * change)), saved);
    };
    state.vx = part(saved_[i].vx, changes[i].vx);
    state.vy = part(saved_[i].vy, changes[i].vy);
    state.omega = part(saved_[i].omega, changes[i].omega);
  }
  return select(share > none, -(slope + 0.5 * bend * share) * share, none);
}

// See EnergyAccount::slow_down, of what something holds.
template <int W>
wide<W> SystemLanes<W>::slow_down(Number excess, Mask which) {
  const Number none = 0, one = 1, had = kinetic_energy();
  Number inner = 0;
  for (int i = 0; i < own_count_; ++i) {
    const State& state = bodies_[plan_->bodies_[i]];
    const Velocity own = {state.vx, state.vy, state.omega};
    inner += 0.5 * product(accounts_[i].own, own, own);
  }
  const Number share = select(inner > excess, root(one - excess / inner), none);
  for (int i = 0; i < own_count_; ++i) {
    State& state = bodies_[plan_->bodies_[i]];
    state.vx = select(which, rounded(none + share * state.vx), state.vx);
    state.vy = select(which, rounded(none + share * state.vy), state.vy);
    state.omega = select(which, rounded(none + share * state.omega), state.omega);
  }
  return had - kinetic_energy();
}

// ------------------------------------------------------------ all of it

template <int W>
struct LaneMemory {
  typename SystemLanes<W>::State bodies[LaneTask::most_bodies];
  typename SystemLanes<W>::Flight flights[LaneTask::most_bodies];
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
  for (int i = 0; i < task.body_count; ++i) {
    auto of = [&](float BodyState::* part) {
      return widened<W>(
          collect_floats<W>([&](int lane) { return task.worlds[lane].states[i].*part; }));
    };
    memory.bodies[i] = {of(&BodyState::vx),          of(&BodyState::vy), of(&BodyState::omega),
                        of(&BodyState::delta_angle), of(&BodyState::dx), of(&BodyState::dy),
                        of(&BodyState::c),           of(&BodyState::s)};
  }
  for (int k = 0; k < task.awake_count; ++k) {
    const int i = task.awake[k];
    auto of = [&](float BodyStep::* part) {
      return collect_floats<W>([&](int lane) { return task.worlds[lane].steps[i].*part; });
    };
    auto& flight = memory.flights[i];
    flight.ax = of(&BodyStep::ax);
    flight.ay = of(&BodyStep::ay);
    flight.alpha = of(&BodyStep::alpha);
    flight.linear_factor = of(&BodyStep::linear_factor);
    flight.angular_factor = of(&BodyStep::angular_factor);
    flight.leeway = of(&BodyStep::leeway);
    flight.reach = of(&BodyStep::reach);
    flight.moved_x = flight.moved_y = flight.turned = lanes<W>::splat(0.0f);
  }
}

// bodies/motion.h
template <int W>
RIGID_INLINE void integrate_velocity(typename SystemLanes<W>::State& state,
                                     typename SystemLanes<W>::Flight& flight, float h) {
  const lanes<W> vx = narrowed(state.vx), vy = narrowed(state.vy);
  const lanes<W> half = lanes<W>::splat(0.5f * h);
  flight.after_x = (vx + flight.ax) * flight.linear_factor;
  flight.after_y = (vy + flight.ay) * flight.linear_factor;
  flight.correction_x = half * (vx - flight.after_x);
  flight.correction_y = half * (vy - flight.after_y);
  state.vx = widened(flight.after_x);
  state.vy = widened(flight.after_y);
  state.omega = widened((narrowed(state.omega) + flight.alpha) * flight.angular_factor);
}

template <int W>
RIGID_INLINE void set_lane(typename SystemLanes<W>::State& to, int lane, const BodyState& from) {
  to.vx.set(lane, from.vx);
  to.vy.set(lane, from.vy);
  to.omega.set(lane, from.omega);
  to.delta_angle.set(lane, from.delta_angle);
  to.dx.set(lane, from.dx);
  to.dy.set(lane, from.dy);
  to.c.set(lane, from.c);
  to.s.set(lane, from.s);
}
template <int W>
RIGID_INLINE BodyState lane_of(const typename SystemLanes<W>::State& from, int lane) {
  auto part = [lane](const wide<W>& number) { return static_cast<float>(number.lane(lane)); };
  return {part(from.vx), part(from.vy), part(from.omega), part(from.delta_angle),
          part(from.dx), part(from.dy), part(from.c),     part(from.s)};
}

template <int W>
RIGID_INLINE void integrate_position(const LaneTask& task, int body, float h, float time,
                                     LaneMemory<W>& memory) {
  auto& state = memory.bodies[body];
  auto& flight = memory.flights[body];
  const lanes<W> step = lanes<W>::splat(h);
  const lanes<W> vx = narrowed(state.vx), vy = narrowed(state.vy), omega = narrowed(state.omega);
  lanes<W> dx = narrowed(state.dx) + step * vx, dy = narrowed(state.dy) + step * vy;
  const auto free = (vx <= flight.after_x) & (flight.after_x <= vx) & (vy <= flight.after_y) &
                    (flight.after_y <= vy);
  dx = select(free, dx + flight.correction_x, dx);
  dy = select(free, dy + flight.correction_y, dy);
  const lanes<W> angle = narrowed(state.delta_angle) + step * omega;
  auto number = [](float value) { return lanes<W>::splat(value); };
  const lanes<W> z = angle * angle;
  lanes<W> c =
      number(1.0f) + z * (number(-0.5f) + z * (number(1.0f / 24) + z * number(-1.0f / 720)));
  lanes<W> s = angle * (number(1.0f) + z * (number(-1.0f / 6) +
                                            z * (number(1.0f / 120) + z * number(-1.0f / 5040))));
  const auto small = (angle > number(-0.5f)) & (angle < number(0.5f));
  if ((!small).any()) {
    for (int lane = 0; lane < W; ++lane) {
      if (small.lane(lane)) continue;
      const Rotation q = small_rotation(angle.lane(lane));
      c.set(lane, q.c);
      s.set(lane, q.s);
    }
  }
  state.dx = widened(dx);
  state.dy = widened(dy);
  state.delta_angle = widened(angle);
  state.c = widened(c);
  state.s = widened(s);
  const auto far = absolute(dx - flight.moved_x) + absolute(dy - flight.moved_y) +
                       absolute(angle - flight.turned) * flight.reach >
                   flight.leeway;
  if (!far.any()) return;
  for (int lane = 0; lane < W; ++lane) {
    if (!far.lane(lane)) continue;
    const LaneTask::World& world = task.worlds[lane];
    const BodyState before = world.states[body];
    world.states[body] = lane_of<W>(state, lane);
    task.look_at_sweep(world.owner, body, time);
    set_lane<W>(state, lane, world.states[body]);
    world.states[body] = before;
    const BodyStep& seen = world.steps[body];
    flight.moved_x.set(lane, seen.moved_x);
    flight.moved_y.set(lane, seen.moved_y);
    flight.turned.set(lane, seen.turned);
  }
}

template <int W>
void solve_side_by_side(LaneTask& task) {
  auto& memory = *static_cast<LaneMemory<W>*>(task.memory);
  const StepParameters& p = *task.parameters;
  gather_bodies<W>(task, memory);
  for (int i = 0; i < task.system_count; ++i) {
    memory.systems[i].gather(task, i, memory.bodies);
    memory.systems[i].locate();
  }
  typename wide<W>::mask alone = wide<W>::mask::none();
  for (int substep = 0; substep < task.substeps; ++substep) {
    const float servo_rate = p.inverse_h / static_cast<float>(task.substeps - substep);
    for (int i = 0; i < task.system_count; ++i) memory.systems[i].begin();
    for (int k = 0; k < task.awake_count; ++k) {
      const int body = task.awake[k];
      integrate_velocity<W>(memory.bodies[body], memory.flights[body], p.h);
    }
    for (int i = 0; i < task.system_count; ++i) memory.systems[i].solve(servo_rate);
    const float time = static_cast<float>(substep + 1) * p.h;
    for (int k = 0; k < task.awake_count; ++k) {
      integrate_position<W>(task, task.awake[k], p.h, time, memory);
    }
    for (int i = 0; i < task.system_count; ++i) {
      memory.systems[i].locate();
      memory.systems[i].relax();
      alone = alone | memory.systems[i].keep_energy();
    }
  }
  for (int lane = 0; lane < W; ++lane) {
    LaneTask::World& world = task.worlds[lane];
    world.done = !alone.lane(lane);
    for (int k = 0; world.done && k < task.awake_count; ++k) {
      const int body = task.awake[k];
      const auto& flight = memory.flights[body];
      world.states[body] = lane_of<W>(memory.bodies[body], lane);
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
