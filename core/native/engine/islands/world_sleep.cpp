// Islands: bodies that touch or are tied together sleep together and wake together.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/constants.h"
#include "engine/world.h"

namespace rigid {

namespace {
int find_root(std::vector<int>& parents, int i) {
  while (parents[i] != i) {
    parents[i] = parents[parents[i]];
    i = parents[i];
  }
  return i;
}
}  // namespace

// Only what can change needs looking at: an awake dynamic body, or a moving kinematic one beside a
// dynamic one (which it then wakes).
bool World::is_active(const Contact& contact) const {
  return awake_[contact.body_a] || awake_[contact.body_b];
}

void World::wake_body(int index) {
  Body& body = bodies_[index];
  body.sleep_time = 0;
  if (body.kind != BodyKind::dynamic || body.island < 0) return;
  waking_.push_back(body.island);
}

void World::apply_wakes() {
  if (waking_.empty()) return;
  std::sort(waking_.begin(), waking_.end());
  std::vector<int> islands = std::exchange(waking_, {});
  islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
  for (int i = 0; i < body_count(); ++i) {
    Body& body = bodies_[i];
    if (body.island < 0 || !std::binary_search(islands.begin(), islands.end(), body.island)) {
      continue;
    }
    body.island = -1;
    body.sleep_time = 0;
    awake_[i] = alive_[i];
  }
  awake_dirty_ = contacts_dirty_ = true;
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
    Contact& contact = contacts_[i];
    if (!contact.alive || contact.active || !is_active(contact)) continue;
    contact.active = true;
    if (contact.count > 0 && !contact.sensor) insert_constraint(i);
  }
  for (int i = 0; i < joint_count(); ++i) activate_joint(i);
  // A constraint to a body of another sleeping island has woken that one too.
  apply_wakes();
}

void World::activate_joint(int index) {
  Joint& joint = joints_[index];
  if (!joint.alive || joint.broken || joint.color >= 0) return;
  bool moves_a = movable(joint.body_a), moves_b = movable(joint.body_b);
  if (!(moves_a && awake_[joint.body_a]) && !(moves_b && awake_[joint.body_b])) return;
  if (moves_a) wake_body(joint.body_a);
  if (moves_b) wake_body(joint.body_b);
  joint.graph = graph_of(joint);
  Graph::Place place =
      joint_graphs_[joint.graph].add(index, joint.body_a, joint.body_b, moves_a, moves_b);
  joint.color = place.color;
  if (moves_a) ++bodies_[joint.body_a].acting_joints;
  if (moves_b) ++bodies_[joint.body_b].acting_joints;
  systems_dirty_ = true;
  joint.slot = place.slot;
}

void World::deactivate_joint(int index) {
  Joint& joint = joints_[index];
  if (joint.color < 0) return;
  bool moves_a = movable(joint.body_a), moves_b = movable(joint.body_b);
  int moved = joint_graphs_[joint.graph].remove({joint.color, joint.slot}, joint.body_a,
                                                joint.body_b, moves_a, moves_b);
  if (moves_a) --bodies_[joint.body_a].acting_joints;
  if (moves_b) --bodies_[joint.body_b].acting_joints;
  if (moved >= 0) joints_[moved].slot = joint.slot;
  joint.color = joint.slot = -1;
  systems_dirty_ = true;
}

void World::collect_awake() {
  if (!awake_dirty_) return;
  awake_dirty_ = false;
  awake_bodies_.clear();
  for (int i = 1; i < body_count(); ++i) {
    if (awake_[i] && alive_[i]) awake_bodies_.push_back(i);
  }
}

// How long a body has been at rest, after finish_bodies. How far it moved counts as its velocity
// does: what pushes overlaps and joints back into place leaves no velocity behind.
void World::count_rest(int index) {
  Body& body = bodies_[index];
  const BodyState& state = states_[index];
  const BodyStep& step = body_steps_[index];
  const float dt = static_cast<float>(definition_.dt);
  const float per_second = static_cast<float>(1.0 / definition_.time_per_second);
  const float ready = constants::sleep_time * static_cast<float>(definition_.time_per_second);
  const float unit = static_cast<float>(definition_.length_unit);
  const float slow = constants::sleep_linear_speed * unit * per_second;
  const float slow_turn = constants::sleep_angular_speed * per_second;
  float along = std::max(std::fabs(state.vx), std::fabs(state.vy));
  float moved = std::max(std::fabs(step.moved_x), std::fabs(step.moved_y)) / dt;
  float turn = std::max(std::fabs(state.omega), std::fabs(step.turned) / dt);
  const bool held = body.acting_joints > 0;
  float lever = std::max(body.extent, constants::sleep_lever * unit);
  float turning = held ? turn * lever / slow : turn / slow_turn;
  float speed = std::max(std::max(along, moved) / slow, turning);
  float most = held ? constants::sleep_share : 1.0f;
  if (!body.may_sleep || !(speed <= most)) {
    body.sleep_time = 0;
    return;
  }
  if (body.sleep_time == 0) body.sleep_speed = speed;
  bool waited = body.sleep_time >= ready;
  body.sleep_time += dt;
  bool faster = speed > body.sleep_speed + constants::sleep_share;
  if (!waited && body.sleep_time >= ready && faster) body.sleep_time = 0;
}

void World::put_to_sleep() {
  if (!definition_.sleep || step_count_ % constants::sleep_interval != 0) return;
  const float ready = constants::sleep_time * static_cast<float>(definition_.time_per_second);
  bool any = false;
  for (int i : awake_bodies_) any |= movable(i) && bodies_[i].sleep_time >= ready;
  if (!any) return;

  parents_.resize(bodies_.size());
  std::iota(parents_.begin(), parents_.end(), 0);
  auto join = [&](int a, int b) {
    bool moves_a = movable(a), moves_b = movable(b);
    if (moves_a && moves_b) {
      int ra = find_root(parents_, a), rb = find_root(parents_, b);
      if (ra != rb) parents_[std::max(ra, rb)] = std::min(ra, rb);
    } else if (moves_a && awake_[b]) {
      bodies_[a].sleep_time = 0;  // a moving kinematic neighbour
    } else if (moves_b && awake_[a]) {
      bodies_[b].sleep_time = 0;
    }
  };
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (contact.color >= 0) join(contact.body_a, contact.body_b);
  }
  for (const Joint& joint : joints_) {
    if (joint.color >= 0) join(joint.body_a, joint.body_b);
  }
  std::vector<uint8_t> restless(bodies_.size(), 0);
  for (int i : awake_bodies_) {
    if (movable(i) && bodies_[i].sleep_time < ready) restless[find_root(parents_, i)] = 1;
  }
  std::vector<int> island(bodies_.size(), -1);
  bool slept = false;
  for (int i : awake_bodies_) {
    int root = find_root(parents_, i);
    if (!movable(i) || restless[root]) continue;
    if (island[root] < 0) island[root] = island_count_++;
    bodies_[i].island = island[root];
    awake_[i] = 0;
    states_[i].vx = states_[i].vy = states_[i].omega = 0.0f;
    slept = true;
  }
  if (!slept) return;
  awake_dirty_ = contacts_dirty_ = true;
  for (int index : active_contacts_) {
    Contact& contact = contacts_[index];
    if (!contact.alive || is_active(contact)) continue;
    contact.active = false;
    remove_constraint(index);
  }
  for (int i = 0; i < joint_count(); ++i) {
    const Joint& joint = joints_[i];
    if (joint.color >= 0 && !awake_[joint.body_a] && !awake_[joint.body_b]) deactivate_joint(i);
  }
}

}  // namespace rigid
