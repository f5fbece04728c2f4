// SPDX-License-Identifier: MIT
// The direct solver of joints: all joints of a mechanism in one exact system, for one world or for
// W worlds side by side.
//
// Solving joints one after another passes a load on by one body a pass: long chains stretch, welded
// beams sag. Here the rigid rows of a whole mechanism (pins, welds, rods) form one system
//   (J M^-1 J^T) impulse = -(J v + bias)
// that is factored in blocks of one joint each (block_factors.h). Joints are neighbours if they
// share a moving body; a chain or a tree leaves no fill, so that its cost grows linearly with its
// length (the observation behind Featherstone's and Baraff's 1996 linear-time methods).
//
// A limit, a rope or a motor adds one row to its joint, along its coordinate (an angle, a length).
// The impulse along it falls as the speed rises, in steps: with a motor of maximum M and target
// speed w between two limits that allow the speeds from `lower` to `upper`,
//
//   impulse  >= M |        M        | -M to M |       -M       | <= -M
//   speed   lower | lower < v < w   |    w    | w < v < upper  | upper
//
// Each step is a mode. In some modes the speed is known and the impulse is solved for, in the
// others the impulse is known. The modes of all rows, the active set, are found by pivoting: rows
// whose impulse or speed leaves their mode change to the next one, all of them while that reduces
// their number, else only the first one (Judice and Pires, "A block principal pivoting algorithm
// for large-scale strictly monotone linear complementarity problems", 1994). The solution is
// unique, so it does not depend on order or initial guess.
//
// Springs, soft limits and motors with a spring of their own are rows with give: their impulse is
//   -(drag * speed + carry * speed before + pull * stretch)
// with the speed at the end of the substep, solved together with the rest of the mechanism, and the
// speed before its forces acted. `pull` is h k. The damping c is divided between both speeds so
// that it decays as e^(-h c / m) does where nothing else moves the two bodies, and nearly so where
// something does (exponential fitting; Hairer and Wanner, "Solving Ordinary Differential Equations
// II"). An undamped spring that is slow compared with a substep has no drag: its impulse is known
// beforehand, and its oscillation keeps its energy. A fast spring takes the implicit step, drag h
// (c + h k), which is equation (2.17) of soft constraints and stable at any stiffness.
//
// The arithmetic is in double precision, on one thread per mechanism, always in the same order, and
// the same for any number of worlds: each world gets the bits that it gets alone. Active rows, and
// worlds that need another revision, are masks, which for one world are bools.
#ifndef RIGID_ENGINE_MECHANISMS_DIRECT_JOINTS_H
#define RIGID_ENGINE_MECHANISMS_DIRECT_JOINTS_H

#include <memory>
#include <vector>

#include "engine/mechanisms/block_factors.h"
#include "engine/mechanisms/direct_rows.h"
#include "engine/mechanisms/energy_account.h"
#include "engine/mechanisms/lane_task.h"

namespace rigid {

// `fixed`: in memory of a fixed size, with only rigid rows, limits and motors, held by a body that
// does not move: the subset for small resident worlds (world_lanes.h).
template <int W, bool fixed = (W > 1)>
class DirectJoints {
 public:
  using Number = typename DirectWorlds<W>::Number;
  using Mask = typename DirectWorlds<W>::Mask;
  using Vector = typename DirectWorlds<W>::Vector;
  using Mass = typename DirectWorlds<W>::Mass;
  using State = typename DirectWorlds<W>::State;
  using Modes = typename DirectWorlds<W>::Modes;
  using Node = JointNode<W>;
  using AxialRow = AxialOf<W, fixed>;
  using Block = RowBlock<Number>;

 protected:
  // Called before a substep's forces act: notes the speeds for springs, and opens the account.
  void begin(State* states);
  // Finds the impulses that bring the velocities to rest against the joints and remove a share of
  // their errors, and applies them to the bodies.
  void solve(State* states, double servo_rate);
  // Finds the impulses and the active set.
  void solve_active_set(State* states, bool relaxing);
  // Removes the energy that the mechanism gained without work, with rows at the bodies' present
  // places.
  void keep_energy(State* states, const Body* bodies);
  // Whether a body that does not move holds the mechanism, and takes the momentum that it loses.
  bool is_held() const;
  // Reserves memory, once all nodes and bodies are known.
  void reserve(const BlockFactors* factors);

  // direct_factors.h
  void factor(double give_share = 1);
  void substitute();
  // The same for several right sides at once, by node, row and column.
  template <int columns>
  void substitute_columns(Number (*x)[most_rows][columns]) const;
  // Sets a row of a joint: its Jacobian, its coordinate and its error.
  void set_row(Node& node, int row, const Number* jacobian, Number coordinate, Number error);
  Number speed_along(const State* states, const Node& node, int row) const;
  // The worlds in which a row is active.
  Mask acts(const Node& node, int row) const;
  // Applies the impulses to the bodies and adds them to the sums of the step.
  void apply_impulses(State* states, Mask which);
  void add_totals();

  AxialRow& axial_of(const Node& node, int row) { return axial_[node.axial[row]]; }
  const AxialRow& axial_of(const Node& node, int row) const { return axial_[node.axial[row]]; }

  // Rows with give, which only a single world has (joint_system_springs.cpp).
  void set_across(AxialRow& row);
  void settle_spring(AxialRow& row);

  SystemStep step_;
  bool accounted_ = false;  // nothing else acts on the mechanism in this step
  bool factored_ = false;
  bool springs_ = false;                                 // some rows have give
  DirectList<fixed, Node, LaneTask::most_nodes> nodes_;  // in the order of elimination
  DirectList<fixed, AxialRow, LaneTask::most_axial> axial_;
  DirectList<fixed, int, LaneTask::most_bodies> bodies_;  // the bodies that move
  std::conditional_t<fixed, AccountOf<W, true>, EnergyAccount> account_;
  const BlockFactors* factors_ = nullptr;
  // The factors, with the inverse pivots of the nodes.
  DirectList<fixed, Block, LaneTask::most_below> below_;

 private:
  struct Velocity {
    single_number<W> vx, vy, omega;
  };

  template <int n>
  void invert(Node& node, const Block& pivot) const;
  void find_impulses(const State* states, bool relaxing);
  void give(State* states, AxialRow& row, Mask which);
  void stand(State* states, AxialRow& row, Modes mode, Mask which);
  void save_velocities(const State* states);
  void restore_velocities(State* states, Mask which) const;
  bool find_leaving(State* states, bool relaxing, Mask open);
  Number count_leaving(int revision);
  void keep_found(Mask which, bool all);
  Number work_of_motors(const State* states) const;
  Number give_back(State* states, Number excess, Mask which);

  // joint_system_springs.cpp
  Number soft_change(const AxialRow& row, const Node& node, Number speed) const;
  void start_spring(State* states, AxialRow& row);
  void start_pull(State* states, Node& node);
  void stand_soft(State* states, AxialRow& row, RowMode mode);
  bool leaves_soft(const State* states, AxialRow& row, bool relaxing) const;
  double squared_pull(const Node& node) const;
  bool leaves_pull(const Node& node) const;
  void ease_pull(Node& node);
  double tension_of(const Node& node) const;
  void remember_speeds(const State* states);
  Number gain_of_springs(const State* states) const;

  // Blocks below the diagonal, and their values before the division by the pivot.
  DirectList<fixed, Block, LaneTask::most_below> scaled_;
  DirectList<fixed, Block, LaneTask::most_nodes> diagonals_;
  DirectList<fixed, Velocity, LaneTask::most_bodies> saved_;
};

template <int W, bool fixed>
void DirectJoints<W, fixed>::reserve(const BlockFactors* factors) {
  factors_ = factors;
  below_.resize(factors ? factors->blocks_below() : 0);
  scaled_.resize(below_.size());
  diagonals_.resize(nodes_.size());
  saved_.resize(bodies_.size());
}

// Applies one impulse (x, y, turn) to a body.
template <class State, class Mass, class Number, class Mask>
RIGID_INLINE void push(State& state, const Mass& mass, const Number* impulse, Mask which) {
  state.vx = select(which, single(state.vx + mass.mass * impulse[0]), state.vx);
  state.vy = select(which, single(state.vy + mass.mass * impulse[1]), state.vy);
  state.omega = select(which, single(state.omega + mass.inertia * impulse[2]), state.omega);
}

template <int W, bool fixed>
RIGID_INLINE void DirectJoints<W, fixed>::set_row(Node& node, int row, const Number* jacobian,
                                                  Number coordinate, Number error) {
  for (int k = 0; k < 6; ++k) node.jacobian[row][k] = jacobian[k];
  if (node.axial[row] >= 0) axial_of(node, row).coordinate = coordinate;
  node.error[row] = error;
  node.scale[row] = row_product(jacobian, jacobian, node.mass_a, node.mass_b);
}

template <int W, bool fixed>
RIGID_INLINE auto DirectJoints<W, fixed>::speed_along(const State* states, const Node& node,
                                                      int row) const -> Number {
  const State &a = states[node.body_a], &b = states[node.body_b];
  const Number* j = node.jacobian[row];
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

template <int W, bool fixed>
RIGID_INLINE auto DirectJoints<W, fixed>::acts(const Node& node, int row) const -> Mask {
  return node.axial[row] < 0 ? !Mask{} : axial_of(node, row).on;
}

template <>
void DirectJoints<1>::set_across(AxialRow& row);
template <>
void DirectJoints<1>::settle_spring(AxialRow& row);
template <>
double DirectJoints<1>::soft_change(const AxialRow& row, const Node& node, double speed) const;
template <>
void DirectJoints<1>::start_spring(State* states, AxialRow& row);
template <>
void DirectJoints<1>::start_pull(State* states, Node& node);
template <>
void DirectJoints<1>::stand_soft(State* states, AxialRow& row, RowMode mode);
template <>
bool DirectJoints<1>::leaves_soft(const State* states, AxialRow& row, bool relaxing) const;
template <>
double DirectJoints<1>::squared_pull(const Node& node) const;
template <>
bool DirectJoints<1>::leaves_pull(const Node& node) const;
template <>
void DirectJoints<1>::ease_pull(Node& node);
template <>
double DirectJoints<1>::tension_of(const Node& node) const;
template <>
void DirectJoints<1>::remember_speeds(const State* states);
template <>
double DirectJoints<1>::gain_of_springs(const State* states) const;
// In joint_system_springs.cpp.
extern template class DirectJoints<1>;

}  // namespace rigid

#endif
