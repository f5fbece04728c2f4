// SPDX-License-Identifier: MIT
// Finds impacts, W contacts at a time (impacts.h).
#ifndef RIGID_ENGINE_COLLISION_IMPACT_KERNELS_H
#define RIGID_ENGINE_COLLISION_IMPACT_KERNELS_H

#include <limits>

#include "engine/contacts/contact_kernels.h"
#include "prefetch.h"

namespace rigid {

constexpr int flags_ahead = 4;  // blocks whose flags are being prefetched

template <int W>
RIGID_INLINE bool hit_lately(const KernelContext& context, const ContactBlock<W>& block) {
  const uint8_t last = static_cast<uint8_t>(context.impact_sweep - 1);
  int hit = 0;
  for (int i = 0; i < W; ++i) {
    hit |= context.impact_marks[block.a.body(i)] == last;
    hit |= context.impact_marks[block.b.body(i)] == last;
  }
  return hit != 0;
}

// A bit for each contact between bodies of crowds, or of one with a body that cannot move.
template <int W>
RIGID_INLINE uint32_t among_crowds(const KernelContext& context, const ContactBlock<W>& block) {
  uint32_t in_a = 0, in_b = 0;
  for (int lane = 0; lane < W; ++lane) {
    in_a |= static_cast<uint32_t>(context.crowded[block.a.body(lane)]) << lane;
    in_b |= static_cast<uint32_t>(context.crowded[block.b.body(lane)]) << lane;
  }
  return (in_a | ~block.a.movable) & (in_b | ~block.b.movable) & (in_a | in_b);
}

template <int W>
RIGID_INLINE Impact& write_impact(const Span& span, int index, int lane, const lanes<W>* when,
                                  const lanes<W>* gap, ContactBlock<W>& block, Impact& to) {
  to.contact = span.ids[index * W + lane];
  to.body_a = block.a.body(lane);
  to.body_b = block.b.body(lane);
  for (int k = 0; k < 2; ++k) {
    auto& point = block.points[k];
    to.when[k] = when[k].lane(lane);
    to.gap[k] = gap[k].lane(lane);
    to.total_normal[k] = reinterpret_cast<float*>(&point.total_normal) + lane;
  }
  to.to_tangent = static_cast<int>(reinterpret_cast<float*>(&block.points[0].total_tangent) -
                                   reinterpret_cast<float*>(&block.points[0].total_normal));
  to.margin = 0.0f;
  return to;
}

// Whether find_impacts has to look at a block: those of crowds are solved in one pass.
template <int W>
RIGID_INLINE bool may_bounce(const ContactBlock<W>& block) {
  return block.has_restitution != 0 && block.crowded != (1u << W) - 1u;
}

// Prefetches the fields that find_impacts reads first.
template <int W>
RIGID_INLINE void prefetch_approach(const ContactBlock<W>& block) {
  for (const LaneVec2<W>* rows :
       {&block.normal, &block.offset, &block.points[0].anchor, &block.points[1].anchor}) {
    prefetch_to_read(&rows->x);
    prefetch_to_read(&rows->y);
  }
  prefetch_to_read(&block.a);
  prefetch_to_read(&block.b);
  prefetch_to_read(&block.restitution);
  prefetch_to_read(&block.has_restitution);
}

// The points of W contacts that will meet within this substep: the instants, or -1; their speeds of
// approach, or 0; and their gaps. The gap closes as s + v t + g t^2 / 2 with the relative velocity
// v and the relative gravity g along the normal. Arrivals so soon after the substep that they may
// be the same instant are included.
template <int W>
struct Arrivals {
  lanes<W> when[2], approach[2], gaps[2];
  RIGID_INLINE Arrivals(const KernelContext& context, const ContactBlock<W>& block,
                        const lanes<W> (&speed)[2]) {
    const StepParameters& p = *context.parameters;
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    const lanes<W> h = lanes<W>::splat(p.h), two = lanes<W>::splat(2.0f);
    const lanes<W> threshold = lanes<W>::splat(-p.slowest_impact);
    const lanes<W> instant = lanes<W>::splat(p.same_impact);
    const lanes<W> rebound = lanes<W>::splat(-context.least_rebound);
    const Gap<W> gap(gather_motion<W>(context.states, block.a),
                     gather_motion<W>(context.states, block.b), block);
    for (int k = 0; k < 2; ++k) {
      const auto& point = block.points[k];
      LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
      lanes<W> s = max(gap.at(ra, rb, point.separation), zero);
      lanes<W> vn = speed[k];
      lanes<W> root = vn * vn - two * block.gravity * s;
      lanes<W> slow = sqrt(max(root, zero)) - vn;
      lanes<W> meets = select(slow > zero, two * s / slow, zero);
      lanes<W> late = h - two * instant / min(vn, threshold);
      auto hits = (zero < block.restitution) & (zero < point.normal_mass) & (vn < threshold) &
                  (block.restitution * vn <= rebound) & (zero <= root) & (meets <= late);
      when[k] = select(hits, meets, -one);
      approach[k] = select(hits, -vn, zero);
      gaps[k] = s;
    }
  }
};

// Whether any contact of a block approaches fast enough to bounce. Most resting contacts, and those
// that would leave too slowly, do not.
template <int W>
RIGID_INLINE bool any_approaches(const KernelContext& context, const ContactBlock<W>& block,
                                 const Pair<W>& pair, lanes<W> (&speed)[2]) {
  for (int k = 0; k < 2; ++k) {
    const LaneVec2<W> ra = block.points[k].anchor;
    speed[k] = pair.normal(ra, ra + block.offset);
  }
  const lanes<W> fastest = min(speed[0], speed[1]);
  return ((fastest < lanes<W>::splat(-context.parameters->slowest_impact)) &
          (block.restitution * fastest <= lanes<W>::splat(-context.least_rebound)))
      .any();
}

// Finds the points that will meet within this substep (Impacts::run_impacts).
template <int W, class Block>
int find_impacts(const KernelContext& context, const Span& span, int begin, int end,
                 Impact* found) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<Block*>(span.blocks);
  const lanes<W> zero = lanes<W>::splat(0.0f);
  int count = 0;
  for (int i = begin; i < end; ++i) {
    ContactBlock<W>& block = blocks[i];
    if (i + flags_ahead < end) prefetch_to_read(&blocks[i + flags_ahead].has_restitution);
    if (i + 1 < end && may_bounce(blocks[i + 1])) prefetch_approach(blocks[i + 1]);
    if (!may_bounce(block)) continue;
    // Contacts whose bodies the last sweep did not move are unchanged.
    if (context.impact_sweep > 1 && !hit_lately(context, block)) continue;
    const Pair<W> pair(context.states, block);
    lanes<W> speed[2];
    if (!any_approaches(context, block, pair, speed)) continue;
    const Arrivals<W> arrivals(context, block, speed);
    const lanes<W> fastest = max(arrivals.approach[0], arrivals.approach[1]);
    const auto either = fastest > zero;
    if (!either.any()) continue;
    // The lanes that hit, found without a branch for each.
    int hit[W], hit_count = 0;
    for (int lane = 0; lane < W; ++lane) {
      hit[hit_count] = lane;
      hit_count += either.lane(lane) ? 1 : 0;
    }
    for (int k = 0; k < hit_count; ++k) {
      const int lane = hit[k];
      Impact& impact =
          write_impact(span, i, lane, arrivals.when, arrivals.gaps, block, found[count]);
      impact.approach = fastest.lane(lane);
      impact.margin = p.same_impact / impact.approach;
      ++count;
    }
  }
  return count;
}

// Gives both bodies of W contacts the change of velocity at an instant from the substep's start on,
// and moves them back by it; those that cannot move stay.
template <int W>
RIGID_INLINE void change_at(BodyState* states, const BodyReferences<W>& bodies, lanes<W> when,
                            const LaneVelocity<W>& before, LaneVelocity<W> after) {
  LaneMotion<W> motion = gather_motion<W>(states, bodies);
  motion.shift = motion.shift - when * (after.v - before.v);
  after.delta_angle = before.delta_angle - when * (after.omega - before.omega);
  scatter<W>(states, bodies, 0, after.v.x, after.v.y, after.omega, after.delta_angle);
  scatter<W>(states, bodies, 4, motion.shift.x, motion.shift.y, motion.c, motion.s);
}

// Solves the impacts between bodies of crowds, one contact after the other (Impacts::run_impacts).
// Newton's law of both points of a contact that hit at one instant, then friction against the slip
// that is left: no contact adds energy. The cosine and sine of the bodies' angles follow later.
template <int W, class Block>
void solve_crowds(const KernelContext& context, const Span& span, int begin, int end) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<Block*>(span.blocks);
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  for (int i = begin; i < end; ++i) {
    ContactBlock<W>& block = blocks[i];
    if (i + 1 < end) prefetch_approach(blocks[i + 1]);
    if (!block.has_restitution) continue;
    const uint32_t among = block.crowded = among_crowds(context, block);
    if (among == 0) continue;
    Pair<W> pair(context.states, block);
    lanes<W> speed[2];
    if (!any_approaches(context, block, pair, speed)) continue;
    const Arrivals<W> arrivals(context, block, speed);
    const auto crowded = lanes<W>::bits(among);
    const lanes<W> fastest = select(crowded, max(arrivals.approach[0], arrivals.approach[1]), zero);
    if (!(fastest > zero).any()) continue;
    const Undamped<W> instant(context, block);
    const auto& when = arrivals.when;
    const lanes<W> late = lanes<W>::splat(std::numeric_limits<float>::max());
    const lanes<W> first =
        min(select(when[0] < zero, late, when[0]), select(when[1] < zero, late, when[1]));
    const lanes<W> margin =
        lanes<W>::splat(p.same_impact) / max(fastest, lanes<W>::splat(p.slowest_impact));
    lanes<W> need[2], mass[2], blow[2], latest = zero;
    for (int k = 0; k < 2; ++k) {
      const auto hits = crowded & (zero <= when[k]) & (when[k] <= first + margin);
      const lanes<W> met = speed[k] + when[k] * block.gravity;
      need[k] = select(hits & (met < zero), -(one + block.restitution) * met, zero);
      mass[k] = select(hits, block.points[k].normal_mass, zero);
      latest = max(latest, select(hits, when[k], zero));
      blow[k] = zero;
    }
    const LaneVelocity<W> before_a = pair.a, before_b = pair.b;
    solve_both_normals<W>(block, need, {mass[0], mass[1]}, blow[0], blow[1], pair);
    for (int k = 0; k < 2; ++k) {
      lanes<W> rub = zero;
      solve_tangent<W>(block, k, rub, block.friction * blow[k], pair);
      block.points[k].total_normal = block.points[k].total_normal + blow[k];
      block.points[k].total_tangent = block.points[k].total_tangent + rub;
    }
    pair.settle(block);
    change_at<W>(context.states, block.a, latest, before_a, pair.a);
    change_at<W>(context.states, block.b, latest, before_b, pair.b);
  }
}

// Finds the points that touch, or come to touch within this substep, without bouncing
// (Impacts::group_pressed). A point that does not arrive on its own keeps its gap.
template <int W, class Block>
int find_pressed(const KernelContext& context, const Span& span, int begin, int end,
                 Impact* found) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<Block*>(span.blocks);
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const lanes<W> h = lanes<W>::splat(p.h), slow = lanes<W>::splat(p.slowest_impact);
  const lanes<W> tiny = lanes<W>::splat(1e-30f);
  const lanes<W> touch = lanes<W>::splat(p.same_impact);
  int count = 0;
  for (int i = begin; i < end; ++i) {
    ContactBlock<W>& block = blocks[i];
    const LaneState<W> a = gather_state<W>(context.states, block.a);
    const LaneState<W> b = gather_state<W>(context.states, block.b);
    const Pair<W> pair(a.velocity, b.velocity, block);
    const Gap<W> gap(a.motion, b.motion, block);
    lanes<W> when[2], gaps[2], speed = zero;
    for (int k = 0; k < 2; ++k) {
      const auto& point = block.points[k];
      const LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
      const lanes<W> s = max(gap.at(ra, rb, point.separation) - touch, zero);
      const lanes<W> vn = pair.normal(ra, rb);
      auto near = (zero < point.normal_mass) & (vn < slow) & (s <= h * max(slow, -vn));
      auto arrives = (zero < s) & (s <= -(h * vn));
      when[k] = select(near, select(arrives, -(s / min(vn, -tiny)), zero), -one);
      gaps[k] = select(arrives, zero, s);
      speed = max(speed, select(near, -vn, zero));
    }
    const lanes<W> either = max(when[0], when[1]);
    for (int lane = 0; lane < W; ++lane) {
      if (either.lane(lane) < 0.0f || i * W + lane >= span.count) continue;
      write_impact(span, i, lane, when, gaps, block, found[count]).approach = speed.lane(lane);
      ++count;
    }
  }
  return count;
}

}  // namespace rigid

#endif
