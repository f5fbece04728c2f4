// Joints, W at a time: revolute, distance and weld.
//
// A joint is a point, axis or angle constraint on the relative motion of two anchors. Rigid ones
// are solved softly with the joint's own softness and then relaxed, as contacts are; springs and
// motors use the same formula with the softness that the scene asks for (kernels.h).
// Everything that acts along one coordinate (an angle, a length) is one AxialRows: spring, motor,
// rigid, lower and upper limit, solved one after another in that coordinate alone.
#ifndef RIGID_ENGINE_JOINT_KERNELS_H
#define RIGID_ENGINE_JOINT_KERNELS_H

#include <initializer_list>
#include <limits>

#include "engine/solvers/kernel_bodies.h"
#include "engine/solvers/kernels.h"

namespace rigid {

// A spring's impulse of one substep is -mass * (velocity * v + position * x), with the velocity v
// before it acts. Where v holds an impulse j of it already, the change is that less
// (1 - velocity) * j.
struct SpringGains {
  float velocity, position;
};

// e^-y for 0 <= y <= 1, to 2e-6: its Pade approximant (2, 2).
RIGID_INLINE float decay(float y) {
  float even = 1.0f + y * y * (1.0f / 12);
  return (even - 0.5f * y) / (even + 0.5f * y);
}

// The gains of a spring for a row of mass m, as the solver sees it; a frequency is that of the mass
// `own` (joint_rows.h), with nothing else in the way.
//
// The textbook's implicit spring (Catto, "Soft Constraints", GDC 2011) damps what was meant to
// swing: at 2 Hz and 240 steps a second like a damping ratio of 0.03. Where a substep is short
// beside the swing, x'' = -w^2 x - 2 z w x' is stepped by
//   v' = e^(-2 z w h) (v - h w^2 x),  x' = x + h v'
// instead: the exact decay, the exact static sag, and a frequency right to (w h)^2 / 24. Stiffer
// springs, and sequential_impulse, take the implicit form, which is stable at any stiffness. Where
// the spring also meets lighter motions than m's, `lightest` is the smallest mass of them.
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
  if (!p.impulse_solver && slow && h * damping <= 1.0f) {
    float keep = decay(h * damping);
    return {1.0f - keep, h * squared * keep};
  }
  // h (c + h k) / m, written so that any stiffness is defined.
  float whole = h * (damping + h * squared);
  if (!(whole < 1e30f)) return {1.0f, 1.0f / h};
  float gain = 1.0f / (1.0f + whole);
  return {whole * gain, h * squared * gain};
}

RIGID_INLINE SpringGains soften(const Spring& spring, float mass, float own,
                                const StepParameters& p) {
  return soften(spring, mass, own, p, mass);
}

template <int W>
struct AxialRows {
  lanes<W> mass;  // effective; 0 where nothing can move
  struct Drive {
    lanes<W> on, speed, target, velocity_gain, position_gain, limit, impulse;
    lanes<W> servo;     // most speed towards the target; 0: not by speed
    lanes<W> approach;  // most speed squared, by the way left; 0: any
  } spring, motor;
  lanes<W> rigid_on, rigid_target, rigid_impulse;
  lanes<W> lower_on, lower, lower_impulse;
  lanes<W> upper_on, upper, upper_impulse;
  lanes<W> limit_soft, limit_velocity_gain, limit_position_gain;  // SpringGains of the limits
  RIGID_INLINE lanes<W> sum() const {
    return spring.impulse + motor.impulse + rigid_impulse + lower_impulse - upper_impulse;
  }
};

template <int W>
RIGID_INLINE lanes<W> solve_drive(typename AxialRows<W>::Drive& row, lanes<W> mass, lanes<W> k,
                                  lanes<W> coordinate, lanes<W>& velocity) {
  const lanes<W> zero = lanes<W>::splat(0.0f);
  lanes<W> error = coordinate - row.target;
  lanes<W> change =
      -(mass * (row.velocity_gain * (velocity - row.speed) + row.position_gain * error)) -
      (lanes<W>::splat(1.0f) - row.velocity_gain) * row.impulse;
  lanes<W> sum = clamp(row.impulse + change, -row.limit, row.limit);
  lanes<W> impulse = select(row.on > zero, sum - row.impulse, zero);
  row.impulse = row.impulse + impulse;
  velocity = velocity + k * impulse;
  return impulse;
}

// One limit: `gap` is how far the coordinate is from it, `velocity` how fast the gap grows. A soft
// limit is a spring that acts beyond it, once a substep.
template <int W, bool Bias>
RIGID_INLINE lanes<W> solve_limit(const StepParameters& p, const AxialRows<W>& rows, lanes<W> on,
                                  lanes<W>& accumulated, lanes<W> mass, lanes<W> gap,
                                  lanes<W> velocity, lanes<W> correction) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  auto apart = gap > zero, soft = rows.limit_soft > zero;
  lanes<W> bias = select(apart, gap * lanes<W>::splat(p.inverse_h), zero);
  lanes<W> mass_scale = one, impulse_scale = zero;
  if constexpr (Bias) {
    bias = select(apart, bias, gap * correction);
    mass_scale = select(apart, one, lanes<W>::splat(p.joint.mass_scale));
    impulse_scale = select(apart, zero, lanes<W>::splat(p.joint.impulse_scale));
  }
  lanes<W> change = -(mass * mass_scale * (velocity + bias)) - impulse_scale * accumulated;
  if constexpr (Bias) {
    lanes<W> sprung =
        -(mass * (rows.limit_velocity_gain * velocity + rows.limit_position_gain * gap)) -
        (one - rows.limit_velocity_gain) * accumulated;
    change = select(soft, select(apart, -accumulated, sprung), change);
  } else {
    change = select(soft, zero, change);
  }
  lanes<W> sum = max(accumulated + change, zero);
  lanes<W> impulse = select(on > zero, sum - accumulated, zero);
  accumulated = accumulated + impulse;
  return impulse;
}

// The speed of a motor that goes to a position without a spring: such that it is there at the
// step's end, and never more than it could brake from.
template <int W>
RIGID_INLINE void aim(const StepParameters& p, typename AxialRows<W>::Drive& motor,
                      lanes<W> coordinate) {
  const lanes<W> zero = lanes<W>::splat(0.0f);
  lanes<W> way = motor.target - coordinate, size = max(way, -way);
  lanes<W> most = min(lanes<W>::splat(p.servo_rate) * size, motor.servo);
  most = select(motor.approach > zero, min(most, sqrt(motor.approach * size)), most);
  motor.speed = select(motor.servo > zero, clamp(way * lanes<W>::splat(p.inverse_h), -most, most),
                       motor.speed);
}

// A motor by speed without a limit would drag a coordinate through its limits: it goes up to them.
template <int W>
RIGID_INLINE void end_at_limits(const StepParameters& p, typename AxialRows<W>::Drive& motor,
                                const AxialRows<W>& rows, lanes<W> coordinate) {
  const lanes<W> zero = lanes<W>::splat(0.0f);
  const lanes<W> per_step = lanes<W>::splat(p.inverse_h);
  const lanes<W> endless = lanes<W>::splat(std::numeric_limits<float>::infinity());
  lanes<W> down = max(motor.speed, (rows.lower - coordinate) * per_step);
  lanes<W> up = min(motor.speed, (rows.upper - coordinate) * per_step);
  lanes<W> speed = select(motor.speed > zero, select(rows.upper_on > zero, up, motor.speed),
                          select(rows.lower_on > zero, down, motor.speed));
  speed = select(rows.limit_soft > zero, motor.speed, speed);
  speed = select(motor.position_gain > zero, motor.speed, speed);
  motor.speed = select(endless > motor.limit, motor.speed, speed);
}

// The gains that a spring has for a row of mass `before` become those for `mass`: the mass along a
// direction changes as that turns within the step, the spring's stiffness does not.
template <int W>
RIGID_INLINE void adapt_gains(lanes<W>& velocity, lanes<W>& position, lanes<W> before,
                              lanes<W> mass) {
  const lanes<W> one = lanes<W>::splat(1.0f);
  lanes<W> whole = mass * (one - velocity) + before * velocity;
  lanes<W> share = select(whole > lanes<W>::splat(0.0f), before / whole, one);
  velocity = share * velocity;
  position = share * position;
}

// The impulse along the coordinate, to be applied to the bodies.
template <int W, bool Bias>
RIGID_INLINE lanes<W> solve_axial(const StepParameters& p, AxialRows<W>& rows, lanes<W> mass,
                                  lanes<W> k, lanes<W> coordinate, lanes<W> velocity,
                                  lanes<W> correction) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  // A spring has had its impulse of this substep when the rest is relaxed.
  lanes<W> total = zero;
  // When the rest is relaxed a motor keeps the speed that it had set out with. In
  // sequential_impulse a bounce comes before all else.
  if (Bias || p.impulse_solver) aim<W>(p, rows.motor, coordinate);
  auto drive = rows.motor;
  end_at_limits<W>(p, drive, rows, coordinate);
  if constexpr (Bias) {
    total = solve_drive<W>(rows.spring, mass, k, coordinate, velocity);
    total = total + solve_drive<W>(drive, mass, k, coordinate, velocity);
    rows.motor.impulse = drive.impulse;
  } else {
    // So has a motor with a spring; one that holds a speed takes part.
    drive.on = select(drive.position_gain > zero, zero, drive.on);
    total = solve_drive<W>(drive, mass, k, coordinate, velocity);
    rows.motor.impulse = drive.impulse;
  }

  lanes<W> bias = zero, mass_scale = one, impulse_scale = zero;
  if constexpr (Bias) {
    bias = correction * (coordinate - rows.rigid_target);
    mass_scale = lanes<W>::splat(p.joint.mass_scale);
    impulse_scale = lanes<W>::splat(p.joint.impulse_scale);
  }
  lanes<W> impulse = -(mass * mass_scale * (velocity + bias)) - impulse_scale * rows.rigid_impulse;
  impulse = select(rows.rigid_on > zero, impulse, zero);
  rows.rigid_impulse = rows.rigid_impulse + impulse;
  velocity = velocity + k * impulse;
  total = total + impulse;

  impulse = solve_limit<W, Bias>(p, rows, rows.lower_on, rows.lower_impulse, mass,
                                 coordinate - rows.lower, velocity, correction);
  velocity = velocity + k * impulse;
  total = total + impulse;
  impulse = solve_limit<W, Bias>(p, rows, rows.upper_on, rows.upper_impulse, mass,
                                 rows.upper - coordinate, -velocity, correction);
  return total - impulse;
}

template <int W>
struct JointBlock {
  BodyReferences<W> a, b;
  lanes<W> mass_a, inertia_a, mass_b, inertia_b;  // inverse
  LaneVec2<W> anchor_a, anchor_b, offset;         // offset: centre of B minus centre of A
  lanes<W> angle;                                 // at the step's start, less the reference
  AxialRows<W> rows;                              // revolute: angle; distance: length
  // weld
  lanes<W> linear_velocity, linear_position, angular_velocity, angular_position;  // SpringGains
  lanes<W> soft;        // 1: a spring, not relaxed
  lanes<W> direct;      // 1: the rigid rows are solved elsewhere (joint_system.h)
  lanes<W> correction;  // the share of an error per time that velocities take out
  // distance: that of a spring without length, and the impulse across it
  lanes<W> stiffness, across;
  LaneVec2<W> linear;
  lanes<W> angular;
  LaneVec2<W> total;
  lanes<W> total_angular, total_motor;
};

template <int W>
RIGID_INLINE void fill_drive(typename AxialRows<W>::Drive& row, int i, float speed, float target,
                             SpringGains gains, float limit, float impulse) {
  row.on.set(i, 1.0f);
  row.speed.set(i, speed);
  row.target.set(i, target);
  row.velocity_gain.set(i, gains.velocity);
  row.position_gain.set(i, gains.position);
  row.limit.set(i, limit);
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
  if (!servo) return;
  row.servo.set(i, angular ? p.turn_speed : p.push_speed);
  row.approach.set(i, approach_of(joint));
}

// `lightest` is the smallest mass that the springs meet, if they turn.
template <int W>
RIGID_INLINE void fill_rows(const StepParameters& p, const Joint& joint, float mass, int i,
                            AxialRows<W>& rows, float lightest) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const float keep = p.warm_start ? 1.0f : 0.0f;
  rows.mass.set(i, mass);
  if (joint.direct) return;  // a JointSystem has it
  bool distance = joint.kind == JointKind::distance;
  bool rod = distance && joint.min_length >= joint.max_length;
  if (joint.spring.kind != 0 && !rod) {
    fill_drive<W>(rows.spring, i, 0.0f, distance ? joint.length : 0.0f,
                  soften(joint.spring, mass, joint.spring_mass, p, lightest), infinity,
                  keep * joint.angular);
  }
  if (joint.motor != MotorKind::none && joint.motor_maximum > 0.0f && !rod) {
    fill_motor<W>(p, joint, mass, joint.spring_mass, joint.kind == JointKind::revolute, i,
                  rows.motor);
    rows.motor.impulse.set(i, keep * joint.motor_impulse);
  }
  float lower = distance ? joint.min_length : joint.lower;
  float upper = distance ? joint.max_length : joint.upper;
  bool soft = joint.limit_spring.kind != 0;
  if (soft) {
    SpringGains gains = soften(joint.limit_spring, mass, joint.spring_mass, p, lightest);
    rows.limit_soft.set(i, 1.0f);
    rows.limit_velocity_gain.set(i, gains.velocity);
    rows.limit_position_gain.set(i, gains.position);
  }
  bool equal = rod || (joint.has_limits && lower >= upper && !soft);
  if (equal) {
    rows.rigid_on.set(i, 1.0f);
    rows.rigid_target.set(i, lower);
    rows.rigid_impulse.set(i, keep * joint.lower_impulse);
    return;
  }
  if (distance ? lower > 0.0f : joint.has_limits && lower > -infinity) {
    rows.lower_on.set(i, 1.0f);
    rows.lower.set(i, lower);
    rows.lower_impulse.set(i, keep * joint.lower_impulse);
  }
  if (distance ? upper < infinity : joint.has_limits && upper < infinity) {
    rows.upper_on.set(i, 1.0f);
    rows.upper.set(i, upper);
    rows.upper_impulse.set(i, keep * joint.upper_impulse);
  }
}

RIGID_INLINE float correction_rate(const StepParameters& p, const Joint& joint) {
  return joint.apart ? 0.0f : p.joint.bias_rate;
}

template <int W>
RIGID_INLINE void fill_rows(const StepParameters& p, const Joint& joint, float mass, int i,
                            AxialRows<W>& rows) {
  fill_rows<W>(p, joint, mass, i, rows, mass);
}

// What all kinds share: bodies, anchors, the place of B from A, the impulse across the anchors.
template <class Block>
RIGID_INLINE void fill_anchors(const KernelContext& context, const Joint& joint, int i,
                               Block& block) {
  const Body &a = context.bodies[joint.body_a], &b = context.bodies[joint.body_b];
  InverseMass ma = context.masses[joint.body_a], mb = context.masses[joint.body_b];
  block.a.set(i, joint.body_a, can_move(ma));
  block.b.set(i, joint.body_b, can_move(mb));
  block.mass_a.set(i, ma.mass);
  block.inertia_a.set(i, ma.inertia);
  block.mass_b.set(i, mb.mass);
  block.inertia_b.set(i, mb.inertia);
  Vec2 ra = rotate(a.rotation, joint.local_a), rb = rotate(b.rotation, joint.local_b);
  block.anchor_a.x.set(i, ra.x);
  block.anchor_a.y.set(i, ra.y);
  block.anchor_b.x.set(i, rb.x);
  block.anchor_b.y.set(i, rb.y);
  block.offset.x.set(i, static_cast<float>(b.center_x - a.center_x));
  block.offset.y.set(i, static_cast<float>(b.center_y - a.center_y));
  const float keep = context.parameters->warm_start && !joint.direct ? 1.0f : 0.0f;
  block.direct.set(i, joint.direct ? 1.0f : 0.0f);
  block.correction.set(i, correction_rate(*context.parameters, joint));
  block.linear.x.set(i, keep * joint.linear_x);
  block.linear.y.set(i, keep * joint.linear_y);
}

template <int W>
RIGID_INLINE void fill_joint(const KernelContext& context, const Joint& joint, int i,
                             JointBlock<W>& block) {
  fill_anchors(context, joint, i, block);
  double turn = context.bodies[joint.body_b].angle - context.bodies[joint.body_a].angle;
  block.angle.set(i, static_cast<float>(turn - joint.reference_angle));
}

RIGID_INLINE float inverse_or_zero(float k) { return k > 0.0f ? 1.0f / k : 0.0f; }

template <int W, JointKind Kind>
void prepare_joints(const KernelContext& context, const Span& span, int begin, int end) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<JointBlock<W>*>(span.blocks);
  for (int index = begin; index < end; ++index) {
    JointBlock<W>& block = blocks[index];
    std::memset(static_cast<void*>(&block), 0, sizeof block);
    for (int i = 0; i < W; ++i) {
      int at = index * W + i;
      if (at >= span.count) break;
      const Joint& joint = context.joints[span.ids[at]];
      fill_joint<W>(context, joint, i, block);
      InverseMass ma = context.masses[joint.body_a], mb = context.masses[joint.body_b];
      float spin = ma.inertia + mb.inertia, mass = ma.mass + mb.mass;
      if constexpr (Kind == JointKind::revolute) {
        fill_rows<W>(p, joint, inverse_or_zero(spin), i, block.rows);
      } else if constexpr (Kind == JointKind::distance) {
        Vec2 ra = {block.anchor_a.x.lane(i), block.anchor_a.y.lane(i)};
        Vec2 rb = {block.anchor_b.x.lane(i), block.anchor_b.y.lane(i)};
        Vec2 u = normalize(Vec2{block.offset.x.lane(i), block.offset.y.lane(i)} + rb - ra);
        float ca = cross(ra, u), cb = cross(rb, u);
        float k = mass + ma.inertia * ca * ca + mb.inertia * cb * cb;
        float most = mass + ma.inertia * dot(ra, ra) + mb.inertia * dot(rb, rb);
        fill_rows<W>(p, joint, inverse_or_zero(k), i, block.rows, inverse_or_zero(most));
        if (joint.spring.kind != 0 && joint.length == 0.0f && !joint.direct) {
          const float rate = 2.0f * pi * joint.spring.first;
          block.stiffness.set(
              i, joint.spring.kind == 1 ? joint.spring_mass * rate * rate : joint.spring.first);
        }
      } else {
        float whole = inverse_or_zero(mass), turning = inverse_or_zero(spin);
        Vec2 ra = {block.anchor_a.x.lane(i), block.anchor_a.y.lane(i)};
        Vec2 rb = {block.anchor_b.x.lane(i), block.anchor_b.y.lane(i)};
        float most = mass + ma.inertia * dot(ra, ra) + mb.inertia * dot(rb, rb);
        InverseMass oa = context.own_masses[joint.body_a], ob = context.own_masses[joint.body_b];
        SpringGains linear = soften(joint.spring, whole, inverse_or_zero(oa.mass + ob.mass), p,
                                    inverse_or_zero(most));
        SpringGains angular =
            soften(joint.spring, turning, inverse_or_zero(oa.inertia + ob.inertia), p);
        if (joint.spring.kind == 0 && joint.apart) linear.position = angular.position = 0.0f;
        block.soft.set(i, joint.spring.kind != 0 ? 1.0f : 0.0f);
        block.linear_velocity.set(i, linear.velocity);
        block.linear_position.set(i, linear.position);
        block.angular_velocity.set(i, angular.velocity);
        block.angular_position.set(i, angular.position);
        block.angular.set(i, p.warm_start && !joint.direct ? joint.angular : 0.0f);
      }
    }
  }
}

template <int W>
struct JointPair {
  LaneVelocity<W> a, b;
  LaneMotion<W> ma, mb;
  LaneVec2<W> ra, rb, between;  // anchors now, and the vector from A's anchor to B's
  template <class Block>
  RIGID_INLINE JointPair(const BodyState* states, const Block& block)
      : a(gather_velocity<W>(states, block.a)),
        b(gather_velocity<W>(states, block.b)),
        ma(gather_motion<W>(states, block.a)),
        mb(gather_motion<W>(states, block.b)) {
    ra = ma.rotate(block.anchor_a);
    rb = mb.rotate(block.anchor_b);
    between = (mb.shift - ma.shift) + block.offset + (rb - ra);
  }
  RIGID_INLINE LaneVec2<W> relative() const {
    return (b.v + cross(b.omega, rb)) - (a.v + cross(a.omega, ra));
  }
  template <class Block>
  RIGID_INLINE void apply_linear(const Block& block, LaneVec2<W> impulse) {
    a.v = a.v - block.mass_a * impulse;
    a.omega = a.omega - block.inertia_a * cross(ra, impulse);
    b.v = b.v + block.mass_b * impulse;
    b.omega = b.omega + block.inertia_b * cross(rb, impulse);
  }
  template <class Block>
  RIGID_INLINE void apply_angular(const Block& block, lanes<W> impulse) {
    a.omega = a.omega - block.inertia_a * impulse;
    b.omega = b.omega + block.inertia_b * impulse;
  }
  template <class Block>
  RIGID_INLINE void store(BodyState* states, const Block& block) const {
    scatter_velocity<W>(states, block.a, a);
    scatter_velocity<W>(states, block.b, b);
  }
};

// The direction of a distance joint, zero where the anchors coincide: then nothing pulls.
template <int W>
RIGID_INLINE LaneVec2<W> direction(LaneVec2<W> between, lanes<W>& length) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  length = sqrt(dot(between, between));
  lanes<W> inverse = select(length > lanes<W>::splat(1e-12f), one / length, zero);
  return inverse * between;
}

// Keeps of what the joints gave last the share that they may begin with (World::warm_start_joints).
template <int W, class Block>
void keep_shares(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<Block*>(span.blocks);
  for (int index = begin; index < end; ++index) {
    Block& block = blocks[index];
    lanes<W> share = lanes<W>::splat(1.0f);
    for (int i = 0; i < W && index * W + i < span.count; ++i) {
      share.set(i, context.joints[span.ids[index * W + i]].kept_share);
    }
    block.linear = share * block.linear;
    if constexpr (requires { block.rows; }) {
      AxialRows<W>& rows = block.rows;
      for (lanes<W>* impulse : {&rows.spring.impulse, &rows.motor.impulse, &rows.rigid_impulse,
                                &rows.lower_impulse, &rows.upper_impulse, &block.angular}) {
        *impulse = share * *impulse;
      }
    }
    if constexpr (requires { block.spin; }) block.spin.impulse = share * block.spin.impulse;
  }
}

template <int W, JointKind Kind>
void warm_start_joints(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<JointBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    JointBlock<W>& block = blocks[i];
    JointPair<W> pair(context.states, block);
    if constexpr (Kind == JointKind::distance) {
      lanes<W> length;
      LaneVec2<W> u = direction<W>(pair.between, length);
      pair.apply_linear(block, block.rows.sum() * u);
      block.across = lanes<W>::splat(0.0f);
    } else {
      pair.apply_linear(block, block.linear);
      pair.apply_angular(block, Kind == JointKind::weld ? block.angular : block.rows.sum());
    }
    pair.store(context.states, block);
  }
}

// x with [k11 k12; k12 k22] x = b, zero where nothing can move.
template <int W>
RIGID_INLINE LaneVec2<W> solve_2x2(lanes<W> k11, lanes<W> k12, lanes<W> k22, LaneVec2<W> b) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  lanes<W> determinant = k11 * k22 - k12 * k12;
  lanes<W> inverse = select(determinant > zero, one / determinant, zero);
  return {inverse * (k22 * b.x - k12 * b.y), inverse * (k11 * b.y - k12 * b.x)};
}

// The two anchors held together: a 2x2 block.
template <int W, bool Bias, class Block>
RIGID_INLINE void solve_point(const StepParameters& p, Block& block, JointPair<W>& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f), mass = block.mass_a + block.mass_b;
  LaneVec2<W> ra = pair.ra, rb = pair.rb, error = pair.relative();
  lanes<W> k11 = mass + block.inertia_a * ra.y * ra.y + block.inertia_b * rb.y * rb.y;
  lanes<W> k22 = mass + block.inertia_a * ra.x * ra.x + block.inertia_b * rb.x * rb.x;
  lanes<W> k12 = -(block.inertia_a * ra.x * ra.y) - block.inertia_b * rb.x * rb.y;
  LaneVec2<W> impulse;
  if constexpr (Bias) {
    error = error + block.correction * pair.between;
    LaneVec2<W> x = solve_2x2<W>(k11, k12, k22, error);
    lanes<W> ms = lanes<W>::splat(-p.joint.mass_scale);
    impulse = ms * x - lanes<W>::splat(p.joint.impulse_scale) * block.linear;
  } else {
    LaneVec2<W> x = solve_2x2<W>(k11, k12, k22, error);
    impulse = {-x.x, -x.y};
  }
  auto direct = block.direct > zero;
  impulse.x = select(direct, zero, impulse.x);
  impulse.y = select(direct, zero, impulse.y);
  block.linear = block.linear + impulse;
  pair.apply_linear(block, impulse);
}

template <int W, bool Bias>
RIGID_INLINE void solve_revolute(const StepParameters& p, JointBlock<W>& block,
                                 JointPair<W>& pair) {
  lanes<W> spin =
      solve_axial<W, Bias>(p, block.rows, block.rows.mass, block.inertia_a + block.inertia_b,
                           block.angle + (pair.b.delta_angle - pair.a.delta_angle),
                           pair.b.omega - pair.a.omega, block.correction);
  pair.apply_angular(block, spin);
  solve_point<W, Bias>(p, block, pair);
}

// The pull of a stretched spring turns with its direction, as if a spring held the ends across it;
// one without length pulls alike in all directions. Where a substep cannot follow that, it takes
// the implicit form.
template <int W>
RIGID_INLINE void solve_across_spring(const StepParameters& p, JointBlock<W>& block,
                                      JointPair<W>& pair, LaneVec2<W> u, lanes<W> length) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const lanes<W> h = lanes<W>::splat(p.h);
  const AxialRows<W>& rows = block.rows;
  lanes<W> pull = -(rows.spring.impulse + rows.motor.impulse);
  pull = pull + select(rows.limit_soft > zero, rows.upper_impulse, zero);
  lanes<W> turning = select(length > zero, pull / (h * length), zero);
  lanes<W> stiffness = select(block.stiffness > zero, block.stiffness, max(turning, zero));
  LaneVec2<W> t = {-u.y, u.x};
  lanes<W> ca = cross(pair.ra, t), cb = cross(pair.rb, t);
  lanes<W> k = block.mass_a + block.mass_b + block.inertia_a * ca * ca + block.inertia_b * cb * cb;
  lanes<W> whole = min(h * h * stiffness * k, lanes<W>::splat(1e30f));
  lanes<W> gain = select(whole > lanes<W>::splat(0.25f), whole / (one + whole), zero);
  lanes<W> mass = select(k > zero, one / k, zero);
  lanes<W> impulse = -(mass * gain * dot(pair.relative(), t)) - (one - gain) * block.across;
  impulse = select(gain > zero, impulse, -block.across);
  block.across = block.across + impulse;
  pair.apply_linear(block, impulse * t);
}

// The same where the mass changes as the direction turns.
template <int W, bool Bias>
RIGID_INLINE lanes<W> solve_turning_axial(const StepParameters& p, AxialRows<W>& rows,
                                          lanes<W> mass, lanes<W> k, lanes<W> coordinate,
                                          lanes<W> velocity, lanes<W> correction) {
  if constexpr (Bias) {
    lanes<W> before = rows.mass;
    adapt_gains<W>(rows.spring.velocity_gain, rows.spring.position_gain, before, mass);
    adapt_gains<W>(rows.motor.velocity_gain, rows.motor.position_gain, before, mass);
    adapt_gains<W>(rows.limit_velocity_gain, rows.limit_position_gain, before, mass);
    rows.mass = mass;
  }
  return solve_axial<W, Bias>(p, rows, mass, k, coordinate, velocity, correction);
}

template <int W, bool Bias>
RIGID_INLINE void solve_distance(const StepParameters& p, JointBlock<W>& block,
                                 JointPair<W>& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  lanes<W> length;
  LaneVec2<W> u = direction<W>(pair.between, length);
  lanes<W> ca = cross(pair.ra, u), cb = cross(pair.rb, u);
  lanes<W> k = block.mass_a + block.mass_b + block.inertia_a * ca * ca + block.inertia_b * cb * cb;
  lanes<W> mass = select(k > zero, one / k, zero);
  lanes<W> impulse = solve_turning_axial<W, Bias>(p, block.rows, mass, k, length,
                                                  dot(pair.relative(), u), block.correction);
  pair.apply_linear(block, impulse * u);
  if constexpr (Bias) solve_across_spring<W>(p, block, pair, u, length);
  block.linear = block.rows.sum() * u + block.across * LaneVec2<W>{-u.y, u.x};
}

// Angle and point together, 3x3: the angle is eliminated first, so that bodies which cannot turn
// leave a point constraint. With K = J M^-1 J^T, a rigid weld gives up the same share of all it
// has. A sprung one is a force and a torque, each of its own stretch: with the gains g and p of its
// rows, whose bare inverse masses are k,
//   (g K + (1 - g) k) change = -(g velocity + p position + (1 - g) k impulse).
template <int W, bool Bias>
RIGID_INLINE void solve_weld(const StepParameters&, JointBlock<W>& block, JointPair<W>& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  LaneVec2<W> ra = pair.ra, rb = pair.rb;
  const lanes<W> mass = block.mass_a + block.mass_b, ia = block.inertia_a, ib = block.inertia_b;
  lanes<W> k11 = mass + ia * ra.y * ra.y + ib * rb.y * rb.y;
  lanes<W> k22 = mass + ia * ra.x * ra.x + ib * rb.x * rb.x;
  lanes<W> k12 = -(ia * ra.x * ra.y) - ib * rb.x * rb.y;
  lanes<W> k13 = -(ia * ra.y) - ib * rb.y, k23 = ia * ra.x + ib * rb.x, k33 = ia + ib;
  lanes<W> inverse33 = select(k33 > zero, one / k33, zero);

  // A rigid weld is relaxed; a sprung one has had its impulse of this substep.
  auto soft = block.soft > zero, direct = block.direct > zero;
  lanes<W> velocity = one, position = zero, spin_velocity = one, spin_position = zero;
  if constexpr (Bias) {
    velocity = block.linear_velocity;
    position = block.linear_position;
    spin_velocity = block.angular_velocity;
    spin_position = block.angular_position;
  }
  lanes<W> gain = select(soft, velocity, one), spin_gain = select(soft, spin_velocity, one);
  lanes<W> give = (one - gain) * mass, spin_give = (one - spin_gain) * k33;
  lanes<W> forget = select(soft, zero, one - velocity);
  lanes<W> spin_forget = select(soft, zero, one - spin_velocity);
  LaneVec2<W> error = velocity * pair.relative() + position * pair.between + give * block.linear;
  lanes<W> turn = spin_velocity * (pair.b.omega - pair.a.omega) +
                  spin_position * (block.angle + (pair.b.delta_angle - pair.a.delta_angle)) +
                  spin_give * block.angular;
  // The angle's pivot is spin_gain k33 + spin_give = k33.
  lanes<W> part = inverse33 * turn;
  LaneVec2<W> right = {error.x - gain * (k13 * part), error.y - gain * (k23 * part)};
  lanes<W> both = gain * spin_gain;
  LaneVec2<W> x = solve_2x2<W>(gain * k11 + give - both * (k13 * k13 * inverse33),
                               gain * k12 - both * (k13 * k23 * inverse33),
                               gain * k22 + give - both * (k23 * k23 * inverse33), right);
  lanes<W> z = inverse33 * (turn - spin_gain * (k13 * x.x) - spin_gain * (k23 * x.y));
  LaneVec2<W> impulse = {-x.x - forget * block.linear.x, -x.y - forget * block.linear.y};
  lanes<W> spin = -z - spin_forget * block.angular;
  if constexpr (!Bias) {
    direct = direct | soft;
  }
  impulse = {select(direct, zero, impulse.x), select(direct, zero, impulse.y)};
  spin = select(direct, zero, spin);
  block.linear = block.linear + impulse;
  block.angular = block.angular + spin;
  pair.apply_linear(block, impulse);
  pair.apply_angular(block, spin);
}

template <int W, JointKind Kind, bool Bias>
void solve_joints(const KernelContext& context, const Span& span, int begin, int end) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<JointBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    JointBlock<W>& block = blocks[i];
    JointPair<W> pair(context.states, block);
    if constexpr (Kind == JointKind::revolute) {
      solve_revolute<W, Bias>(p, block, pair);
    } else if constexpr (Kind == JointKind::distance) {
      solve_distance<W, Bias>(p, block, pair);
    } else {
      solve_weld<W, Bias>(p, block, pair);
    }
    if constexpr (!Bias) {
      block.total = block.total + block.linear;
      block.total_motor = block.total_motor + block.rows.motor.impulse;
      block.total_angular =
          block.total_angular + (Kind == JointKind::weld       ? block.angular
                                 : Kind == JointKind::revolute ? block.rows.sum()
                                                               : lanes<W>::splat(0.0f));
    }
    pair.store(context.states, block);
  }
}

template <int W, JointKind Kind>
void store_joints(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<JointBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    const JointBlock<W>& block = blocks[i];
    for (int lane = 0; lane < W; ++lane) {
      int at = i * W + lane;
      if (at >= span.count) break;
      Joint& joint = context.joints[span.ids[at]];
      const AxialRows<W>& rows = block.rows;
      joint.linear_x = block.linear.x.lane(lane);
      joint.linear_y = block.linear.y.lane(lane);
      joint.angular =
          Kind == JointKind::weld ? block.angular.lane(lane) : rows.spring.impulse.lane(lane);
      joint.motor_impulse = rows.motor.impulse.lane(lane);
      joint.lower_impulse = rows.rigid_on.lane(lane) > 0.0f ? rows.rigid_impulse.lane(lane)
                                                            : rows.lower_impulse.lane(lane);
      joint.upper_impulse = rows.upper_impulse.lane(lane);
      if (context.parameters->impulse_solver) {
        joint.motor_total = joint.motor_impulse;
        joint.total_x = joint.linear_x;
        joint.total_y = joint.linear_y;
        joint.total_angular = Kind == JointKind::weld       ? joint.angular
                              : Kind == JointKind::revolute ? rows.sum().lane(lane)
                                                            : 0.0f;
      } else {
        joint.motor_total = block.total_motor.lane(lane);
        joint.total_x = block.total.x.lane(lane);
        joint.total_y = block.total.y.lane(lane);
        joint.total_angular = block.total_angular.lane(lane);
      }
    }
  }
}

}  // namespace rigid

#endif
