// SPDX-License-Identifier: MIT
// Fields: forces that are expressions of place, time and motion, as core/world/naming/actuators.py
// gives them.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/world_parts.h"
#include "script/runner.h"

namespace rigid::script {

namespace {

constexpr double most_force = 1e15;  // N, as MOST_FORCE there

}  // namespace

// Whether any acts on a body, now or at another step.
bool Runner::has_fields() const {
  for (std::size_t i = 0; i < state_.actuators.size(); ++i) {
    if (!program_->actuators[i].field.empty() && !state_.actuators[i].parts.empty()) return true;
  }
  return false;
}

// Gives the bodies of each field the force of the middle of the step that begins now. Returns false
// where it has no value or is too large.
bool Runner::push_fields(World& world, int64_t step, const Exact& exact) {
  if (!has_fields()) return true;
  world.finish();
  const Bodies& bodies = world.parts().bodies;
  const double dt = program_->dt, half = 0.5 * dt;
  for (std::size_t i = 0; i < state_.actuators.size(); ++i) {
    const Actuator& plan = program_->actuators[i];
    const ActuatorState& now = state_.actuators[i];
    if (plan.field.empty() || !now.enabled || !plan.acts_at(step)) continue;
    for (const auto& [place, body] : now.parts) {
      if (!bodies.alive[body]) continue;
      const double vx = bodies.states[body].vx, vy = bodies.states[body].vy;
      const std::array<double, field_inputs> read{
          bodies.x[body] + half * vx,
          bodies.y[body] + half * vy,
          static_cast<double>(step) * dt + half,
          vx,
          vy,
          bodies.mass[body],
      };
      std::array<double, 2> force;
      for (int axis : {0, 1}) {
        const std::optional<double> found = plan.field[axis].value(read.data(), {}, exact);
        if (!found || std::fabs(*found) > most_force) return fail(Fault::force);
        force[axis] = *found;
      }
      script::push(scene(world), place, {force[0], force[1], 0.0}, true);
    }
  }
  return true;
}

}  // namespace rigid::script
