// SPDX-License-Identifier: MIT
// Waking and falling asleep of islands.
#include "engine/islands/islands.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/bodies/rest.h"
#include "engine/data/constants.h"
#include "engine/data/trees.h"
#include "sorting.h"

namespace rigid {

namespace {

// Whether neither body slides or tips over on the other.
bool stands_firm(const Contact& contact) {
  if (contact.count < 2 || contact.tangent_speed != 0.0f) return false;
  float load = 0, friction = 0;
  for (const ContactPoint& point : contact.points) {
    if (!(point.total_normal > 0.0f)) return false;
    load += point.total_normal;
    friction += std::fabs(point.total_tangent);
  }
  return friction < constants::firm_share * contact.friction * load;
}

}  // namespace

void Islands::apply_wakes() {
  if (bodies_.waking.empty()) return;
  rigid::sort(bodies_.waking.begin(), bodies_.waking.end());
  std::vector<int> islands = std::exchange(bodies_.waking, {});
  islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
  for (int i = 0; i < bodies_.count(); ++i) {
    Body& body = bodies_[i];
    if (body.island < 0 || !std::binary_search(islands.begin(), islands.end(), body.island)) {
      continue;
    }
    body.island = -1;
    body.sleep_time = 0;
    bodies_.awake[i] = bodies_.alive[i];
  }
  bodies_.awake_changed = true;
  contacts_.activate_awake();
  joints_.activate_awake();
  // A constraint to a body of another sleeping island has woken that island too.
  apply_wakes();
}

void Islands::put_to_sleep() {
  if (!definition_.sleep || clock_.steps % constants::sleep_interval != 0) return;
  const float ready = constants::sleep_time * static_cast<float>(definition_.time_per_second);
  bool any = false;
  for (int i : bodies_.awake_list) any |= bodies_.is_dynamic(i) && bodies_[i].sleep_time >= ready;
  if (!any) return;

  parents_.resize(bodies_.size());
  for (int i = 0; i < bodies_.count(); ++i) parents_[i] = bodies_.is_dynamic(i) ? i : -1;
  auto join = [&](int a, int b) {
    const bool moves_a = parents_[a] >= 0, moves_b = parents_[b] >= 0;
    if (moves_a && moves_b) {
      join_trees(parents_, a, b);
    } else if (moves_a && bodies_.awake[b]) {
      bodies_[a].sleep_time = 0;  // a moving kinematic neighbour
    } else if (moves_b && bodies_.awake[a]) {
      bodies_[b].sleep_time = 0;
    }
  };
  // Bodies that rest firmly on the ground belong to its group.
  constexpr int ground = 0;
  firm_.resize(bodies_.size());
  for (int i = 0; i < bodies_.count(); ++i) firm_[i] = i;
  contacts_.for_near([&](int index) {
    const Contact& contact = contacts_[index];
    if (contact.color < 0) return;
    const int a = contact.body_a, b = contact.body_b;
    join(a, b);
    if (stands_firm(contact)) {
      join_trees(firm_, parents_[a] >= 0 ? a : ground, parents_[b] >= 0 ? b : ground);
    }
  });
  for (const Joint& joint : joints_) {
    if (joint.color >= 0) join(joint.body_a, joint.body_b);
  }
  std::vector<uint8_t> restless(bodies_.size(), 0);
  auto rests = [&](int i) {
    if (bodies_[i].sleep_time < ready) return false;
    if (is_calm(bodies_.rests[i])) return true;
    return bodies_[i].acting_joints == 0 && find_root(firm_, i) == find_root(firm_, ground);
  };
  for (int i : bodies_.awake_list) {
    if (parents_[i] >= 0 && !rests(i)) restless[find_root(parents_, i)] = 1;
  }
  std::vector<int> island(bodies_.size(), -1);
  bool slept = false;
  for (int i : bodies_.awake_list) {
    if (parents_[i] < 0) continue;
    const int root = find_root(parents_, i);
    if (restless[root]) continue;
    if (island[root] < 0) island[root] = island_count_++;
    bodies_[i].island = island[root];
    bodies_.awake[i] = 0;
    bodies_.states[i].vx = bodies_.states[i].vy = bodies_.states[i].omega = 0.0f;
    slept = true;
  }
  if (!slept) return;
  bodies_.awake_changed = true;
  contacts_.deactivate_asleep();
  joints_.deactivate_asleep();
}

}  // namespace rigid
