// Pins: revolute joints without limits, motor or spring, W at a time. The same arithmetic as the
// point of joint_kernels.h in a third of the memory, which is what a grid of pins spends its time
// on.
#ifndef RIGID_ENGINE_PIN_KERNELS_H
#define RIGID_ENGINE_PIN_KERNELS_H

#include "engine/joint_kernels.h"

namespace rigid {

template <int W>
struct PinBlock {
  BodyReferences<W> a, b;
  lanes<W> mass_a, inertia_a, mass_b, inertia_b;  // inverse
  LaneVec2<W> anchor_a, anchor_b, offset;
  lanes<W> direct;  // 1: solved elsewhere (joint_system.h)
  LaneVec2<W> linear, total;
};

template <int W>
void prepare_pins(const KernelContext& context, const Span& span, int begin, int end) {
  const bool warm = context.parameters->warm_start;
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  for (int index = begin; index < end; ++index) {
    PinBlock<W>& block = blocks[index];
    std::memset(static_cast<void*>(&block), 0, sizeof block);
    for (int i = 0; i < W; ++i) {
      int at = index * W + i;
      if (at >= span.count) break;
      const Joint& joint = context.joints[span.ids[at]];
      const Body &a = context.bodies[joint.body_a], &b = context.bodies[joint.body_b];
      InverseMass ma = context.masses[joint.body_a], mb = context.masses[joint.body_b];
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
      block.direct.set(i, joint.direct ? 1.0f : 0.0f);
      if (warm && !joint.direct) {
        block.linear.x.set(i, joint.linear_x);
        block.linear.y.set(i, joint.linear_y);
      }
    }
  }
}

template <int W>
void warm_start_pins(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    const PinBlock<W>& block = blocks[i];
    JointPair<W> pair(context.states, block);
    pair.apply_linear(block, block.linear);
    pair.store(context.states, block);
  }
}

template <int W, bool Bias>
void solve_pins(const KernelContext& context, const Span& span, int begin, int end) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    PinBlock<W>& block = blocks[i];
    JointPair<W> pair(context.states, block);
    solve_point<W, Bias>(p, block, pair);
    if constexpr (!Bias) block.total = block.total + block.linear;
    pair.store(context.states, block);
  }
}

template <int W>
void store_pins(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  const bool impulse_solver = context.parameters->impulse_solver;
  for (int i = begin; i < end; ++i) {
    const PinBlock<W>& block = blocks[i];
    for (int lane = 0; lane < W; ++lane) {
      int at = i * W + lane;
      if (at >= span.count) break;
      Joint& joint = context.joints[span.ids[at]];
      joint.linear_x = block.linear.x.lane(lane);
      joint.linear_y = block.linear.y.lane(lane);
      const LaneVec2<W>& total = impulse_solver ? block.linear : block.total;
      joint.total_x = total.x.lane(lane);
      joint.total_y = total.y.lane(lane);
      joint.total_angular = joint.motor_total = 0.0f;
    }
  }
}

}  // namespace rigid

#endif
