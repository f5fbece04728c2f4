// SPDX-License-Identifier: MIT
// Actuators of what is born: those of its prototype, and those that act on bodies with its tags.
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/data/kinds.h"
#include "script/runner.h"
#include "script/turning.h"

namespace rigid::script {

// The bodies of copies on which actuators act, in the order of their rows.
std::vector<Mount> Runner::mounts_of(const World& world, const Original& original,
                                     std::span<const Pose> poses, const Exact& exact) const {
  std::vector<Mount> mounts;
  const auto each = static_cast<int>(original.parts.size());
  const auto copies = static_cast<int>(poses.size());
  for (int copy = 0; copy < copies; ++copy) {
    const double angle = poses[copy].angle;
    for (const OwnActuator& own : original.actuators) {
      auto numbers = own.what->numbers;
      double& x = numbers[static_cast<int>(Quantity::force_x)];
      double& y = numbers[static_cast<int>(Quantity::force_y)];
      if (own.what->turns_force && angle != 0.0 && !(x == 0.0 && y == 0.0)) {
        const Turn turn = turn_of(angle, exact);
        std::tie(x, y) =
            std::pair(turn.cosine * x - turn.sine * y, turn.sine * x + turn.cosine * y);
      }
      int place = none;
      for (int part : own.parts) {
        mounts.push_back({copy, place == none ? none : 0, copy * each + part, own.what, numbers});
        place = 0;
      }
    }
  }
  for (int body = 0; body < copies * each; ++body) {
    if (original.mould->bodies[body % each].kind != static_cast<int>(BodyKind::dynamic)) continue;
    join(world, original.parts[body % each].tags, {body / each, none, body, nullptr, {}}, mounts);
  }
  return mounts;
}

// Adds the actuators that act on a dynamic body with these tags.
void Runner::join(const World& world, const Tags& tags, Mount mount,
                  std::vector<Mount>& mounts) const {
  const int64_t step = now(world);
  for (std::size_t i = 0; i < state_.actuators.size(); ++i) {
    const ActuatorState& now = state_.actuators[i];
    const bool is_past = now.plan->blows && now.plan->start < step;
    if (now.gone || is_past || !now.plan->tags.meets(tags)) continue;
    mount.joins = static_cast<int>(i) + 1;
    mount.what = now.plan;
    mount.numbers = now.numbers;
    mounts.push_back(mount);
  }
}

// Adds the rows of the joints and forces of actuators, for bodies in these slots.
void Runner::mount_rows(std::span<const Mount> mounts, std::span<const int> slots,
                        std::vector<JointRow>& joints, std::vector<ForceRow>& forces) {
  for (const Mount& each : mounts) {
    const int body = slots[each.body];
    if (each.what->by_joint) {
      joints.push_back(each.what->joint);
      joints.back().body_b = body;
      const double speed = each.numbers[static_cast<int>(Quantity::speed)];
      joints.back().motor_target = std::isnan(speed) ? 0.0 : speed;
    } else {
      forces.push_back(each.what->force);
      forces.back().body = body;
      forces.back().x = each.numbers[static_cast<int>(Quantity::force_x)];
      forces.back().y = each.numbers[static_cast<int>(Quantity::force_y)];
      forces.back().torque = each.numbers[static_cast<int>(Quantity::torque)];
    }
  }
}

// What was added without its forces, which the engine of a host takes.
Added Runner::with_forces(const std::vector<ForceRow>& forces, Added added) const {
  if (HostEngine* const own = engine()) {
    for (const ForceRow& row : forces) added.forces.push_back(own->add_force(row));
  }
  return added;
}

// Has actuators act on bodies that were added, so many to each birth, with their joints behind
// `first`.
void Runner::mount(World& world, std::size_t parts, std::span<const Mount> mounts,
                   const Added& added, std::size_t first, std::vector<Birth>& births) {
  std::size_t joint = first, force = 0, begun = state_.actuators.size();
  const auto start = [&](std::size_t from) {
    for (; begun < from; ++begun) start_actuator(scene(world), static_cast<int>(begun), 0);
  };
  for (const Mount& each : mounts) {
    const int64_t place = each.what->by_joint ? added.joints[joint++] : added.forces[force++];
    const int body = static_cast<int>(Slots::slot_of(added.bodies[each.body]));
    const std::pair<int, int> mounted{static_cast<int>(Slots::slot_of(place)), body};
    Birth& birth = births[each.copy];
    if (each.joins > 0) {
      start(state_.actuators.size());
      const int index = each.joins - 1;
      ActuatorState& now = state_.actuators[index];
      now.parts.push_back(mounted);
      start_actuator(scene(world), index, now.parts.size() - 1);
      birth.joined.push_back({index, static_cast<int64_t>(each.body % parts), place});
      continue;
    }
    if (each.joins == none) {
      birth.actuators.push_back(static_cast<int>(state_.actuators.size()));
      state_.actuators.push_back({each.numbers, each.what->enabled, false, none, {}, each.what});
    }
    state_.actuators.back().parts.push_back(mounted);
    if (each.what->by_joint) {
      birth.driven.push_back(place);
    } else {
      birth.forces.push_back(static_cast<int>(place));
    }
  }
  start(state_.actuators.size());
}

std::vector<int> Runner::drop_actuators() {
  std::vector<int> dropped;
  for (auto i = static_cast<int>(state_.actuators.size()) - 1;
       i >= static_cast<int>(program_->actuators.size()); --i) {
    if (!state_.actuators[i].gone || state_.acted.count(i) != 0) continue;
    dropped.push_back(i);
    state_.actuators.erase(state_.actuators.begin() + i);
    std::set<int> acted;
    for (int each : state_.acted) acted.insert(each > i ? each - 1 : each);
    state_.acted = std::move(acted);
    const auto forget = [i](Copy& copy) {
      for (int& each : copy.actuators) each = each == i ? none : each > i ? each - 1 : each;
    };
    for (auto& [serial, copy] : state_.copies.all) forget(copy);
    for (Copy& copy : state_.copies.gone) forget(copy);
  }
  return dropped;
}

}  // namespace rigid::script
