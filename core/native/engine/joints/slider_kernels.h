// Joints along a line, W at a time: prismatic and wheel; and what shares their rows: the mouse's
// pull, motors that turn a body against the world, and friction along a direction of a body.
//
// With A's axis a, its perpendicular t and d the vector from A's anchor to B's:
//   across the line  d . t = 0, J = [-t, -(r_a + d) x t, t, r_b x t]
//   along the line   coordinate d . a, J = [-a, -(r_a + d) x a, a, r_b x a]
// (document of Catto's joint equations; Marijn Tamis, "Constraints", 2015). A prismatic joint
// solves the row across and the angle together, 2x2.
#ifndef RIGID_ENGINE_SLIDER_KERNELS_H
#define RIGID_ENGINE_SLIDER_KERNELS_H

#include "engine/joints/joint_kernels.h"

namespace rigid {

template <int W>
struct SliderBlock : JointBlock<W> {
  LaneVec2<W> axis;  // at the step's start, world axes
  // A wheel's motor, beside the rows along its axis.
  typename AxialRows<W>::Drive spin;
  lanes<W> spin_mass;
  lanes<W> most;  // the mouse's largest impulse
  // Impulse of the substep on B, and turn.
  LaneVec2<W> force;
  lanes<W> torque;
};

template <int W, JointKind Kind>
void prepare_sliders(const KernelContext& context, const Span& span, int begin, int end) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<SliderBlock<W>*>(span.blocks);
  for (int index = begin; index < end; ++index) {
    SliderBlock<W>& block = blocks[index];
    std::memset(static_cast<void*>(&block), 0, sizeof block);
    for (int i = 0; i < W; ++i) {
      int at = index * W + i;
      if (at >= span.count) break;
      const Joint& joint = context.joints[span.ids[at]];
      fill_joint<W>(context, joint, i, block);
      const Body& owner =
          context.bodies[Kind == JointKind::axial_friction ? joint.body_b : joint.body_a];
      Vec2 axis = rotate(owner.rotation, joint.axis);
      block.axis.x.set(i, axis.x);
      block.axis.y.set(i, axis.y);
      InverseMass ma = context.masses[joint.body_a], mb = context.masses[joint.body_b];
      float spin = ma.inertia + mb.inertia;
      if constexpr (Kind == JointKind::mouse) {
        if (joint.direct) continue;
        float whole = inverse_or_zero(mb.mass);
        Vec2 rb = {block.anchor_b.x.lane(i), block.anchor_b.y.lane(i)};
        float most = mb.mass + mb.inertia * dot(rb, rb);
        float own = inverse_or_zero(context.own_masses[joint.body_b].mass);
        SpringGains gains = soften(joint.spring.kind == 0 ? mouse_spring(p) : joint.spring, whole,
                                   own, p, inverse_or_zero(most));
        block.linear_velocity.set(i, gains.velocity);
        block.linear_position.set(i, gains.position);
        block.most.set(i, joint.motor_maximum * p.h);
        continue;
      }
      if constexpr (Kind == JointKind::rotary_motor) {
        fill_rows<W>(p, joint, inverse_or_zero(spin), i, block.rows);
        continue;
      }
      Vec2 rb = {block.anchor_b.x.lane(i), block.anchor_b.y.lane(i)};
      Vec2 arm = Vec2{block.offset.x.lane(i), block.offset.y.lane(i)} + rb;
      float ca = cross(arm, axis), cb = cross(rb, axis);
      float k = ma.mass + mb.mass + ma.inertia * ca * ca + mb.inertia * cb * cb;
      if constexpr (Kind == JointKind::wheel) {
        Joint along = joint;
        along.motor = MotorKind::none;
        fill_rows<W>(p, along, inverse_or_zero(k), i, block.rows);
        float turning = inverse_or_zero(spin);
        block.spin_mass.set(i, turning);
        if (joint.motor != MotorKind::none && joint.motor_maximum > 0.0f && !joint.direct) {
          float own = inverse_or_zero(context.own_masses[joint.body_a].inertia +
                                      context.own_masses[joint.body_b].inertia);
          fill_motor<W>(p, joint, turning, own, true, i, block.spin);
          block.spin.impulse.set(i, p.warm_start ? joint.spin_impulse : 0.0f);
        }
      } else {
        fill_rows<W>(p, joint, inverse_or_zero(k), i, block.rows);
      }
    }
  }
}

// The two bodies of a joint along a line, and its rows where they are now.
template <int W, JointKind Kind>
struct SliderPair : JointPair<W> {
  LaneVec2<W> axis, across;
  lanes<W> axis_a, axis_b, across_a, across_b;  // lever arms of the rows
  RIGID_INLINE SliderPair(const BodyState* states, const SliderBlock<W>& block)
      : JointPair<W>(states, block) {
    axis = (Kind == JointKind::axial_friction ? this->mb : this->ma).rotate(block.axis);
    across = {-axis.y, axis.x};
    LaneVec2<W> arm = this->ra + this->between;
    axis_a = cross(arm, axis);
    axis_b = cross(this->rb, axis);
    across_a = cross(arm, across);
    across_b = cross(this->rb, across);
  }
  RIGID_INLINE lanes<W> speed(LaneVec2<W> n, lanes<W> arm_a, lanes<W> arm_b) const {
    return dot(this->b.v - this->a.v, n) + (this->b.omega * arm_b - this->a.omega * arm_a);
  }
  RIGID_INLINE void apply(const SliderBlock<W>& block, lanes<W> impulse, LaneVec2<W> n,
                          lanes<W> arm_a, lanes<W> arm_b) {
    this->a.v = this->a.v - (block.mass_a * impulse) * n;
    this->a.omega = this->a.omega - block.inertia_a * (arm_a * impulse);
    this->b.v = this->b.v + (block.mass_b * impulse) * n;
    this->b.omega = this->b.omega + block.inertia_b * (arm_b * impulse);
  }
};

// What a joint pushes with, from its accumulated impulses.
template <int W, JointKind Kind>
RIGID_INLINE void gather_force(SliderBlock<W>& block, const SliderPair<W, Kind>& pair) {
  if constexpr (Kind == JointKind::mouse) {
    block.force = block.linear;
  } else if constexpr (Kind == JointKind::rotary_motor) {
    block.torque = block.rows.sum();
  } else {
    block.force = block.rows.sum() * pair.axis + block.linear.x * pair.across;
    block.torque = block.linear.y + block.spin.impulse;
  }
}

template <int W, JointKind Kind>
void warm_start_sliders(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<SliderBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    SliderBlock<W>& block = blocks[i];
    SliderPair<W, Kind> pair(context.states, block);
    if constexpr (Kind == JointKind::mouse) {
      pair.apply_linear(block, block.linear);
    } else if constexpr (Kind == JointKind::rotary_motor) {
      pair.apply_angular(block, block.rows.sum());
    } else {
      pair.apply(block, block.rows.sum(), pair.axis, pair.axis_a, pair.axis_b);
      pair.apply(block, block.linear.x, pair.across, pair.across_a, pair.across_b);
      pair.apply_angular(block, block.linear.y + block.spin.impulse);
    }
    pair.store(context.states, block);
  }
}

// The row across the line, for a prismatic joint together with the angle.
template <int W, JointKind Kind, bool Bias>
RIGID_INLINE void solve_across(const StepParameters& p, SliderBlock<W>& block,
                               SliderPair<W, Kind>& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const lanes<W> ia = block.inertia_a, ib = block.inertia_b;
  lanes<W> k11 = block.mass_a + block.mass_b + ia * pair.across_a * pair.across_a +
                 ib * pair.across_b * pair.across_b;
  lanes<W> k12 = zero, inverse22 = zero, turn = zero;
  lanes<W> error = pair.speed(pair.across, pair.across_a, pair.across_b);
  lanes<W> scale = one, keep = one;
  if constexpr (Bias) {
    scale = lanes<W>::splat(p.joint.mass_scale);
    keep = one - lanes<W>::splat(p.joint.impulse_scale);
    error = error + block.correction * dot(pair.between, pair.across);
  }
  if constexpr (Kind == JointKind::prismatic) {
    k12 = ia * pair.across_a + ib * pair.across_b;
    lanes<W> k22 = ia + ib;
    inverse22 = select(k22 > zero, one / k22, zero);
    turn = pair.b.omega - pair.a.omega;
    if constexpr (Bias) {
      turn = turn + block.correction * (block.angle + (pair.b.delta_angle - pair.a.delta_angle));
    }
  }
  lanes<W> pivot = k11 - k12 * k12 * inverse22;
  lanes<W> x = select(pivot > zero, (error - k12 * inverse22 * turn) / pivot, zero);
  lanes<W> z = inverse22 * (turn - k12 * x);
  auto direct = block.direct > zero;
  lanes<W> push = select(direct, zero, -(scale * x) - (one - keep) * block.linear.x);
  lanes<W> twist = select(direct, zero, -(scale * z) - (one - keep) * block.linear.y);
  block.linear.x = block.linear.x + push;
  pair.apply(block, push, pair.across, pair.across_a, pair.across_b);
  if constexpr (Kind == JointKind::prismatic) {
    block.linear.y = block.linear.y + twist;
    pair.apply_angular(block, twist);
  }
}

template <int W, bool Bias>
RIGID_INLINE void solve_mouse(SliderBlock<W>& block, SliderPair<W, JointKind::mouse>& pair) {
  if constexpr (Bias) {
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    LaneVec2<W> rb = pair.rb;
    const lanes<W> mass = block.mass_a + block.mass_b, ib = block.inertia_b;
    // As a sprung weld without its angle.
    const lanes<W> gain = block.linear_velocity, give = (one - gain) * mass;
    LaneVec2<W> x = solve_2x2<W>(
        gain * (mass + ib * rb.y * rb.y) + give, -(gain * (ib * rb.x * rb.y)),
        gain * (mass + ib * rb.x * rb.x) + give,
        gain * pair.relative() + block.linear_position * pair.between + give * block.linear);
    LaneVec2<W> sum = block.linear - x;
    lanes<W> size = sqrt(dot(sum, sum));
    lanes<W> scale = select(size > block.most, block.most / size, one);
    scale = select(size > zero, scale, one);
    sum = scale * sum;
    pair.apply_linear(block, sum - block.linear);
    block.linear = sum;
  }
}

template <int W, JointKind Kind, bool Bias>
void solve_sliders(const KernelContext& context, const Span& span, int begin, int end) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<SliderBlock<W>*>(span.blocks);
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  for (int i = begin; i < end; ++i) {
    SliderBlock<W>& block = blocks[i];
    SliderPair<W, Kind> pair(context.states, block);
    if constexpr (Kind == JointKind::mouse) {
      solve_mouse<W, Bias>(block, pair);
    } else if constexpr (Kind == JointKind::rotary_motor) {
      lanes<W> spin =
          solve_axial<W, Bias>(p, block.rows, block.rows.mass, block.inertia_a + block.inertia_b,
                               block.angle + (pair.b.delta_angle - pair.a.delta_angle),
                               pair.b.omega - pair.a.omega, block.correction);
      pair.apply_angular(block, spin);
    } else {
      lanes<W> k = block.mass_a + block.mass_b + block.inertia_a * pair.axis_a * pair.axis_a +
                   block.inertia_b * pair.axis_b * pair.axis_b;
      lanes<W> mass = select(k > zero, one / k, zero);
      lanes<W> along = solve_turning_axial<W, Bias>(
          p, block.rows, mass, k, dot(pair.between, pair.axis),
          pair.speed(pair.axis, pair.axis_a, pair.axis_b), block.correction);
      pair.apply(block, along, pair.axis, pair.axis_a, pair.axis_b);
      if constexpr (Kind == JointKind::wheel) {
        lanes<W> turn = pair.b.omega - pair.a.omega;
        lanes<W> angle = block.angle + (pair.b.delta_angle - pair.a.delta_angle);
        if constexpr (Bias) aim<W>(p, block.spin, angle);
        auto drive = block.spin;
        if constexpr (!Bias) drive.on = select(drive.position_gain > zero, zero, drive.on);
        lanes<W> spin =
            solve_drive<W>(drive, block.spin_mass, block.inertia_a + block.inertia_b, angle, turn);
        block.spin.impulse = drive.impulse;
        pair.apply_angular(block, spin);
      }
      if constexpr (Kind != JointKind::axial_friction) solve_across<W, Kind, Bias>(p, block, pair);
    }
    gather_force<W, Kind>(block, pair);
    if constexpr (!Bias) {
      block.total = block.total + block.force;
      block.total_angular = block.total_angular + block.torque;
      block.total_motor = block.total_motor + (Kind == JointKind::wheel ? block.spin.impulse
                                                                        : block.rows.motor.impulse);
    }
    pair.store(context.states, block);
  }
}

template <int W, JointKind Kind>
void store_sliders(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<SliderBlock<W>*>(span.blocks);
  const bool impulse_solver = context.parameters->impulse_solver;
  for (int i = begin; i < end; ++i) {
    const SliderBlock<W>& block = blocks[i];
    for (int lane = 0; lane < W; ++lane) {
      int at = i * W + lane;
      if (at >= span.count) break;
      Joint& joint = context.joints[span.ids[at]];
      const AxialRows<W>& rows = block.rows;
      joint.linear_x = block.linear.x.lane(lane);
      joint.linear_y = block.linear.y.lane(lane);
      joint.angular = rows.spring.impulse.lane(lane);
      joint.motor_impulse = rows.motor.impulse.lane(lane);
      joint.spin_impulse = block.spin.impulse.lane(lane);
      joint.motor_total = !impulse_solver            ? block.total_motor.lane(lane)
                          : Kind == JointKind::wheel ? joint.spin_impulse
                                                     : joint.motor_impulse;
      joint.lower_impulse = rows.rigid_on.lane(lane) > 0.0f ? rows.rigid_impulse.lane(lane)
                                                            : rows.lower_impulse.lane(lane);
      joint.upper_impulse = rows.upper_impulse.lane(lane);
      joint.total_x = impulse_solver ? block.force.x.lane(lane) : block.total.x.lane(lane);
      joint.total_y = impulse_solver ? block.force.y.lane(lane) : block.total.y.lane(lane);
      joint.total_angular =
          impulse_solver ? block.torque.lane(lane) : block.total_angular.lane(lane);
    }
  }
}

}  // namespace rigid

#endif
