// SPDX-License-Identifier: MIT
// The rows of joints that are solved at once (direct_joints.h), in data: of one world, or of W
// worlds side by side, which agree in what they are.
#ifndef RIGID_ENGINE_MECHANISMS_DIRECT_ROWS_H
#define RIGID_ENGINE_MECHANISMS_DIRECT_ROWS_H

#include "engine/joints/joint.h"
#include "engine/mechanisms/direct_worlds.h"

namespace rigid {

// The values of a step that all rows of a mechanism share.
struct SystemStep {
  double h = 1, dt = 1, servo_rate = 1;
  double most_shift = 0, most_turn = 0;  // that a correction does in a substep
  bool corrects = true;  // errors of position; sequential_impulse may be told not to
  bool explicit_springs = true;
  bool loaded = false;  // something touches it
  double most_of(bool angular) const { return angular ? most_turn : most_shift; }
};

// A row of a limit or a motor.
template <class Number>
struct ActiveRow {
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

  bool is_like(const ActiveRow& other) const {
    return angular == other.angular && motor == other.motor && position == other.position &&
           lower == other.lower && upper == other.upper && equal == other.equal &&
           bounded == other.bounded && stops == other.stops && one_way == other.one_way;
  }
};

// What only a world alone has: rows with give, and motors that others push.
struct SoftRow {
  bool spare = false;   // a motor that did not give all it has in the last step
  bool across = false;  // a soft distance joint's: its pull turns with its direction
  // Of soft limits: which may push in this substep, and whether from its beginning on.
  struct Side {
    bool acts = false, ahead = false;
    double stretch = 0;
  } below, above;
  bool ahead = false;    // of the one that pushes
  bool limited = false;  // a motor, or a spring with a largest force
  // `known` is carry * (speed before) + pull * stretch.
  bool soft = false, implicit = false;
  double stiffness = 0, damping = 0;
  double drag = 0, carry = 0, known = 0;
};
struct RigidRow {};

// What makes a row of a mechanism more than an equation: a limit, a motor, a spring.
template <int W, bool fixed>
struct AxialOf : ActiveRow<number<W>>, std::conditional_t<fixed, RigidRow, SoftRow> {
  using Mask = typename DirectWorlds<W>::Mask;
  int node = 0, row = 0;
  typename DirectWorlds<W>::Modes mode = RowMode::idle, next = RowMode::idle;
  Mask on{}, factored{};  // part of the system, and of its factors
  Mask acted{};           // part of the system where relaxing began
  Mask leaves{};          // it goes to the next mode
  // A motor without a largest force: what it drives has the speed that it wants.
  bool endless = false;

  // A motor that keeps its bodies at rest against each other.
  bool brakes() const { return this->motor && !this->position && this->target == 0; }
  bool is_soft_limit() const { return this->soft && (this->lower || this->upper); }
};

template <class Number>
struct RowBlock {
  Number v[most_rows][most_rows];
};

// What a joint is in all worlds.
struct NodePlan {
  const JointType* type;
  int joint, body_a, body_b, rows;
  bool soft, moves_a, moves_b;
  int slot_a, slot_b;       // of the bodies among those of the mechanism, where they move
  int source[most_rows];    // which of the joint's rows
  int row_of[most_rows];    // of the joint's rows, or -1
  int axial[most_rows];     // of those of the mechanism, or -1: an equation and no more
  bool angular[most_rows];  // rows that are turns
};

// The rigid rows of a joint, or its soft ones.
template <int W>
struct JointNode : NodePlan {
  using Number = number<W>;
  typename DirectWorlds<W>::Mass mass_a, mass_b;
  typename DirectWorlds<W>::Vector offset;
  Number length;
  typename DirectWorlds<W>::Place start;  // at the step's start
  Number jacobian[most_rows][6];
  double turn[most_rows];  // torque on B of a row's impulse
  Number error[most_rows];
  Number scale[most_rows];  // diagonal of J M^-1 J^T
  Number give[most_rows];   // added to it
  Number x[most_rows];      // right side, then impulse
  Number found[most_rows];  // the impulse, of those of W worlds that have found it
  Number total[3];          // x, y, turn
  // Of a mouse whose pull would exceed its maximum: how many times as much it gives way for that,
  // and the same with the inverse of its pull when that was tried last.
  double slack, tried_slack, tried_inverse;
  RowBlock<Number> inverse;  // of the pivot
};

using SystemNode = JointNode<1>;
using Axial = AxialOf<1, false>;

}  // namespace rigid

#endif
