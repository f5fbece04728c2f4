// SPDX-License-Identifier: MIT
// Contact constraints of soft_step, W at a time.
//
// The soft step follows Catto's Solver2D (2024): each substep warm starts, solves with a soft bias
// that removes overlap, moves the bodies, and solves again without the bias. A contact's separation
// is followed through the substeps from the bodies' motion since the step began:
//   s(t) = s0 + dot(d, n),  d = (shift_b + R_b r_b - r_b) - (shift_a + R_a r_a - r_a)
// While a contact is solved, only its bodies' spins and the relative velocity of their centres
// along n and t change; the centres' velocities follow once at the end.
//
// Bounces are solved before a substep's forces act, at the instant within the substep at which the
// bodies meet (impacts.h); a ball's bounce then follows the exact parabola.
#ifndef RIGID_ENGINE_CONTACTS_CONTACT_KERNELS_H
#define RIGID_ENGINE_CONTACTS_CONTACT_KERNELS_H

#include "engine/bodies/damping.h"
#include "engine/contacts/contact_blocks.h"
#include "engine/data/constants.h"

namespace rigid {

// A block's bodies without damping, as an impact sees them, during this object's lifetime. Damping
// makes bodies heavier for impulses during a step (bodies/motion.h); an impact is instantaneous,
// and its impulses on the two bodies are equal and opposite.
template <int W>
class Undamped {
 public:
  RIGID_INLINE Undamped(const KernelContext& context, ContactBlock<W>& block) : block_(block) {
    if (!block.has_damping) return;
    save(masses_, block);
    const float h = context.parameters->h;
    auto undo = [&](float inverse, float damping, float drag) {
      const float gained = damping_of(damping, drag, h).gained;
      return inverse / (gained > constants::least_mobility ? gained : constants::least_mobility);
    };
    auto lift = [&](const BodyReferences<W>& bodies, lanes<W>& mass, lanes<W>& inertia) {
      for (int i = 0; i < W; ++i) {
        if (!bodies.moves(i)) continue;
        const Body& body = context.bodies[bodies.body(i)];
        mass.set(i, undo(mass.lane(i), body.linear_damping, body.drag));
        inertia.set(i, undo(inertia.lane(i), body.angular_damping, body.angular_drag));
      }
    };
    lift(block.a, block.mass_a, block.inertia_a);
    lift(block.b, block.mass_b, block.inertia_b);
    set_row_masses<W>(block);
  }
  RIGID_INLINE ~Undamped() {
    if (block_.has_damping) restore(masses_, block_);
  }
  Undamped(const Undamped&) = delete;
  Undamped& operator=(const Undamped&) = delete;

 private:
  struct Masses {
    lanes<W> mass_a, inertia_a, mass_b, inertia_b, normal[2], tangent[2];
  };
  static RIGID_INLINE void save(Masses& to, const ContactBlock<W>& from) {
    to.mass_a = from.mass_a;
    to.inertia_a = from.inertia_a;
    to.mass_b = from.mass_b;
    to.inertia_b = from.inertia_b;
    for (int k = 0; k < 2; ++k) {
      to.normal[k] = from.points[k].normal_mass;
      to.tangent[k] = from.points[k].tangent_mass;
    }
  }
  static RIGID_INLINE void restore(const Masses& from, ContactBlock<W>& to) {
    to.mass_a = from.mass_a;
    to.inertia_a = from.inertia_a;
    to.mass_b = from.mass_b;
    to.inertia_b = from.inertia_b;
    for (int k = 0; k < 2; ++k) {
      to.points[k].normal_mass = from.normal[k];
      to.points[k].tangent_mass = from.tangent[k];
    }
  }
  ContactBlock<W>& block_;
  Masses masses_;
};

// The two bodies of a contact while it is solved.
template <int W>
struct Pair {
  LaneVelocity<W> a, b;
  lanes<W> mass;
  LaneVec2<W> centers;  // velocity of B's centre relative to A's, in the contact's axes
  LaneVec2<W> impulse;  // on B, in the contact's axes
  RIGID_INLINE Pair(const BodyState* states, const ContactBlock<W>& block)
      : Pair(gather_velocity<W>(states, block.a), gather_velocity<W>(states, block.b), block) {}
  RIGID_INLINE Pair(const LaneVelocity<W>& of_a, const LaneVelocity<W>& of_b,
                    const ContactBlock<W>& block)
      : a(of_a),
        b(of_b),
        mass(block.mass_a + block.mass_b),
        centers(to_axes<W>(b.v - a.v, block.normal)),
        impulse{lanes<W>::splat(0.0f), lanes<W>::splat(0.0f)} {}
  // Velocity of B's point relative to A's, along the normal and along the tangent.
  RIGID_INLINE lanes<W> normal(LaneVec2<W> ra, LaneVec2<W> rb) const {
    return centers.x + (b.omega * rb.y - a.omega * ra.y);
  }
  RIGID_INLINE lanes<W> tangent(LaneVec2<W> ra, LaneVec2<W> rb) const {
    return centers.y - (b.omega * rb.x - a.omega * ra.x);
  }
  RIGID_INLINE void push(const ContactBlock<W>& block, lanes<W> p, LaneVec2<W> ra, LaneVec2<W> rb) {
    impulse.x = impulse.x + p;
    centers.x = centers.x + mass * p;
    a.omega = a.omega - (block.inertia_a * ra.y) * p;
    b.omega = b.omega + (block.inertia_b * rb.y) * p;
  }
  RIGID_INLINE void rub(const ContactBlock<W>& block, lanes<W> p, LaneVec2<W> ra, LaneVec2<W> rb) {
    impulse.y = impulse.y + p;
    centers.y = centers.y + mass * p;
    a.omega = a.omega + (block.inertia_a * ra.x) * p;
    b.omega = b.omega - (block.inertia_b * rb.x) * p;
  }
  // Applies the impulses so far to the centres' velocities. Call once.
  RIGID_INLINE void settle(const ContactBlock<W>& block) {
    LaneVec2<W> p = from_axes<W>(impulse, block.normal);
    a.v = a.v - block.mass_a * p;
    b.v = b.v + block.mass_b * p;
  }
  RIGID_INLINE void store(BodyState* states, const ContactBlock<W>& block) const {
    scatter_velocity<W>(states, block.a, a);
    scatter_velocity<W>(states, block.b, b);
  }
};

// The distance that B's point has moved away from A's along the normal since the step began, and
// s0.
template <int W>
struct Gap {
  lanes<W> shift, ca, sa, cb, sb;
  RIGID_INLINE Gap(const LaneMotion<W>& a, const LaneMotion<W>& b, const ContactBlock<W>& block)
      : shift(dot(b.shift - a.shift, block.normal)), ca(a.c), sa(a.s), cb(b.c), sb(b.s) {
    if (!block.has_round) return;
    const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
    auto still_a = block.round_a > zero, still_b = block.round_b > zero;
    ca = select(still_a, one, ca);
    sa = select(still_a, zero, sa);
    cb = select(still_b, one, cb);
    sb = select(still_b, zero, sb);
  }
  RIGID_INLINE lanes<W> at(LaneVec2<W> ra, LaneVec2<W> rb, lanes<W> separation) const {
    return (shift + ((cb * rb.x + sb * rb.y) - (ca * ra.x + sa * ra.y))) + separation;
  }
};

template <int W, class Block>
void warm_start_contacts(const KernelContext& context, const Span& span, int begin, int end) {
  auto* blocks = static_cast<Block*>(span.blocks);
  for (int i = begin; i < end; ++i) {
    Block& block = blocks[i];
    Pair<W> pair(context.states, block);
    for (auto& point : block.points) {
      LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
      pair.push(block, point.normal_impulse, ra, rb);
      pair.rub(block, point.tangent_impulse, ra, rb);
    }
    if (block.has_rolling) {
      pair.a.omega = pair.a.omega - block.inertia_a * block.rolling_impulse;
      pair.b.omega = pair.b.omega + block.inertia_b * block.rolling_impulse;
    }
    pair.settle(block);
    pair.store(context.states, block);
  }
}

// An impulse along a point's tangent, with a limit on its sum so far.
template <int W>
RIGID_INLINE void solve_tangent(const ContactBlock<W>& block, int k, lanes<W>& accumulated,
                                lanes<W> limit, Pair<W>& pair) {
  const auto& point = block.points[k];
  LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
  lanes<W> vt = block.slipping(pair.tangent(ra, rb));
  lanes<W> sum = clamp(accumulated - point.tangent_mass * vt, -limit, limit);
  lanes<W> impulse = sum - accumulated;
  accumulated = sum;
  pair.rub(block, impulse, ra, rb);
}

// The effective masses of a contact's normals; 0 for a point that takes no part.
template <int W>
struct NormalMasses {
  lanes<W> first, second;
};
template <int W>
RIGID_INLINE NormalMasses<W> masses_of_normals(const ContactBlock<W>& block) {
  return {block.points[0].normal_mass, block.points[1].normal_mass};
}

// The impulses of two points that together change their velocities by at least `need`: x >= 0,
// K (x - old) >= need, and x = 0 where there is more (Catto, "Modeling and Solving Constraints",
// GDC 2009). With one point after the other, a box that rocks on its two corners turns a little in
// each pass over one of them: towers of ten, at 20 steps a second and 20 iterations, rocked until
// they fell, and a cube that is dropped flat did not stay so.
template <int W>
RIGID_INLINE void solve_both_normals(const ContactBlock<W>& block, const lanes<W> (&need)[2],
                                     const NormalMasses<W>& masses, lanes<W>& impulse0,
                                     lanes<W>& impulse1, Pair<W>& pair) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const lanes<W> ia = block.inertia_a, ib = block.inertia_b;
  const LaneVec2<W> ra0 = block.points[0].anchor, rb0 = ra0 + block.offset;
  const LaneVec2<W> ra1 = block.points[1].anchor, rb1 = ra1 + block.offset;
  const lanes<W> k11 = pair.mass + ia * ra0.y * ra0.y + ib * rb0.y * rb0.y;
  const lanes<W> k22 = pair.mass + ia * ra1.y * ra1.y + ib * rb1.y * rb1.y;
  const lanes<W> k12 = pair.mass + ia * ra0.y * ra1.y + ib * rb0.y * rb1.y;
  const lanes<W> old0 = impulse0, old1 = impulse1, need0 = need[0], need1 = need[1];

  const lanes<W> determinant = k11 * k22 - k12 * k12;
  auto two = (masses.first > zero) & (masses.second > zero) &
             (determinant > lanes<W>::splat(1e-4f) * k11 * k22);
  const lanes<W> inverse = select(two, one / determinant, zero);
  const lanes<W> both0 = old0 + inverse * (k22 * need0 - k12 * need1);
  const lanes<W> both1 = old1 + inverse * (k11 * need1 - k12 * need0);
  const lanes<W> alone0 = max(old0 + masses.first * (need0 + k12 * old1), zero);
  const lanes<W> alone1 = max(old1 + masses.second * (need1 + k12 * old0), zero);
  auto both = (zero < both0) & (zero < both1);
  auto lead = need1 + k22 * old1 <= k12 * (alone0 - old0);
  // Dependent points, or only one: one after the other.
  const lanes<W> turn0 = max(old0 + masses.first * need0, zero);
  const lanes<W> left1 = need1 - k12 * (turn0 - old0);
  const lanes<W> turn1 = max(old1 + masses.second * left1, zero);
  const lanes<W> new0 = select(two, select(both, both0, select(lead, alone0, zero)), turn0);
  const lanes<W> new1 = select(two, select(both, both1, select(lead, zero, alone1)), turn1);
  impulse0 = new0;
  impulse1 = new1;
  pair.push(block, new0 - old0, ra0, rb0);
  pair.push(block, new1 - old1, ra1, rb1);
}

template <int W>
RIGID_INLINE void solve_rolling(ContactBlock<W>& block, lanes<W> load, Pair<W>& pair) {
  const lanes<W> limit = block.rolling_resistance * load;
  lanes<W> sum = clamp(block.rolling_impulse - block.rolling_mass * (pair.b.omega - pair.a.omega),
                       -limit, limit);
  lanes<W> impulse = sum - block.rolling_impulse;
  block.rolling_impulse = sum;
  pair.a.omega = pair.a.omega - block.inertia_a * impulse;
  pair.b.omega = pair.b.omega + block.inertia_b * impulse;
}

// The bias of a normal row in the pass that removes overlap, and its softness: impulse = -mass *
// mass_scale * (speed + bias) - impulse_scale * (its impulse so far). `s` is the present
// separation, `apart` where it is above 0, `fixed` where one body cannot move.
template <int W>
RIGID_INLINE void aim_normal(const StepParameters& p, lanes<W> inverse_h,
                             const ContactBlock<W>& block, lanes<W> s,
                             typename lanes<W>::mask apart, typename lanes<W>::mask fixed,
                             lanes<W>& bias, lanes<W>& mass_scale, lanes<W>& impulse_scale) {
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const Softness &soft = p.contact, &hard = p.static_contact;
  lanes<W> rate = select(fixed, lanes<W>::splat(hard.bias_rate), lanes<W>::splat(soft.bias_rate));
  mass_scale = select(fixed, lanes<W>::splat(hard.mass_scale), lanes<W>::splat(soft.mass_scale));
  impulse_scale =
      select(fixed, lanes<W>::splat(hard.impulse_scale), lanes<W>::splat(soft.impulse_scale));
  lanes<W> push =
      max(rate * min(s + lanes<W>::splat(p.resting_depth), zero), lanes<W>::splat(-p.push_speed));
  bias = select(apart, s * inverse_h, push);
  mass_scale = select(apart, one, mass_scale);
  impulse_scale = select(apart, zero, impulse_scale);
  if (block.has_track) {
    auto tracked = block.tracked > zero;
    bias = select(tracked, -block.track_aim, bias);
    mass_scale = select(tracked, one, mass_scale);
    impulse_scale = select(tracked, zero, impulse_scale);
  }
}

template <int W, bool Bias>
void solve_contacts(const KernelContext& context, const Span& span, int begin, int end) {
  const StepParameters& p = *context.parameters;
  auto* blocks = static_cast<ContactBlock<W>*>(span.blocks);
  const lanes<W> zero = lanes<W>::splat(0.0f), one = lanes<W>::splat(1.0f);
  const lanes<W> inverse_h = lanes<W>::splat(p.inverse_h);
  for (int i = begin; i < end; ++i) {
    ContactBlock<W>& block = blocks[i];
    const LaneState<W> a = gather_state<W>(context.states, block.a);
    const LaneState<W> b = gather_state<W>(context.states, block.b);
    Pair<W> pair(a.velocity, b.velocity, block);
    const Gap<W> gap(a.motion, b.motion, block);
    auto fixed = block.is_static();
    for (auto& point : block.points) {
      LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
      lanes<W> s = gap.at(ra, rb, point.separation);
      auto apart = s > zero;
      lanes<W> bias, mass_scale = one, impulse_scale = zero;
      if constexpr (Bias) {
        aim_normal<W>(p, inverse_h, block, s, apart, fixed, bias, mass_scale, impulse_scale);
      } else {
        bias = select(apart, s * inverse_h, zero);
      }
      lanes<W> vn = pair.normal(ra, rb);
      lanes<W> change =
          -(point.normal_mass * mass_scale * (vn + bias)) - impulse_scale * point.normal_impulse;
      lanes<W> sum = max(point.normal_impulse + change, zero);
      if (!Bias && block.has_restitution) {
        // A contact that will bounce in the next substep keeps its speed until then.
        auto bounces =
            apart & (block.restitution > zero) & (vn < lanes<W>::splat(-p.restitution_threshold));
        // A body deflected by a chain has not hit it.
        if (block.has_track) bounces = bounces & !((block.tracked * point.normal_impulse) > zero);
        sum = select(bounces, point.normal_impulse, sum);
      }
      lanes<W> impulse = sum - point.normal_impulse;
      point.normal_impulse = sum;
      pair.push(block, impulse, ra, rb);
    }
    for (int k = 0; k < 2; ++k) {
      auto& point = block.points[k];
      solve_tangent<W>(block, k, point.tangent_impulse, block.friction * point.normal_impulse,
                       pair);
    }
    if (block.has_rolling) {
      solve_rolling(block, block.points[0].normal_impulse + block.points[1].normal_impulse, pair);
    }
    if constexpr (!Bias) {
      for (auto& point : block.points) {
        point.total_normal = point.total_normal + point.normal_impulse;
        point.total_tangent = point.total_tangent + point.tangent_impulse;
      }
    }
    pair.settle(block);
    pair.store(context.states, block);
  }
}

// Writes the present place of a contact that follows a chain. Its gap is measured there, and then
// updated from the motion since.
template <int W, class Block>
void follow_track(const KernelContext& context, const Span& span, int at, const TrackPlace& place) {
  ContactBlock<W>& block = static_cast<Block*>(span.blocks)[at / W];
  const int lane = at % W;
  auto& point = block.points[0];
  const Vec2 n = place.normal, offset = place.from_b - place.from_a;
  const Vec2 a = {dot(place.from_a, n), cross(place.from_a, n)};
  const Vec2 between = {dot(offset, n), cross(offset, n)}, b = a + between;
  block.normal.x.set(lane, n.x);
  block.normal.y.set(lane, n.y);
  block.offset.x.set(lane, between.x);
  block.offset.y.set(lane, between.y);
  point.anchor.x.set(lane, a.x);
  point.anchor.y.set(lane, a.y);
  const float mass = block.mass_a.lane(lane) + block.mass_b.lane(lane);
  const float ia = block.inertia_a.lane(lane), ib = block.inertia_b.lane(lane);
  const float kn = mass + ia * a.y * a.y + ib * b.y * b.y;
  const float kt = mass + ia * a.x * a.x + ib * b.x * b.x;
  point.normal_mass.set(lane, kn > 0.0f ? 1.0f / kn : 0.0f);
  point.tangent_mass.set(lane, kt > 0.0f ? 1.0f / kt : 0.0f);
  const Gap<W> gap(gather_motion<W>(context.states, block.a),
                   gather_motion<W>(context.states, block.b), block);
  const LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
  point.separation.set(lane, place.gap - gap.at(ra, rb, lanes<W>::splat(0.0f)).lane(lane));
  if (!block.has_track) {
    block.tracked = block.track_aim = block.track_bounces = lanes<W>::splat(0.0f);
  }
  block.tracked.set(lane, 1.0f);
  block.track_aim.set(lane, place.aim);
  block.track_bounces.set(lane, place.bounces ? 1.0f : 0.0f);
  block.has_track = 1;
}

template <int W, class Block>
ContactPush read_push(const Span& span, int at, bool blows) {
  const ContactBlock<W>& block = static_cast<const Block*>(span.blocks)[at / W];
  const int lane = at % W;
  double along = 0, across = 0, turn_a = 0, turn_b = 0;
  for (const auto& point : block.points) {
    const double normal = (blows ? point.total_normal : point.normal_impulse).lane(lane);
    const double tangent = (blows ? point.total_tangent : point.tangent_impulse).lane(lane);
    const double x = point.anchor.x.lane(lane), y = point.anchor.y.lane(lane);
    const double dx = block.offset.x.lane(lane), dy = block.offset.y.lane(lane);
    along += normal;
    across += tangent;
    turn_a -= y * normal - x * tangent;
    turn_b += (y + dy) * normal - (x + dx) * tangent;
  }
  if (block.has_rolling && !blows) {
    turn_a -= block.rolling_impulse.lane(lane);
    turn_b += block.rolling_impulse.lane(lane);
  }
  const double nx = block.normal.x.lane(lane), ny = block.normal.y.lane(lane);
  return {along * nx + across * ny, along * ny - across * nx, turn_a, turn_b};
}

template <int W, class Block>
ContactSums find_sums(const Span& span, int at, int which) {
  auto& point = static_cast<Block*>(span.blocks)[at / W].points[which];
  auto lane = [&](lanes<W>& of) { return reinterpret_cast<float*>(&of) + at % W; };
  return {lane(point.normal_impulse), lane(point.tangent_impulse), lane(point.total_normal),
          lane(point.total_tangent)};
}

template <int W, class Block>
ContactView view_contact(const KernelContext& context, const Span& span, int at, int which) {
  const ContactBlock<W>& block = static_cast<const Block*>(span.blocks)[at / W];
  const auto& point = block.points[which];
  const lanes<W> zero = lanes<W>::splat(0.0f);
  const LaneState<W> a = gather_state<W>(context.states, block.a);
  const LaneState<W> b = gather_state<W>(context.states, block.b);
  const Pair<W> pair(a.velocity, b.velocity, block);
  const LaneVec2<W> ra = point.anchor, rb = point.anchor + block.offset;
  const LaneVec2<W> out_a = from_axes<W>(ra, block.normal), out_b = from_axes<W>(rb, block.normal);
  const lanes<W> s = Gap<W>(a.motion, b.motion, block).at(ra, rb, point.separation);
  const auto fixed = block.is_static();
  const StepParameters& p = *context.parameters;
  lanes<W> bias, mass_scale, impulse_scale;
  aim_normal<W>(p, lanes<W>::splat(p.inverse_h), block, s, s > zero, fixed, bias, mass_scale,
                impulse_scale);
  auto of = [lane = at % W](const lanes<W>& row) { return row.lane(lane); };
  const lanes<W> tracked = block.has_track ? block.tracked : zero;
  return {.normal = {of(block.normal.x), of(block.normal.y)},
          .anchor_a = {of(out_a.x), of(out_a.y)},
          .anchor_b = {of(out_b.x), of(out_b.y)},
          .mass_a = {of(block.mass_a), of(block.inertia_a)},
          .mass_b = {of(block.mass_b), of(block.inertia_b)},
          .separation = of(s),
          .normal_speed = of(pair.normal(ra, rb)),
          .tangent_speed = of(block.slipping(pair.tangent(ra, rb))),
          .normal_mass = of(point.normal_mass),
          .tangent_mass = of(point.tangent_mass),
          .friction = of(block.friction),
          .restitution = of(block.restitution),
          .bias = of(bias),
          .mass_scale = of(mass_scale),
          .impulse_scale = of(impulse_scale),
          .normal_impulse = of(point.normal_impulse),
          .tangent_impulse = of(point.tangent_impulse),
          .total_normal = of(point.total_normal),
          .total_tangent = of(point.total_tangent),
          .rolling_impulse = block.has_rolling ? of(block.rolling_impulse) : 0.0f,
          .fixed = of(select(fixed, lanes<W>::splat(1.0f), zero)) > 0.0f,
          .tracked = of(tracked) > 0.0f};
}

}  // namespace rigid

#endif
