// SPDX-License-Identifier: MIT
// The forces of a mechanism after a step.
#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"
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
