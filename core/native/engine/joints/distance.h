// SPDX-License-Identifier: MIT
// The distance joint: limits, a motor and a spring of the length between two anchors. It is a rod
// if the two limits are equal.
#ifndef RIGID_ENGINE_JOINTS_DISTANCE_H
#define RIGID_ENGINE_JOINTS_DISTANCE_H

#include "engine/joints/joint_lanes.h"
#include "engine/joints/springs.h"

namespace rigid {

template <int W>
struct DistanceBlock : JointBlock<W> {
  lanes<W> stiffness, across;  // of a spring without length; the impulse across it
};

// Joints with a shortest and a longest length.
struct LengthJoint : CommonJoint {
  static JointRange range(const Joint& joint) { return {joint.min_length, joint.max_length}; }
  static bool has_limits(const Joint& joint) {
    return joint.min_length > 0.0f || joint.max_length < no_limit;
  }
  static bool is_rigid(const Joint& joint) {
    // A rod of zero length has no direction.
    if (is_rod(joint)) return joint.min_length > 0.0f;
    return has_hard_limits(joint) || has_hard_motor(joint);
  }
  static bool swings(const Joint&) { return true; }
};

struct Distance : LengthJoint {
  static constexpr JointTraits traits = {
      .kind = JointKind::distance, .between_anchors = true, .by_length = true, .no_lower = 0.0f};
  // length, across
  template <class Place, class Rows>
  static RIGID_INLINE void find_rows(const Place& p, Rows& rows) {
    using Vector = decltype(p.between);
    using Number = decltype(p.angle);
    const Number length = root(dot(p.between, p.between)), none = 0, whole = 1;
    const auto has_direction = length > 1e-12;
    const Vector u = {select(has_direction, p.between.x / length, none),
                      select(has_direction, p.between.y / length, none)};
    // Without a direction, the row across uses that of x.
    const Vector t = {-u.y, select(has_direction, u.x, whole)};
    const auto along = row_between(p.anchor_a, p.anchor_b, u);
    const auto across = row_between(p.anchor_a, p.anchor_b, t);
    rows.set(0, u, along.arm_a, along.arm_b, length);
    rows.set(1, t, across.arm_a, across.arm_b, 0);
  }
  static JointReading read(const Joint& joint, const JointPlace& place, const JointMotion& motion) {
    const double length = std::sqrt(dot(place.between, place.between));
    return {length - joint.length, length > 0 ? dot(motion.velocity, place.between) / length : 0};
  }

  template <int W>
  using Block = DistanceBlock<W>;
  template <int W>
  using Pair = JointPair<W>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    const InverseMass a = context.inverse_masses[joint.body_a],
                      b = context.inverse_masses[joint.body_b];
    const Vec2 ra = lane_of(block.anchor_a, i), rb = lane_of(block.anchor_b, i);
    const Vec2 u = normalize(lane_of(block.offset, i) + rb - ra);
    const float mass = inverse_or_zero(inverse_mass(a, b, row_between(ra, rb, u)));
    fill_rows<W>(*context.parameters, joint,
                 {.range = {joint.min_length, joint.max_length},
                  .rest = joint.length,
                  .has_limits = true,
                  .no_lower = 0.0f,
                  .rod = joint.min_length >= joint.max_length},
                 mass, i, block.rows, inverse_or_zero(most_inverse_mass(a, b, ra, rb)));
    if (joint.spring.kind == 0 || joint.length != 0.0f || joint.direct) return;
    const float rate = 2.0f * pi * joint.spring.first;
    block.stiffness.set(
        i, joint.spring.kind == 1 ? joint.spring_mass * rate * rate : joint.spring.first);
  }

  template <int W>
  static RIGID_INLINE void warm_start(Block<W>& block, Pair<W>& pair) {
    lanes<W> length;
    LaneVec2<W> u = direction<W>(pair.between, length);
    pair.apply_linear(block, block.rows.sum() * u);
    block.across = lanes<W>::splat(0.0f);
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters& p, Block<W>& block, Pair<W>& pair) {
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    lanes<W> length;
    LaneVec2<W> u = direction<W>(pair.between, length);
    lanes<W> k = inverse_mass(block, row_between(pair.anchor_a, pair.anchor_b, u));
    lanes<W> mass = select(k > zero, one / k, zero);
    lanes<W> impulse = solve_turning_axial<W, Bias>(p, block.rows, mass, k, length,
                                                    dot(pair.relative(), u), block.softness);
    pair.apply_linear(block, impulse * u);
    if constexpr (Bias) solve_across<W>(p, block, pair, u, length);
    block.linear = block.rows.sum() * u + block.across * LaneVec2<W>{-u.y, u.x};
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.linear, lanes<W>::splat(0.0f), block.rows.motor.impulse};
  }

 private:
  // The direction from anchor to anchor, zero if these coincide: then there is no pull.
  template <int W>
  static RIGID_INLINE LaneVec2<W> direction(LaneVec2<W> between, lanes<W>& length) {
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    length = sqrt(dot(between, between));
    lanes<W> inverse = select(length > lanes<W>::splat(1e-12f), one / length, zero);
    return inverse * between;
  }

  // The pull of a stretched spring turns with its direction, as if a spring held the ends across
  // it; a spring without length pulls alike in all directions. If a substep cannot follow this, it
  // takes the implicit form.
  template <int W>
  static RIGID_INLINE void solve_across(const StepParameters& p, Block<W>& block, Pair<W>& pair,
                                        LaneVec2<W> u, lanes<W> length) {
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    const lanes<W> h = lanes<W>::splat(p.h);
    const AxialRows<W>& rows = block.rows;
    lanes<W> pull = -(rows.spring.impulse + rows.motor.impulse);
    pull = pull + select(rows.limit_soft > zero, rows.upper_impulse, zero);
    lanes<W> turning = select(length > zero, pull / (h * length), zero);
    lanes<W> stiffness = select(block.stiffness > zero, block.stiffness, max(turning, zero));
    LaneVec2<W> t = {-u.y, u.x};
    lanes<W> k = inverse_mass(block, row_between(pair.anchor_a, pair.anchor_b, t));
    lanes<W> whole = min(h * h * stiffness * k, lanes<W>::splat(1e30f));
    lanes<W> gain = select(whole > lanes<W>::splat(0.25f), whole / (one + whole), zero);
    lanes<W> mass = select(k > zero, one / k, zero);
    lanes<W> impulse = -(mass * gain * dot(pair.relative(), t)) - (one - gain) * block.across;
    impulse = select(gain > zero, impulse, -block.across);
    block.across = block.across + impulse;
    pair.apply_linear(block, impulse * t);
  }
};

}  // namespace rigid

#endif
