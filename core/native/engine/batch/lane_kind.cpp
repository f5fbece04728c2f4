// SPDX-License-Identifier: MIT
// The comparison and the copy of the common properties of worlds in lanes.
#include "engine/batch/lane_kind.h"

#include <algorithm>

namespace rigid {

LaneKind LaneKind::of(const WorldParts& world) {
  return {world.mechanisms.systems(), world.bodies.awake_list, &world.parameters,
          world.definition.substeps};
}

bool LaneKind::operator==(const LaneKind& other) const {
  return substeps == other.substeps &&
         std::equal(awake.begin(), awake.end(), other.awake.begin(), other.awake.end()) &&
         *parameters == *other.parameters &&
         std::equal(systems.begin(), systems.end(), other.systems.begin(), other.systems.end(),
                    [](const JointSystem& a, const JointSystem& b) { return a.is_like(b); });
}

std::vector<int> LaneKind::members() const {
  std::vector<int> found(awake.begin(), awake.end());
  for (const JointSystem& system : systems) {
    for (int body : system.holders()) {
      if (std::find(found.begin(), found.end(), body) == found.end()) found.push_back(body);
    }
  }
  return found;
}

void LaneKind::describe(LaneTask& task) const {
  task.parameters = parameters;
  task.substeps = substeps;
  task.system_count = static_cast<int>(systems.size());
  task.plans = systems.data();
  task.awake_count = static_cast<int>(awake.size());
}

LaneModel::LaneModel(const WorldParts& world, int width)
    : systems_(world.mechanisms.systems()),
      awake_(world.bodies.awake_list),
      members_(LaneKind::of(world).members()),
      parameters_(world.parameters),
      substeps_(world.definition.substeps),
      width_(width),
      step_(find_kernels(width)->step_residents) {}

}  // namespace rigid
