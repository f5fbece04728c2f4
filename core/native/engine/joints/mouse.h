// SPDX-License-Identifier: MIT
// The mouse joint: a spring that pulls a point of a body towards a target in the world, with a
// largest force.
#ifndef RIGID_ENGINE_JOINTS_MOUSE_H
#define RIGID_ENGINE_JOINTS_MOUSE_H

#include "engine/joints/joint_lanes.h"

namespace rigid {

template <int W>
struct MouseBlock : JointBlock<W> {
  lanes<W> linear_velocity, linear_position;  // SpringGains
  lanes<W> most;                              // the largest impulse
};

struct Mouse : CommonJoint {
  static constexpr JointTraits traits = {
      .kind = JointKind::mouse, .spring_rows = 2, .pulls = true, .against_world = true};
  // x, y
  static void find_rows(const JointPlace& place, JointRows& rows) { rows.set_point(place); }
  static bool is_rigid(const Joint&) { return false; }
  static bool swings(const Joint&) { return true; }

  template <int W>
  using Block = MouseBlock<W>;
  template <int W>
  using Pair = JointPair<W>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    if (joint.direct) return;
    const StepParameters& p = *context.parameters;
    const InverseMass mass = context.inverse_masses[joint.body_b];
    const Vec2 rb = lane_of(block.anchor_b, i);
    const float most = mass.mass + mass.inertia * dot(rb, rb);
    const float own = inverse_or_zero(context.own_inverse_masses[joint.body_b].mass);
    SpringGains gains = soften(joint.spring.kind == 0 ? mouse_spring(p) : joint.spring,
                               inverse_or_zero(mass.mass), own, p, inverse_or_zero(most));
    block.linear_velocity.set(i, gains.velocity);
    block.linear_position.set(i, gains.position);
    block.most.set(i, joint.motor_maximum * p.h);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    pair.apply_linear(block, block.linear);
  }

  // Like a sprung weld without its angle.
  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters&, Block<W>& block, Pair<W>& pair) {
    if constexpr (Bias) {
      const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
      LaneVec2<W> rb = pair.anchor_b;
      const lanes<W> mass = block.mass_a + block.mass_b, ib = block.inertia_b;
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

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    const lanes<W> zero = lanes<W>::splat(0.0f);
    return {block.linear, zero, zero};
  }
};

}  // namespace rigid

#endif
