// SPDX-License-Identifier: MIT
// The prismatic joint: B slides along an axis of A and does not turn. The row across the axis and
// the angle are solved together, 2x2.
#ifndef RIGID_ENGINE_JOINTS_PRISMATIC_H
#define RIGID_ENGINE_JOINTS_PRISMATIC_H

#include "engine/joints/slider_lanes.h"

namespace rigid {

struct Prismatic : CommonJoint {
  static constexpr JointTraits traits = {.kind = JointKind::prismatic,
                                         .held_rows = 2,
                                         .coordinate_row = 2,
                                         .motor_row = 2,
                                         .angular = {false, true, false},
                                         .needs_axis = true,
                                         .reaches_to_b = true};
  template <class Place, class Rows>
  static RIGID_INLINE void find_rows(const Place& p, Rows& rows) {
    set_line_rows(p, rows);
  }
  static JointReading read(const Joint&, const JointPlace& place, const JointMotion& motion) {
    return {dot(place.between, place.axis), dot(motion.velocity, place.axis)};
  }

  template <int W>
  using Block = SliderBlock<W>;
  template <int W>
  using Pair = SliderPair<W, false>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    set_axis<W>(block, context.bodies[joint.body_a], joint, i);
    fill_along<W>(context, joint, i, block);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    warm_start_slider<W>(block, pair, block.linear.y);
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    solve_along<W, Bias>(p, block, pair);
    solve_across<W, true, Bias>(block, pair);
    gather_force<W>(block, pair, block.linear.y);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.force, block.torque, block.rows.motor.impulse};
  }
};

}  // namespace rigid

#endif
