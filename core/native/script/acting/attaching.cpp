// SPDX-License-Identifier: MIT
// Joints that actions attach and detach, with the formulas of core/scene/blocks/joints.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "engine/building/read_rows.h"
#include "script/runner.h"
#include "script/turning.h"

namespace rigid::script {

namespace {

constexpr double small = 1e-12;

// The direction with length 1, with the bits of core/scene/blocks/places.py.
std::optional<Numbers> unit(const Numbers& way, const Exact& exact) {
  const std::optional<double> length = length_of(way[0], way[1], exact);
  if (!length || !(*length > 0.0)) return std::nullopt;
  if (std::fabs(*length - 1.0) <= small) return way;
  return Numbers{way[0] / *length, way[1] / *length};
}

// Whether there may be no more joints: those of the scene count also when they are gone, those of
// actuators do not.
bool is_full(const Joints& joints, const Program& program, const State& state) {
  if (joints.count() < program.limits.joints) return false;
  int64_t found = program.joints;
  for (int slot = program.joints; slot < joints.count(); ++slot) found += joints[slot].alive;
  for (const ActuatorState& each : state.actuators) {
    if (each.plan->by_joint) found -= static_cast<int64_t>(each.parts.size());
  }
  return found >= program.limits.joints;
}

}  // namespace

// An end of a joint in the coordinates of its body; nothing where the host has to find it.
std::optional<Numbers> Runner::local_end(const World& world, const Attachment& plan, int end,
                                         const Found& found, const std::array<int, 2>& slots,
                                         const Exact& exact) const {
  const Bodies& bodies = world.parts().bodies;
  const JointEnd& own = plan.ends[end];
  Numbers at{own.x, own.y};
  if (!own.points.empty()) {
    const int whose = own.hold == Hold::of_first ? 0 : own.hold == Hold::of_second ? 1 : end;
    const auto is = [&](const auto& point) {
      return slot_of(world, point.first, &found) == slots[whose];
    };
    const auto point = std::find_if(own.points.begin(), own.points.end(), is);
    if (point == own.points.end()) return std::nullopt;
    at = point->second;
  }
  if (own.hold == Hold::own) return at;
  if (own.hold == Hold::event) {
    if (found.given < 2) return std::nullopt;
    at = {found.values[0], found.values[1]};
  } else if (own.hold == Hold::of_first || own.hold == Hold::of_second) {
    at = placed(at, frame_of(bodies, slots[own.hold == Hold::of_first ? 0 : 1]), exact);
  } else if (own.hold == Hold::world) {
    if (copy_ != nullptr) at = place_.point(at);
  } else {
    const Frame origin = frame_of(bodies, slots[own.hold == Hold::first ? 0 : 1]);
    at = {origin.x, origin.y};
  }
  const Frame frame = frame_of(bodies, slots[end]);
  return turned_back({at[0] - frame.x, at[1] - frame.y}, frame, exact);
}

// Attaches a joint; false where it is refused, or where the host attaches it.
bool Runner::attach(World& world, const Action& action, const Found& found, const Exact& exact) {
  const Attachment& plan = program_->attachments[action.what];
  world.finish();
  const WorldParts& parts = world.parts();
  const Bodies& bodies = parts.bodies;
  std::array<int, 2> slots;
  for (const int i : {0, 1}) {
    const int owner = plan.ends[i].body;
    slots[i] = owner == 0 ? 0 : slot_of(world, owner, &found);
    if (slots[i] < 0) return true;
  }
  if (given_) return take_joint(action);
  const auto moves = [&](int slot) { return bodies[slot].kind == BodyKind::dynamic; };
  const auto count = static_cast<double>(count_of(plan.name));
  const auto refuse = [&] { return fail(Fault::number, {count}); };
  const auto ask = [&] {
    request_ = Request{Task::joint, action.what, {count}, {}};
    return false;
  };
  if (plan.by_host) return ask();
  if (plan.refused || slots[0] == slots[1] || !(moves(slots[0]) || moves(slots[1])))
    return refuse();
  if (is_full(parts.joints, *program_, state_)) return refuse();
  const std::optional<Numbers> first = local_end(world, plan, 0, found, slots, exact);
  const std::optional<Numbers> second = local_end(world, plan, 1, found, slots, exact);
  if (!first || !second) {  // bodies from outside may have points that the host alone knows
    const auto is_known = [&](int slot) {
      const Born* const born = born_of(bodies, slot);
      return slot < program_->bodies ||
             (born != nullptr && (born->name != none || born->root != none));
    };
    return is_known(slots[0]) && is_known(slots[1]) ? refuse() : ask();
  }
  const Frame one = frame_of(bodies, slots[0]), other = frame_of(bodies, slots[1]);
  JointRow row = plan.row;
  row.body_a = slots[0];
  row.body_b = slots[1];
  std::tie(row.anchor_ax, row.anchor_ay) = std::pair((*first)[0], (*first)[1]);
  std::tie(row.anchor_bx, row.anchor_by) = std::pair((*second)[0], (*second)[1]);
  row.target_x = row.anchor_ax;
  row.target_y = row.anchor_ay;
  row.reference_angle = other.angle - one.angle;
  if (plan.turns_axis) {
    std::optional<Numbers> axis = Numbers{row.axis_x, row.axis_y};
    if (copy_ != nullptr) axis = unit(place_.direction(*axis), exact);
    if (!axis) return ask();
    const auto [x, y] = turned_back(*axis, one, exact);
    row.axis_x = x;
    row.axis_y = y;
  }
  const bool is_pulley = static_cast<JointKind>(row.kind) == JointKind::pulley;
  if (is_pulley && copy_ != nullptr) {
    const Numbers a = place_.point({row.wheel_ax, row.wheel_ay});
    const Numbers b = place_.point({row.wheel_bx, row.wheel_by});
    std::tie(row.wheel_ax, row.wheel_ay, row.wheel_bx, row.wheel_by) =
        std::tuple(a[0], a[1], b[0], b[1]);
  }
  double length = row.length;
  if (plan.measures) {
    const Numbers from = placed(*first, one, exact), to = placed(*second, other, exact);
    std::optional<double> now;
    if (is_pulley) {
      const auto a = length_of(from[0] - row.wheel_ax, from[1] - row.wheel_ay, exact);
      const auto b = length_of(to[0] - row.wheel_bx, to[1] - row.wheel_by, exact);
      if (a && b) now = *a + row.ratio * *b;
    } else {
      now = length_of(to[0] - from[0], to[1] - from[1], exact);
    }
    if (!now) return ask();
    length = *now;
    if (length > plan.most) length = plan.most;
    if (length < plan.least) length = plan.least;
    row.length = length >= plan.shortest ? length : 0.0;
    if (plan.least_is_length) row.min_length = row.length;
    if (plan.most_is_length) row.max_length = row.length;
  }
  if (plan.may_be_pin) {
    row.kind =
        static_cast<int32_t>(row.max_length == 0.0 ? JointKind::revolute : JointKind::distance);
  }
  Added added;
  try {
    FragmentRows rows{};
    rows.links.joints = {&row, 1};
    added = add_fragment(world, rows);
  } catch (const std::invalid_argument&) {
    return refuse();
  }
  const int64_t id = added.joints.at(0);
  Joined joined{
      action.what,
      count_of(plan.name)++,
      id,
      {bodies.slots.id(slots[0]), bodies.slots.id(slots[1])},
      {row.anchor_ax, row.anchor_ay, row.anchor_bx, row.anchor_by, row.reference_angle, row.axis_x,
       row.axis_y, length, row.wheel_ax, row.wheel_ay, row.wheel_bx, row.wheel_by}};
#ifndef RIGID_SMALL
  if (copy_ != nullptr) std::tie(joined.spawn, joined.of) = std::tie(copy_->spawn, copy_->count);
#endif
  attached_of(plan.name).push_back({joined.count, id});
  watch(id, plan.name);
  note({now(world), static_cast<int>(News::attached), static_cast<int64_t>(joined_.size()), -1});
  joined_.push_back(joined);
  changed_ = true;
  return true;
}

// Takes notice of a joint that the host has attached.
bool Runner::take_joint(const Action& action) {
  const int name = program_->attachments[action.what].name;
  const int64_t id = given_->joint;
  given_.reset();
  if (id == none) return true;
  attached_of(name).push_back({count_of(name)++, id});
  watch(id, name);
  changed_ = true;
  return true;
}

// Removes the joints that were attached under a name.
void Runner::detach(World& world, int name) {
  for (const Attached& each : attached_of(name)) {
    const int slot = world.parts().joints.find(each.id);
    if (slot >= 0 && !is_broken(world.parts().joints[slot])) remove_joint(world, slot);
  }
  attached_of(name).clear();
}

int64_t& Runner::count_of(int name) {
#ifndef RIGID_SMALL
  if (name < 0) return copy_->counts[first_own - name];
#endif
  return state_.counts[name];
}

std::vector<Attached>& Runner::attached_of(int name) {
#ifndef RIGID_SMALL
  if (name < 0) return copy_->attached[first_own - name];
#endif
  return state_.attached[name];
}

// Remembers a new joint whose removal an event asks for.
void Runner::watch(int64_t joint, int name) {
#ifndef RIGID_SMALL
  if (name < 0) {
    watch_own(*copy_, static_cast<int>(copy_->joints.size()) + first_own - name, joint);
    return;
  }
#endif
  for (int rule : program_->by_kind[static_cast<int>(Kind::deleted)]) {
    if (program_->rules[rule].attached != name) continue;
    state_.watched.push_back({joint, name});
    return;
  }
}

}  // namespace rigid::script
