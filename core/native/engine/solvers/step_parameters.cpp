#include "engine/solvers/step_parameters.h"

#include <cmath>

#include "engine/constants.h"

namespace rigid {

StepParameters step_parameters(const WorldDefinition& d) {
  StepParameters p{};
  bool soft = d.solver == SolverKind::soft_step;
  float per_second = static_cast<float>(1.0 / d.time_per_second);
  float unit = static_cast<float>(d.length_unit);
  p.h = static_cast<float>(soft ? d.dt / d.substeps : d.dt);
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
  p.joint = {constants::joint_correction * p.inverse_h, constants::joint_mass_scale,
             1.0f - constants::joint_mass_scale};
  p.push_speed = constants::contact_push_speed * unit * per_second;
  p.turn_speed = constants::contact_push_speed * per_second;
  p.slop = constants::linear_slop * unit;
  p.resting_depth = constants::resting_depth * unit;
  p.speculative = constants::speculative_distance * unit;
  p.restitution_threshold = constants::restitution_threshold * unit * per_second;
  p.same_impact = constants::same_impact * unit;
  p.tension = constants::most_tension * static_cast<float>(d.dt) / (p.h * p.h);
  p.warm_start = soft || d.warm_start;
  p.explicit_springs = soft;
  p.bounces_first = p.accumulates = p.needs_overlap = p.pushes_apart = !soft;
  p.contact_margin = soft ? p.speculative : p.slop;
  p.joint_give = soft ? constants::joint_give : constants::joint_give_of_steps;
  p.clamp = d.clamp;
  p.correction_rate = p.allowed_penetration = p.gravity_friction = 0;
  if (!soft) {
    float rate = d.position_correction ? static_cast<float>(d.correction_rate) : 0.0f;
    p.correction_rate = rate * p.inverse_h;
    p.allowed_penetration = static_cast<float>(d.allowed_penetration);
    p.joint = {rate * p.inverse_h, 1.0f, 0.0f};
    if (d.gravity_friction) {
      p.gravity_friction =
          static_cast<float>(std::sqrt(d.gravity_x * d.gravity_x + d.gravity_y * d.gravity_y)) *
          p.h;
    }
  }
  return p;
}

}  // namespace rigid
