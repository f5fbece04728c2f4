// SPDX-License-Identifier: MIT
// The forces of a mechanism after a step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/data/constants.h"
#include "engine/mechanisms/active_set.h"
#include "engine/mechanisms/joint_system.h"
#include "engine/mechanisms/step_formulas.h"

namespace rigid {

// Whether a joint pulls so hard that its bodies, with their own masses, could not follow
// (geometric_stiffness.h).
bool JointSystem::is_taut(const KernelContext& context, const std::vector<InverseMass>& own) const {
  const double most = context.parameters->tension;
  auto squared = [](Double2 v) { return dot(v, v); };
  for (const SystemNode& node : nodes_) {
    const bool rod = node.type->between_anchors && !node.soft;
    if (!turns_with_load(context.joints[node.joint])) continue;
    const InverseMass mass_a = own[node.body_a], mass_b = own[node.body_b];
    const double pull = squared({node.total[0], node.total[1]}), a = mass_a.inertia,
                 b = mass_b.inertia;
    const double mass = static_cast<double>(mass_a.mass) + mass_b.mass;
    double inverse = turning_response(node.start, a, b, mass, rod && !node.type->over_wheels);
    if (node.type->over_wheels) {
      const double share = 1 / context.joints[node.joint].ratio;
      const double length_a = squared(node.start.rope_a), length_b = squared(node.start.rope_b);
      const double m_a = share * mass_a.mass, m_b = mass_b.mass;
      inverse = std::max(squared(node.start.anchor_a) * a * a * share * share,
                         squared(node.start.anchor_b) * b * b);
      if (length_a > 0) inverse = std::max(inverse, m_a * m_a / length_a);
      if (length_b > 0) inverse = std::max(inverse, m_b * m_b / length_b);
    }
    if (pull * inverse > most * most) return true;
  }
  return false;
}

namespace {

RowPart part_of(const Axial& axial) {
  if (axial.across) return RowPart::across;
  if (axial.motor) return RowPart::motor;
  if (axial.equal) return RowPart::rod;
  return axial.lower || axial.upper ? RowPart::limit : RowPart::spring;
}

}  // namespace

std::vector<JointSystem::RowView> JointSystem::view_rows(bool relaxing) const {
  std::vector<RowView> views;
  for (const SystemNode& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      RowView view{};
      view.joint = node.joint;
      view.source = node.source[i];
      view.jacobian = node.jacobian[i];
      view.impulse = node.x[i];
      view.highest = std::numeric_limits<double>::infinity();
      view.lowest = -view.highest;
      view.give = node.give[i];
      view.error = node.error[i];
      view.on = true;
      view.part = RowPart::hold;
      if (node.axial[i] < 0) {
        view.share = relaxing ? 0 : correction_of(step_, view.error, node.angular[i]);
        view.wanted = relaxing ? 0 : correcting_speed(step_, view.error, node.angular[i]);
        views.push_back(view);
        continue;
      }
      const Axial& axial = axial_of(node, i);
      view.part = part_of(axial);
      view.on = axial.on;
      view.mode = static_cast<int>(axial.mode);
      if (axial.motor || axial.limited) {
        view.lowest = axial.lowest;
        view.highest = axial.highest;
      }
      if (axial.soft) {
        view.error = axial.coordinate - axial.target;
        view.give = axial.drag > 0 ? 1 / axial.drag : view.highest;
        view.share =
            axial.drag > 0 ? step_.h * step_.h * axial.stiffness / axial.drag : view.highest;
        view.wanted = axial.drag > 0 ? -axial.known / axial.drag : 0;
      } else {
        if (axial.equal) view.error = axial.coordinate - axial.lower_at;
        view.share = relaxing ? 0 : correction_of(step_, view.error, axial.angular);
        view.wanted = wanted_speed<double>(axial, axial.mode, step_, node.error[i], relaxing);
        if (axial.motor && axial.position) view.error = axial.coordinate - axial.target;
      }
      views.push_back(view);
    }
  }
  return views;
}

void JointSystem::add_totals_of(int joint, double& x, double& y, double& turn,
                                double& motor) const {
  for (const SystemNode& node : nodes_) {
    if (node.joint != joint) continue;
    x += node.total[0];
    y += node.total[1];
    turn += node.total[2];
  }
  for (const Axial& axial : axial_) {
    if (axial.motor && nodes_[axial.node].joint == joint) motor += motor_impulse(axial, step_);
  }
}

void JointSystem::store(const KernelContext& context) const {
  for (int index : joints_) {
    Joint& joint = context.joints[index];
    if (joint.direct) joint.clear_impulses();  // else the lanes have stored them
  }
  for (const SystemNode& node : nodes_) {
    Joint& joint = context.joints[node.joint];
    joint.total_x += static_cast<float>(node.total[0]);
    joint.total_y += static_cast<float>(node.total[1]);
    joint.total_angular += static_cast<float>(node.total[2]);
  }
  for (const Axial& axial : axial_) {
    if (!axial.motor) continue;
    Joint& joint = context.joints[nodes_[axial.node].joint];
    joint.motor_total += static_cast<float>(motor_impulse(axial, step_));
  }
}

}  // namespace rigid
