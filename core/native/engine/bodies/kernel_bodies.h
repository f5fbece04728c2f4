// SPDX-License-Identifier: MIT
// Reading and writing the bodies of a block: W states of 8 floats become 8 numbers of W lanes.
//
// A reference >= 0 is a body that may be written. A body that must not move (static, kinematic)
// is referred to as ~index: it is read like any other and never written, so that many lanes and
// threads may share it.
#ifndef RIGID_ENGINE_BODIES_KERNEL_BODIES_H
#define RIGID_ENGINE_BODIES_KERNEL_BODIES_H

#include <cstring>

#include "engine/data/body.h"
#include "simd/lanes.h"
#include "simd/transpose.h"

namespace rigid {

// The bodies of W lanes: the offsets of their states, in bytes, and a bit for each that may be
// written.
template <int W>
struct BodyReferences {
  int32_t at[W];
  uint32_t movable;
  RIGID_INLINE void place(int i, int body) {
    at[i] = body * static_cast<int32_t>(sizeof(BodyState));
  }
  RIGID_INLINE void set(int i, int body, bool moves) {
    place(i, body);
    movable |= static_cast<uint32_t>(moves) << i;
  }
  RIGID_INLINE bool moves(int i) const { return (movable >> i & 1u) != 0; }
  RIGID_INLINE int body(int i) const {
    return static_cast<int>(static_cast<uint32_t>(at[i]) / sizeof(BodyState));
  }
};

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

template <int W>
struct LaneState {
  LaneVelocity<W> velocity;
  LaneMotion<W> motion;
};

// Four floats of each state, from `offset` on, as four numbers of W lanes.
template <int W>
RIGID_INLINE void gather(const BodyState* states, const BodyReferences<W>& bodies, int offset,
                         lanes<W>& r0, lanes<W>& r1, lanes<W>& r2, lanes<W>& r3) {
  const char* base = reinterpret_cast<const char*>(states) + offset * sizeof(float);
  load_rows<W>([&](int i) { return base + bodies.at[i]; }, r0, r1, r2, r3);
}

template <int W>
RIGID_INLINE void scatter(BodyState* states, const BodyReferences<W>& bodies, int offset,
                          lanes<W> r0, lanes<W> r1, lanes<W> r2, lanes<W> r3) {
  char* base = reinterpret_cast<char*>(states) + offset * sizeof(float);
  const bool all = bodies.movable == (1u << W) - 1u;
  store_rows<W>([&](int i) { return base + bodies.at[i]; },
                [&](int i) { return all || bodies.moves(i); }, r0, r1, r2, r3);
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
// Both halves of a body's state.
template <int W>
RIGID_INLINE LaneState<W> gather_state(const BodyState* states, const BodyReferences<W>& bodies) {
  if constexpr (W < 8) {
    return {gather_velocity<W>(states, bodies), gather_motion<W>(states, bodies)};
  } else {
    const char* base = reinterpret_cast<const char*>(states);
    auto at = [&](int i) { return base + bodies.at[i]; };
    real<W> low[4], high[4];  // bodies of the first half of the lanes, and of the second
    for (int k = 0; k < 4; ++k) {
      low[k] = load_octets<W>(at, k);
      high[k] = load_octets<W>(at, k + W / 2);
    }
    transpose_quarters<W>(low[0], low[1], low[2], low[3]);
    transpose_quarters<W>(high[0], high[1], high[2], high[3]);
    auto even = [&](int k) { return lanes<W>{even_quarters<W>(low[k], high[k])}; };
    auto odd = [&](int k) { return lanes<W>{odd_quarters<W>(low[k], high[k])}; };
    return {{{even(0), even(1)}, even(2), even(3)}, {{odd(0), odd(1)}, odd(2), odd(3)}};
  }
}
template <int W>
RIGID_INLINE void scatter_velocity(BodyState* states, const BodyReferences<W>& bodies,
                                   const LaneVelocity<W>& r) {
  scatter<W>(states, bodies, 0, r.v.x, r.v.y, r.omega, r.delta_angle);
}

}  // namespace rigid

#endif
