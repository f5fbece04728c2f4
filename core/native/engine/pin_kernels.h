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
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  for (int index = begin; index < end; ++index) {
    PinBlock<W>& block = blocks[index];
    std::memset(static_cast<void*>(&block), 0, sizeof block);
    for (int i = 0; i < W; ++i) {
      int at = index * W + i;
      if (at >= span.count) break;
      fill_anchors(context, context.joints[span.ids[at]], i, block);
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
