// SPDX-License-Identifier: MIT
// Contacts of `sequential_impulse`, W at a time.
//
// A step has up to three parts, each with passes over all constraints.
//   bounce  before the forces act: Newton's restitution, from the velocities at the step's start.
//           An impact has no duration. Solved together with the forces, it would leave a body the
//           speed that gravity takes from it in the same step.
//   rest    after the forces, from last step's impulses: stops penetration, applies friction.
//   push    Baumgarte's correction of overlap, for the motion of this step alone: the velocities
//           are those after `rest` again as soon as the bodies have moved. The part of an overlap
//           that a bounce removes is not pushed out again. Friction is limited by the load at
//           rest: pushes are not a load, or a wedged body would be held in its place by them
//           while its velocity of fall keeps growing.
// None of them adds energy to the bodies. The energy of an impact changes by half its impulses
// times the sums of the velocities before and after, at the points; with restitution along the
// normals this is never above 0. Along the tangents it would be where the normals' impulses reverse
// a slip and friction, in stopping it, acts in the direction of the slip before: a known fault of
// Newton's law with Coulomb's friction (Kane and Levinson, "Dynamics", 1985). So friction keeps a
// reversed slip, up to its speed before.
#ifndef RIGID_ENGINE_SOLVERS_IMPULSE_KERNELS_H
#define RIGID_ENGINE_SOLVERS_IMPULSE_KERNELS_H

#include <limits>

#include "engine/contacts/contact_kernels.h"

namespace rigid {

template <int W>
struct ImpulseBlock : ContactBlock<W> {
  // For each point, at the step's start: the velocity after an impact along the normal, and the
  // velocity along the tangent.
  lanes<W> rebound[2], slip[2];
  lanes<W> load[2];                          // the normal impulses at rest, which limit friction
  lanes<W> blow_normal[2], blow_tangent[2];  // sums of the impacts found in time
};

enum class ImpulseStage { bounce, rest, push };

// From the present velocities.
template <int W>
RIGID_INLINE void set_rebounds(const KernelContext& context, ImpulseBlock<W>& block) {
  const StepParameters& p = *context.parameters;
  const lanes<W> zero = lanes<W>::splat(0.0f);
  const Pair<W> pair(context.states, block);
  for (int k = 0; k < 2; ++k) {
    const auto& point = block.points[k];
    const LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
    lanes<W> s = point.separation + block.offset.x, vn = pair.normal(ra, rb);
    auto present = point.normal_mass > zero;
    auto bounces =
        present & (block.restitution * vn < zero) & (s + lanes<W>::splat(p.h) * vn < zero);
    auto deep = present & (s < lanes<W>::splat(-p.allowed_penetration));
    if (bounces.any()) context.stages->bounce.store(true, std::memory_order_relaxed);
    if (deep.any()) context.stages->push.store(true, std::memory_order_relaxed);
    // A contact with a gap bounces if it would close it in this step; otherwise it may close the
    // gap.
    lanes<W> least = select((zero < s) & !bounces, -(s * lanes<W>::splat(p.inverse_h)),
                            -(block.restitution * vn));
    block.rebound[k] = select(zero < vn, -vn, least);
    block.slip[k] = block.slipping(pair.tangent(ra, rb));
  }
}

// After impacts found in time (collision/impacts.h): from the velocities after them, and from the
// positions that the bodies would have had at the step's start with these.
template <int W>
void set_blows_aside(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<ImpulseBlock<W>*>(span.blocks);
  const lanes<W> zero = lanes<W>::splat(0.0f);
  for (int i = begin; i < end; ++i) {
    ImpulseBlock<W>& block = blocks[i];
    const Gap<W> gap(gather_motion<W>(context.states, block.a),
                     gather_motion<W>(context.states, block.b), block);
    for (int k = 0; k < 2; ++k) {
      auto& point = block.points[k];
      const LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
      const lanes<W> then = (rb.x - ra.x) + point.separation;
      const lanes<W> now = gap.at(ra, rb, point.separation);
      // A contact that has bounced is separating, and does not count as overlap.
      const lanes<W> left = select(now < zero, min(max(now, then), zero), now);
      const auto moved = (now < then) | (then < now);
      point.separation = select(moved, left - block.offset.x, point.separation);
      block.blow_normal[k] = point.total_normal;
      block.blow_tangent[k] = point.total_tangent;
      point.total_normal = point.total_tangent = zero;
    }
    set_rebounds<W>(context, block);
  }
}

template <int W>
void forget_blows(const KernelContext&, const Span& span, int begin, int end) {
  auto* blocks = static_cast<ImpulseBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    for (auto& point : blocks[i].points) {
      point.total_normal = point.total_tangent = lanes<W>::splat(0.0f);
    }
  }
}

template <int W>
void add_blows(const KernelContext&, const Span& span, int begin, int end) {
  auto* blocks = static_cast<ImpulseBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    for (int k = 0; k < 2; ++k) {
      auto& point = blocks[i].points[k];
      point.total_normal = point.total_normal + blocks[i].blow_normal[k];
      point.total_tangent = point.total_tangent + blocks[i].blow_tangent[k];
    }
  }
}

// Multiplies the friction of each contact by the external force that presses its bodies together,
// divided among its points.
template <int W>
void weigh_friction(const KernelContext& context, const Span& span, int index,
                    ImpulseBlock<W>& block) {
  const StepParameters& p = *context.parameters;
  const ContactGroup<W> group(context, span, index);
  auto force_along = [&](int body, Vec2 direction) {
    const Body& b = context.bodies[body];
    const float inverse = context.own_inverse_masses[body].mass;
    if (inverse == 0.0f) return 0.0f;
    const float gravity = b.gravity_scale / inverse;
    return direction.x * (p.gravity_x * gravity + b.force.x) +
           direction.y * (p.gravity_y * gravity + b.force.y);
  };
  for (int lane = 0; lane < group.count; ++lane) {
    const Contact& contact = *group.contacts[lane];
    const Vec2 normal = contact.normal;
    const float a = force_along(contact.body_a, normal), b = -force_along(contact.body_b, normal);
    const float pressed =
        std::max({0.0f, a, b}) / static_cast<float>(std::max<int>(contact.count, 1));
    block.friction.set(lane, block.friction.lane(lane) * pressed);
  }
}

template <int W>
void prepare_impulse_contacts(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<ImpulseBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    fill_contacts<W>(context, span, i, blocks[i]);
    if (context.parameters->weighs_friction) weigh_friction<W>(context, span, i, blocks[i]);
    set_rebounds<W>(context, blocks[i]);
  }
}

// Velocities turned or thrown back by a chain differ from the prepared ones. The other contacts of
// the block keep theirs.
template <int W>
void follow_impulse_track(const KernelContext& context, const Span& span, int at,
                          const TrackPlace& place) {
  follow_track<W, ImpulseBlock<W>>(context, span, at, place);
  ImpulseBlock<W>& block = static_cast<ImpulseBlock<W>*>(span.blocks)[at / W];
  lanes<W> rebound[2], slip[2];
  for (int k = 0; k < 2; ++k) {
    rebound[k] = block.rebound[k];
    slip[k] = block.slip[k];
  }
  set_rebounds<W>(context, block);
  const int own = at % W;
  for (int k = 0; k < 2; ++k) {
    rebound[k].set(own, block.rebound[k].lane(own));
    slip[k].set(own, block.slip[k].lane(own));
    block.rebound[k] = rebound[k];
    block.slip[k] = slip[k];
  }
}

// The least velocity along the normal that a point must have, at rest or while it is pushed.
template <int W, ImpulseStage Stage>
RIGID_INLINE lanes<W> least_velocity(const StepParameters& p, const ImpulseBlock<W>& block, int k) {
  const lanes<W> zero = lanes<W>::splat(0.0f);
  lanes<W> s = block.points[k].separation + block.offset.x;
  lanes<W> approach = select(zero < s, -(s * lanes<W>::splat(p.inverse_h)), zero);
  if (k == 0 && block.has_track) approach = select(block.tracked > zero, block.track_aim, approach);
  if constexpr (Stage == ImpulseStage::rest) return approach;
  lanes<W> depth = -s - lanes<W>::splat(p.allowed_penetration);
  lanes<W> push = lanes<W>::splat(p.correction_rate) * depth;
  // A separating contact needs no push, which would be added to its path.
  auto comes_out = block.rebound[k] < lanes<W>::splat(-p.restitution_threshold);
  return max(approach, select(comes_out, approach, push));
}

// The applied part of an impulse, if the bounds apply to each impulse instead of the sum.
template <int W>
RIGID_INLINE lanes<W> clamp_each(const StepParameters& p, lanes<W> impulse, lanes<W> low,
                                 lanes<W> high) {
  return p.clamp == ImpulseClamp::each ? clamp(impulse, low, high) : impulse;
}

// One point after the other, without regard to earlier impulses: demonstrates how clamping each
// impulse, or none, goes wrong.
template <int W, ImpulseStage Stage>
RIGID_INLINE void solve_unclamped_sums(const StepParameters& p, ImpulseBlock<W>& block,
                                       Pair<W>& pair) {
  constexpr bool bounce = Stage == ImpulseStage::bounce;
  const lanes<W> zero = lanes<W>::splat(0.0f);
  const lanes<W> endless = lanes<W>::splat(std::numeric_limits<float>::max());
  auto limit_of = [&](lanes<W> normal) {
    lanes<W> limit = block.friction * normal;
    if (p.gravity_friction > 0.0f) limit = block.friction * lanes<W>::splat(p.gravity_friction);
    return select(normal > zero, limit, zero);
  };
  for (int k = 0; k < 2; ++k) {
    auto& point = block.points[k];
    const LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
    lanes<W> least = block.rebound[k];
    if constexpr (!bounce) least = least_velocity<W, Stage>(p, block, k);
    const lanes<W> wanted = point.normal_mass * (least - pair.normal(ra, rb));
    const lanes<W> impulse = clamp_each<W>(p, wanted, zero, endless);
    lanes<W>& sum = bounce ? point.total_normal : point.normal_impulse;
    sum = sum + impulse;
    pair.push(block, impulse, ra, rb);
  }
  for (int k = 0; k < 2; ++k) {
    auto& point = block.points[k];
    const LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
    const lanes<W> limit = limit_of(bounce ? point.total_normal : point.normal_impulse);
    const lanes<W> slip = block.slipping(pair.tangent(ra, rb));
    const lanes<W> impulse = clamp_each<W>(p, zero - point.tangent_mass * slip, -limit, limit);
    lanes<W>& sum = bounce ? point.total_tangent : point.tangent_impulse;
    sum = sum + impulse;
    pair.rub(block, impulse, ra, rb);
  }
}

// The friction of an impact: the impulse that stops the slip, or that keeps a reversed slip,
// whichever is smaller, and none if the slip ends between the two.
template <int W>
RIGID_INLINE void solve_bounce_tangent(ImpulseBlock<W>& block, int k, lanes<W> limit,
                                       Pair<W>& pair) {
  auto& point = block.points[k];
  LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
  lanes<W> vt = block.slipping(pair.tangent(ra, rb));
  lanes<W> stop = point.total_tangent - point.tangent_mass * vt;
  lanes<W> turn = stop - point.tangent_mass * block.slip[k];
  lanes<W> least = clamp(lanes<W>::splat(0.0f), min(stop, turn), max(stop, turn));
  lanes<W> sum = clamp(least, -limit, limit);
  lanes<W> impulse = sum - point.total_tangent;
  point.total_tangent = sum;
  pair.rub(block, impulse, ra, rb);
}

// One point after the other where friction is limited as in the source, whose iterations these are.
template <int W>
RIGID_INLINE void solve_bounce_normals(const StepParameters& p, ImpulseBlock<W>& block,
                                       Pair<W>& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f);
  auto need_of = [&](int k) {
    const LaneVec2<W> ra = block.points[k].anchor, rb = ra + block.offset;
    const lanes<W> need = block.rebound[k] - pair.normal(ra, rb);
    if (k > 0 || !block.has_track) return need;
    // A chain that deflects a sliding body does not hit it.
    auto slides = (block.tracked > zero) & !(block.track_bounces > zero);
    return select(slides, zero, need);
  };
  if (p.gravity_friction == 0.0f) {
    const lanes<W> need[2] = {need_of(0), need_of(1)};
    solve_both_normals<W>(block, need, masses_of_normals<W>(block), block.points[0].total_normal,
                          block.points[1].total_normal, pair);
    return;
  }
  for (int k = 0; k < 2; ++k) {
    auto& point = block.points[k];
    lanes<W> sum = max(point.total_normal + point.normal_mass * need_of(k), zero);
    pair.push(block, sum - point.total_normal, point.anchor, point.anchor + block.offset);
    point.total_normal = sum;
  }
}

template <int W, ImpulseStage Stage>
RIGID_INLINE void solve_rest_normals(const StepParameters& p, ImpulseBlock<W>& block,
                                     Pair<W>& pair) {
  lanes<W> need[2];
  for (int k = 0; k < 2; ++k) {
    const LaneVec2<W> ra = block.points[k].anchor, rb = ra + block.offset;
    need[k] = least_velocity<W, Stage>(p, block, k) - pair.normal(ra, rb);
  }
  solve_both_normals<W>(block, need, masses_of_normals<W>(block), block.points[0].normal_impulse,
                        block.points[1].normal_impulse, pair);
}

// Solves the normals of a contact, then its friction. The impulses of a bounce are kept separately:
// the next step does not start from them.
template <int W, ImpulseStage Stage>
RIGID_INLINE void solve_impulse_contact(const StepParameters& p, ImpulseBlock<W>& block,
                                        Pair<W>& pair) {
  constexpr bool bounce = Stage == ImpulseStage::bounce;
  const lanes<W> zero = lanes<W>::splat(0.0f);
  if (p.clamp != ImpulseClamp::accumulated) {
    solve_unclamped_sums<W, Stage>(p, block, pair);
    return;
  }
  if constexpr (bounce) {
    solve_bounce_normals<W>(p, block, pair);
  } else {
    solve_rest_normals<W, Stage>(p, block, pair);
  }
  for (int k = 0; k < 2; ++k) {
    auto& point = block.points[k];
    if constexpr (Stage == ImpulseStage::rest) block.load[k] = point.normal_impulse;
    const lanes<W> normal = bounce ? point.total_normal : block.load[k];
    lanes<W> limit = block.friction * normal;
    if (p.gravity_friction > 0.0f) {
      limit = select(normal > zero, block.friction * lanes<W>::splat(p.gravity_friction), zero);
    }
    if constexpr (bounce) {
      solve_bounce_tangent<W>(block, k, limit, pair);
    } else {
      solve_tangent<W>(block, k, point.tangent_impulse, limit, pair);
    }
  }
  if (!bounce && block.has_rolling) solve_rolling(block, block.load[0] + block.load[1], pair);
}

template <int W, ImpulseStage Stage>
void solve_impulse_contacts(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<ImpulseBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    ImpulseBlock<W>& block = blocks[i];
    auto solve = [&] {
      Pair<W> pair(context.states, block);
      solve_impulse_contact<W, Stage>(*context.parameters, block, pair);
      pair.settle(block);
      pair.store(context.states, block);
    };
    if constexpr (Stage == ImpulseStage::bounce) {
      const Undamped<W> instant(context, block);
      solve();
    } else {
      solve();
    }
  }
}

}  // namespace rigid

#endif
