// A prismatic joint: B slides along an axis of A and does not turn. The row across the axis and the
// angle are solved together, 2x2.
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
  // across, angle, along
  static void find_rows(const JointPlace& p, JointRows& rows) {
    const Double2 t = {-p.axis.y, p.axis.x};
    const auto across = row_of_a(p.anchor_a, p.anchor_b, p.between, t);
    const auto along = row_of_a(p.anchor_a, p.anchor_b, p.between, p.axis);
    rows.set(0, t, across.arm_a, across.arm_b, dot(p.between, t));
    rows.set_angle(1, p.angle);
    rows.set(2, p.axis, along.arm_a, along.arm_b, dot(p.between, p.axis));
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
    fill_rows<W>(*context.parameters, joint,
                 {.range = {joint.lower, joint.upper}, .has_limits = joint.has_limits},
                 mass_along<W>(context, joint, block, i), i, block.rows);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    warm_start_slider<W>(block, pair, block.linear.y);
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    solve_along<W, Bias>(p, block, pair);
    solve_across<W, true, Bias>(p, block, pair);
    gather_force<W>(block, pair, block.linear.y);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.force, block.torque, block.rows.motor.impulse};
  }
};

}  // namespace rigid

#endif
