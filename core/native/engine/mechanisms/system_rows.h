// SPDX-License-Identifier: MIT
// The rows of a mechanism (joint_system.h), in data.
#ifndef RIGID_ENGINE_MECHANISMS_SYSTEM_ROWS_H
#define RIGID_ENGINE_MECHANISMS_SYSTEM_ROWS_H

#include <algorithm>
#include <vector>

#include "engine/bodies/body.h"
#include "engine/joints/joint.h"
#include "engine/joints/numbers.h"
#include "engine/solvers/kernels.h"

namespace rigid {

// What all rows of a mechanism share in a step.
struct SystemStep {
  double h = 1, dt = 1, servo_rate = 1;
  double most_shift = 0, most_turn = 0;  // that a correction does in a substep
  bool corrects = true;  // errors of position; sequential_impulse may be told not to
  bool explicit_springs = true;
  bool loaded = false;  // something touches it
  double most_of(bool angular) const { return angular ? most_turn : most_shift; }
};

// The stairs, by rising impulse; `idle` is the tread of a row without a motor.
enum class Stair : uint8_t { idle, push_upper, least, drive, most, push_lower, hold };

// A row of a limit or a motor: one, or those of W worlds side by side, which agree in what they
// are.
template <class Number>
struct StairRow {
  bool angular = false;
  bool motor = false, position = false, lower = false, upper = false, equal = false;
  bool bounded = true;   // a motor with a largest force
  bool stops = false;    // a motor that presses on no limit
  bool one_way = false;  // a motor that never brakes
  Number target = 0, lower_at = 0, upper_at = 0;
  Number maximum = 0, lowest = 0, highest = 0;  // impulse of a motor, or of a limited spring
  Number heading = 0;   // of a motor by position: the speed that it set out with
  Number fastest = 0;   // likewise: its greatest speed; 0: that of corrections
  Number approach = 0;  // of a motor by position: most speed squared, by distance; 0: any
  Number coordinate = 0, coordinate_before = 0;  // before: where the substep began
  Number speed_before = 0;
  Number given = 0, applied = 0;  // an impulse that is not solved for, and what bodies have of it
  Number sum = 0;                 // impulse of the substep so far
  Number earlier = 0;             // of a motor: what it gave in the step before that

  bool is_like(const StairRow& other) const {
    return angular == other.angular && motor == other.motor && position == other.position &&
           lower == other.lower && upper == other.upper && equal == other.equal &&
           bounded == other.bounded && stops == other.stops && one_way == other.one_way;
  }
};

// What makes a row of one mechanism more than an equation: a limit, a motor, a spring.
struct Axial : StairRow<double> {
  bool present = false;
  Stair mode = Stair::idle;
  bool on = false, factored = false;  // part of the system, and of its factors
  bool acted = false;                 // part of the system where relaxing began
  bool spare = false;                 // a motor that did not give all it has in the last step
  bool across = false;                // a soft distance joint's: its pull turns with its direction
  // Of soft limits: which may push in this substep, and whether from its beginning on.
  struct Side {
    bool acts = false, ahead = false;
    double stretch = 0;
  } below, above;
  bool ahead = false;    // of the one that pushes
  bool limited = false;  // a motor, or a spring with a largest force
  // Of rows with give. `known` is carry * (speed before) + pull * stretch.
  bool soft = false, implicit = false;
  double stiffness = 0, damping = 0;
  double drag = 0, carry = 0, known = 0;

  // A motor that keeps its bodies at rest against each other.
  bool brakes() const { return motor && !position && target == 0; }
  bool is_soft_limit() const { return soft && (lower || upper); }
  bool is_like(const Axial& other) const {
    return present == other.present && StairRow::is_like(other);
  }
  // A motor without a largest force: what it drives has the speed that it wants.
  bool is_endless() const { return motor && !soft && !one_way && !bounded; }
};

struct RowBlock {
  double v[most_rows][most_rows];
};

// The rigid rows of a joint, or its soft ones.
struct SystemNode {
  const JointType* type;
  int joint, body_a, body_b, rows;
  bool soft, moves_a, moves_b;
  InverseMass mass_a, mass_b;
  int slot_a, slot_b;  // of the bodies among those of the mechanism, where they move
  Double2 offset;
  double length;
  JointPlace start;       // at the step's start
  int source[most_rows];  // which of the joint's rows
  double jacobian[most_rows][6];
  double turn[most_rows];  // torque on B of a row's impulse
  double error[most_rows];
  double scale[most_rows];  // diagonal of J M^-1 J^T
  double give[most_rows];   // added to it
  double x[most_rows];      // right side, then impulse
  double total[3];          // x, y, turn
  // Of a mouse whose pull would exceed its maximum: how many times as much it gives way for that,
  // and the same with the inverse of its pull when that was tried last.
  double slack, tried_slack, tried_inverse;
  RowBlock inverse;         // of the pivot
  bool angular[most_rows];  // rows that are turns
  Axial axial[most_rows];
};

struct AxialRow {
  int node, row;
};

// The rows of all joints of a mechanism, and what is asked of them and done with their impulses.
class SystemRows {
 protected:
  // Of a body in bodies_.
  int slot_of(int body) const {
    return static_cast<int>(std::lower_bound(bodies_.begin(), bodies_.end(), body) -
                            bodies_.begin());
  }
  Axial& axial_of(AxialRow at) { return nodes_[at.node].axial[at.row]; }
  // Which rows of a joint its node has: those without give, or those with it.
  static void plan_rows(const Joint& joint, SystemNode& node);
  // Once a step.
  void prepare_node(SystemNode& node, const KernelContext& context);
  void set_axial(const Joint& joint, Axial& axial) const;
  void set_spring(const KernelContext& context, const Joint& joint, SystemNode& node,
                  int row) const;
  // At the bodies' present places.
  void locate_node(SystemNode& node, const KernelContext& context);
  void settle_springs();
  void settle_spring(SystemNode& node, int row) const;
  static void set_across(SystemNode& node, int row);

  double speed_along(const KernelContext& context, const SystemNode& node, int row) const;
  // How much a row's impulse has to change its speed, were it to act.
  double wanted_change(const KernelContext& context, const SystemNode& node, int row,
                       bool relaxing) const;
  // The impulses found, onto the bodies, and into the sums of the step.
  void apply_impulses(const KernelContext& context);
  void add_totals();
  // Brings what the bodies have of a given impulse up to date.
  void give(const KernelContext& context, AxialRow at);
  // Whether a limit, or a motor with strength to spare, holds a row for now.
  bool stands_firm(const Axial& axial) const;
  void ask_answer(int body, InverseMass mass, int column);
  void add_answer(int body, InverseMass mass, double change[3]) const;
  InverseMass heaviest() const { return least_; }
  bool is_overloaded(const KernelContext& context, const SystemNode& node, int row) const;

  // joint_system_energy.cpp
  double gain_of_springs(const KernelContext& context) const;
  double work_of_motors(const KernelContext& context) const;
  bool is_held() const;

  SystemStep step_;
  InverseMass least_{0, 0};        // of the heaviest body
  std::vector<SystemNode> nodes_;  // in the order of elimination
  std::vector<int> bodies_;        // that move
  std::vector<SineCosine> turns_;  // of these, at the step's start
  std::vector<AxialRow> axial_;
  std::vector<AxialRow> springs_;     // those of axial_ with give
  std::vector<double> spring_rates_;  // of each of bodies_, 1/time^2
};

}  // namespace rigid

#endif
