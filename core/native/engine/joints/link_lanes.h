// SPDX-License-Identifier: MIT
// Lanes of joints that couple the motions of two others: gear and rack. One row without give, along
// a direction common to both bodies, with arms of its own.
#ifndef RIGID_ENGINE_JOINTS_LINK_LANES_H
#define RIGID_ENGINE_JOINTS_LINK_LANES_H

#include "engine/joints/joint_lanes.h"

namespace rigid {

template <int W>
struct LinkBlock : JointBlock<W> {
  lanes<W> ratio, orbit;
  LaneVec2<W> line;  // at the step's start; JointBlock::angle is the coordinate there
  LaneVec2<W> force;
};

template <int W>
RIGID_INLINE void fill_link(const KernelContext& context, const Joint& joint, double coordinate,
                            Double2 line, int i, LinkBlock<W>& block) {
  block.angle.set(i, static_cast<float>(coordinate));
  block.ratio.set(i, static_cast<float>(joint.ratio));
  block.orbit.set(i, static_cast<float>(joint.orbit));
  block.line.x.set(i, static_cast<float>(line.x));
  block.line.y.set(i, static_cast<float>(line.y));
  fill_rows<W>(*context.parameters, joint, {.rod = true}, 0.0f, i, block.rows);
}

template <int W, bool Bias>
RIGID_INLINE void solve_link(const StepParameters& p, LinkBlock<W>& block, JointPair<W>& pair,
                             const LineRow<LaneVec2<W>, lanes<W>>& row, lanes<W> coordinate) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  lanes<W> k = (block.mass_a + block.mass_b) * dot(row.u, row.u) +
               block.inertia_a * row.arm_a * row.arm_a + block.inertia_b * row.arm_b * row.arm_b;
  lanes<W> mass = select(k > zero, one / k, zero);
  lanes<W> impulse =
      solve_axial<W, Bias>(p, block.rows, mass, k, coordinate, pair.speed(row), block.softness);
  pair.apply(block, impulse, row);
  block.force = block.rows.sum() * row.u;
}

}  // namespace rigid

#endif
