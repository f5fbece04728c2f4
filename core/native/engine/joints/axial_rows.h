// SPDX-License-Identifier: MIT
// Rows along one coordinate of a joint (an angle, a length), W at a time: spring, motor, rigid row,
// lower and upper limit, solved one after another in this coordinate only.
//
// Rigid rows are solved softly with the joint's own softness and then relaxed, as contacts are;
// springs and motors use the same formula with the softness given in the scene (kernels.h).
#ifndef RIGID_ENGINE_JOINTS_AXIAL_ROWS_H
#define RIGID_ENGINE_JOINTS_AXIAL_ROWS_H

#include <cmath>

#include "engine/bodies/kernel_bodies.h"
#include "engine/data/kernels.h"
#include "engine/joints/joint.h"

namespace rigid {

// A spring's impulse of one substep is -mass * (velocity * v + position * x), with the velocity v
// before it acts. If v already includes an impulse j of it, the change is less by (1 - velocity) *
// j.
struct SpringGains {
  float velocity, position;
};

// e^-y for 0 <= y <= 1, to 2e-6: its Pade approximant (2, 2).
RIGID_INLINE float decay(float y) {
  float even = 1.0f + y * y * (1.0f / 12);
  return (even - 0.5f * y) / (even + 0.5f * y);
}

// The gains of a spring for a row of mass m, as the solver uses it; a frequency refers to the mass
// `own` (joint.h), without other constraints.
//
// The textbook's implicit spring (Catto, "Soft Constraints", GDC 2011) damps oscillations that
// should persist: at 2 Hz and 240 steps a second like a damping ratio of 0.03. If a substep is
// short compared with the period, x'' = -w^2 x - 2 z w x' is stepped by
//   v' = e^(-2 z w h) (v - h w^2 x),  x' = x + h v'
// instead: the exact decay, the exact static sag, and a frequency right to (w h)^2 / 24. Stiffer
// springs, and solvers without substeps, take the implicit form, which is stable at any stiffness.
// If the spring also acts on motions of less mass than m, `lightest` is the smallest of these
// masses.
RIGID_INLINE SpringGains soften(const Spring& spring, float mass, float own,
                                const StepParameters& p, float lightest) {
  const float h = p.h;
  float squared = 0.0f, damping = 0.0f;  // w^2 and 2 z w
  if (spring.kind == 0) {
    return {p.joint.mass_scale, p.joint.mass_scale * p.joint.bias_rate};
  }
  if (spring.kind == 1) {
    float omega = 2.0f * pi * spring.first, share = mass > 0.0f ? own / mass : 0.0f;
    squared = omega * omega * share;
    damping = 2.0f * spring.second * omega * share;
  } else if (mass > 0.0f) {
    squared = spring.first / mass;
    damping = spring.second / mass;
  }
  bool slow = h * h * squared * mass <= 0.25f * lightest;
  if (p.explicit_springs && slow && h * damping <= 1.0f) {
    float keep = decay(h * damping);
    return {1.0f - keep, h * squared * keep};
  }
  // h (c + h k) / m, in a form that is defined for any stiffness.
  float whole = h * (damping + h * squared);
  if (!(whole < 1e30f)) return {1.0f, 1.0f / h};
  float gain = 1.0f / (1.0f + whole);
  return {whole * gain, h * squared * gain};
}

RIGID_INLINE SpringGains soften(const Spring& spring, float mass, float own,
                                const StepParameters& p) {
  return soften(spring, mass, own, p, mass);
}

// Softness of rigid rows in the pass that removes errors.
template <int W>
struct RowSoftness {
  lanes<W> correction;  // the share of an error that velocities remove per time
  lanes<W> yielding;    // the share of its impulse that a row yields
  RIGID_INLINE lanes<W> mass_scale() const { return lanes<W>::splat(1.0f) - yielding; }
};

template <int W>
struct AxialRows {
  lanes<W> mass;  // effective; 0 if nothing can move
  struct Drive {
    lanes<W> on, speed, target, velocity_gain, position_gain, impulse;
    lanes<W> lowest, highest;  // of the impulse
    lanes<W> stops;            // ends at the limits
    lanes<W> servo;            // largest speed towards the target; 0: not a servo motor
    lanes<W> approach;         // largest speed squared, per distance left; 0: any
  } spring, motor;
  lanes<W> rigid_on, rigid_target, rigid_impulse;
  lanes<W> lower_on, lower, lower_impulse;
  lanes<W> upper_on, upper, upper_impulse;
  lanes<W> limit_soft, limit_velocity_gain, limit_position_gain;  // SpringGains of the limits
  // Parts that any of the joints has. A part that none has is not even loaded: its only effect
  // would be the addition of zeros, which turns -0 to 0.
  struct Parts {
    bool springs, motors, servos, stops, rigid, limits, soft_limits;
    bool holds;  // motors without springs, which take part in relaxing
  } parts;
  RIGID_INLINE lanes<W> sum() const {
    const lanes<W> zero = lanes<W>::splat(0.0f);
    const lanes<W> driven = (parts.springs ? spring.impulse : zero) + motor.impulse;
    return driven + (parts.rigid ? rigid_impulse : zero) + lower_impulse - upper_impulse;
  }
};

template <int W>
RIGID_INLINE lanes<W> solve_drive(typename AxialRows<W>::Drive& row, lanes<W> mass,
                                  lanes<W> coordinate, lanes<W> velocity) {
  const lanes<W> zero = lanes<W>::splat(0.0f);
  lanes<W> error = coordinate - row.target;
  lanes<W> change =
      -(mass * (row.velocity_gain * (velocity - row.speed) + row.position_gain * error)) -
      (lanes<W>::splat(1.0f) - row.velocity_gain) * row.impulse;
  lanes<W> sum = clamp(row.impulse + change, row.lowest, row.highest);
  lanes<W> impulse = select(row.on > zero, sum - row.impulse, zero);
  row.impulse = row.impulse + impulse;
  return impulse;
}

// One limit: `gap` is the distance of the coordinate from it, `velocity` the rate of the gap. A
// soft limit is a spring that acts beyond it, once a substep.
template <int W, bool Bias>
RIGID_INLINE lanes<W> solve_limit(const StepParameters& p, const AxialRows<W>& rows, lanes<W> on,
                                  lanes<W>& accumulated, lanes<W> mass, lanes<W> gap,
                                  lanes<W> velocity, const RowSoftness<W>& softness) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  auto apart = gap > zero;
  lanes<W> bias = select(apart, gap * lanes<W>::splat(p.inverse_h), zero);
  lanes<W> mass_scale = one, impulse_scale = zero;
  if constexpr (Bias) {
    bias = select(apart, bias, gap * softness.correction);
    mass_scale = select(apart, one, softness.mass_scale());
    impulse_scale = select(apart, zero, softness.yielding);
  }
  lanes<W> change = -(mass * mass_scale * (velocity + bias)) - impulse_scale * accumulated;
  if (rows.parts.soft_limits) {
    auto soft = rows.limit_soft > zero;
    if constexpr (Bias) {
      lanes<W> sprung =
          -(mass * (rows.limit_velocity_gain * velocity + rows.limit_position_gain * gap)) -
          (one - rows.limit_velocity_gain) * accumulated;
      change = select(soft, select(apart, -accumulated, sprung), change);
    } else {
      change = select(soft, zero, change);
    }
  }
  lanes<W> sum = max(accumulated + change, zero);
  lanes<W> impulse = select(on > zero, sum - accumulated, zero);
  accumulated = accumulated + impulse;
  return impulse;
}

// The speed of a servo motor without a spring: it reaches its position at the step's end, but never
// faster than it could brake.
template <int W>
RIGID_INLINE void aim(const StepParameters& p, typename AxialRows<W>::Drive& motor,
                      lanes<W> coordinate) {
  const lanes<W> zero = lanes<W>::splat(0.0f);
  lanes<W> distance = motor.target - coordinate, size = max(distance, -distance);
  lanes<W> most = min(lanes<W>::splat(p.servo_rate) * size, motor.servo);
  most = select(motor.approach > zero, min(most, sqrt(motor.approach * size)), most);
  motor.speed = select(motor.servo > zero,
                       clamp(distance * lanes<W>::splat(p.inverse_h), -most, most), motor.speed);
}

// A speed motor without a maximum would drag a coordinate through its limits: it ends at them, as
// does a motor that stops at limits.
template <int W>
RIGID_INLINE void end_at_limits(const StepParameters& p, typename AxialRows<W>::Drive& motor,
                                const AxialRows<W>& rows, lanes<W> coordinate) {
  const lanes<W> zero = lanes<W>::splat(0.0f);
  const lanes<W> per_step = lanes<W>::splat(p.inverse_h);
  lanes<W> down = max(motor.speed, (rows.lower - coordinate) * per_step);
  lanes<W> up = min(motor.speed, (rows.upper - coordinate) * per_step);
  lanes<W> speed = select(motor.speed > zero, select(rows.upper_on > zero, up, motor.speed),
                          select(rows.lower_on > zero, down, motor.speed));
  speed = select(rows.limit_soft > zero, motor.speed, speed);
  speed = select(motor.position_gain > zero, motor.speed, speed);
  motor.speed = select(motor.stops > zero, speed, motor.speed);
}

// Converts the gains of a spring for a row of mass `before` to those for `mass`: the mass along a
// direction changes as that rotates within the step, the spring's stiffness does not.
template <int W>
RIGID_INLINE void adapt_gains(lanes<W>& velocity, lanes<W>& position, lanes<W> before,
                              lanes<W> mass) {
  const lanes<W> one = lanes<W>::splat(1.0f);
  lanes<W> whole = mass * (one - velocity) + before * velocity;
  lanes<W> share = select(whole > lanes<W>::splat(0.0f), before / whole, one);
  velocity = share * velocity;
  position = share * position;
}

// The impulse along the coordinate, to be applied to the bodies. `Turning`: gains differ from those
// at the step's start.
template <int W, bool Bias, bool Turning = false>
RIGID_INLINE lanes<W> solve_axial(const StepParameters& p, AxialRows<W>& rows, lanes<W> mass,
                                  lanes<W> k, lanes<W> coordinate, lanes<W> velocity,
                                  const RowSoftness<W>& softness) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const auto parts = rows.parts;
  lanes<W> total = zero;
  auto add = [&](lanes<W> impulse) {
    velocity = velocity + k * impulse;
    total = total + impulse;
  };
  auto skip = [&] {
    velocity = velocity + zero;
    total = total + zero;
  };
  // A spring has already acted in this substep when the other rows are relaxed.
  if constexpr (Bias) {
    if (parts.springs) {
      add(solve_drive<W>(rows.spring, mass, coordinate, velocity));
    } else {
      skip();
    }
  }
  // In relaxing, a motor keeps its initial target speed, unless bounces came first.
  if (parts.servos && (Bias || p.bounces_first)) aim<W>(p, rows.motor, coordinate);
  if (Bias ? parts.motors : parts.holds || (Turning && parts.motors)) {
    auto drive = rows.motor;
    if (parts.stops) end_at_limits<W>(p, drive, rows, coordinate);
    // A motor with a spring has already acted too; a speed motor takes part.
    if constexpr (!Bias) drive.on = select(drive.position_gain > zero, zero, drive.on);
    add(solve_drive<W>(drive, mass, coordinate, velocity));
    rows.motor.impulse = drive.impulse;
  } else {
    skip();
    if constexpr (!Bias) rows.motor.impulse = rows.motor.impulse + zero;
  }

  if (parts.rigid) {
    lanes<W> bias = zero, mass_scale = one, impulse_scale = zero;
    if constexpr (Bias) {
      bias = softness.correction * (coordinate - rows.rigid_target);
      mass_scale = softness.mass_scale();
      impulse_scale = softness.yielding;
    }
    lanes<W> impulse =
        -(mass * mass_scale * (velocity + bias)) - impulse_scale * rows.rigid_impulse;
    impulse = select(rows.rigid_on > zero, impulse, zero);
    rows.rigid_impulse = rows.rigid_impulse + impulse;
    add(impulse);
  } else {
    skip();
  }

  if (!parts.limits) return total;
  add(solve_limit<W, Bias>(p, rows, rows.lower_on, rows.lower_impulse, mass,
                           coordinate - rows.lower, velocity, softness));
  return total - solve_limit<W, Bias>(p, rows, rows.upper_on, rows.upper_impulse, mass,
                                      rows.upper - coordinate, -velocity, softness);
}

template <int W>
RIGID_INLINE void fill_drive(typename AxialRows<W>::Drive& row, int i, float speed, float target,
                             SpringGains gains, float limit, float impulse) {
  row.on.set(i, 1.0f);
  row.speed.set(i, speed);
  row.target.set(i, target);
  row.velocity_gain.set(i, gains.velocity);
  row.position_gain.set(i, gains.position);
  row.lowest.set(i, -limit);
  row.highest.set(i, limit);
  row.impulse.set(i, impulse);
}

// A motor of any kind: with a spring, or by speed.
template <int W>
RIGID_INLINE void fill_motor(const StepParameters& p, const Joint& joint, float mass, float own,
                             bool angular, int i, typename AxialRows<W>::Drive& row) {
  const bool speed = joint.motor == MotorKind::speed;
  const bool servo = !speed && joint.motor_spring.kind == 0;
  SpringGains gains =
      speed || servo ? SpringGains{1.0f, 0.0f} : soften(joint.motor_spring, mass, own, p);
  fill_drive<W>(row, i, speed ? joint.motor_target : 0.0f, speed ? 0.0f : joint.motor_target, gains,
                joint.motor_maximum * p.h, 0.0f);
  if (joint.motor_stops || !(joint.motor_maximum < no_limit)) row.stops.set(i, 1.0f);
  if (!may_push_down(joint)) row.lowest.set(i, 0.0f);
  if (!may_push_up(joint)) row.highest.set(i, 0.0f);
  if (!servo) return;
  const float usual = angular ? p.turn_speed : p.push_speed;
  row.servo.set(i, joint.motor_fastest > 0.0f ? joint.motor_fastest : usual);
  row.approach.set(i, approach_of(joint));
}

// A type's data of its coordinate.
struct AxialGiven {
  JointRange range{};
  float rest = 0.0f;           // its spring's rest position
  bool has_limits = false;     // lower and upper are set
  float no_lower = -no_limit;  // see JointTraits
  bool rod = false;            // the two limits are equal
  bool turns = false;          // the coordinate is an angle
};

struct KeptImpulses {
  float motor, lower, upper;
};

// Stored impulses for the start of a step. A motor that stops at its limits presses on none: its
// push on arrival and the limit's reaction cancel, and are left out.
RIGID_INLINE KeptImpulses kept_impulses(const Joint& joint, float keep) {
  KeptImpulses kept{keep * joint.motor_impulse, keep * joint.lower_impulse,
                    keep * joint.upper_impulse};
  if (!joint.motor_stops) return kept;
  const float up = std::fmin(std::fmax(kept.motor, 0.0f), kept.upper);
  const float down = std::fmin(std::fmax(-kept.motor, 0.0f), kept.lower);
  kept.motor += down - up;
  kept.upper -= up;
  kept.lower -= down;
  return kept;
}

// `lightest` is the smallest mass on which the springs act, if they rotate.
template <int W>
RIGID_INLINE void fill_rows(const StepParameters& p, const Joint& joint, const AxialGiven& given,
                            float mass, int i, AxialRows<W>& rows, float lightest) {
  const float keep = p.warm_start ? 1.0f : 0.0f;
  const KeptImpulses kept = kept_impulses(joint, keep);
  rows.mass.set(i, mass);
  if (joint.direct) return;  // a JointSystem solves it
  if (joint.spring.kind != 0 && !given.rod) {
    fill_drive<W>(rows.spring, i, 0.0f, given.rest,
                  soften(joint.spring, mass, joint.spring_mass, p, lightest),
                  joint.spring_maximum * p.h, keep * joint.angular);
    rows.parts.springs = true;
  }
  if (joint.motor != MotorKind::none && joint.motor_maximum > 0.0f && !given.rod) {
    fill_motor<W>(p, joint, mass, joint.spring_mass, given.turns, i, rows.motor);
    rows.motor.impulse.set(i, kept.motor);
    rows.parts.motors = true;
    rows.parts.holds = rows.parts.holds || !(rows.motor.position_gain.lane(i) > 0.0f);
    rows.parts.servos = rows.parts.servos || rows.motor.servo.lane(i) > 0.0f;
    rows.parts.stops = rows.parts.stops || rows.motor.stops.lane(i) > 0.0f;
  }
  const auto [lower, upper] = given.range;
  bool soft = joint.limit_spring.kind != 0;
  if (soft) {
    SpringGains gains = soften(joint.limit_spring, mass, joint.spring_mass, p, lightest);
    rows.parts.soft_limits = true;
    rows.limit_soft.set(i, 1.0f);
    rows.limit_velocity_gain.set(i, gains.velocity);
    rows.limit_position_gain.set(i, gains.position);
  }
  bool equal = given.rod || (given.has_limits && lower >= upper && !soft);
  if (equal) {
    rows.parts.rigid = true;
    rows.rigid_on.set(i, 1.0f);
    rows.rigid_target.set(i, lower);
    rows.rigid_impulse.set(i, keep * joint.lower_impulse);
    return;
  }
  rows.parts.limits = rows.parts.limits || given.has_limits;
  if (given.has_limits && lower > given.no_lower) {
    rows.lower_on.set(i, 1.0f);
    rows.lower.set(i, lower);
    rows.lower_impulse.set(i, kept.lower);
  }
  if (given.has_limits && upper < no_limit) {
    rows.upper_on.set(i, 1.0f);
    rows.upper.set(i, upper);
    rows.upper_impulse.set(i, kept.upper);
  }
}

template <int W>
RIGID_INLINE void fill_rows(const StepParameters& p, const Joint& joint, const AxialGiven& given,
                            float mass, int i, AxialRows<W>& rows) {
  fill_rows<W>(p, joint, given, mass, i, rows, mass);
}

// The same for a mass that changes as the direction rotates.
template <int W, bool Bias>
RIGID_INLINE lanes<W> solve_turning_axial(const StepParameters& p, AxialRows<W>& rows,
                                          lanes<W> mass, lanes<W> k, lanes<W> coordinate,
                                          lanes<W> velocity, const RowSoftness<W>& softness) {
  if constexpr (Bias) {
    lanes<W> before = rows.mass;
    adapt_gains<W>(rows.spring.velocity_gain, rows.spring.position_gain, before, mass);
    adapt_gains<W>(rows.motor.velocity_gain, rows.motor.position_gain, before, mass);
    adapt_gains<W>(rows.limit_velocity_gain, rows.limit_position_gain, before, mass);
    rows.mass = mass;
  }
  return solve_axial<W, Bias, true>(p, rows, mass, k, coordinate, velocity, softness);
}

}  // namespace rigid

#endif
