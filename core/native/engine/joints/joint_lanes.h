// SPDX-License-Identifier: MIT
// Code shared by the lane kernels of all joint types: blocks of W joints, the two bodies of each,
// and the stages of a step over them. The files of the types contain their part of each stage.
#ifndef RIGID_ENGINE_JOINTS_JOINT_LANES_H
#define RIGID_ENGINE_JOINTS_JOINT_LANES_H

#include <initializer_list>

#include "engine/bodies/kernel_bodies.h"
#include "engine/data/kernels.h"
#include "engine/joints/axial_rows.h"
#include "engine/joints/joint.h"
#include "prefetch.h"

namespace rigid {

template <int W>
struct JointBlock {
  BodyReferences<W> a, b;
  lanes<W> mass_a, inertia_a, mass_b, inertia_b;  // inverse
  LaneVec2<W> anchor_a, anchor_b, offset;         // offset: centre of B minus centre of A
  lanes<W> angle;                                 // at the step's start, less the reference
  AxialRows<W> rows;
  lanes<W> direct;  // 1: the rigid rows are solved directly (joint_system.h)
  RowSoftness<W> softness;
  LaneVec2<W> linear;
  LaneVec2<W> total;
  lanes<W> total_angular, total_motor;
};

// Loads of a joint and its motor, as impulses of a substep.
template <int W>
struct LaneLoad {
  LaneVec2<W> force;
  lanes<W> torque, motor;
};

RIGID_INLINE float correction_rate(const StepParameters& p, const Joint& joint) {
  return joint.apart ? 0.0f : p.joint.bias_rate;
}

// Common data: bodies, anchors, the place of B relative to A, the impulse across the anchors.
template <class Block>
RIGID_INLINE void fill_anchors(const KernelContext& context, const Joint& joint, int i,
                               Block& block) {
  const Body &a = context.bodies[joint.body_a], &b = context.bodies[joint.body_b];
  InverseMass ma = context.inverse_masses[joint.body_a], mb = context.inverse_masses[joint.body_b];
  block.a.set(i, joint.body_a, can_move(ma));
  block.b.set(i, joint.body_b, can_move(mb));
  block.mass_a.set(i, ma.mass);
  block.inertia_a.set(i, ma.inertia);
  block.mass_b.set(i, mb.mass);
  block.inertia_b.set(i, mb.inertia);
  Vec2 ra = rotate(a.rotation, joint.local_a), rb = rotate(b.rotation, joint.local_b);
  block.anchor_a.x.set(i, ra.x);
  block.anchor_a.y.set(i, ra.y);
  block.anchor_b.x.set(i, rb.x);
  block.anchor_b.y.set(i, rb.y);
  block.offset.x.set(i, static_cast<float>(b.center_x - a.center_x));
  block.offset.y.set(i, static_cast<float>(b.center_y - a.center_y));
  const float keep = context.parameters->warm_start && !joint.direct ? 1.0f : 0.0f;
  block.direct.set(i, joint.direct ? 1.0f : 0.0f);
  block.softness.correction.set(i, correction_rate(*context.parameters, joint));
  block.softness.yielding.set(i, joint.firm ? 0.0f : context.parameters->joint.impulse_scale);
  block.linear.x.set(i, keep * joint.linear_x);
  block.linear.y.set(i, keep * joint.linear_y);
}

template <int W>
RIGID_INLINE void fill_joint(const KernelContext& context, const Joint& joint, int i,
                             JointBlock<W>& block) {
  fill_anchors(context, joint, i, block);
  double turn = context.bodies[joint.body_b].angle - context.bodies[joint.body_a].angle;
  block.angle.set(i, static_cast<float>(turn - joint.reference_angle));
}

RIGID_INLINE float inverse_or_zero(float k) { return k > 0.0f ? 1.0f / k : 0.0f; }

// The inverse mass of a row along a direction.
template <class Block, class Row>
RIGID_INLINE auto inverse_mass(const Block& block, const Row& row) {
  return block.mass_a + block.mass_b + block.inertia_a * row.arm_a * row.arm_a +
         block.inertia_b * row.arm_b * row.arm_b;
}
template <class Row>
RIGID_INLINE float inverse_mass(InverseMass a, InverseMass b, const Row& row) {
  return a.mass + b.mass + a.inertia * row.arm_a * row.arm_a + b.inertia * row.arm_b * row.arm_b;
}
// Its largest value for any rotation.
RIGID_INLINE float most_inverse_mass(InverseMass a, InverseMass b, Vec2 ra, Vec2 rb) {
  return a.mass + b.mass + a.inertia * dot(ra, ra) + b.inertia * dot(rb, rb);
}

template <int W>
RIGID_INLINE Vec2 lane_of(const LaneVec2<W>& v, int i) {
  return {v.x.lane(i), v.y.lane(i)};
}

// The two bodies of a joint at their present places.
template <int W>
struct JointPair {
  LaneVelocity<W> a, b;
  LaneMotion<W> ma, mb;
  LaneVec2<W> anchor_a, anchor_b, between;
  template <class Block>
  RIGID_INLINE JointPair(const BodyState* states, const Block& block)
      : JointPair(gather_state<W>(states, block.a), gather_state<W>(states, block.b), block) {}
  template <class Block>
  RIGID_INLINE JointPair(const LaneState<W>& of_a, const LaneState<W>& of_b, const Block& block)
      : a(of_a.velocity), b(of_b.velocity), ma(of_a.motion), mb(of_b.motion) {
    anchor_a = ma.rotate(block.anchor_a);
    anchor_b = mb.rotate(block.anchor_b);
    between = (mb.shift - ma.shift) + block.offset + (anchor_b - anchor_a);
  }
  RIGID_INLINE LaneVec2<W> relative() const {
    return (b.v + cross(b.omega, anchor_b)) - (a.v + cross(a.omega, anchor_a));
  }
  template <class Block>
  RIGID_INLINE lanes<W> turn(const Block& block) const {
    return block.angle + (b.delta_angle - a.delta_angle);
  }
  template <class Block>
  RIGID_INLINE void apply_linear(const Block& block, LaneVec2<W> impulse) {
    a.v = a.v - block.mass_a * impulse;
    a.omega = a.omega - block.inertia_a * cross(anchor_a, impulse);
    b.v = b.v + block.mass_b * impulse;
    b.omega = b.omega + block.inertia_b * cross(anchor_b, impulse);
  }
  template <class Block>
  RIGID_INLINE void apply_angular(const Block& block, lanes<W> impulse) {
    a.omega = a.omega - block.inertia_a * impulse;
    b.omega = b.omega + block.inertia_b * impulse;
  }
  // The speed along a row of its own, and an impulse along it.
  RIGID_INLINE lanes<W> speed(const LineRow<LaneVec2<W>, lanes<W>>& row) const {
    return dot(b.v - a.v, row.u) + (b.omega * row.arm_b - a.omega * row.arm_a);
  }
  template <class Block>
  RIGID_INLINE void apply(const Block& block, lanes<W> impulse,
                          const LineRow<LaneVec2<W>, lanes<W>>& row) {
    a.v = a.v - (block.mass_a * impulse) * row.u;
    a.omega = a.omega - block.inertia_a * (row.arm_a * impulse);
    b.v = b.v + (block.mass_b * impulse) * row.u;
    b.omega = b.omega + block.inertia_b * (row.arm_b * impulse);
  }
  template <class Block>
  RIGID_INLINE void store(BodyState* states, const Block& block) const {
    scatter_velocity<W>(states, block.a, a);
    scatter_velocity<W>(states, block.b, b);
  }
};

// Solves [k11 k12; k12 k22] x = b; zero if nothing can move.
template <int W>
RIGID_INLINE LaneVec2<W> solve_2x2(lanes<W> k11, lanes<W> k12, lanes<W> k22, LaneVec2<W> b) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  lanes<W> determinant = k11 * k22 - k12 * k12;
  lanes<W> inverse = select(determinant > zero, one / determinant, zero);
  return {inverse * (k22 * b.x - k12 * b.y), inverse * (k11 * b.y - k12 * b.x)};
}

// The two anchors held together: a 2x2 block.
template <int W, bool Bias, class Block>
RIGID_INLINE void solve_point(Block& block, JointPair<W>& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f), mass = block.mass_a + block.mass_b;
  LaneVec2<W> ra = pair.anchor_a, rb = pair.anchor_b, error = pair.relative();
  lanes<W> k11 = mass + block.inertia_a * ra.y * ra.y + block.inertia_b * rb.y * rb.y;
  lanes<W> k22 = mass + block.inertia_a * ra.x * ra.x + block.inertia_b * rb.x * rb.x;
  lanes<W> k12 = -(block.inertia_a * ra.x * ra.y) - block.inertia_b * rb.x * rb.y;
  LaneVec2<W> impulse;
  if constexpr (Bias) {
    error = error + block.softness.correction * pair.between;
    LaneVec2<W> x = solve_2x2<W>(k11, k12, k22, error);
    impulse = -block.softness.mass_scale() * x - block.softness.yielding * block.linear;
  } else {
    LaneVec2<W> x = solve_2x2<W>(k11, k12, k22, error);
    impulse = {-x.x, -x.y};
  }
  auto direct = block.direct > zero;
  impulse.x = select(direct, zero, impulse.x);
  impulse.y = select(direct, zero, impulse.y);
  block.linear = block.linear + impulse;
  pair.apply_linear(block, impulse);
}

// Joints of one colour are far apart in memory, and those of a large world in no cache: they are
// prefetched while others are being prepared.
constexpr int joints_ahead = 8, joint_bodies_ahead = 4;

RIGID_INLINE void load_ahead(const KernelContext& context, const Span& span, int at) {
  if (at + joints_ahead < span.count) {
    const char* joint = reinterpret_cast<const char*>(&context.joints[span.ids[at + joints_ahead]]);
    for (int line = 0; line < 192; line += 64) prefetch_to_read(joint + line);
  }
  if (at + joint_bodies_ahead < span.count) {
    const Joint& joint = context.joints[span.ids[at + joint_bodies_ahead]];
    prefetch_to_read(&context.bodies[joint.body_a]);
    prefetch_to_read(&context.bodies[joint.body_b]);
  }
}

template <int W, class Type>
void prepare_joints(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<typename Type::template Block<W>*>(span.blocks);
  for (int index = begin; index < end; ++index) {
    auto& block = blocks[index];
    std::memset(static_cast<void*>(&block), 0, sizeof block);
    for (int i = 0; i < W; ++i) {
      const int at = index * W + i;
      if (at >= span.count) break;
      load_ahead(context, span, at);
      const Joint& joint = context.joints[span.ids[at]];
      fill_joint<W>(context, joint, i, block);
      Type::template prepare<W>(context, joint, i, block);
    }
  }
}

template <int W, class Type>
void warm_start_joints(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<typename Type::template Block<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    typename Type::template Pair<W> pair(context.states, blocks[i]);
    Type::template warm_start<W>(blocks[i], pair);
    pair.store(context.states, blocks[i]);
  }
}

// Scales the last impulses of the joints by the share that they start with (iterative_joints.cpp).
template <int W, class Block>
void keep_shares(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<Block*>(span.blocks);
  for (int index = begin; index < end; ++index) {
    Block& block = blocks[index];
    lanes<W> share = lanes<W>::splat(1.0f);
    for (int i = 0; i < W && index * W + i < span.count; ++i) {
      share.set(i, context.joints[span.ids[index * W + i]].kept_share);
    }
    block.linear = share * block.linear;
    if constexpr (requires { block.rows; }) {
      AxialRows<W>& rows = block.rows;
      for (lanes<W>* impulse : {&rows.spring.impulse, &rows.motor.impulse, &rows.rigid_impulse,
                                &rows.lower_impulse, &rows.upper_impulse}) {
        *impulse = share * *impulse;
      }
    }
    if constexpr (requires { block.angular; }) block.angular = share * block.angular;
    if constexpr (requires { block.spin; }) block.spin.impulse = share * block.spin.impulse;
  }
}

template <int W, class Type, bool Bias>
void solve_joints(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<typename Type::template Block<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    auto& block = blocks[i];
    typename Type::template Pair<W> pair(context.states, block);
    Type::template solve<W, Bias>(*context.parameters, block, pair);
    if constexpr (!Bias) {
      const LaneLoad<W> load = Type::template load<W>(block);
      block.total = block.total + load.force;
      block.total_angular = block.total_angular + load.torque;
      block.total_motor = block.total_motor + load.motor;
    }
    pair.store(context.states, block);
  }
}

template <int W, class Type>
void store_joints(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<typename Type::template Block<W>*>(span.blocks);
  const bool accumulates = context.parameters->accumulates;
  for (int i = begin; i < end; ++i) {
    const auto& block = blocks[i];
    const LaneLoad<W> last = Type::template load<W>(block);
    const LaneVec2<W>& force = accumulates ? last.force : block.total;
    const lanes<W>& torque = accumulates ? last.torque : block.total_angular;
    const lanes<W>& motor = accumulates ? last.motor : block.total_motor;
    for (int lane = 0; lane < W; ++lane) {
      const int at = i * W + lane;
      if (at >= span.count) break;
      if (at + joints_ahead < span.count) {
        const Joint& next = context.joints[span.ids[at + joints_ahead]];
        prefetch_to_write(&next.linear_x);
        prefetch_to_write(&next.motor_total);
      }
      Joint& joint = context.joints[span.ids[at]];
      const AxialRows<W>& rows = block.rows;
      // -0 becomes 0: the sign of zero depends on the other joints of the block, whose parts are
      // computed for all of them.
      auto of = [lane](const lanes<W>& row) { return row.lane(lane) + 0.0f; };
      joint.linear_x = of(block.linear.x);
      joint.linear_y = of(block.linear.y);
      joint.angular = of(rows.spring.impulse);
      if constexpr (requires { block.angular; }) joint.angular = of(block.angular);
      if constexpr (requires { block.spin; }) joint.spin_impulse = of(block.spin.impulse);
      joint.motor_impulse = of(rows.motor.impulse);
      joint.lower_impulse =
          rows.rigid_on.lane(lane) > 0.0f ? of(rows.rigid_impulse) : of(rows.lower_impulse);
      joint.upper_impulse = of(rows.upper_impulse);
      joint.motor_total = of(motor);
      joint.total_x = of(force.x);
      joint.total_y = of(force.y);
      joint.total_angular = of(torque);
    }
  }
}

template <int W>
DriveView view_drive(const typename AxialRows<W>::Drive& row, int lane) {
  return {row.on.lane(lane) > 0.0f, row.velocity_gain.lane(lane), row.position_gain.lane(lane),
          row.speed.lane(lane),     row.target.lane(lane),        row.lowest.lane(lane),
          row.highest.lane(lane),   row.impulse.lane(lane)};
}

template <int W>
void view_axial(const AxialRows<W>& rows, int lane, JointView& view) {
  auto of = [lane](const lanes<W>& row) { return row.lane(lane); };
  view.spring = view_drive<W>(rows.spring, lane);
  view.motor = view_drive<W>(rows.motor, lane);
  view.rigid_on = of(rows.rigid_on) > 0.0f;
  view.lower_on = of(rows.lower_on) > 0.0f;
  view.upper_on = of(rows.upper_on) > 0.0f;
  view.limit_soft = of(rows.limit_soft) > 0.0f;
  view.rigid_target = of(rows.rigid_target);
  view.lower = of(rows.lower);
  view.upper = of(rows.upper);
  view.limit_velocity = of(rows.limit_velocity_gain);
  view.limit_position = of(rows.limit_position_gain);
  view.rigid_impulse = of(rows.rigid_impulse);
  view.lower_impulse = of(rows.lower_impulse);
  view.upper_impulse = of(rows.upper_impulse);
}

template <int W, class Block>
JointView view_joint(const Span& span, int at) {
  const Block& block = static_cast<const Block*>(span.blocks)[at / W];
  const int lane = at % W;
  auto of = [lane](const lanes<W>& row) { return row.lane(lane); };
  JointView view;
  view.correction = of(block.softness.correction);
  view.yielding = of(block.softness.yielding);
  view.held[0] = of(block.linear.x);
  view.held[1] = of(block.linear.y);
  view.total[0] = of(block.total.x);
  view.total[1] = of(block.total.y);
  if constexpr (requires { block.rows; }) {
    view_axial<W>(block.rows, lane, view);
    view.total[2] = of(block.total_angular);
    view.total[3] = of(block.total_motor);
  }
  if constexpr (requires { block.linear_velocity; }) {
    view.gains[0][0] = of(block.linear_velocity);
    view.gains[0][1] = of(block.linear_position);
  }
  if constexpr (requires { block.angular_velocity; }) {
    view.held[2] = of(block.angular);
    view.gains[1][0] = of(block.angular_velocity);
    view.gains[1][1] = of(block.angular_position);
  }
  if constexpr (requires { block.most; }) view.most = of(block.most);
  if constexpr (requires { block.spin; }) view.motor = view_drive<W>(block.spin, lane);
  if constexpr (requires { block.across; }) view.across = of(block.across);
  return view;
}

}  // namespace rigid

#endif
