// SPDX-License-Identifier: MIT
// Moves sets of bodies, with the formulas of core/world/script/sets.py.
#include <cmath>

#include "script/runner.h"
#include "script/turning.h"

namespace rigid::script {

namespace {

constexpr double largest = 1e15;  // beyond it the engine takes no number

}  // namespace

// The new pose of a set of bodies; nothing where it has none, and `fails` where a number has no
// value.
std::optional<Shift> Runner::shift_of(World& world, const Action& action, const Found& found,
                                      std::span<const int> slots, const Exact& exact, bool& fails) {
  const Move& plan = program_->moves[action.what];
  const Bodies& bodies = world.parts().bodies;
  fails = false;
  if (slots.empty()) return std::nullopt;
  const Numbers about{bodies.x[slots[0]], bodies.y[slots[0]]};
  std::optional<Numbers> to;
  if (action.spot.where != Where::nowhere) {
    to = place_of(world, action.spot, &found, exact, fails);
    if (!to) return std::nullopt;
    to = of_copy(action.spot, *to);
  }
  fails = true;
  if (!to) {
    std::optional<Numbers> by = value(world, plan.by, &found, exact);
    if (!by) return std::nullopt;
    if (copy_ != nullptr) by = scaled_way(*by);
    to = Numbers{about[0] + (*by)[0], about[1] + (*by)[1]};
  }
  std::optional<double> angle = number(world, plan.angle, &found, exact);
  std::optional<Numbers> velocity = value(world, plan.velocity, &found, exact);
  if (!angle || !velocity) return std::nullopt;
  if (copy_ != nullptr) {
    angle = place_.turned(*angle);
    velocity = place_.direction(*velocity);
  }
  fails = false;
  return Shift{about, *to, *angle, *velocity};
}

// Moves bodies as a rigid set; false where the host has to, or where a number is not taken.
bool Runner::move(World& world, const Action& action, const Found& found, const Exact& exact) {
  const Move& plan = program_->moves[action.what];
  world.finish();
  const std::vector<int> slots = slots_of(world, action.members, found);
  const Bodies& bodies = world.parts().bodies;
  bool fails = false;
  const std::optional<Shift> shift = shift_of(world, action, found, slots, exact, fails);
  if (!shift) return !fails;
  const auto& [about, to, angle, velocity] = *shift;
  const Turn turn = angle == 0.0 ? Turn{1.0, 0.0} : turn_of(angle, exact);
  const auto turned = [&](double x, double y) {
    if (angle == 0.0 || (x == 0.0 && y == 0.0)) return Numbers{x, y};
    return Numbers{turn.cosine * x - turn.sine * y, turn.sine * x + turn.cosine * y};
  };
  for (double each : {to[0], to[1], angle, velocity[0], velocity[1]}) {
    if (!(std::fabs(each) <= largest)) {
      return fail(Fault::number,
                  {about[0], about[1], to[0], to[1], angle, velocity[0], velocity[1]});
    }
  }
  for (int slot : slots) {
    const Numbers place = turned(bodies.x[slot] - about[0], bodies.y[slot] - about[1]);
    world.set_pose(slot, to[0] + place[0], to[1] + place[1], bodies.angle[slot] + angle);
    tell(scene(world), Change::moved, bodies.slots.id(slot));
    if (bodies[slot].kind == BodyKind::fixed) continue;
    const BodyState state = bodies.states[slot];
    if (!plan.has_velocity && angle == 0.0) continue;
    const Numbers now = plan.has_velocity ? velocity : turned(state.vx, state.vy);
    world.set_velocity(slot, static_cast<float>(now[0]), static_cast<float>(now[1]), state.omega);
  }
  return true;
}

}  // namespace rigid::script
