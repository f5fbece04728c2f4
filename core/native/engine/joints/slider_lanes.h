// SPDX-License-Identifier: MIT
// Lanes of joints along a line: prismatic and wheel, and friction along a direction of a body.
//
// With A's axis a, its perpendicular t and d the vector from A's anchor to B's:
//   across the line  d . t = 0, J = [-t, -(r_a + d) x t, t, r_b x t]
//   along the line   coordinate d . a, J = [-a, -(r_a + d) x a, a, r_b x a]
// (document of Catto's joint equations; Marijn Tamis, "Constraints", 2015).
#ifndef RIGID_ENGINE_JOINTS_SLIDER_LANES_H
#define RIGID_ENGINE_JOINTS_SLIDER_LANES_H

#include "engine/joints/joint_lanes.h"

namespace rigid {

// The rows of a joint along a line: across it, its angle, along it.
template <class Place, class Rows>
RIGID_INLINE void set_line_rows(const Place& p, Rows& rows) {
  const decltype(p.axis) t = {-p.axis.y, p.axis.x};
  const auto across = row_of_a(p.anchor_a, p.anchor_b, p.between, t);
  const auto along = row_of_a(p.anchor_a, p.anchor_b, p.between, p.axis);
  rows.set(0, t, across.arm_a, across.arm_b, dot(p.between, t));
  rows.set_angle(1, p.angle);
  rows.set(2, p.axis, along.arm_a, along.arm_b, dot(p.between, p.axis));
}

template <int W>
struct SliderBlock : JointBlock<W> {
  LaneVec2<W> axis;   // at the step's start, world axes
  LaneVec2<W> force;  // impulse of the substep on B, ...
  lanes<W> torque;    // ... and its torque
};

// The two bodies of a joint along a line, and its rows at their present places.
template <int W, bool AxisOfB>
struct SliderPair : JointPair<W> {
  LineRow<LaneVec2<W>, lanes<W>> along, across;
  template <class Block>
  RIGID_INLINE SliderPair(const BodyState* states, const Block& block)
      : JointPair<W>(states, block) {
    const LaneVec2<W> axis = (AxisOfB ? this->mb : this->ma).rotate(block.axis);
    along = row_of_a(this->anchor_a, this->anchor_b, this->between, axis);
    across = row_of_a(this->anchor_a, this->anchor_b, this->between, LaneVec2<W>{-axis.y, axis.x});
  }
};

template <int W>
RIGID_INLINE void set_axis(SliderBlock<W>& block, const Body& owner, const Joint& joint, int i) {
  const Vec2 axis = rotate(owner.rotation, joint.axis);
  block.axis.x.set(i, axis.x);
  block.axis.y.set(i, axis.y);
}

// The mass of the row along the axis at the step's start.
template <int W>
RIGID_INLINE float mass_along(const KernelContext& context, const Joint& joint,
                              const SliderBlock<W>& block, int i) {
  const Vec2 rb = lane_of(block.anchor_b, i);
  const auto row = row_between(lane_of(block.offset, i) + rb, rb, lane_of(block.axis, i));
  return inverse_or_zero(inverse_mass(context.inverse_masses[joint.body_a],
                                      context.inverse_masses[joint.body_b], row));
}

template <int W>
RIGID_INLINE void fill_along(const KernelContext& context, const Joint& joint, int i,
                             SliderBlock<W>& block) {
  fill_rows<W>(*context.parameters, joint,
               {.range = {joint.lower, joint.upper}, .has_limits = joint.has_limits},
               mass_along<W>(context, joint, block, i), i, block.rows);
}

// Impulses along the line, across it and about it.
template <int W, class Pair>
RIGID_INLINE void warm_start_slider(const SliderBlock<W>& block, Pair& pair, lanes<W> turn) {
  pair.apply(block, block.rows.sum(), pair.along);
  pair.apply(block, block.linear.x, pair.across);
  pair.apply_angular(block, turn);
}

template <int W, bool Bias, class Pair>
RIGID_INLINE void solve_along(const StepParameters& p, SliderBlock<W>& block, Pair& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  lanes<W> k = inverse_mass(block, pair.along);
  lanes<W> mass = select(k > zero, one / k, zero);
  lanes<W> along =
      solve_turning_axial<W, Bias>(p, block.rows, mass, k, dot(pair.between, pair.along.u),
                                   pair.speed(pair.along), block.softness);
  pair.apply(block, along, pair.along);
}

// The row across the line, together with the angle if that is held.
template <int W, bool HoldsAngle, bool Bias, class Pair>
RIGID_INLINE void solve_across(SliderBlock<W>& block, Pair& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const lanes<W> ia = block.inertia_a, ib = block.inertia_b;
  lanes<W> k11 = inverse_mass(block, pair.across);
  lanes<W> k12 = zero, inverse22 = zero, turn = zero;
  lanes<W> error = pair.speed(pair.across);
  lanes<W> scale = one, yielding = zero;
  if constexpr (Bias) {
    scale = block.softness.mass_scale();
    yielding = block.softness.yielding;
    error = error + block.softness.correction * dot(pair.between, pair.across.u);
  }
  if constexpr (HoldsAngle) {
    k12 = ia * pair.across.arm_a + ib * pair.across.arm_b;
    lanes<W> k22 = ia + ib;
    inverse22 = select(k22 > zero, one / k22, zero);
    turn = pair.b.omega - pair.a.omega;
    if constexpr (Bias) turn = turn + block.softness.correction * pair.turn(block);
  }
  lanes<W> pivot = k11 - k12 * k12 * inverse22;
  lanes<W> x = select(pivot > zero, (error - k12 * inverse22 * turn) / pivot, zero);
  lanes<W> z = inverse22 * (turn - k12 * x);
  auto direct = block.direct > zero;
  lanes<W> push = select(direct, zero, -(scale * x) - yielding * block.linear.x);
  lanes<W> twist = select(direct, zero, -(scale * z) - yielding * block.linear.y);
  block.linear.x = block.linear.x + push;
  pair.apply(block, push, pair.across);
  if constexpr (HoldsAngle) {
    block.linear.y = block.linear.y + twist;
    pair.apply_angular(block, twist);
  }
}

// The force of a joint along a line, from its accumulated impulses.
template <int W, class Pair>
RIGID_INLINE void gather_force(SliderBlock<W>& block, const Pair& pair, lanes<W> torque) {
  block.force = block.rows.sum() * pair.along.u + block.linear.x * pair.across.u;
  block.torque = torque;
}

}  // namespace rigid

#endif
