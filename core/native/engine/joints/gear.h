// SPDX-License-Identifier: MIT
// The gear joint: two wheels on hinges that mesh, or that a belt or a chain connects.
//
// While wheel A turns `ratio` times, B turns once in the opposite direction, both relative to the
// line from A's hinge to B's: in that frame a carrier that turns with the hinges is at rest (R.
// Willis, "Principles of Mechanism", 1841). With the angle p of that line and d between the hinges
//   C  = a + ratio b - orbit p                        orbit = 1 + ratio
//   C' = w_a + ratio w_b - orbit t . (v_b - v_a) / d    t across the line, v of the hinges
// is the velocity of B's teeth past A's over A's radius d / orbit. The corresponding force along t
// acts on both wheels and on their hinges as that of the teeth does, so momentum is conserved. A
// belt has a ratio below 0; at -1 it has no such force. Wheels on one axis have none either
// (`orbit` 0): they turn against a frame at rest.
#ifndef RIGID_ENGINE_JOINTS_GEAR_H
#define RIGID_ENGINE_JOINTS_GEAR_H

#include "engine/joints/link_lanes.h"

namespace rigid {

struct Gear : CommonJoint {
  static constexpr JointTraits traits = {.kind = JointKind::gear,
                                         .held_rows = 1,
                                         .angular = {true, false, false},
                                         .from_start = true,
                                         .links = true};
  static void find_rows(const Joint& joint, const JointPlace& p, JointRows& rows) {
    const double squared = dot(p.between, p.between);
    const double share = squared > 1e-24 ? joint.orbit / squared : 0;
    const Double2 u = {share * p.between.y, -(share * p.between.x)};
    const auto row = row_of_wheels(p.anchor_a, p.anchor_b, u, joint.ratio, 1.0);
    rows.set(0, u, row.arm_a, row.arm_b, coordinate(joint, p));
    rows.turn[0] = joint.ratio;
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
    fill_link<W>(context, joint, coordinate(joint, place), place.between, i, block);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    pair.apply(block, block.rows.sum(), row_of<W>(block, pair));
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    const lanes<W> zero = lanes<W>::splat(0.0f), two = lanes<W>::splat(2.0f);
    // The line has turned by 2 atan(cross / (lengths + dot)).
    const LaneVec2<W> before = block.line, now = pair.between;
    lanes<W> size = sqrt(dot(before, before) * dot(now, now)) + dot(before, now);
    lanes<W> turned = select(size > zero, two * cross(before, now) / size, zero);
    lanes<W> coordinate =
        block.angle + pair.a.delta_angle + block.ratio * pair.b.delta_angle - block.orbit * turned;
    solve_link<W, Bias>(p, block, pair, row_of<W>(block, pair), coordinate);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.force, block.ratio * block.rows.sum(), block.rows.motor.impulse};
  }

 private:
  template <class Vector, class Number>
  static RIGID_INLINE LineRow<Vector, Number> row_of_wheels(Vector anchor_a, Vector anchor_b,
                                                            Vector u, Number ratio, Number one) {
    return {u, cross(anchor_a, u) - one, cross(anchor_b, u) + ratio};
  }
  template <int W>
  static RIGID_INLINE LineRow<LaneVec2<W>, lanes<W>> row_of(const Block<W>& block,
                                                            const Pair<W>& pair) {
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    lanes<W> squared = dot(pair.between, pair.between);
    lanes<W> share = select(squared > lanes<W>::splat(1e-24f), block.orbit / squared, zero);
    const LaneVec2<W> u = {share * pair.between.y, -(share * pair.between.x)};
    return row_of_wheels(pair.anchor_a, pair.anchor_b, u, block.ratio, one);
  }

  // The error of mesh between the wheels. A full turn of the line leaves the mesh unchanged, and
  // the error is never that large: the number of turns with the least error is the right one.
  static double coordinate(const Joint& joint, const JointPlace& p) {
    const double turned = p.angle_a + joint.ratio * p.angle_b - joint.start;
    const double orbit = joint.orbit;
    if (orbit == 0) return turned;
    const double error = turned - orbit * arc_tangent(p.between.y, p.between.x);
    const double round = 2 * 3.14159265358979323846 * orbit;
    return error - round * std::floor(error / round + 0.5);
  }
};

}  // namespace rigid

#endif
