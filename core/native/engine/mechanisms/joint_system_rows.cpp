// SPDX-License-Identifier: MIT
// The rows of a mechanism: selection, location, and stiffness.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/data/constants.h"
#include "engine/mechanisms/joint_system.h"
#include "engine/mechanisms/step_formulas.h"

namespace rigid {

namespace {

// The rows of a joint, one after another.
struct RowPlan {
  SystemNode& node;
  int place;  // of the node
  std::vector<Axial>& axial;

  void add(int source, bool motor, bool limits, bool across = false) {
    const int row = node.rows++;
    node.source[row] = source;
    node.row_of[source] = row;
    node.angular[row] = node.type->angular[source];
    node.axial[row] = -1;
    if (!motor && !limits && !node.soft) return;
    node.axial[row] = static_cast<int>(axial.size());
    Axial& added = axial.emplace_back();
    added.node = place;
    added.row = row;
    added.motor = motor;
    added.lower = added.upper = limits;  // set_axial decides which of them exist
    added.soft = node.soft;
    added.across = across;
    added.angular = node.angular[row];
  }
};

void plan_rigid_rows(const Joint& joint, RowPlan& rows) {
  const bool motor = has_hard_motor(joint), limits = has_hard_limits(joint);
  const JointType& type = *rows.node.type;
  if (type.spring_rows > 1) {  // all rows, or none
    for (int i = 0; i < type.spring_rows; ++i) rows.add(i, false, false);
    return;
  }
  for (int i = 0; i < type.held_rows; ++i) rows.add(i, false, false);
  if (type.motor_row != type.coordinate_row) {
    if (motor) rows.add(type.motor_row, true, false);
    if (limits) rows.add(type.coordinate_row, false, true);
  } else if (motor || limits || type.held_rows == 0) {
    rows.add(type.coordinate_row, motor && !is_rod(joint), limits && !is_rod(joint));
  }
}

void plan_soft_rows(const Joint& joint, RowPlan& rows) {
  const JointType& type = *rows.node.type;
  if (type.spring_rows > 1) {
    for (int i = 0; i < type.spring_rows; ++i) rows.add(i, false, false);
    return;
  }
  if (joint.spring.kind != 0) rows.add(type.coordinate_row, false, false);
  if (has_soft_motor(joint)) rows.add(type.motor_row, true, false);
  if (has_soft_limits(joint)) rows.add(type.coordinate_row, false, true);
  if (type.between_anchors && rows.node.rows < most_rows) rows.add(1, false, false, true);
}

}  // namespace

void SystemRows::plan_rows(const Joint& joint, SystemNode& node) {
  for (int& row : node.row_of) row = -1;
  RowPlan rows{node, static_cast<int>(nodes_.size()), axial_};
  if (node.soft) {
    plan_soft_rows(joint, rows);
  } else {
    plan_rigid_rows(joint, rows);
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
  axial.one_way = axial.motor && joint.motor_side != MotorSide::both;
  axial.lowest = axial.one_way && !may_push_down(joint) ? 0 : -axial.maximum;
  axial.highest = axial.one_way && !may_push_up(joint) ? 0 : axial.maximum;
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
  axial.endless = axial.motor && !axial.soft && !axial.one_way && !axial.bounded;
}

// Stiffness and damping of a soft row.
void SystemRows::set_spring(const KernelContext& context, const Joint& joint,
                            const SystemNode& node, Axial& axial) const {
  if (axial.across) return;  // set by set_across
  // By the bodies' own masses, not by those with added inertia: a stiffness that grew with these
  // would pull still harder.
  const InverseMass a = context.own_inverse_masses[node.body_a],
                    b = context.own_inverse_masses[node.body_b];
  const double linear = inverse_or_zero(static_cast<double>(a.mass) + b.mass);
  const double turning = inverse_or_zero(static_cast<double>(a.inertia) + b.inertia);
  SoftPart part = axial.angular ? SoftPart::turning : SoftPart::along;
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
  node.mass_a = context.inverse_masses[node.body_a];
  node.mass_b = context.inverse_masses[node.body_b];
  auto turn = [this](bool moves, int slot, double angle) {
    if (moves) return turns_[slot];
    const bool level = angle == 0 && !std::signbit(angle);  // like the world's axes
    return level ? SineCosine{0, 1} : sine_cosine(angle);
  };
  node.start = joint_place(joint, a, b, turn(node.moves_a, node.slot_a, a.angle),
                           turn(node.moves_b, node.slot_b, b.angle));
  auto squared = [](Double2 v) { return dot(v, v); };
  const double arm = std::max(node.moves_a ? squared(node.start.anchor_a) : 0.0,
                              node.moves_b ? squared(node.start.anchor_b) : 0.0);
  const double turning = turning_give<double>(arm, least_.mass, least_.inertia, 3 * least_.mass);
  const double give = context.parameters->joint_give;
  const int movers = (node.moves_a ? 1 : 0) + (node.moves_b ? 1 : 0);
  for (int i = 0; i < node.rows; ++i) {
    node.give[i] = give * movers * (node.angular[i] ? turning : least_.mass);
  }
  node.offset = {b.center_x - a.center_x, b.center_y - a.center_y};
  node.length = joint.min_length;
  for (double& total : node.total) total = 0;
  for (int i = 0; i < node.rows; ++i) {
    if (node.axial[i] < 0) continue;
    set_axial(joint, axial_of(node, i));
    if (node.soft) set_spring(context, joint, node, axial_of(node, i));
  }
}

void JointSystem::prepare(const KernelContext& context, const std::vector<uint8_t>& touched) {
  step_.touched = false;
  for (int body : bodies_) step_.touched = step_.touched || touched[body] != 0;
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
    const InverseMass mass = context.inverse_masses[body];
    if (mass.mass > 0 && !(least_.mass > 0 && least_.mass < mass.mass)) least_.mass = mass.mass;
    if (mass.inertia > 0 && !(least_.inertia > 0 && least_.inertia < mass.inertia)) {
      least_.inertia = mass.inertia;
    }
  }
  for (SystemNode& node : nodes_) {
    prepare_node(node, context);
    node.slack = 1;
  }
  for (Axial& axial : axial_) {
    axial.mode = RowMode::idle;
    axial.sum = axial.earlier = axial.given = axial.applied = 0;
    driven_ = driven_ || axial.endless;
  }
  settled_ = held_ = others_.known = false;
  account_.begin_step();
  // Contacts, and a moving body that it hangs on, add and remove energy.
  accounted_ = !step_.touched;
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

// Sets the Jacobian and error of a joint at the bodies' present places.
void SystemRows::locate_node(SystemNode& node, const KernelContext& context) {
  const BodyState &a = context.states[node.body_a], &b = context.states[node.body_b];
  JointRows rows;
  node.type->find_rows(context.joints[node.joint],
                       moved_place(*node.type, node.start, node.offset, a, b), rows);
  const double from = node.type->by_length ? node.length : 0;
  for (int i = 0; i < node.rows; ++i) {
    const int source = node.source[i];
    const double at = rows.coordinate[source];
    set_row(node, i, rows.jacobian[source], at, at - from);
    node.turn[i] = rows.turn[source];
  }
}

void JointSystem::locate(const KernelContext& context) {
  for (SystemNode& node : nodes_) locate_node(node, context);
  if (!settled_) settle_springs();
  settled_ = true;
  factored_ = held_ = others_.known = false;
  firm_ = false;
  for (const Axial& axial : axial_) firm_ = firm_ || stands_firm(axial);
}

// Selects how springs are stepped in the coming step, by the fastest swing of the bodies between
// them. Not within a step: an impulse is relaxed with the drag that it was found with.
void SystemRows::settle_springs() {
  if (!springs_) return;
  for (Axial& axial : axial_) {
    if (axial.across) set_across(axial);
  }
  spring_rates_.assign(bodies_.size(), 0);
  for (const Axial& axial : axial_) {
    if (!axial.soft) continue;
    const SystemNode& node = nodes_[axial.node];
    const double *j = node.jacobian[axial.row], stiffness = axial.stiffness;
    if (node.moves_a) {
      spring_rates_[node.slot_a] +=
          stiffness * body_product(j, j, node.mass_a.mass, node.mass_a.inertia);
    }
    if (node.moves_b) {
      spring_rates_[node.slot_b] +=
          stiffness * body_product(j + 3, j + 3, node.mass_b.mass, node.mass_b.inertia);
    }
  }
  for (Axial& axial : axial_) {
    if (!axial.soft) continue;
    const SystemNode& node = nodes_[axial.node];
    double rate = (node.moves_a ? spring_rates_[node.slot_a] : 0) +
                  (node.moves_b ? spring_rates_[node.slot_b] : 0);
    axial.implicit = !step_.explicit_springs || step_.h * step_.h * rate > slowest_implicit;
    settle_spring(axial);
  }
}

}  // namespace rigid
