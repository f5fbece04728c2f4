// SPDX-License-Identifier: MIT
// Pins: revolute joints without limits, motor or spring, W at a time. The same arithmetic as
// solve_point of joint_lanes.h in a third of the memory, whose reading dominates the time of a grid
// of pins.
#ifndef RIGID_ENGINE_JOINTS_PIN_H
#define RIGID_ENGINE_JOINTS_PIN_H

#include "engine/joints/joint_lanes.h"
#include "prefetch.h"

namespace rigid {

template <int W>
struct PinBlock {
  BodyReferences<W> a, b;
  lanes<W> mass_a, inertia_a, mass_b, inertia_b;  // inverse
  LaneVec2<W> anchor_a, anchor_b, offset;
  lanes<W> direct;  // 1: solved elsewhere (joint_system.h)
  RowSoftness<W> softness;
  LaneVec2<W> linear, total;
};

// Joints and bodies are far apart in memory: the data of the next pins is prefetched.
RIGID_INLINE void prefetch_pin(const KernelContext& context, const Span& span, int at) {
  constexpr int line = 64, joints_ahead = 24, bodies_ahead = 12;
  if (at + joints_ahead < span.count) {
    const char* joint = reinterpret_cast<const char*>(&context.joints[span.ids[at + joints_ahead]]);
    for (int i = 0; i < static_cast<int>(sizeof(Joint)); i += line) prefetch_to_read(joint + i);
  }
  if (at + bodies_ahead >= span.count) return;
  const Joint& joint = context.joints[span.ids[at + bodies_ahead]];
  const int bodies[2] = {joint.body_a, joint.body_b};
  for (int body : bodies) {
    prefetch_to_read(&context.bodies[body].center_x);
    prefetch_to_read(&context.bodies[body].rotation);
  }
}

template <int W>
void prepare_pins(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  for (int index = begin; index < end; ++index) {
    PinBlock<W>& block = blocks[index];
    std::memset(static_cast<void*>(&block), 0, sizeof block);
    for (int i = 0; i < W; ++i) {
      int at = index * W + i;
      if (at >= span.count) break;
      prefetch_pin(context, span, at);
      fill_anchors(context, context.joints[span.ids[at]], i, block);
    }
  }
}

template <int W>
void warm_start_pins(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    PinBlock<W>& block = blocks[i];
    JointPair<W> pair(context.states, block);
    pair.apply_linear(block, block.linear);
    pair.store(context.states, block);
  }
}

template <int W, bool Bias>
void solve_pins(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    PinBlock<W>& block = blocks[i];
    JointPair<W> pair(context.states, block);
    solve_point<W, Bias>(block, pair);
    if constexpr (!Bias) block.total = block.total + block.linear;
    pair.store(context.states, block);
  }
}

template <int W>
void store_pins(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<PinBlock<W>*>(span.blocks);
  const bool accumulates = context.parameters->accumulates;
  for (int i = begin; i < end; ++i) {
    const PinBlock<W>& block = blocks[i];
    for (int lane = 0; lane < W; ++lane) {
      int at = i * W + lane;
      if (at >= span.count) break;
      if (at + 16 < span.count) {
        prefetch_to_write(&context.joints[span.ids[at + 16]].linear_x);
        prefetch_to_write(&context.joints[span.ids[at + 16]].total_angular);
      }
      Joint& joint = context.joints[span.ids[at]];
      joint.linear_x = block.linear.x.lane(lane);
      joint.linear_y = block.linear.y.lane(lane);
      const LaneVec2<W>& total = accumulates ? block.linear : block.total;
      joint.total_x = total.x.lane(lane);
      joint.total_y = total.y.lane(lane);
      joint.total_angular = joint.motor_total = 0.0f;
    }
  }
}

}  // namespace rigid

#endif
