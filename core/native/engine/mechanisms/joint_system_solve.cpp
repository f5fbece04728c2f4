// SPDX-License-Identifier: MIT
// Which limits and motors of a mechanism act, and the impulses of a substep.
#include <algorithm>
#include <cmath>

#include "engine/constants.h"
#include "engine/mechanisms/joint_system.h"
#include "engine/mechanisms/stairs.h"

namespace rigid {

namespace {
void push(BodyState& state, InverseMass mass, const double* impulse) {
  state.vx = static_cast<float>(state.vx + mass.mass * impulse[0]);
  state.vy = static_cast<float>(state.vy + mass.mass * impulse[1]);
  state.omega = static_cast<float>(state.omega + mass.inertia * impulse[2]);
}

}  // namespace

double SystemRows::speed_along(const KernelContext& context, const SystemNode& node,
                               int row) const {
  const BodyState &a = context.states[node.body_a], &b = context.states[node.body_b];
  const double* j = node.jacobian[row];
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

// How much a row's impulse has to change its speed, were it to act.
double SystemRows::wanted_change(const KernelContext& context, const SystemNode& node, int row,
                                 bool relaxing) const {
  const Axial& axial = node.axial[row];
  const double speed = speed_along(context, node, row);
  if (axial.soft) {
    const double slack = node.type->pulls ? node.slack : 1;
    return -(speed + (axial.known + slack * (axial.sum + axial.applied)) / axial.drag);
  }
  double wanted = 0;
  if (axial.present) {
    wanted = wanted_speed(axial, axial.mode, step_, node.error[row], relaxing);
  } else if (!relaxing) {
    wanted = correcting_speed(step_, node.error[row], node.angular[row]);
  }
  return wanted - speed;
}

void JointSystem::find_impulses(const KernelContext& context, bool relaxing) {
  for (SystemNode& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      bool acts = !node.axial[i].present || node.axial[i].on;
      node.x[i] = acts ? wanted_change(context, node, i, relaxing) : 0;
    }
  }
  factors_.substitute(nodes_);
}

// The impulses found, onto the bodies.
void SystemRows::apply_impulses(const KernelContext& context) {
  auto apply = [&context](const SystemNode& node, int body, InverseMass mass, int column) {
    double j[3] = {};
    for (int i = 0; i < node.rows; ++i) {
      for (int k = 0; k < 3; ++k) j[k] += node.x[i] * node.jacobian[i][column + k];
    }
    push(context.states[body], mass, j);
  };
  for (const SystemNode& node : nodes_) {
    if (node.moves_a) apply(node, node.body_a, node.mass_a, 0);
    if (node.moves_b) apply(node, node.body_b, node.mass_b, 3);
  }
}

void SystemRows::add_totals() {
  for (SystemNode& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      Axial& axial = node.axial[i];
      if (axial.present) {
        // The bodies have the given part already.
        node.x[i] += axial.applied;
        axial.sum += node.x[i];
        axial.given = axial.applied = 0;
      }
      node.total[0] += node.x[i] * node.jacobian[i][3];
      node.total[1] += node.x[i] * node.jacobian[i][4];
      node.total[2] += node.x[i] * node.turn[i];
    }
  }
}

// Brings what the bodies have of a given impulse up to date.
void SystemRows::give(const KernelContext& context, AxialRow at) {
  const SystemNode& node = nodes_[at.node];
  Axial& axial = axial_of(at);
  double change = axial.given - axial.applied;
  if (change == 0) return;
  double j[6];
  for (int k = 0; k < 6; ++k) j[k] = change * node.jacobian[at.row][k];
  if (node.moves_a) push(context.states[node.body_a], node.mass_a, j);
  if (node.moves_b) push(context.states[node.body_b], node.mass_b, j + 3);
  axial.applied = axial.given;
}

// Puts a row on a stair.
void JointSystem::stand(const KernelContext& context, AxialRow at, Stair mode) {
  Axial& axial = axial_of(at);
  axial.mode = mode;
  if (axial.is_soft_limit() && mode != Stair::idle) {
    const Axial::Side& side = mode == Stair::push_lower ? axial.below : axial.above;
    axial.known = axial.carry * axial.speed_before + step_.h * axial.stiffness * side.stretch;
    if (axial.ahead != side.ahead) {
      axial.ahead = side.ahead;
      settle_spring(nodes_[at.node], at.row);
      factored_ = false;
    }
  }
  const bool tread = is_tread(mode);
  axial.on = !tread && (!axial.soft || axial.drag > 0);
  axial.given = missing_impulse(axial, mode);
  if (axial.soft && !tread && !axial.on) {
    axial.given = -axial.known - axial.sum;
    if (axial.limited) {
      axial.given = std::clamp(-axial.known, axial.lowest, axial.highest) - axial.sum;
    }
  }
  give(context, at);
}

void JointSystem::begin(const KernelContext& context) {
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    if (axial.motor) axial.earlier += motor_share(axial);
    axial.sum = 0;
  }
  for (AxialRow at : springs_) {
    Axial& axial = axial_of(at);
    SystemNode& node = nodes_[at.node];
    axial.speed_before = speed_along(context, node, at.row);
    if (!axial.across || !axial.implicit) continue;
    set_across(node, at.row);
    settle_spring(node, at.row);
    factored_ = false;
  }
  if (accounted_) open_account(context);
}

void JointSystem::solve(const KernelContext& context) {
  account_.note_forces(context);
  start_modes(context);
  solve_active_set(context, false);
}

void JointSystem::iterate(const KernelContext& context) { solve_active_set(context, false); }

void JointSystem::relax(const KernelContext& context) { solve_active_set(context, true); }

// Whether a joint pulls so hard that its bodies, with the masses they have, could not follow
// (tension.h).
bool JointSystem::is_taut(const KernelContext& context, const std::vector<InverseMass>& own) const {
  const double most = context.parameters->tension;
  auto squared = [](Double2 v) { return dot(v, v); };
  for (const SystemNode& node : nodes_) {
    const bool rod = node.type->between_anchors;
    if (!turns_with_load(context.joints[node.joint])) continue;
    const InverseMass mass_a = own[node.body_a], mass_b = own[node.body_b];
    const double pull = squared({node.total[0], node.total[1]}), a = mass_a.inertia,
                 b = mass_b.inertia;
    const double mass = static_cast<double>(mass_a.mass) + mass_b.mass;
    double inverse =
        std::max(squared(node.start.anchor_a) * a * a, squared(node.start.anchor_b) * b * b);
    if (node.type->over_wheels) {
      const double share = 1 / context.joints[node.joint].ratio;
      const double length_a = squared(node.start.rope_a), length_b = squared(node.start.rope_b);
      const double m_a = share * mass_a.mass, m_b = mass_b.mass;
      inverse = std::max(squared(node.start.anchor_a) * a * a * share * share,
                         squared(node.start.anchor_b) * b * b);
      if (length_a > 0) inverse = std::max(inverse, m_a * m_a / length_a);
      if (length_b > 0) inverse = std::max(inverse, m_b * m_b / length_b);
    }
    const double length = squared(node.start.between);
    if (rod && !node.soft && length > 0) inverse = std::max(inverse, mass * mass / length);
    if (pull * inverse > most * most) return true;
  }
  return false;
}

void JointSystem::store(const KernelContext& context) const {
  for (int index : joints_) {
    Joint& joint = context.joints[index];
    if (joint.direct) joint.clear_impulses();  // else they are those of the lanes
  }
  for (const SystemNode& node : nodes_) {
    Joint& joint = context.joints[node.joint];
    joint.total_x += static_cast<float>(node.total[0]);
    joint.total_y += static_cast<float>(node.total[1]);
    joint.total_angular += static_cast<float>(node.total[2]);
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i].present && node.axial[i].motor) {
        // What a blow adds is borne by a limit as well: a motor gives no more than it has.
        const Axial& axial = node.axial[i];
        const double most = axial.maximum / step_.h * step_.dt,
                     given = axial.earlier + motor_share(axial);
        joint.motor_total += static_cast<float>(std::clamp(given, -most, most));
      }
    }
  }
}

}  // namespace rigid
