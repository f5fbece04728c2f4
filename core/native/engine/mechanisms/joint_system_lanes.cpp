// SPDX-License-Identifier: MIT
// Copies a mechanism into a lane of worlds stepped side by side, and back.
#include "engine/joints/joint.h"
#include "engine/joints/joints.h"
#include "engine/mechanisms/batch_state.h"
#include "engine/mechanisms/joint_system.h"

namespace rigid {

namespace {

void copy_row(const Axial& axial, BatchState::Row& to, int lane) {
  to.target.at[lane] = axial.target;
  to.lower_at.at[lane] = axial.lower_at;
  to.upper_at.at[lane] = axial.upper_at;
  to.maximum.at[lane] = axial.maximum;
  to.lowest.at[lane] = axial.lowest;
  to.highest.at[lane] = axial.highest;
  to.approach.at[lane] = axial.approach;
  to.fastest.at[lane] = axial.fastest;
}

}  // namespace

void JointSystem::copy_to(BatchState::System& to, int lane, const Joints& joints,
                          const std::vector<InverseMass>& own) const {
  to.nodes.resize(nodes_.size());
  to.rows.resize(axial_.size());
  to.accounts.resize(bodies_.size());
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const SystemNode& node = nodes_[n];
    const Joint& joint = joints[node.joint];
    BatchState::Node& at = to.nodes[n];
    at.swings = at.swings || turns_with_load(joint);
    at.mass_a.at[lane] = node.mass_a.mass;
    at.inertia_a.at[lane] = node.mass_a.inertia;
    at.mass_b.at[lane] = node.mass_b.mass;
    at.inertia_b.at[lane] = node.mass_b.inertia;
    at.anchor_ax.at[lane] = joint.local_a.x;
    at.anchor_ay.at[lane] = joint.local_a.y;
    at.anchor_bx.at[lane] = joint.local_b.x;
    at.anchor_by.at[lane] = joint.local_b.y;
    at.axis_x.at[lane] = joint.axis.x;
    at.axis_y.at[lane] = joint.axis.y;
    at.reference.at[lane] = joint.reference_angle;
    at.length.at[lane] = node.length;
    const InverseMass mass_a = own[node.body_a], mass_b = own[node.body_b];
    at.own_a.at[lane] = mass_a.inertia;
    at.own_b.at[lane] = mass_b.inertia;
    at.own_mass.at[lane] = static_cast<double>(mass_a.mass) + mass_b.mass;
  }
  for (std::size_t i = 0; i < axial_.size(); ++i) copy_row(axial_[i], to.rows[i], lane);
  to.least_mass.at[lane] = least_.mass;
  to.least_inertia.at[lane] = least_.inertia;
  to.thrice.at[lane] = 3 * least_.mass;
  to.balance.at[lane] = account_.sums().balance;
  to.reference.at[lane] = account_.sums().reference;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    to.accounts[i].own_mass.at[lane] = account_.own(i).mass;
    to.accounts[i].own_inertia.at[lane] = account_.own(i).inertia;
    to.accounts[i].effective_mass.at[lane] = account_.effective(i).mass;
    to.accounts[i].effective_inertia.at[lane] = account_.effective(i).inertia;
  }
}

bool JointSystem::copy_motor(BatchState::System& to, int lane, int index,
                             const Joint& joint) const {
  bool found = false;
  for (std::size_t i = 0; i < axial_.size(); ++i) {
    if (nodes_[axial_[i].node].joint != index) continue;
    Axial changed = axial_[i];
    set_axial(joint, changed);
    if (!changed.is_like(axial_[i]) || changed.endless != axial_[i].endless) return false;
    copy_row(changed, to.rows[i], lane);
    found = true;
  }
  return found;
}

// Leaves joints as `store` does.
void JointSystem::copy_from(const BatchState::System& from, int lane, Joints& joints) {
  for (std::size_t n = 0; n < nodes_.size(); ++n) {
    const SystemNode& node = nodes_[n];
    Joint& joint = joints[node.joint];
    const BatchState::Node& at = from.nodes[n];
    joint.clear_impulses();
    joint.total_x += static_cast<float>(at.total[0].at[lane]);
    joint.total_y += static_cast<float>(at.total[1].at[lane]);
    joint.total_angular += static_cast<float>(at.total[2].at[lane]);
  }
  for (std::size_t i = 0; i < axial_.size(); ++i) {
    const Axial& axial = axial_[i];
    if (!axial.motor) continue;
    Joint& joint = joints[nodes_[axial.node].joint];
    joint.motor_total += static_cast<float>(from.rows[i].motor.at[lane]);
  }
  account_.set_sums({from.balance.at[lane], from.reference.at[lane]});
}

}  // namespace rigid
