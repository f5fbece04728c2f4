// SPDX-License-Identifier: MIT
// The pulley joint: a massless rope from A over two wheels fixed in the world to B.
//
// With the ropes' lengths a and b from the wheels to the two anchors, C = a + ratio b is held to a
// largest length, by a pull of p along the one rope and ratio p along the other. In the lanes C is
// relative to its nominal length: a difference of floats as large as a long rope has errors, which
// would be removed by velocities.
// would be removed as speeds.
#ifndef RIGID_ENGINE_JOINTS_PULLEY_H
#define RIGID_ENGINE_JOINTS_PULLEY_H

#include "engine/joints/distance.h"

namespace rigid {

template <int W>
struct PulleyBlock : JointBlock<W> {
  LaneVec2<W> rope_a, rope_b;  // from the wheels to the anchors at the step's start
  lanes<W> ratio;
  lanes<W> excess;  // C at the step's start, minus the length
  LaneVec2<W> force;
};

template <int W>
struct PulleyRow {
  LaneVec2<W> u_a, u_b;
  lanes<W> arm_a, arm_b, coordinate;
};

struct Pulley : LengthJoint {
  static constexpr JointTraits traits = {
      .kind = JointKind::pulley, .by_length = true, .over_wheels = true, .no_lower = 0.0f};
  static void find_rows(const Joint& joint, const JointPlace& p, JointRows& rows) {
    const double a = length_of(p.rope_a), b = length_of(p.rope_b), ratio = joint.ratio;
    const Double2 u_a = (a > shortest ? 1 / a : 0) * p.rope_a;
    const Double2 u_b = (b > shortest ? ratio / b : 0) * p.rope_b;
    rows.set(0, u_b, 0, cross(p.anchor_b, u_b), a + ratio * b);
    rows.jacobian[0][0] = u_a.x;
    rows.jacobian[0][1] = u_a.y;
    rows.jacobian[0][2] = cross(p.anchor_a, u_a);
  }
  static JointReading read(const Joint& joint, const JointPlace& place, const JointMotion&) {
    return {excess(joint, place), 0};
  }

  template <int W>
  using Block = PulleyBlock<W>;
  template <int W>
  using Pair = JointPair<W>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    const JointPlace place =
        joint_place(joint, context.bodies[joint.body_a], context.bodies[joint.body_b]);
    block.rope_a.x.set(i, static_cast<float>(place.rope_a.x));
    block.rope_a.y.set(i, static_cast<float>(place.rope_a.y));
    block.rope_b.x.set(i, static_cast<float>(place.rope_b.x));
    block.rope_b.y.set(i, static_cast<float>(place.rope_b.y));
    block.ratio.set(i, static_cast<float>(joint.ratio));
    block.excess.set(i, static_cast<float>(excess(joint, place)));
    const float length = joint.length;
    fill_rows<W>(*context.parameters, joint,
                 {.range = {joint.min_length - length, joint.max_length - length},
                  .has_limits = true,
                  .no_lower = -length,
                  .rod = joint.min_length >= joint.max_length},
                 0.0f, i, block.rows);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    apply<W>(block, pair, row_of<W>(block, pair), block.rows.sum());
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    const PulleyRow<W> row = row_of<W>(block, pair);
    lanes<W> k = block.mass_a * dot(row.u_a, row.u_a) + block.mass_b * dot(row.u_b, row.u_b) +
                 block.inertia_a * row.arm_a * row.arm_a + block.inertia_b * row.arm_b * row.arm_b;
    lanes<W> mass = select(k > zero, one / k, zero);
    lanes<W> speed = dot(pair.a.v, row.u_a) + dot(pair.b.v, row.u_b) + pair.a.omega * row.arm_a +
                     pair.b.omega * row.arm_b;
    lanes<W> impulse =
        solve_axial<W, Bias>(p, block.rows, mass, k, row.coordinate, speed, block.softness);
    apply<W>(block, pair, row, impulse);
    block.force = block.rows.sum() * row.u_b;
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    const lanes<W> zero = lanes<W>::splat(0.0f);
    return {block.force, zero, zero};
  }

 private:
  static constexpr double shortest = 1e-12;
  static double length_of(Double2 rope) { return std::sqrt(dot(rope, rope)); }
  static double excess(const Joint& joint, const JointPlace& place) {
    return length_of(place.rope_a) + joint.ratio * length_of(place.rope_b) - joint.length;
  }

  // The growth from r to r + d, with `now` = |r + d|: |r + d| - |r| = d (2 r + d) / (sum).
  template <int W>
  static RIGID_INLINE lanes<W> growth(LaneVec2<W> r, LaneVec2<W> d, lanes<W> now) {
    lanes<W> sum = sqrt(dot(r, r)) + now;
    return select(sum > lanes<W>::splat(0.0f), dot(d, r + (r + d)) / sum, lanes<W>::splat(0.0f));
  }

  template <int W>
  static RIGID_INLINE PulleyRow<W> row_of(const Block<W>& block, const Pair<W>& pair) {
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    const lanes<W> none = lanes<W>::splat(static_cast<float>(shortest));
    const LaneVec2<W> moved_a = pair.ma.shift + (pair.anchor_a - block.anchor_a);
    const LaneVec2<W> moved_b = pair.mb.shift + (pair.anchor_b - block.anchor_b);
    const LaneVec2<W> rope_a = block.rope_a + moved_a, rope_b = block.rope_b + moved_b;
    lanes<W> a = sqrt(dot(rope_a, rope_a)), b = sqrt(dot(rope_b, rope_b));
    LaneVec2<W> u_a = select(a > none, one / a, zero) * rope_a;
    LaneVec2<W> u_b = select(b > none, block.ratio / b, zero) * rope_b;
    const lanes<W> grown =
        growth<W>(block.rope_a, moved_a, a) + block.ratio * growth<W>(block.rope_b, moved_b, b);
    return {u_a, u_b, cross(pair.anchor_a, u_a), cross(pair.anchor_b, u_b), block.excess + grown};
  }

  template <int W>
  static RIGID_INLINE void apply(const Block<W>& block, Pair<W>& pair, const PulleyRow<W>& row,
                                 lanes<W> impulse) {
    pair.a.v = pair.a.v + (block.mass_a * impulse) * row.u_a;
    pair.a.omega = pair.a.omega + block.inertia_a * (row.arm_a * impulse);
    pair.b.v = pair.b.v + (block.mass_b * impulse) * row.u_b;
    pair.b.omega = pair.b.omega + block.inertia_b * (row.arm_b * impulse);
  }
};

}  // namespace rigid

#endif
