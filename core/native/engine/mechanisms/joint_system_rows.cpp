// SPDX-License-Identifier: MIT
// The rows of a mechanism: which they are, where they stand, how much they give.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/constants.h"
#include "engine/mechanisms/joint_system.h"

namespace rigid {

namespace {

double inverse_or_zero(double k) { return k > 0 ? 1 / k : 0; }

void add_row(SystemNode& node, int source, bool motor, bool limits) {
  const int row = node.rows++;
  node.source[row] = source;
  Axial& axial = node.axial[row];
  axial.present = motor || limits || node.soft;
  axial.motor = motor;
  axial.lower = axial.upper = limits;  // which of them there are is seen in set_axial
  axial.soft = node.soft;
  node.angular[row] = node.type->angular[source];
  axial.angular = node.angular[row];
}

void plan_rigid_rows(const Joint& joint, SystemNode& node) {
  const bool motor = has_hard_motor(joint), limits = has_hard_limits(joint);
  const JointType& type = *node.type;
  if (type.spring_rows > 1) {  // all of them, or none
    for (int i = 0; i < type.spring_rows; ++i) add_row(node, i, false, false);
    return;
  }
  for (int i = 0; i < type.held_rows; ++i) add_row(node, i, false, false);
  if (type.motor_row != type.coordinate_row) {
    if (motor) add_row(node, type.motor_row, true, false);
    if (limits) add_row(node, type.coordinate_row, false, true);
  } else if (motor || limits || type.held_rows == 0) {
    add_row(node, type.coordinate_row, motor && !is_rod(joint), limits && !is_rod(joint));
  }
}

void plan_soft_rows(const Joint& joint, SystemNode& node) {
  const JointType& type = *node.type;
  if (type.spring_rows > 1) {
    for (int i = 0; i < type.spring_rows; ++i) add_row(node, i, false, false);
    return;
  }
  if (joint.spring.kind != 0) add_row(node, type.coordinate_row, false, false);
  if (has_soft_motor(joint)) add_row(node, type.motor_row, true, false);
  if (has_soft_limits(joint)) add_row(node, type.coordinate_row, false, true);
  if (type.between_anchors && node.rows < most_rows) {
    node.axial[node.rows].across = true;
    add_row(node, 1, false, false);
  }
}

// The force that pulls the ends of a soft distance joint together.
double tension_of(const SystemNode& node) {
  double tension = 0;
  for (int i = 0; i < node.rows; ++i) {
    const Axial& axial = node.axial[i];
    if (axial.across) continue;
    double stretch = axial.coordinate - axial.target;
    if (axial.lower || axial.upper) {
      stretch = axial.upper ? std::max(axial.coordinate - axial.upper_at, 0.0) : 0.0;
    }
    tension += axial.stiffness * stretch;
  }
  return tension;
}

}  // namespace

// A pull turns with its direction, as if a spring held the ends across it; one without length pulls
// alike in all directions.
void SystemRows::set_across(SystemNode& node, int row) {
  const Axial& along = node.axial[0];
  const double length = along.coordinate, rest = along.target;
  double stiffness = rest == 0 ? along.stiffness : 0;
  if (length > 1e-9 * std::fabs(rest)) stiffness = std::max(tension_of(node) / length, 0.0);
  node.axial[row].stiffness = stiffness;
}

void SystemRows::plan_rows(const Joint& joint, SystemNode& node) {
  if (node.soft) {
    plan_soft_rows(joint, node);
  } else {
    plan_rigid_rows(joint, node);
  }
}

void SystemRows::set_axial(const Joint& joint, Axial& axial) const {
  const JointType& type = type_of(joint);
  const JointRange range = type.range(joint);
  const bool limits = axial.lower || axial.upper;
  axial.position = joint.motor == MotorKind::position;
  axial.target = axial.motor ? joint.motor_target : 0;
  const bool sprung = axial.soft && !axial.motor && !limits && !type.pulls;
  axial.limited = axial.motor || (sprung && std::isfinite(joint.spring_maximum));
  axial.maximum =
      static_cast<double>(sprung ? joint.spring_maximum : joint.motor_maximum) * step_.h;
  axial.bounded = std::isfinite(axial.maximum);
  axial.stops = axial.motor && (joint.motor_stops || !axial.bounded);
  axial.one_way = axial.motor && joint.motor_never_brakes;
  axial.lowest = axial.one_way && !(joint.motor_target < 0) ? 0 : -axial.maximum;
  axial.highest = axial.one_way && !(joint.motor_target > 0) ? 0 : axial.maximum;
  axial.approach = axial.motor && !axial.soft ? approach_of(joint) : 0;
  axial.fastest = joint.motor_fastest;
  const double all = axial.maximum / step_.h * step_.dt;
  axial.spare = axial.motor && !axial.one_way && !axial.soft &&
                std::fabs(joint.motor_total) < constants::spare_share * all;
  axial.lower_at = range.lower;
  axial.upper_at = range.upper;
  axial.lower = limits && range.lower > type.no_lower;
  axial.upper = limits && range.upper < no_limit;
  axial.equal = !axial.soft && axial.lower && axial.upper && axial.lower_at >= axial.upper_at;
}

// Stiffness and damping of a soft row.
void SystemRows::set_spring(const KernelContext& context, const Joint& joint, SystemNode& node,
                            int row) const {
  Axial& axial = node.axial[row];
  if (axial.across) return;  // see set_across
  // Not of the masses that a pull lends them: a stiffness that grew with these would pull harder
  // yet.
  const InverseMass a = context.own_masses[node.body_a], b = context.own_masses[node.body_b];
  const double linear = inverse_or_zero(static_cast<double>(a.mass) + b.mass);
  const double turning = inverse_or_zero(static_cast<double>(a.inertia) + b.inertia);
  SoftPart part = node.angular[row] ? SoftPart::turning : SoftPart::along;
  if (axial.motor) {
    part = SoftPart::motor;
  } else if (axial.lower || axial.upper) {
    part = SoftPart::limits;
  } else if (node.type->by_length) {
    axial.target = joint.length;
  }
  const Stiffness given = stiffness_of(joint, part, *context.parameters, linear, turning);
  axial.stiffness = given.stiffness;
  axial.damping = given.damping;
}

void SystemRows::prepare_node(SystemNode& node, const KernelContext& context) {
  const Joint& joint = context.joints[node.joint];
  const Body &a = context.bodies[node.body_a], &b = context.bodies[node.body_b];
  node.mass_a = context.masses[node.body_a];
  node.mass_b = context.masses[node.body_b];
  auto turn = [this](bool moves, int slot, double angle) {
    if (moves) return turns_[slot];
    const bool level = angle == 0 && !std::signbit(angle);  // as the world is
    return level ? SineCosine{0, 1} : sine_cosine(angle);
  };
  node.start = joint_place(joint, a, b, turn(node.moves_a, node.slot_a, a.angle),
                           turn(node.moves_b, node.slot_b, b.angle));
  // An angle gives no more than that of a rod from its middle to the anchor, however small the
  // moments of inertia are.
  auto squared = [](Double2 v) { return dot(v, v); };
  const double arm = std::max(node.moves_a ? squared(node.start.anchor_a) : 0.0,
                              node.moves_b ? squared(node.start.anchor_b) : 0.0);
  double turning = least_.inertia;
  if (arm > 0 && least_.mass > 0) turning = std::min(turning, 3 * least_.mass / arm);
  const double give = context.parameters->joint_give;
  const int movers = (node.moves_a ? 1 : 0) + (node.moves_b ? 1 : 0);
  for (int i = 0; i < node.rows; ++i) {
    node.give[i] = give * movers * (node.angular[i] ? turning : least_.mass);
  }
  node.offset = {b.center_x - a.center_x, b.center_y - a.center_y};
  node.length = joint.min_length;
  for (double& total : node.total) total = 0;
  for (int i = 0; i < node.rows; ++i) {
    if (node.axial[i].present) set_axial(joint, node.axial[i]);
    if (node.soft) set_spring(context, joint, node, i);
  }
}

void JointSystem::prepare(const KernelContext& context, const std::vector<uint8_t>& touched) {
  step_.loaded = false;
  for (int body : bodies_) step_.loaded = step_.loaded || touched[body] != 0;
  step_.h = context.parameters->h;
  step_.dt = context.parameters->dt;
  overloaded_ = false;
  step_.most_shift = context.parameters->push_speed * step_.h;
  step_.most_turn = context.parameters->turn_speed * step_.h;
  step_.explicit_springs = context.parameters->explicit_springs;
  step_.corrects = context.parameters->joint.bias_rate > 0.0f;
  step_.servo_rate = context.parameters->servo_rate;
  driven_ = false;
  least_ = {0, 0};
  turns_.clear();
  for (int body : bodies_) {
    turns_.push_back(sine_cosine(context.bodies[body].angle));
    const InverseMass mass = context.masses[body];
    if (mass.mass > 0 && !(least_.mass > 0 && least_.mass < mass.mass)) least_.mass = mass.mass;
    if (mass.inertia > 0 && !(least_.inertia > 0 && least_.inertia < mass.inertia)) {
      least_.inertia = mass.inertia;
    }
  }
  for (SystemNode& node : nodes_) {
    prepare_node(node, context);
    node.slack = 1;
  }
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    axial.mode = Stair::idle;
    axial.sum = axial.earlier = axial.given = axial.applied = 0;
    driven_ = driven_ || axial.is_endless();
  }
  settled_ = false;
  account_.begin_step();
  // What touches it, and what it hangs on while that moves, gives it energy and takes some.
  accounted_ = !step_.loaded;
  for (const SystemNode& node : nodes_) {
    auto moves = [&context](int body) {
      const BodyState& s = context.states[body];
      return s.vx != 0.0f || s.vy != 0.0f || s.omega != 0.0f;
    };
    if (!node.moves_a && moves(node.body_a)) accounted_ = false;
    if (!node.moves_b && moves(node.body_b)) accounted_ = false;
  }
  if (accounted_) account_.weigh(context);
}

// Jacobian and error of a joint where its bodies are now.
void SystemRows::locate_node(SystemNode& node, const KernelContext& context) {
  const BodyState &a = context.states[node.body_a], &b = context.states[node.body_b];
  JointRows rows;
  node.type->find_rows(context.joints[node.joint],
                       moved_place(*node.type, node.start, node.offset, a, b), rows);
  for (int i = 0; i < node.rows; ++i) {
    const int source = node.source[i];
    std::copy(rows.jacobian[source], rows.jacobian[source] + 6, node.jacobian[i]);
    node.turn[i] = rows.turn[source];
    node.axial[i].coordinate = rows.coordinate[source];
    node.error[i] = rows.coordinate[source] - (node.type->by_length ? node.length : 0);
    const double* j = node.jacobian[i];
    node.scale[i] = row_product(j, j, node.mass_a, node.mass_b);
  }
}

void JointSystem::locate(const KernelContext& context) {
  for (SystemNode& node : nodes_) locate_node(node, context);
  if (!settled_) settle_springs();
  settled_ = true;
  factored_ = false;
  firm_ = false;
  for (AxialRow at : axial_) firm_ = firm_ || stands_firm(axial_of(at));
}

// The drag of a spring, and what of its damping speaks of the speed before.
void SystemRows::settle_spring(SystemNode& node, int row) const {
  Axial& axial = node.axial[row];
  const double c = step_.h * axial.damping;
  if (axial.implicit) {
    axial.carry = 0;
    axial.drag = (axial.ahead ? 0 : c) + step_.h * step_.h * axial.stiffness;
  } else {
    // 1 / (1 - e^-y) - 1 / y
    double share = std::min(1.0, 0.5 + c * node.scale[row] / 12);
    axial.carry = c * (1 - share);
    axial.drag = c * share;
  }
  // A pull without a direction has none of its inverse mass now, but may in the next substep.
  const double linear = static_cast<double>(node.mass_a.mass) + node.mass_b.mass;
  const double inverse = node.type->between_anchors ? linear : node.scale[row];
  if (!(axial.drag * inverse > constants::least_drag)) axial.drag = 0;
  node.give[row] = axial.drag > 0 ? 1 / axial.drag : 0;
}

// How springs are stepped in the coming step, by the fastest that bodies between them can swing.
// Not in the midst of it: an impulse is relaxed with the drag that it was found with.
void SystemRows::settle_springs() {
  if (springs_.empty()) return;
  for (AxialRow at : springs_) {
    if (axial_of(at).across) set_across(nodes_[at.node], at.row);
  }
  spring_rates_.assign(bodies_.size(), 0);
  for (AxialRow at : springs_) {
    const SystemNode& node = nodes_[at.node];
    const double *j = node.jacobian[at.row], stiffness = axial_of(at).stiffness;
    if (node.moves_a) {
      spring_rates_[node.slot_a] +=
          stiffness * body_product(j, j, node.mass_a.mass, node.mass_a.inertia);
    }
    if (node.moves_b) {
      spring_rates_[node.slot_b] +=
          stiffness * body_product(j + 3, j + 3, node.mass_b.mass, node.mass_b.inertia);
    }
  }
  for (AxialRow at : springs_) {
    SystemNode& node = nodes_[at.node];
    double rate = (node.moves_a ? spring_rates_[node.slot_a] : 0) +
                  (node.moves_b ? spring_rates_[node.slot_b] : 0);
    axial_of(at).implicit = !step_.explicit_springs || step_.h * step_.h * rate > slowest_implicit;
    settle_spring(node, at.row);
  }
}

}  // namespace rigid
