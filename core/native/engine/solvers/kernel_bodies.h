// Reading and writing the bodies of a block: W states of 8 floats become 8 numbers of W lanes.
//
// A reference >= 0 is a body that may be written. A body that must not move (static, kinematic)
// is referred to as ~index: it is read like any other and never written, so that many lanes and
// threads may share it.
#ifndef RIGID_ENGINE_KERNEL_BODIES_H
#define RIGID_ENGINE_KERNEL_BODIES_H

#include <cstring>

#include "engine/bodies/body.h"
#include "engine/solvers/lanes.h"

namespace rigid {

typedef float quad __attribute__((vector_size(16)));

// The bodies of W lanes: where their states lie, in bytes, and a bit for each that may be written.
template <int W>
struct BodyReferences {
  int32_t at[W];
  uint32_t movable;
  RIGID_INLINE void set(int i, int body, bool moves) {
    at[i] = body * static_cast<int32_t>(sizeof(BodyState));
    movable |= static_cast<uint32_t>(moves) << i;
  }
  RIGID_INLINE bool moves(int i) const { return (movable >> i & 1u) != 0; }
  RIGID_INLINE int body(int i) const {
    return static_cast<int>(static_cast<uint32_t>(at[i]) / sizeof(BodyState));
  }
};

RIGID_INLINE quad load_quad(const char* p) {
  quad q;
  std::memcpy(&q, p, sizeof q);
  return q;
}

// rows a b c d become columns
RIGID_INLINE void transpose(quad& a, quad& b, quad& c, quad& d) {
  quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
  quad ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
  quad cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
  c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
  d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

RIGID_INLINE lanes<4> join(const quad (&q)[1]) { return {q[0]}; }
RIGID_INLINE lanes<8> join(const quad (&q)[2]) {
  return {__builtin_shufflevector(q[0], q[1], 0, 1, 2, 3, 4, 5, 6, 7)};
}
RIGID_INLINE lanes<16> join(const quad (&q)[4]) {
  auto low = __builtin_shufflevector(q[0], q[1], 0, 1, 2, 3, 4, 5, 6, 7);
  auto high = __builtin_shufflevector(q[2], q[3], 0, 1, 2, 3, 4, 5, 6, 7);
  return {__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)};
}
RIGID_INLINE void split(lanes<4> v, quad (&q)[1]) { q[0] = v.v; }
RIGID_INLINE void split(lanes<8> v, quad (&q)[2]) {
  q[0] = __builtin_shufflevector(v.v, v.v, 0, 1, 2, 3);
  q[1] = __builtin_shufflevector(v.v, v.v, 4, 5, 6, 7);
}
RIGID_INLINE void split(lanes<16> v, quad (&q)[4]) {
  q[0] = __builtin_shufflevector(v.v, v.v, 0, 1, 2, 3);
  q[1] = __builtin_shufflevector(v.v, v.v, 4, 5, 6, 7);
  q[2] = __builtin_shufflevector(v.v, v.v, 8, 9, 10, 11);
  q[3] = __builtin_shufflevector(v.v, v.v, 12, 13, 14, 15);
}

template <int W>
struct LaneVelocity {
  LaneVec2<W> v;
  lanes<W> omega;
  lanes<W> delta_angle;
};

template <int W>
struct LaneMotion {
  LaneVec2<W> shift;
  lanes<W> c, s;
  RIGID_INLINE LaneVec2<W> rotate(LaneVec2<W> r) const {
    return {c * r.x - s * r.y, s * r.x + c * r.y};
  }
};

// Four floats of each state, from `offset` on, as four numbers of W lanes.
template <int W>
RIGID_INLINE void gather(const BodyState* states, const BodyReferences<W>& bodies, int offset,
                         lanes<W>& r0, lanes<W>& r1, lanes<W>& r2, lanes<W>& r3) {
  const char* base = reinterpret_cast<const char*>(states) + offset * sizeof(float);
  if constexpr (W == 1) {
    float p[4];
    std::memcpy(p, base + bodies.at[0], sizeof p);
    r0 = {p[0]};
    r1 = {p[1]};
    r2 = {p[2]};
    r3 = {p[3]};
  } else {
    quad a[W / 4], b[W / 4], c[W / 4], d[W / 4];
    for (int k = 0; k < W / 4; ++k) {
      const int32_t* at = bodies.at + 4 * k;
      a[k] = load_quad(base + at[0]);
      b[k] = load_quad(base + at[1]);
      c[k] = load_quad(base + at[2]);
      d[k] = load_quad(base + at[3]);
      transpose(a[k], b[k], c[k], d[k]);
    }
    r0 = join(a);
    r1 = join(b);
    r2 = join(c);
    r3 = join(d);
  }
}

template <int W>
RIGID_INLINE void scatter(BodyState* states, const BodyReferences<W>& bodies, int offset,
                          lanes<W> r0, lanes<W> r1, lanes<W> r2, lanes<W> r3) {
  char* base = reinterpret_cast<char*>(states) + offset * sizeof(float);
  if constexpr (W == 1) {
    if (!bodies.moves(0)) return;
    const float p[4] = {r0.v, r1.v, r2.v, r3.v};
    std::memcpy(base + bodies.at[0], p, sizeof p);
  } else {
    quad a[W / 4], b[W / 4], c[W / 4], d[W / 4];
    split(r0, a);
    split(r1, b);
    split(r2, c);
    split(r3, d);
    const bool all = bodies.movable == (1u << W) - 1u;
    for (int k = 0; k < W / 4; ++k) {
      transpose(a[k], b[k], c[k], d[k]);
      const int32_t* at = bodies.at + 4 * k;
      if (all || bodies.moves(4 * k)) std::memcpy(base + at[0], &a[k], sizeof(quad));
      if (all || bodies.moves(4 * k + 1)) std::memcpy(base + at[1], &b[k], sizeof(quad));
      if (all || bodies.moves(4 * k + 2)) std::memcpy(base + at[2], &c[k], sizeof(quad));
      if (all || bodies.moves(4 * k + 3)) std::memcpy(base + at[3], &d[k], sizeof(quad));
    }
  }
}

template <int W>
RIGID_INLINE LaneVelocity<W> gather_velocity(const BodyState* states,
                                             const BodyReferences<W>& bodies) {
  LaneVelocity<W> r;
  gather<W>(states, bodies, 0, r.v.x, r.v.y, r.omega, r.delta_angle);
  return r;
}
template <int W>
RIGID_INLINE LaneMotion<W> gather_motion(const BodyState* states, const BodyReferences<W>& bodies) {
  LaneMotion<W> r;
  gather<W>(states, bodies, 4, r.shift.x, r.shift.y, r.c, r.s);
  return r;
}
template <int W>
RIGID_INLINE void scatter_velocity(BodyState* states, const BodyReferences<W>& bodies,
                                   const LaneVelocity<W>& r) {
  scatter<W>(states, bodies, 0, r.v.x, r.v.y, r.omega, r.delta_angle);
}

}  // namespace rigid

#endif
