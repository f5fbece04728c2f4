// SPDX-License-Identifier: MIT
// The data of the rows of directly solved joints (direct_joints.h), of one world or of W worlds
// side by side with equal structure.
#ifndef RIGID_ENGINE_MECHANISMS_DIRECT_ROWS_H
#define RIGID_ENGINE_MECHANISMS_DIRECT_ROWS_H

#include "engine/joints/joint.h"
#include "engine/mechanisms/direct_worlds.h"

namespace rigid {

// The values of a step that all rows of a mechanism share.
struct SystemStep {
  double h = 1, dt = 1, servo_rate = 1;
  double most_shift = 0, most_turn = 0;  // of a correction in a substep
  bool corrects = true;  // corrects errors of position; off by an option of sequential_impulse
  bool explicit_springs = true;
  bool touched = false;  // a body has contacts
  double most_of(bool angular) const { return angular ? most_turn : most_shift; }
};

// A row of a limit or a motor.
template <class Number>
struct ActiveRow {
  bool angular = false;
  bool motor = false, position = false, lower = false, upper = false, equal = false;
  bool bounded = true;   // a motor with a largest force
  bool stops = false;    // a motor that presses on no limit
  bool one_way = false;  // a motor that does not push both ways
  Number target = 0, lower_at = 0, upper_at = 0;
  Number maximum = 0, lowest = 0, highest = 0;  // bounds of the impulse of a motor, or of a spring
                                                // with a maximum
  Number heading = 0;   // of a servo motor: its speed when the substep began
  Number fastest = 0;   // of a servo motor: its greatest speed; 0: that of corrections
  Number approach = 0;  // of a servo motor: largest speed squared, per distance; 0: any
  Number coordinate = 0, coordinate_before = 0;  // before: at the start of the substep
  Number speed_before = 0;
  Number given = 0, applied = 0;  // a known impulse, and its part that the bodies have received
  Number sum = 0;                 // impulse of the substep so far
  Number earlier = 0;             // of a motor: its impulse in the step before

  bool is_like(const ActiveRow& other) const {
    return angular == other.angular && motor == other.motor && position == other.position &&
           lower == other.lower && upper == other.upper && equal == other.equal &&
           bounded == other.bounded && stops == other.stops && one_way == other.one_way;
  }
};

// Members for single worlds only: rows with give, and the reserve of motors.
struct SoftRow {
  bool spare = false;   // a motor that stayed below its maximum in the last step
  bool across = false;  // a soft distance joint's: its pull turns with its direction
  // Of soft limits: which may push in this substep, and whether from its beginning.
  struct Side {
    bool acts = false, ahead = false;
    double stretch = 0;
  } below, above;
  bool ahead = false;    // of the side that pushes
  bool limited = false;  // a motor, or a spring with a largest force
  // `known` is carry * (speed before) + pull * stretch.
  bool soft = false, implicit = false;
  double stiffness = 0, damping = 0;
  double drag = 0, carry = 0, known = 0;
};
struct RigidRow {};

// A row of a mechanism with modes: a limit, a motor, a spring.
template <int W, bool fixed>
struct AxialOf : ActiveRow<number<W>>, std::conditional_t<fixed, RigidRow, SoftRow> {
  using Mask = typename DirectWorlds<W>::Mask;
  int node = 0, row = 0;
  typename DirectWorlds<W>::Modes mode = RowMode::idle, next = RowMode::idle;
  Mask on{}, factored{};  // part of the system, and of its factors
  Mask acted{};           // part of the system where relaxing began
  Mask leaves{};          // it changes to the next mode
  // A motor without a maximum: driven bodies have exactly its target speed.
  bool endless = false;

  // A motor that holds its bodies at rest against each other.
  bool brakes() const { return this->motor && !this->position && this->target == 0; }
  bool is_soft_limit() const { return this->soft && (this->lower || this->upper); }
};

template <class Number>
struct RowBlock {
  Number v[most_rows][most_rows];
};

// The structure of a joint, equal in all worlds.
struct NodePlan {
  const JointType* type;
  int joint, body_a, body_b, rows;
  bool soft, moves_a, moves_b;
  int slot_a, slot_b;       // places of the bodies in the list of the mechanism, if they move
  int source[most_rows];    // the row of the joint
  int row_of[most_rows];    // by row of the joint, or -1
  int axial[most_rows];     // index among the axial rows of the mechanism, or -1 for a plain
                            // equation
  bool angular[most_rows];  // rows of angles
};

// The rigid rows of a joint, or its soft rows.
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
  Number found[most_rows];  // the impulse, of those of W worlds that have converged
  Number total[3];          // x, y, turn
  // Of a mouse whose pull would exceed its maximum: the factor by which it gives way more, and the
  // factor tried last with the inverse of the pull that it gave.
  double slack, tried_slack, tried_inverse;
  RowBlock<Number> inverse;  // of the pivot
};

using SystemNode = JointNode<1>;
using Axial = AxialOf<1, false>;

}  // namespace rigid

#endif
