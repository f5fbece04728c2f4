// SPDX-License-Identifier: MIT
// Fields: forces that are expressions of place, time and motion, as core/world/naming/actuators.py
// gives them.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/channels.h"
#include "engine/world_parts.h"
#include "script/runner.h"

namespace rigid::script {

namespace {

constexpr double most_force = 1e15;  // N, as MOST_FORCE there

int world_channel(std::string_view quantity) {
  const auto known = channels();
  const auto is_it = [quantity](const Channel& each) {
    return each.owner == Owner::world && quantity == each.quantity;
  };
  return static_cast<int>(std::find_if(known.begin(), known.end(), is_it) - known.begin());
}

}  // namespace

// An energy of the world with that of fields, as `energy_sum` of core/world/aggregates.py.
double Runner::energy(Reading& reading, int which, const Exact& exact) const {
  const Bodies& bodies = reading.world.bodies;
  const int64_t step =
      std::max<int64_t>(engine() == nullptr ? reading.world.clock.steps : host_step_, 1);
  std::vector<double> energies;
  for (std::size_t i = 0; i < state_.actuators.size(); ++i) {
    const Actuator& plan = *state_.actuators[i].plan;
    const ActuatorState& state = state_.actuators[i];
    if (plan.potential.empty() || !state.enabled || !plan.acts_at(step)) continue;
    for (const auto& [place, body] : state.parts) {
      if (!bodies.alive[body]) continue;
      const std::array<double, potential_inputs> read{bodies.x[body], bodies.y[body],
                                                      bodies.mass[body]};
      const std::optional<double> found = plan.potential[0].value(read.data(), {}, exact);
      if (!found) return no_number;
      energies.push_back(*found);
    }
  }
  const double fields = rounded_sum(energies).value_or(no_number);
  if (which == 0) return fields;
  const double springs = read_channel(reading, world_channel("spring_energy"), 0);
  const double potential = channels()[world_channel("potential_energy")].read(reading, 0);
  const std::array<double, 3> parts{potential, springs, fields};
  const double stored = rounded_sum(parts).value_or(no_number);
  if (which == 1) return stored;
  return channels()[world_channel("kinetic_energy")].read(reading, 0) + stored;
}

// Whether any acts on a body, now or at another step.
bool Runner::has_fields() const {
  for (const ActuatorState& each : state_.actuators) {
    if (!each.plan->field.empty() && !each.parts.empty()) return true;
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
    const Actuator& plan = *state_.actuators[i].plan;
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
