// SPDX-License-Identifier: MIT
// The rotary motor: a motor that turns a body relative to the world.
#ifndef RIGID_ENGINE_JOINTS_ROTARY_MOTOR_H
#define RIGID_ENGINE_JOINTS_ROTARY_MOTOR_H

#include "engine/joints/joint_lanes.h"
#include "engine/joints/springs.h"

namespace rigid {

struct RotaryMotor : CommonJoint {
  static constexpr JointTraits traits = {
      .kind = JointKind::rotary_motor, .angular = {true, false, false}, .against_world = true};
  // angle
  template <class Place, class Rows>
  static RIGID_INLINE void find_rows(const Place& place, Rows& rows) {
    rows.set_angle(0, place.angle);
  }
  static bool is_rigid(const Joint& joint) { return has_hard_motor(joint); }

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
    pair.apply_angular(block, block.rows.sum());
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    lanes<W> spin =
        solve_axial<W, Bias>(p, block.rows, block.rows.mass, block.inertia_a + block.inertia_b,
                             pair.turn(block), pair.b.omega - pair.a.omega, block.softness);
    pair.apply_angular(block, spin);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    const lanes<W> zero = lanes<W>::splat(0.0f);
    return {{zero, zero}, block.rows.sum(), block.rows.motor.impulse};
  }
};

}  // namespace rigid

#endif
