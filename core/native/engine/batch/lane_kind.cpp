// SPDX-License-Identifier: MIT
// The comparison and the copy of the common properties of worlds in lanes.
#include "engine/batch/lane_kind.h"

#include <algorithm>

namespace rigid {

LaneKind LaneKind::of(const WorldParts& world) {
  return {world.mechanisms.systems(), world.bodies.awake_list, &world.parameters,
          world.definition.substeps, world.bodies.count()};
}

bool LaneKind::operator==(const LaneKind& other) const {
  return body_count == other.body_count && substeps == other.substeps &&
         std::equal(awake.begin(), awake.end(), other.awake.begin(), other.awake.end()) &&
         *parameters == *other.parameters &&
         std::equal(systems.begin(), systems.end(), other.systems.begin(), other.systems.end(),
                    [](const JointSystem& a, const JointSystem& b) { return a.is_like(b); });
}

void LaneKind::describe(LaneTask& task) const {
  task.parameters = parameters;
  task.substeps = substeps;
  task.body_count = body_count;
  task.system_count = static_cast<int>(systems.size());
  task.plans = systems.data();
  task.awake = awake.data();
  task.awake_count = static_cast<int>(awake.size());
}

LaneModel::LaneModel(const WorldParts& world, int width)
    : systems_(world.mechanisms.systems()),
      awake_(world.bodies.awake_list),
      parameters_(world.parameters),
      substeps_(world.definition.substeps),
      body_count_(world.bodies.count()),
      width_(width),
      step_(find_kernels(width)->step_residents) {}

}  // namespace rigid
