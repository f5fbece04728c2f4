// SPDX-License-Identifier: MIT
// Blocks of W contacts in lanes: filling them from the list of contacts, and storing impulses back.
//
// Anchors of B are those of A plus the offset of the centres, so only one of them is stored.
//
// Anchors are kept in the contact's own axes, the normal n and the tangent t = (n.y, -n.x): an
// anchor r is {dot(r, n), cross(r, n)}, and these are also its lever arms, since
//   dot(w x r, n) = w cross(r, n),  dot(w x r, t) = -w dot(r, n),
//   dot(R r, n) = c dot(r, n) + s cross(r, n).
#ifndef RIGID_ENGINE_CONTACTS_CONTACT_BLOCKS_H
#define RIGID_ENGINE_CONTACTS_CONTACT_BLOCKS_H

#include <algorithm>
#include <cstddef>

#include "engine/bodies/kernel_bodies.h"
#include "engine/data/kernels.h"
#include "prefetch.h"

namespace rigid {

template <int W>
struct ContactBlock {
  // Fields of every pass, then those of some passes: a pass should read as little memory as
  // possible.
  BodyReferences<W> a, b;
  int32_t has_restitution, has_rolling, has_round, has_track, has_damping, has_conveyor;
  uint32_t crowded;  // a bit for each contact within crowds (collision/crowds.cpp)
  lanes<W> mass_a, inertia_a, mass_b, inertia_b;  // inverse
  LaneVec2<W> normal;
  LaneVec2<W> offset;  // from A's anchors to B's, in the contact's axes
  lanes<W> friction;
  struct Point {
    LaneVec2<W> anchor;   // of A, in the contact's axes
    lanes<W> separation;  // s0 - dot(r_b - r_a, n)
    lanes<W> normal_mass, tangent_mass;
    lanes<W> normal_impulse, tangent_impulse;
    lanes<W> total_normal, total_tangent;
  } points[2];
  lanes<W> restitution;
  // The following fields are used only by blocks that contain such contacts.
  lanes<W> tangent_speed;
  lanes<W> gravity;  // relative acceleration along the normal, for restitution
  lanes<W> rolling_resistance, rolling_mass, rolling_impulse;
  // 1 if the shape is a circle: it may turn under the contact, which keeps its position.
  lanes<W> round_a, round_b;
  // 1 if the first point follows a chain, and its target velocity along the normal.
  lanes<W> tracked, track_aim;
  lanes<W> track_bounces;  // sequential_impulse: 1 if it hits the chain in this step

  // Minus the speed of the surfaces.
  RIGID_INLINE lanes<W> slipping(lanes<W> along) const {
    return has_conveyor ? along - tangent_speed : along;
  }
  // Lanes in which one body cannot move.
  RIGID_INLINE typename lanes<W>::mask is_static() const {
    return !lanes<W>::bits(a.movable & b.movable);
  }
};

// A vector in the axes of a contact with normal n, and back.
template <int W>
RIGID_INLINE LaneVec2<W> to_axes(LaneVec2<W> r, LaneVec2<W> n) {
  return {dot(r, n), cross(r, n)};
}
template <int W>
RIGID_INLINE LaneVec2<W> from_axes(LaneVec2<W> r, LaneVec2<W> n) {
  return {r.x * n.x + r.y * n.y, r.x * n.y - r.y * n.x};
}

// The contacts of a colour are scattered in memory, so the next ones are prefetched.
constexpr int prefetch_ahead = 32;
RIGID_INLINE void prefetch(const Contact& contact) {
  const char* line = reinterpret_cast<const char*>(&contact);
  for (std::size_t at = 0; at < sizeof(Contact); at += 64) prefetch_to_read(line + at);
}

// Sets the masses of the existing points, whose normal_mass is above 0.
template <int W>
RIGID_INLINE void set_row_masses(ContactBlock<W>& block) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const lanes<W> mass = block.mass_a + block.mass_b;
  for (auto& point : block.points) {
    LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
    auto present = point.normal_mass > zero;
    lanes<W> kn = mass + block.inertia_a * ra.y * ra.y + block.inertia_b * rb.y * rb.y;
    lanes<W> kt = mass + block.inertia_a * ra.x * ra.x + block.inertia_b * rb.x * rb.x;
    point.normal_mass = select(present & (kn > zero), one / kn, zero);
    point.tangent_mass = select(present & (kt > zero), one / kt, zero);
  }
}

// Up to W contacts of a colour; missing ones are empty.
template <int W>
struct ContactGroup {
  Contact* contacts[W];
  int count;
  RIGID_INLINE ContactGroup(const KernelContext& context, const Span& span, int index) {
    const int first = index * W;
    count = std::min(W, span.count - first);
    for (int i = 0; i < W; ++i) {
      contacts[i] = context.contacts + span.ids[first + (i < count ? i : 0)];
      if (const int ahead = first + i + prefetch_ahead; ahead < span.count) {
        prefetch(context.contacts[span.ids[ahead]]);
      }
    }
  }
  RIGID_INLINE auto at(std::size_t offset) const {
    return [this, offset](int i) { return reinterpret_cast<char*>(contacts[i]) + offset; };
  }
  static constexpr std::size_t point(int k) {
    return offsetof(Contact, points) + k * sizeof(ContactPoint);
  }
};

// Inverse masses and inertias of both bodies.
RIGID_INLINE real<4> masses_of(InverseMass a, InverseMass b) {
  typedef double both __attribute__((vector_size(16)));
  static_assert(sizeof(InverseMass) == sizeof(double));
  double first, second;
  std::memcpy(&first, &a, sizeof first);
  std::memcpy(&second, &b, sizeof second);
  const both bodies = {first, second};
  real<4> r;
  std::memcpy(&r, &bodies, sizeof r);
  return r;
}

// Restitution, rolling resistance and damping, which few contacts have.
template <int W>
RIGID_INLINE void fill_rare(const KernelContext& context, const ContactGroup<W>& group,
                            lanes<W> rolling_resistance, ContactBlock<W>& block) {
  const StepParameters& p = *context.parameters;
  const lanes<W> zero = lanes<W>::splat(0.0f);
  float gravity[W] = {}, rolling[W] = {};
  for (int i = 0; i < group.count; ++i) {
    const Contact& contact = *group.contacts[i];
    if (contact.rolling_resistance > 0.0f) rolling[i] = contact.rolling_impulse;
    const Body &a = context.bodies[contact.body_a], &b = context.bodies[contact.body_b];
    if (contact.restitution > 0.0f) gravity[i] = dot(relative_gravity(p, a, b), contact.normal);
    // Contacts without restitution take part in the impacts of contacts with it.
    if (p.bounces_first && (a.is_damped() || b.is_damped())) block.has_damping = 1;
  }
  if (block.has_rolling) {
    block.rolling_resistance = rolling_resistance;
    std::memcpy(&block.rolling_impulse.v, rolling, sizeof rolling);
    lanes<W> k = block.inertia_a + block.inertia_b;
    block.rolling_mass = select(k > zero, lanes<W>::splat(1.0f) / k, zero);
  }
  if (block.has_restitution) {
    std::memcpy(&block.gravity.v, gravity, sizeof gravity);
    context.stages->restitution.store(true, std::memory_order_relaxed);
  }
}

// Copies contacts into lanes and computes effective masses. Shared fields are loaded from contacts
// into registers as whole vectors: numbers written one by one and then read together would wait
// until all earlier writes have reached memory.
template <int W>
RIGID_INLINE void fill_contacts(const KernelContext& context, const Span& span, int index,
                                ContactBlock<W>& block) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const ContactGroup<W> group(context, span, index);
  uint32_t there = 0, moves_a = 0, moves_b = 0, round_a = 0, round_b = 0, has_point[2] = {0, 0};
  for (int i = 0; i < W; ++i) {
    const Contact& contact = *group.contacts[i];
    const uint32_t bit = i < group.count ? 1u << i : 0;
    auto when = [bit](bool condition) { return condition ? bit : 0; };
    there |= bit;
    moves_a |= when(can_move(context.inverse_masses[contact.body_a]));
    moves_b |= when(can_move(context.inverse_masses[contact.body_b]));
    round_a |= when(contact.round_a);
    round_b |= when(contact.round_b);
    has_point[0] |= when(contact.count > 0);
    has_point[1] |= when(contact.count > 1);
    block.a.place(i, contact.body_a);
    block.b.place(i, contact.body_b);
  }
  block.a.movable = moves_a;
  block.b.movable = moves_b;
  const auto present = lanes<W>::bits(there);
  auto kept = [&](lanes<W> r) { return select(present, r, zero); };
  lanes<W> r0, r1, r2, r3;
  load_rows<W>(
      [&](int i) {
        const Contact& contact = *group.contacts[i];
        return masses_of(context.inverse_masses[contact.body_a],
                         context.inverse_masses[contact.body_b]);
      },
      r0, r1, r2, r3);
  block.mass_a = kept(r0);
  block.inertia_a = kept(r1);
  block.mass_b = kept(r2);
  block.inertia_b = kept(r3);
  load_rows<W>(group.at(offsetof(Contact, normal)), r0, r1, r2, r3);
  block.normal = {kept(r0), kept(r1)};
  block.offset = to_axes<W>({kept(r2), kept(r3)}, block.normal);
  load_rows<W>(group.at(offsetof(Contact, friction)), r0, r1, r2, r3);
  block.friction = kept(r0);
  block.restitution = kept(r1);
  const lanes<W> rolling_resistance = kept(r2), tangent_speed = kept(r3);
  const bool warm_start = context.parameters->warm_start;
  for (int k = 0; k < 2; ++k) {
    auto& point = block.points[k];
    const auto has = lanes<W>::bits(has_point[k]);
    auto of_point = [&](lanes<W> r) { return select(has, r, zero); };
    load_rows<W>(group.at(group.point(k)), r0, r1, r2, r3);
    point.anchor = to_axes<W>({of_point(r0), of_point(r1)}, block.normal);
    point.separation = of_point(r2) - block.offset.x;
    load_rows<W>(group.at(group.point(k) + offsetof(ContactPoint, normal_impulse)), r0, r1, r2, r3);
    point.normal_impulse = warm_start ? of_point(r0) : zero;
    point.tangent_impulse = warm_start ? of_point(r1) : zero;
    point.normal_mass = select(has, one, zero);
    point.total_normal = point.total_tangent = zero;
  }
  set_row_masses<W>(block);
  block.has_restitution = (block.restitution > zero).any();
  block.has_rolling = (rolling_resistance > zero).any();
  block.has_conveyor = ((tangent_speed > zero) | (tangent_speed < zero)).any();
  block.has_round = (round_a | round_b) != 0;
  block.has_track = block.has_damping = 0;
  block.crowded = 0;
  if (block.has_conveyor) block.tangent_speed = tangent_speed;
  if (block.has_round) {
    block.round_a = select(lanes<W>::bits(round_a), one, zero);
    block.round_b = select(lanes<W>::bits(round_b), one, zero);
  }
  if (block.has_restitution || block.has_rolling || context.has_damping) {
    fill_rare<W>(context, group, rolling_resistance, block);
  }
}

template <int W>
void prepare_contacts(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<ContactBlock<W>*>(span.blocks);
  for (int i = begin; i < end; ++i) fill_contacts<W>(context, span, i, blocks[i]);
}

// Stores impulses in the contacts. Where impulses accumulate over a step, the sum of the step is
// the accumulated impulse plus that of the bounce.
template <int W, class Block>
void store_contacts(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<Block*>(span.blocks);
  const bool accumulates = context.parameters->accumulates;
  for (int i = begin; i < end; ++i) {
    const Block& block = blocks[i];
    const ContactGroup<W> group(context, span, i);
    for (int lane = 0; lane < group.count; ++lane) {
      group.contacts[lane]->rolling_impulse =
          block.has_rolling ? block.rolling_impulse.lane(lane) : 0.0f;
    }
    for (int k = 0; k < 2; ++k) {
      const auto& from = block.points[k];
      lanes<W> normal = from.total_normal, tangent = from.total_tangent;
      if (accumulates) {
        normal = normal + from.normal_impulse;
        tangent = tangent + from.tangent_impulse;
      }
      store_rows<W>(
          group.at(group.point(k) + offsetof(ContactPoint, normal_impulse)),
          [&](int lane) { return lane < group.count && k < group.contacts[lane]->count; },
          from.normal_impulse, from.tangent_impulse, normal, tangent);
    }
  }
}

}  // namespace rigid

#endif
