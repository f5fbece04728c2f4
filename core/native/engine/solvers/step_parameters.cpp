// SPDX-License-Identifier: MIT
// The parameters common to all solvers.
#include "engine/solvers/step_parameters.h"

#include "engine/data/constants.h"

namespace rigid {

StepParameters common_parameters(const WorldDefinition& d, double h) {
  StepParameters p{};
  float per_second = static_cast<float>(1.0 / d.time_per_second);
  float unit = static_cast<float>(d.length_unit);
  p.h = static_cast<float>(h);
  p.inverse_h = p.servo_rate = 1.0f / p.h;
  p.dt = static_cast<float>(d.dt);
  p.seconds = static_cast<float>(d.time_per_second);
  p.gravity_x = static_cast<float>(d.gravity_x);
  p.gravity_y = static_cast<float>(d.gravity_y);
  auto soft_contact = [&](float correction) {
    return Softness{correction * p.inverse_h, constants::contact_mass_scale,
                    1.0f - constants::contact_mass_scale};
  };
  p.contact = soft_contact(constants::contact_correction);
  p.static_contact = soft_contact(2.0f * constants::contact_correction);
  p.push_speed = constants::contact_push_speed * unit * per_second;
  p.turn_speed = constants::contact_push_speed * per_second;
  p.slop = constants::linear_slop * unit;
  p.resting_depth = constants::resting_depth * unit;
  p.speculative = constants::speculative_distance * unit;
  p.restitution_threshold = constants::restitution_threshold * unit * per_second;
  p.slowest_impact = p.restitution_threshold;
  p.same_impact = constants::same_impact * unit;
  p.tension = constants::most_tension * static_cast<float>(d.dt) / (p.h * p.h);
  p.clamp = d.clamp;
  return p;
}

bool is_weightless(const WorldDefinition& definition) {
  return definition.gravity_x == 0 && definition.gravity_y == 0 && definition.attraction == 0;
}

}  // namespace rigid
