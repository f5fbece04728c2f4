// SPDX-License-Identifier: MIT
// The common properties of worlds that are stepped side by side: settings, awake bodies, and
// mechanisms with the same rows between the same bodies.
#ifndef RIGID_ENGINE_BATCH_LANE_KIND_H
#define RIGID_ENGINE_BATCH_LANE_KIND_H

#include <span>
#include <vector>

#include "engine/mechanisms/lane_task.h"
#include "engine/world_parts.h"

namespace rigid {

struct LaneKind {
  // The kind of a world that has begun a step, or ended one.
  static LaneKind of(const WorldParts& world);
  bool operator==(const LaneKind& other) const;
  // The bodies that take part (LaneTask::members).
  std::vector<int> members() const;
  void describe(LaneTask& task) const;

  std::span<const JointSystem> systems;
  std::span<const int> awake;
  const StepParameters* parameters;
  int substeps;
};

// A copy of it, so that steps of resident worlds need not read the worlds.
class LaneModel {
 public:
  LaneModel(const WorldParts& world, int width);
  int width() const { return width_; }
  LaneKind kind() const { return {systems_, awake_, &parameters_, substeps_}; }
  const std::vector<int>& members() const { return members_; }
  int step(LaneTask& task, BatchState& state, int steps) const {
    kind().describe(task);
    task.members = members_.data();
    task.member_count = static_cast<int>(members_.size());
    return step_(task, state, steps);
  }

 private:
  std::vector<JointSystem> systems_;
  std::vector<int> awake_, members_;
  StepParameters parameters_;
  int substeps_, width_;
  StepResidents step_;
};

}  // namespace rigid

#endif
