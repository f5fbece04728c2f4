// SPDX-License-Identifier: MIT
// The construction of a directly solved mechanism.
#include "engine/mechanisms/joint_system.h"

#include <algorithm>

#include "engine/mechanisms/lane_task.h"
#include "sorting.h"

namespace rigid {

namespace {

bool fit_lanes(const std::vector<SystemNode>& nodes) {
  return nodes.size() <= static_cast<std::size_t>(LaneTask::most_nodes) &&
         std::none_of(nodes.begin(), nodes.end(),
                      [](const SystemNode& node) { return node.soft || !node.type->for_lanes; });
}

}  // namespace

JointSystem::JointSystem(const std::vector<int>& joints, const KernelContext& context, long budget,
                         BlockPlan& plan)
    : joints_(joints) {
  // The rigid rows of a joint and its soft rows are eliminated separately.
  struct Part {
    int joint;
    bool soft;
  };
  std::vector<Part> parts;
  parts.reserve(2 * joints.size());
  bodies_.reserve(2 * joints.size());
  auto moves = [&](int body) { return can_move(context.inverse_masses[body]); };
  for (int index : joints) {
    const Joint& joint = context.joints[index];
    if (has_rigid_rows(joint)) parts.push_back({index, false});
    if (has_soft_rows(joint)) parts.push_back({index, true});
    for (int body : {joint.body_a, joint.body_b}) {
      (moves(body) ? bodies_ : holders_).push_back(body);
    }
  }
  rigid::sort(holders_.begin(), holders_.end());
  holders_.erase(std::unique(holders_.begin(), holders_.end()), holders_.end());
  rigid::sort(bodies_.begin(), bodies_.end());
  bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
  // By the places of bodies in the list of the mechanism, equal in all that are alike.
  std::vector<BlockFactors::Pair> pairs;
  pairs.reserve(parts.size());
  for (const Part& part : parts) {
    const Joint& joint = context.joints[part.joint];
    pairs.push_back({moves(joint.body_a) ? slot_of(joint.body_a) : -1,
                     moves(joint.body_b) ? slot_of(joint.body_b) : -1});
  }
  for (int index : plan.find(pairs, budget, blocks_)) {
    const Part& part = parts[index];
    const Joint& joint = context.joints[part.joint];
    SystemNode node{};
    node.joint = part.joint;
    node.soft = part.soft;
    node.body_a = joint.body_a;
    node.body_b = joint.body_b;
    node.moves_a = pairs[index].a >= 0;
    node.moves_b = pairs[index].b >= 0;
    if (node.moves_a) node.slot_a = pairs[index].a;
    if (node.moves_b) node.slot_b = pairs[index].b;
    node.type = &type_of(joint);
    plan_rows(joint, node);
    springs_ = springs_ || node.soft;
    nodes_.push_back(node);
  }
  reserve(blocks_.get());
  account_.keep_for(bodies_);
  // A free mechanism keeps its momentum by the conservation of islands (islands/conservation.h),
  // which is not applied to worlds side by side.
  for_lanes_ = context.parameters->explicit_springs && is_held() && !springs_ &&
               fit_lanes(nodes_) &&
               axial_.size() <= static_cast<std::size_t>(LaneTask::most_axial) &&
               blocks_->blocks_below() <= LaneTask::most_below;
}

bool JointSystem::is_like(const JointSystem& other) const {
  if (nodes_.size() != other.nodes_.size() || bodies_ != other.bodies_) return false;
  if (accounted_ != other.accounted_ || step_.touched != other.step_.touched) return false;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const SystemNode &a = nodes_[i], &b = other.nodes_[i];
    if (a.joint != b.joint || a.type != b.type) return false;
    if (a.body_a != b.body_a || a.body_b != b.body_b) return false;
    if (a.rows != b.rows || a.soft != b.soft) return false;
    if (a.moves_a != b.moves_a || a.moves_b != b.moves_b) return false;
    for (int row = 0; row < a.rows; ++row) {
      if (a.source[row] != b.source[row] || a.axial[row] != b.axial[row]) return false;
    }
  }
  return std::equal(axial_.begin(), axial_.end(), other.axial_.begin(), other.axial_.end(),
                    [](const Axial& a, const Axial& b) { return a.is_like(b); });
}

}  // namespace rigid
