// SPDX-License-Identifier: MIT
// Axial friction: friction of a point of a body along a direction of that body, against the world.
#ifndef RIGID_ENGINE_JOINTS_AXIAL_FRICTION_H
#define RIGID_ENGINE_JOINTS_AXIAL_FRICTION_H

#include "engine/joints/slider_lanes.h"
#include "engine/joints/springs.h"

namespace rigid {

struct AxialFriction : CommonJoint {
  static constexpr JointTraits traits = {.kind = JointKind::axial_friction,
                                         .needs_axis = true,
                                         .axis_of_b = true,
                                         .against_world = true};
  // along
  template <class Place, class Rows>
  static RIGID_INLINE void find_rows(const Place& p, Rows& rows) {
    const decltype(p.angle) none = 0;
    rows.set(0, p.axis, none, cross(p.anchor_b, p.axis), none);
  }
  static JointReading read(const Joint&, const JointPlace& place, const JointMotion& motion) {
    return {0, dot(motion.velocity, place.axis)};
  }
  static bool is_rigid(const Joint& joint) { return has_hard_motor(joint); }

  template <int W>
  using Block = SliderBlock<W>;
  template <int W>
  using Pair = SliderPair<W, true>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    set_axis<W>(block, context.bodies[joint.body_b], joint, i);
    fill_along<W>(context, joint, i, block);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    warm_start_slider<W>(block, pair, block.linear.y);
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    solve_along<W, Bias>(p, block, pair);
    gather_force<W>(block, pair, block.linear.y);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.force, block.torque, block.rows.motor.impulse};
  }
};

}  // namespace rigid

#endif
