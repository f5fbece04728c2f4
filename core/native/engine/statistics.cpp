// SPDX-License-Identifier: MIT
// The counts and times of the last step.
#include "engine/statistics.h"

#include <numeric>
#include <vector>

#include "engine/data/trees.h"
#include "engine/mechanisms/lane_task.h"
#include "engine/step.h"

namespace rigid {

namespace {

// The number of islands of awake bodies connected by contacts and joints.
int count_islands(const WorldParts& parts) {
  std::vector<int> parents(parts.bodies.size());
  std::iota(parents.begin(), parents.end(), 0);
  int islands = 0;
  for (int i : parts.bodies.awake_list) islands += parts.bodies.is_dynamic(i) ? 1 : 0;
  auto join = [&](int a, int b) {
    for (int body : {a, b}) {
      if (!parts.bodies.is_dynamic(body) || !parts.bodies.awake[body]) return;
    }
    if (find_root(parents, a) == find_root(parents, b)) return;
    join_trees(parents, a, b);
    --islands;
  };
  for (const Contact& contact : parts.contacts.all()) {
    if (contact.alive && contact.color >= 0) join(contact.body_a, contact.body_b);
  }
  for (const Joint& joint : parts.joints) {
    if (joint.color >= 0) join(joint.body_a, joint.body_b);
  }
  return islands;
}

const char* why_alone(const WorldParts& parts) {
  if (parts.bodies.awake_list.empty()) return "nothing in it moves";
  if (!parts.parameters.explicit_springs) return "its solver steps worlds one by one";
  if (parts.lanes.solve_side_by_side() == nullptr) return "the processor has no lanes for it";
  return why_not_in_lanes(parts);
}

}  // namespace

Statistics read_statistics(const WorldParts& parts) {
  Statistics all = parts.times;
  all.lanes = parts.lanes.width();
  all.constraints = parts.contacts.graph().size();
  all.colors = parts.contacts.graph().used_colors();
  all.island_batches = parts.island_batches.empty() ? 0 : parts.island_batches.count();
  for (int i = 0; i < parts.bodies.count(); ++i) {
    if (!parts.bodies.alive[i]) continue;
    all.awake += parts.bodies.awake[i] ? 1 : 0;
    all.asleep += parts.bodies.is_dynamic(i) && !parts.bodies.awake[i] ? 1 : 0;
  }
  for (const JointSystem& system : parts.mechanisms.systems()) {
    all.touched_mechanisms += system.is_touched() ? 1 : 0;
  }
  all.islands = count_islands(parts);
  for (int i = 0; i < parts.joints.count(); ++i) {
    const JointPath path = parts.mechanisms.path_of(i);
    if (parts.joints[i].color < 0 || path == JointPath::inactive) continue;
    ++(path == JointPath::direct ? all.direct_joints : all.iterative_joints);
    if (path == JointPath::costly) ++all.costly_joints;
    if (path == JointPath::soft) ++all.soft_joints;
  }
  all.direct_mechanisms = static_cast<int>(parts.mechanisms.systems().size());
  all.iterative_mechanisms = parts.iterative.count();
  all.impact_problems = parts.impact_problems.count();
  all.contact_problems = parts.contact_joint_problems.count();
  all.effective_masses = parts.effective_masses.count();
  for (const Contact& contact : parts.contacts.all())
    all.tracks += contact.alive && contact.led ? 1 : 0;
  all.alone = why_alone(parts);
  all.measured = parts.stage_clock.measures();
  all.stages = parts.stage_clock.times();
  return all;
}

}  // namespace rigid
