// SPDX-License-Identifier: MIT
// The weld joint: two anchors and the angle together, rigid or held by a spring.
//
// Angle and point are solved together, 3x3: the angle is eliminated first, so that bodies which
// cannot turn leave a point constraint. With K = J M^-1 J^T, all rows of a rigid weld yield the
// same share of their impulses. A sprung weld applies a force and a torque, each of its own
// stretch: with the gains g and p of its rows, whose bare inverse masses are k,
//   (g K + (1 - g) k) change = -(g velocity + p position + (1 - g) k impulse).
#ifndef RIGID_ENGINE_JOINTS_WELD_H
#define RIGID_ENGINE_JOINTS_WELD_H

#include "engine/joints/joint_lanes.h"

namespace rigid {

template <int W>
struct WeldBlock : JointBlock<W> {
  lanes<W> linear_velocity, linear_position, angular_velocity, angular_position;  // SpringGains
  lanes<W> soft;  // 1: a spring, not relaxed
  lanes<W> angular;
};

struct Weld : CommonJoint {
  static constexpr JointTraits traits = {
      .kind = JointKind::weld, .spring_rows = 3, .angular = {false, false, true}};
  // x, y, angle
  template <class Place, class Rows>
  static RIGID_INLINE void find_rows(const Place& place, Rows& rows) {
    rows.set_point(place);
    rows.set_angle(2, place.angle);
  }
  static bool is_rigid(const Joint& joint) { return joint.spring.kind == 0; }
  static bool swings(const Joint& joint) { return joint.spring.kind != 0; }

  template <int W>
  using Block = WeldBlock<W>;
  template <int W>
  using Pair = JointPair<W>;

  template <int W>
  static RIGID_INLINE void prepare(const KernelContext& context, const Joint& joint, int i,
                                   Block<W>& block) {
    const StepParameters& p = *context.parameters;
    const InverseMass a = context.inverse_masses[joint.body_a],
                      b = context.inverse_masses[joint.body_b];
    const InverseMass oa = context.own_inverse_masses[joint.body_a],
                      ob = context.own_inverse_masses[joint.body_b];
    const float whole = inverse_or_zero(a.mass + b.mass);
    const float turning = inverse_or_zero(a.inertia + b.inertia);
    const float most =
        most_inverse_mass(a, b, lane_of(block.anchor_a, i), lane_of(block.anchor_b, i));
    SpringGains linear =
        soften(joint.spring, whole, inverse_or_zero(oa.mass + ob.mass), p, inverse_or_zero(most));
    SpringGains angular =
        soften(joint.spring, turning, inverse_or_zero(oa.inertia + ob.inertia), p);
    if (joint.spring.kind == 0 && joint.apart) linear.position = angular.position = 0.0f;
    block.soft.set(i, joint.spring.kind != 0 ? 1.0f : 0.0f);
    block.linear_velocity.set(i, linear.velocity);
    block.linear_position.set(i, linear.position);
    block.angular_velocity.set(i, angular.velocity);
    block.angular_position.set(i, angular.position);
    block.angular.set(i, p.warm_start && !joint.direct ? joint.angular : 0.0f);
  }

  template <int W>
  static RIGID_INLINE void warm_start(const Block<W>& block, Pair<W>& pair) {
    pair.apply_linear(block, block.linear);
    pair.apply_angular(block, block.angular);
  }

  template <int W, bool Bias>
  static RIGID_INLINE void solve(const StepParameters&, Block<W>& block, Pair<W>& pair) {
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    LaneVec2<W> ra = pair.anchor_a, rb = pair.anchor_b;
    const lanes<W> mass = block.mass_a + block.mass_b, ia = block.inertia_a, ib = block.inertia_b;
    lanes<W> k11 = mass + ia * ra.y * ra.y + ib * rb.y * rb.y;
    lanes<W> k22 = mass + ia * ra.x * ra.x + ib * rb.x * rb.x;
    lanes<W> k12 = -(ia * ra.x * ra.y) - ib * rb.x * rb.y;
    lanes<W> k13 = -(ia * ra.y) - ib * rb.y, k23 = ia * ra.x + ib * rb.x, k33 = ia + ib;
    lanes<W> inverse33 = select(k33 > zero, one / k33, zero);

    // A rigid weld is relaxed; a sprung one has already acted in this substep.
    auto soft = block.soft > zero, direct = block.direct > zero;
    lanes<W> velocity = one, position = zero, spin_velocity = one, spin_position = zero;
    if constexpr (Bias) {
      velocity = block.linear_velocity;
      position = block.linear_position;
      spin_velocity = block.angular_velocity;
      spin_position = block.angular_position;
    }
    lanes<W> gain = select(soft, velocity, one), spin_gain = select(soft, spin_velocity, one);
    lanes<W> give = (one - gain) * mass, spin_give = (one - spin_gain) * k33;
    lanes<W> forget = select(soft, zero, one - velocity);
    lanes<W> spin_forget = select(soft, zero, one - spin_velocity);
    LaneVec2<W> error = velocity * pair.relative() + position * pair.between + give * block.linear;
    lanes<W> turn = spin_velocity * (pair.b.omega - pair.a.omega) +
                    spin_position * pair.turn(block) + spin_give * block.angular;
    // The angle's pivot is spin_gain k33 + spin_give = k33.
    lanes<W> part = inverse33 * turn;
    LaneVec2<W> right = {error.x - gain * (k13 * part), error.y - gain * (k23 * part)};
    lanes<W> both = gain * spin_gain;
    LaneVec2<W> x = solve_2x2<W>(gain * k11 + give - both * (k13 * k13 * inverse33),
                                 gain * k12 - both * (k13 * k23 * inverse33),
                                 gain * k22 + give - both * (k23 * k23 * inverse33), right);
    lanes<W> z = inverse33 * (turn - spin_gain * (k13 * x.x) - spin_gain * (k23 * x.y));
    LaneVec2<W> impulse = {-x.x - forget * block.linear.x, -x.y - forget * block.linear.y};
    lanes<W> spin = -z - spin_forget * block.angular;
    if constexpr (!Bias) {
      direct = direct | soft;
    }
    impulse = {select(direct, zero, impulse.x), select(direct, zero, impulse.y)};
    spin = select(direct, zero, spin);
    block.linear = block.linear + impulse;
    block.angular = block.angular + spin;
    pair.apply_linear(block, impulse);
    pair.apply_angular(block, spin);
  }

  template <int W>
  static RIGID_INLINE LaneLoad<W> load(const Block<W>& block) {
    return {block.linear, block.angular, block.rows.motor.impulse};
  }
};

}  // namespace rigid

#endif
