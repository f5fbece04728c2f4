// SPDX-License-Identifier: MIT
// The rack joint, a rack and its pinion: wheel A on a hinge, B on a slide along an axis of its own.
//
// With the axis u, the vector d from A's hinge to B's anchor and r, the distance that B slides
// while A turns by a radian,
//   C = d . u - r (a - b)
// and the corresponding force acts along u where the two mesh, at the distance r from the hinge:
// equal and opposite, along one line.
#ifndef RIGID_ENGINE_JOINTS_RACK_H
#define RIGID_ENGINE_JOINTS_RACK_H

#include "engine/joints/link_lanes.h"

namespace rigid {

struct Rack : CommonJoint {
  static constexpr JointTraits traits = {.kind = JointKind::rack,
                                         .held_rows = 1,
                                         .needs_axis = true,
                                         .axis_of_b = true,
                                         .from_start = true,
                                         .links = true};
  static void find_rows(const Joint& joint, const JointPlace& p, JointRows& rows) {
    const auto row = row_of_teeth(p.anchor_a, p.anchor_b, p.between, p.axis, joint.ratio);
    rows.set(0, p.axis, row.arm_a, row.arm_b, coordinate(joint, p));
  }

  template <int W>
  using Block = LinkBlock<W>;
  template <int W>
  using Pair = JointPair<W>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    const Body &a = context.bodies[joint.body_a], &b = context.bodies[joint.body_b];
    const JointPlace place = joint_place(joint, a, b);
    fill_link<W>(context, joint, coordinate(joint, place), place.axis, i, block);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    pair.apply(block, block.rows.sum(), row_of<W>(block, pair));
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    const auto row = row_of<W>(block, pair);
    lanes<W> coordinate = block.angle + slid<W>(block, pair, row.u) -
                          block.ratio * (pair.a.delta_angle - pair.b.delta_angle);
    solve_link<W, Bias>(p, block, pair, row, coordinate);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.force, lanes<W>::splat(0.0f), block.rows.motor.impulse};
  }

 private:
  template <class Vector, class Number>
  static RIGID_INLINE LineRow<Vector, Number> row_of_teeth(Vector anchor_a, Vector anchor_b,
                                                           Vector between, Vector u,
                                                           Number radius) {
    return {u, cross(anchor_a, u) + radius, cross(anchor_b - between, u) + radius};
  }
  template <int W>
  static RIGID_INLINE LineRow<LaneVec2<W>, lanes<W>> row_of(const Block<W>& block,
                                                            const Pair<W>& pair) {
    return row_of_teeth(pair.anchor_a, pair.anchor_b, pair.between, pair.mb.rotate(block.line),
                        block.ratio);
  }
  // The distance slid within the step: the change of d . u by the changes of d and u. A long travel
  // in floats has errors, which would be removed by velocities.
  template <int W>
  static RIGID_INLINE lanes<W> slid(const Block<W>& block, const Pair<W>& pair, LaneVec2<W> u) {
    const LaneVec2<W> moved = (pair.mb.shift - pair.ma.shift) + (pair.anchor_b - block.anchor_b) -
                              (pair.anchor_a - block.anchor_a);
    // The rotation is (c, s), with c - 1 = -s^2 / (1 + c).
    const lanes<W> one = lanes<W>::splat(1.0f), s = pair.mb.s;
    const LaneVec2<W> across = {-block.line.y, block.line.x};
    const LaneVec2<W> turned = s * (across - (s / (one + pair.mb.c)) * block.line);
    return dot(moved, u) + dot(pair.between - moved, turned);
  }
  static double coordinate(const Joint& joint, const JointPlace& p) {
    return dot(p.between, p.axis) - joint.ratio * (p.angle_a - p.angle_b) - joint.start;
  }
};

}  // namespace rigid

#endif
