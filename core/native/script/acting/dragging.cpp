// SPDX-License-Identifier: MIT
// Drags bodies for a player: mouse joints that are added and removed, as
// core/world/script/dragging.py does.
#include <algorithm>

#include "engine/building/read_rows.h"
#include "script/runner.h"

namespace rigid::script {

namespace {

// The first target that is due after a step.
auto after(const Pull& pull, int64_t step) {
  return std::upper_bound(pull.steps.begin(), pull.steps.end(), step);
}

Numbers target_of(const Pull& pull, int64_t step) {
  const auto at = after(pull, step) - pull.steps.begin();
  return pull.targets[std::max<std::ptrdiff_t>(0, at - 1)];
}

bool acts(const Pull& pull, int64_t step) { return pull.start <= step && step < pull.until; }

}  // namespace

// Does what is due before a step; returns whether a body is dragged in it.
bool Runner::drag(World& world, int64_t step) {
  const Joints& joints = world.parts().joints;
  bool busy = false;
  for (Pull& pull : state_.pulls) {
    const int slot = joints.find(pull.joint);
    const bool holds = slot >= 0 && !is_broken(joints[slot]);
    if (step == pull.until && holds) remove_joint(world, slot);
    if (!acts(pull, step)) continue;
    busy = true;
    if (step == pull.start) {
      take(world, pull);
    } else if (const auto next = after(pull, step);
               holds && next != pull.steps.begin() && next[-1] == step) {
      const Numbers to = target_of(pull, step);
      world.set_joint(slot, {.target = Double2{to[0], to[1]}});
      tell(scene(world), Change::target, slot, 0, {to[0], to[1]});
    }
  }
  return busy;
}

// Whether any drag is of a body that is not known yet.
bool Runner::awaits_bodies() const {
  return std::any_of(state_.pulls.begin(), state_.pulls.end(),
                     [](const Pull& each) { return each.body < 0; });
}

void Runner::find_pulled(int64_t id, const std::string& name) {
  for (Pull& each : state_.pulls) {
    if (each.body < 0 && each.name == name) each.body = id;
  }
}

// Has a body pulled, if it is there.
void Runner::take(World& world, Pull& pull) {
  const Bodies& bodies = world.parts().bodies;
  const int body = pull.body < 0 ? none : bodies.find(pull.body);
  if (body < 1 || bodies[body].kind != BodyKind::dynamic) return;
  JointRow row = program_->hand;
  row.body_a = 0;
  row.body_b = body;
  const Numbers to = target_of(pull, pull.start);
  row.anchor_ax = row.target_x = to[0];
  row.anchor_ay = row.target_y = to[1];
  row.anchor_bx = pull.point[0];
  row.anchor_by = pull.point[1];
  row.motor_max = pull.force;
  FragmentRows rows{};
  rows.links.joints = {&row, 1};
  pull.joint = add_fragment(world, rows).joints.at(0);
  note({now(world), static_cast<int>(News::pulled), pull.number, pull.joint});
  changed_ = true;
}

// Where the last drag of the step that ended pulls to.
std::optional<Numbers> Runner::pulled_to(const World& world) const {
  const int64_t step = now(world) - 1;
  for (auto pull = state_.pulls.rbegin(); pull != state_.pulls.rend(); ++pull) {
    if (acts(*pull, step)) return target_of(*pull, step);
  }
  return pulled_;
}

}  // namespace rigid::script
