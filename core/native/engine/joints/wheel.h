// SPDX-License-Identifier: MIT
// The wheel joint: B moves along an axis of A on a spring and turns freely, or by a motor.
#ifndef RIGID_ENGINE_JOINTS_WHEEL_H
#define RIGID_ENGINE_JOINTS_WHEEL_H

#include "engine/joints/slider_lanes.h"

namespace rigid {

template <int W>
struct WheelBlock : SliderBlock<W> {
  typename AxialRows<W>::Drive spin;  // the motor, in addition to the rows along the axis
  lanes<W> spin_mass;
};

struct Wheel : CommonJoint {
  static constexpr JointTraits traits = {.kind = JointKind::wheel,
                                         .held_rows = 1,
                                         .coordinate_row = 2,
                                         .motor_row = 1,
                                         .angular = {false, true, false},
                                         .needs_axis = true,
                                         .reaches_to_b = true};
  template <class Place, class Rows>
  static RIGID_INLINE void find_rows(const Place& p, Rows& rows) {
    set_line_rows(p, rows);
  }
  static JointReading read(const Joint&, const JointPlace& place, const JointMotion& motion) {
    return {dot(place.between, place.axis), motion.turn};
  }

  template <int W>
  using Block = WheelBlock<W>;
  template <int W>
  using Pair = SliderPair<W, false>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    const StepParameters& p = *context.parameters;
    set_axis<W>(block, context.bodies[joint.body_a], joint, i);
    Joint along = joint;
    along.motor = MotorKind::none;
    fill_along<W>(context, along, i, block);
    const InverseMass a = context.inverse_masses[joint.body_a],
                      b = context.inverse_masses[joint.body_b];
    const float turning = inverse_or_zero(a.inertia + b.inertia);
    block.spin_mass.set(i, turning);
    if (joint.motor == MotorKind::none || !(joint.motor_maximum > 0.0f) || joint.direct) return;
    const float own = inverse_or_zero(context.own_inverse_masses[joint.body_a].inertia +
                                      context.own_inverse_masses[joint.body_b].inertia);
    fill_motor<W>(p, joint, turning, own, true, i, block.spin);
    block.spin.impulse.set(i, p.warm_start ? joint.spin_impulse : 0.0f);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    warm_start_slider<W>(block, pair, block.linear.y + block.spin.impulse);
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    const lanes<W> zero = lanes<W>::splat(0.0f);
    solve_along<W, Bias>(p, block, pair);
    lanes<W> turn = pair.b.omega - pair.a.omega, angle = pair.turn(block);
    if constexpr (Bias) aim<W>(p, block.spin, angle);
    auto drive = block.spin;
    if constexpr (!Bias) drive.on = select(drive.position_gain > zero, zero, drive.on);
    lanes<W> spin = solve_drive<W>(drive, block.spin_mass, angle, turn);
    block.spin.impulse = drive.impulse;
    pair.apply_angular(block, spin);
    solve_across<W, false, Bias>(block, pair);
    gather_force<W>(block, pair, block.linear.y + block.spin.impulse);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.force, block.torque, block.spin.impulse};
  }
};

}  // namespace rigid

#endif
