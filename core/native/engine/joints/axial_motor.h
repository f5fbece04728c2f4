// SPDX-License-Identifier: MIT
// The axial motor: drives B along an axis of A, and holds neither the line nor the angle. Beside a
// wheel joint it is the motor of the suspension.
#ifndef RIGID_ENGINE_JOINTS_AXIAL_MOTOR_H
#define RIGID_ENGINE_JOINTS_AXIAL_MOTOR_H

#include "engine/joints/slider_lanes.h"
#include "engine/joints/springs.h"

namespace rigid {

struct AxialMotor : CommonJoint {
  static constexpr JointTraits traits = {.kind = JointKind::axial_motor,
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
  static bool is_rigid(const Joint& joint) { return has_hard_motor(joint); }

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
    pair.apply(block, block.rows.sum(), pair.along);
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    solve_along<W, Bias>(p, block, pair);
    block.force = block.rows.sum() * pair.along.u;
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.force, lanes<W>::splat(0.0f), block.rows.motor.impulse};
  }
};

}  // namespace rigid

#endif
