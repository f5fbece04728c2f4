// SPDX-License-Identifier: MIT
// The revolute joint: two anchors together, and limits, a motor and a spring of the angle.
#ifndef RIGID_ENGINE_JOINTS_REVOLUTE_H
#define RIGID_ENGINE_JOINTS_REVOLUTE_H

#include "engine/joints/joint_lanes.h"

namespace rigid {

struct Revolute : CommonJoint {
  static constexpr JointTraits traits = {.kind = JointKind::revolute,
                                         .held_rows = 2,
                                         .coordinate_row = 2,
                                         .motor_row = 2,
                                         .angular = {false, false, true}};
  // x, y, angle
  template <class Place, class Rows>
  static RIGID_INLINE void find_rows(const Place& place, Rows& rows) {
    rows.set_point(place);
    rows.set_angle(2, place.angle);
  }
  static bool swings(const Joint&) { return true; }

  template <int W>
  using Block = JointBlock<W>;
  template <int W>
  using Pair = JointPair<W>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    const InverseMass a = context.inverse_masses[joint.body_a],
                      b = context.inverse_masses[joint.body_b];
    fill_rows<W>(
        *context.parameters, joint,
        {.range = {joint.lower, joint.upper}, .has_limits = joint.has_limits, .turns = true},
        inverse_or_zero(a.inertia + b.inertia), i, block.rows);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    pair.apply_linear(block, block.linear);
    pair.apply_angular(block, block.rows.sum());
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    lanes<W> spin =
        solve_axial<W, Bias>(p, block.rows, block.rows.mass, block.inertia_a + block.inertia_b,
                             pair.turn(block), pair.b.omega - pair.a.omega, block.softness);
    pair.apply_angular(block, spin);
    solve_point<W, Bias>(block, pair);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.linear, block.rows.sum(), block.rows.motor.impulse};
  }
};

}  // namespace rigid

#endif
