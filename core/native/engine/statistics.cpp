// SPDX-License-Identifier: MIT
#include "engine/statistics.h"

#include <numeric>
#include <vector>

#include "engine/data/trees.h"
#include "engine/mechanisms/lane_task.h"
#include "engine/world.h"

namespace rigid {

// Awake bodies that contacts and joints hold together.
int World::count_islands() const {
  std::vector<int> parents(bodies_.size());
  std::iota(parents.begin(), parents.end(), 0);
  int islands = 0;
  for (int i : bodies_.awake_list) islands += bodies_.is_dynamic(i) ? 1 : 0;
  auto join = [&](int a, int b) {
    for (int body : {a, b}) {
      if (!bodies_.is_dynamic(body) || !bodies_.awake[body]) return;
    }
    if (find_root(parents, a) == find_root(parents, b)) return;
    join_trees(parents, a, b);
    --islands;
  };
  for (const Contact& contact : contacts_.all()) {
    if (contact.alive && contact.color >= 0) join(contact.body_a, contact.body_b);
  }
  for (const Joint& joint : joints_) {
    if (joint.color >= 0) join(joint.body_a, joint.body_b);
  }
  return islands;
}

const char* World::why_alone() const {
  if (!parameters_.explicit_springs) return "its solver steps worlds one by one";
  if (bodies_.count() > LaneTask::most_bodies) return "it has too many bodies";
  if (lanes_.solve_side_by_side() == nullptr) return "the processor has no lanes for it";
  if (attraction_.acts()) return "bodies attract each other";
  if (lanes_.contact_count() > 0) return "bodies touch";
  if (bodies_.has_bullets) return "it has bullets";
  if (mechanisms_.empty()) return "it has no joints that are solved directly";
  if (lanes_.has_joints() || !iterative_.empty() || mechanisms_.has_drivers()) {
    return "it has joints that are solved one by one";
  }
  return is_for_lanes() ? nullptr : "its mechanisms are too large or too many";
}

Statistics World::statistics() const {
  Statistics all = statistics_;
  all.lanes = lanes_.width();
  all.constraints = contacts_.graph().size();
  all.colors = contacts_.graph().used_colors();
  all.piles = piles_.empty() ? 0 : piles_.count();
  all.awake = static_cast<int>(bodies_.awake_list.size());
  all.islands = count_islands();
  for (int i = 0; i < joints_.count(); ++i) {
    const JointPath path = mechanisms_.path_of(i);
    if (joints_[i].color < 0 || path == JointPath::inactive) continue;
    ++(path == JointPath::direct ? all.direct_joints : all.iterative_joints);
    if (path == JointPath::costly) ++all.costly_joints;
    if (path == JointPath::soft) ++all.soft_joints;
  }
  all.direct_mechanisms = static_cast<int>(mechanisms_.systems().size());
  all.iterative_mechanisms = iterative_.count();
  all.impact_problems = clusters_.count();
  all.contact_problems = footings_.count();
  all.corrected_masses = loads_.count();
  for (const Contact& contact : contacts_.all()) all.tracks += contact.alive && contact.led ? 1 : 0;
  all.alone = why_alone();
  all.measured = stage_clock_.measures();
  all.stages = stage_clock_.times();
  return all;
}

}  // namespace rigid
