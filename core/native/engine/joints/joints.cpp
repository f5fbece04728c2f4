// SPDX-License-Identifier: MIT
// Addition, activation, breaking and removal of joints.
#include "engine/joints/joints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/joints/joint.h"

namespace rigid {

int Joints::add_joint(const Joint& given, Place place) {
  of_body_.forget();
  const int index = joint_slots_.take(place);
  if (index == count()) joints_.emplace_back();
  Joint& joint = joints_[index] = given;
  joint.color = joint.slot = -1;
  constexpr float never = std::numeric_limits<float>::infinity();
  const float weakest = std::min({joint.break_force, joint.break_torque, joint.break_push_pull,
                                  joint.break_push, joint.break_pull});
  if (weakest < never) breakable_.push_back(index);
  if (type_of(joint).links) ++links_;
  if (joint.pitch != 0.0f) ratchets_.push_back(index);
  if (!joint.collide) broadphase_.add_joined(joint.body_a, joint.body_b);
  return index;
}

std::vector<int> Joints::links_of(int index) const {
  std::vector<int> links;
  for (int i = 0; links_ > 0 && i < count(); ++i) {
    const Joint& joint = joints_[i];
    if (joint.alive && (joint.linked_a == index || joint.linked_b == index)) links.push_back(i);
  }
  return links;
}

void Joints::place_joint(int index) {
  Joint& joint = joints_[index];
  ++placings_;
  const Body &a = bodies_[joint.body_a], &b = bodies_[joint.body_b];
  joint.local_a = joint.given_a - a.local_center;
  joint.local_b = joint.given_b - b.local_center;
  joint.spring_mass = static_cast<float>(spring_mass(
      joint, a, b, bodies_.inverse_masses[joint.body_a], bodies_.inverse_masses[joint.body_b]));
  if (!std::isnan(joint.start)) return;
  joint.start = 0;
  JointRows rows;
  type_of(joint).find_rows(joint, joint_place(joint, a, b), rows);
  joint.start = rows.coordinate[type_of(joint).coordinate_row];
}

void Joints::activate_joint(int index) {
  Joint& joint = joints_[index];
  if (!joint.alive || joint.broken || joint.color >= 0) return;
  bool moves_a = bodies_.is_dynamic(joint.body_a), moves_b = bodies_.is_dynamic(joint.body_b);
  if (!(moves_a && bodies_.awake[joint.body_a]) && !(moves_b && bodies_.awake[joint.body_b]))
    return;
  if (moves_a) bodies_.wake(joint.body_a);
  if (moves_b) bodies_.wake(joint.body_b);
  joint.graph = graph_of(joint);
  Graph::Place place =
      joint_graphs_[joint.graph].add(index, joint.body_a, joint.body_b, moves_a, moves_b);
  joint.color = place.color;
  if (moves_a) ++bodies_[joint.body_a].acting_joints;
  if (moves_b) ++bodies_[joint.body_b].acting_joints;
  expect_regrouping();
  joint.slot = place.slot;
}

void Joints::deactivate_joint(int index) {
  Joint& joint = joints_[index];
  if (joint.color < 0) return;
  bool moves_a = bodies_.is_dynamic(joint.body_a), moves_b = bodies_.is_dynamic(joint.body_b);
  int moved = joint_graphs_[joint.graph].remove({joint.color, joint.slot}, joint.body_a,
                                                joint.body_b, moves_a, moves_b);
  if (moves_a) --bodies_[joint.body_a].acting_joints;
  if (moves_b) --bodies_[joint.body_b].acting_joints;
  if (moved >= 0) joints_[moved].slot = joint.slot;
  joint.color = joint.slot = -1;
  expect_regrouping();
}

void Joints::activate_awake() {
  for (int i = 0; i < count(); ++i) activate_joint(i);
}

void Joints::deactivate_asleep() {
  for (int i = 0; i < count(); ++i) {
    const Joint& joint = joints_[i];
    if (joint.color >= 0 && !bodies_.either_awake(joint.body_a, joint.body_b)) deactivate_joint(i);
  }
}

void Joints::unlink_joint(int index) {
  Joint& joint = joints_[index];
  deactivate_joint(index);
  if (joint.collide) return;
  joint.collide = true;
  broadphase_.remove_joined(joint.body_a, joint.body_b);
}

void Joints::regroup_joint(int index) {
  Joint& joint = joints_[index];
  expect_regrouping();
  if (joint.color >= 0 && joint.graph != graph_of(joint)) {
    deactivate_joint(index);
    activate_joint(index);
  }
  bodies_.wake(joint.body_a);
  bodies_.wake(joint.body_b);
}

void Joints::remove_joint(int index) {
  Joint& joint = joints_[index];
  if (!joint.alive) return;
  bodies_.wake(joint.body_a);
  bodies_.wake(joint.body_b);
  unlink_joint(index);
  joint.alive = false;
  if (type_of(joint).links) --links_;
  std::erase(breakable_, index);
  std::erase(ratchets_, index);
  joint_slots_.give_back(index);
  ++removals_;
  for (int link : links_of(index)) remove_joint(link);
}

void Joints::turn_ratchets(double dt) {
  for (int i : ratchets_) {
    Joint& joint = joints_[i];
    if (joint.color < 0) continue;
    const double pitch = std::fabs(joint.pitch);
    const double way = joint.pitch > 0.0f ? 1 : -1;
    const double turned = bodies_[joint.body_b].angle - bodies_[joint.body_a].angle;
    const double angle = way * (turned - joint.reference_angle);
    const double torque = way * (static_cast<double>(joint.total_angular) - joint.motor_total) / dt;
    double behind = way * (way > 0 ? joint.lower : joint.upper);
    if (torque > joint.pawl_maximum) {
      behind -= pitch;
    } else {
      behind = std::max(behind, std::floor(angle / pitch) * pitch);
    }
    (way > 0 ? joint.lower : joint.upper) = static_cast<float>(way * behind);
  }
}

bool Joints::any_breaks_by_push() const {
  constexpr float never = std::numeric_limits<float>::infinity();
  return std::any_of(breakable_.begin(), breakable_.end(), [this](int i) {
    return joints_[i].color >= 0 && joints_[i].break_push_pull < never;
  });
}

namespace {

// Whether the push or the pull of a joint between two points exceeds its limit, at the places at
// the step's end.
bool snaps_along(const Joint& joint, const Body& a, const Body& b, float fx, float fy) {
  if (!std::isfinite(joint.break_push) && !std::isfinite(joint.break_pull)) return false;
  const Double2 between = joint_place(joint, a, b).between;
  const double length = std::sqrt(between.x * between.x + between.y * between.y);
  const double push = length > 0 ? (fx * between.x + fy * between.y) / length : 0;
  return push > joint.break_push || -push > joint.break_pull;
}

}  // namespace

// All overloaded joints break together: a bar pulled at both ends comes off at both.
void Joints::break_joints(std::span<const double> push_pulls, double dt, int step, Events& events) {
  constexpr float never = std::numeric_limits<float>::infinity();
  const float per_dt = static_cast<float>(1.0 / dt);
  std::vector<int> breaking;
  auto push = [&](int body) { return std::fabs(push_pulls[body]); };
  for (int i : breakable_) {
    const Joint& joint = joints_[i];
    if (joint.color < 0) continue;
    float fx = joint.total_x * per_dt, fy = joint.total_y * per_dt;
    float force = std::sqrt(fx * fx + fy * fy), torque = std::fabs(joint.total_angular * per_dt);
    bool snaps = force > joint.break_force || torque > joint.break_torque ||
                 snaps_along(joint, bodies_[joint.body_a], bodies_[joint.body_b], fx, fy);
    if (!snaps && joint.break_push_pull < never && !push_pulls.empty()) {
      snaps =
          push(joint.body_a) > joint.break_push_pull || push(joint.body_b) > joint.break_push_pull;
    }
    if (snaps) breaking.push_back(i);
  }
  for (std::size_t k = 0; k < breaking.size(); ++k) {
    const int i = breaking[k];
    Joint& joint = joints_[i];
    if (joint.broken) continue;
    for (int link : links_of(i)) breaking.push_back(link);
    joint.broken = true;
    joint.broken_at = step;
    unlink_joint(i);
    bodies_.wake(joint.body_a);
    bodies_.wake(joint.body_b);
    events.tell_joint(step, EventKind::joint_broken, id(i));
  }
}

JointStateRow joint_state(const Joint& joint, const Bodies& bodies, const Clock& clock) {
  JointStateRow row = joint_reading(joint, bodies[joint.body_a], bodies[joint.body_b],
                                    bodies.states[joint.body_a], bodies.states[joint.body_b]);
  const bool loaded = has_acted(joint, clock.steps);
  const double per_dt = loaded ? 1.0 / clock.dt : 0.0;
  row.force_x = joint.total_x * per_dt;
  row.force_y = joint.total_y * per_dt;
  row.torque = joint.total_angular * per_dt;
  row.motor_force = loaded ? joint.motor_total * per_dt : 0;
  return row;
}

}  // namespace rigid
