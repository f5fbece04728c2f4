// SPDX-License-Identifier: MIT
// The bodies and joints of each island, and their energies.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/data/trees.h"
#include "engine/islands/conservation.h"
#include "engine/joints/springs.h"
#include "engine/joints/stored_energy.h"
#include "prefetch.h"

namespace rigid {

namespace {

double inverse_of(float inverse) { return inverse > 0.0f ? 1.0 / inverse : 0; }

constexpr uint8_t mark_touched = 1, mark_held = 2, mark_moved = 4, mark_turns_not = 8,
                  mark_damped = 16;

bool is_still(const BodyState& s) { return s.vx == 0.0f && s.vy == 0.0f && s.omega == 0.0f; }

}  // namespace

// The depth of the deepest contact of an island at the step's start; all of them are found at the
// first call.
double Conservation::overlap_of(const Island& island) {
  if (overlaps_.empty()) {
    overlaps_.assign(islands_.size(), 0.0);
    contacts_.for_near([this](int index) {
      const Contact& contact = contacts_[index];
      if (contact.color < 0) return;
      const int a = island_of_[contact.body_a], at = a >= 0 ? a : island_of_[contact.body_b];
      for (int k = 0; at >= 0 && k < contact.count; ++k) {
        overlaps_[at] = std::max(overlaps_[at], -double{contact.points[k].separation});
      }
    });
  }
  return overlaps_[&island - islands_.data()];
}

// A motor whose target is another position, or a speed, does at most the work of its impulse at the
// largest of its speeds.
void Conservation::weigh_joint(const Joint& joint, Island& island) {
  const bool soft = has_soft_rows(joint);
  const bool drives =
      has_hard_motor(joint) && !(joint.motor == MotorKind::speed && joint.motor_target == 0.0f);
  if (!soft && !drives) return;
  const Body &a = bodies_[joint.body_a], &b = bodies_[joint.body_b];
  const BodyState &begun_a = begun_[joint.body_a], &begun_b = begun_[joint.body_b];
  const BodyState &now_a = bodies_.states[joint.body_a], &now_b = bodies_.states[joint.body_b];
  JointPlace start, now;
  if (!drives && stores_by_angle(joint)) {
    start.angle = b.angle - a.angle - joint.reference_angle;
    now.angle = moved_angle<double>(start, now_a, now_b);
  } else {
    const Double2 offset = {b.center_x - a.center_x, b.center_y - a.center_y};
    start = joint_place(joint, a, b);
    now = moved_place(type_of(joint), start, offset, now_a, now_b);
  }
  if (soft) {
    const KernelContext context = lanes_.context();
    const StoredEnergy before = stored_energy(joint, start, begun_a, begun_b, context);
    const StoredEnergy after = stored_energy(joint, now, now_a, now_b, context);
    island.stored_before += before.energy;
    island.stored += after.energy - before.energy;
    island.lag += after.lag - before.lag;
  }
  if (!drives) return;
  const DriveReading before = drive_reading(joint, start, begun_a, begun_b);
  const DriveReading after = drive_reading(joint, now, now_a, now_b);
  const double travel = (after.coordinate - before.coordinate) / parameters_.dt;
  double fastest = std::max({std::fabs(before.speed), std::fabs(after.speed), std::fabs(travel)});
  if (joint.motor == MotorKind::speed) {
    fastest = std::max(fastest, std::fabs(static_cast<double>(joint.motor_target)));
  }
  island.drives += std::fabs(static_cast<double>(joint.motor_total)) * fastest;
}

void Conservation::note_joint(const Joint& joint) {
  const int a = island_of_[joint.body_a], b = island_of_[joint.body_b];
  const int at = a >= 0 ? a : b;
  if (at < 0) return;
  Island& island = islands_[at];
  island.constrained = island.jointed = true;
  const JointType& type = type_of(joint);
  if (a < 0 || b < 0 || type.takes_momentum() || type.against_world) {
    island.held = island.tied = true;
  }
  for (int body : {joint.body_a, joint.body_b}) {
    if (island_of_[body] < 0 && !is_still(begun_[body])) island.moved = true;
    if (island_of_[body] >= 0 && !mechanisms_.keeps_account(body)) island.self_kept = false;
  }
  if (!joint.direct) island.self_kept = false;
}

// Groups bodies that touch, are joined or wait for each other, in the order of their first bodies.
void Conservation::group_bodies() {
  parents_.assign(bodies_.size(), -1);  // of bodies that do not move
  for (int i : bodies_.awake_list) {
    if (is_dynamic(bodies_, i)) parents_[i] = i;
  }
  island_of_.assign(bodies_.size(), -1);
  marks_.assign(bodies_.size(), 0);
  auto moves = [this](int i) { return parents_[i] >= 0; };
  auto join = [&](int a, int b) {
    if (moves(a) && moves(b)) join_trees(parents_, a, b);
  };
  contacts_.for_solved([&](int contact, int a, int b) {
    const bool both = moves(a) && moves(b);
    const int body = moves(a) ? a : b;
    if (both) {
      if (parents_[a] != parents_[b]) join_trees(parents_, a, b);
    } else if (moves(body)) {
      const int other = body == a ? b : a;
      marks_[body] |= is_still(begun_[other]) ? mark_held : mark_held | mark_moved;
    }
    marks_[body] |= contacts_.bond(contact).conveys ? mark_touched | mark_moved : mark_touched;
  });
  for (const Joint& joint : joints_) {
    if (joint.color >= 0) join(joint.body_a, joint.body_b);
  }
  for (const auto& [first, second] : continuous_.held_pairs()) join(first, second);
  islands_.clear();
  parts_.clear();
  for (int i : bodies_.awake_list) {
    if (!moves(i)) continue;
    const int root = find_root(parents_, i);
    if (island_of_[root] < 0) {
      island_of_[root] = static_cast<int>(islands_.size());
      islands_.emplace_back();
    }
    Island& island = islands_[island_of_[i] = island_of_[root]];
    ++island.count;
    if ((marks_[i] & mark_touched) != 0) island.constrained = island.touched = true;
    if ((marks_[i] & mark_held) != 0) island.held = true;
    if ((marks_[i] & mark_moved) != 0) island.moved = true;
  }
  int first = 0;
  for (Island& island : islands_) {
    island.first = first;
    first += std::exchange(island.count, 0);
  }
  parts_.resize(first);
  for (int i : bodies_.awake_list) {
    if (!moves(i)) continue;
    Island& island = islands_[island_of_[i]];
    parts_[island.first + island.count++] = {.body = i, .island = island_of_[i]};
  }
}

void Conservation::weigh_parts() {
  const double per_substep = parameters_.inverse_h;
  auto weigh = [&](Part& part) {
    const BodyStep& step = bodies_.steps[part.body];
    const InverseMass own = bodies_.inverse_masses[part.body],
                      solved = bodies_.step_inverse_masses[part.body];
    part.mass = inverse_of(own.mass);
    part.inertia = inverse_of(own.inertia);
    const double mass = inverse_of(solved.mass) * per_substep;
    part.force = {step.ax * mass, step.ay * mass};
    part.torque = step.alpha * inverse_of(solved.inertia) * per_substep;
    uint8_t mark = 0;
    if (!(part.mass > 0) || (bodies_.near_walls[part.body] & wall_met) != 0) mark |= mark_held;
    if (!(part.inertia > 0)) mark |= mark_turns_not;
    if (step.linear_factor != 1.0f || step.angular_factor != 1.0f) mark |= mark_damped;
    return mark;
  };
  const int count = static_cast<int>(parts_.size());
  marks_.resize(count);  // now in the order of parts
  pool_.run(count, part_piece, [&](int first, int last) {
    for (int i = first; i < last; ++i) marks_[i] = weigh(parts_[i]);
  });
  for (Island& island : islands_) {
    uint8_t mark = 0;
    for (int i = island.first; i < island.first + island.count; ++i) mark |= marks_[i];
    if ((mark & mark_held) != 0) island.held = true;
    if ((mark & mark_turns_not) != 0) island.turns = false;
    if ((mark & mark_damped) != 0) island.damped = true;
  }
}

void Conservation::find_islands() {
  joint_ends_.clear();
  overlaps_.clear();
  group_bodies();
  for (const Joint& joint : joints_) {
    if (joint.color >= 0) note_joint(joint);
  }
  constexpr int ahead = 6;
  for (int i = 0; i < joints_.count(); ++i) {
    if (i + ahead < joints_.count()) {
      prefetch_to_read(&bodies_[joints_[i + ahead].body_a].angle);
      prefetch_to_read(&bodies_[joints_[i + ahead].body_b].angle);
    }
    const int at = island_of(joints_[i]);
    if (at >= 0 && !islands_[at].moved) weigh_joint(joints_[i], islands_[at]);
  }
  weigh_parts();
}

int Conservation::island_of(const Joint& joint) const {
  if (joint.color < 0) return -1;
  const int a = island_of_[joint.body_a];
  return a >= 0 ? a : island_of_[joint.body_b];
}

// The joints of an island; all joints are sorted at the first call.
std::span<const int> Conservation::joints_in(const Island& island) {
  if (joint_ends_.empty()) {
    joint_ends_.assign(islands_.size() + 1, 0);
    for (const Joint& joint : joints_) {
      const int at = island_of(joint);
      if (at >= 0) ++joint_ends_[at + 1];
    }
    std::partial_sum(joint_ends_.begin(), joint_ends_.end(), joint_ends_.begin());
    sorted_joints_.resize(joint_ends_.back());
    std::vector<int> next(joint_ends_.begin(), joint_ends_.end() - 1);
    for (int i = 0; i < joints_.count(); ++i) {
      const int at = island_of(joints_[i]);
      if (at >= 0) sorted_joints_[next[at]++] = i;
    }
  }
  const int at = static_cast<int>(&island - islands_.data());
  return std::span<const int>(sorted_joints_)
      .subspan(joint_ends_[at], joint_ends_[at + 1] - joint_ends_[at]);
}

}  // namespace rigid
