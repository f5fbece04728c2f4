// SPDX-License-Identifier: MIT
// Lanes: a number type of W numbers, over which the arithmetic of constraints is written once.
//
// lanes<W> is a thin wrapper around a vector of the compiler (GCC and Clang). Each lane computes
// separately with IEEE single precision, so the width of the vector cannot change a result: a
// constraint gives the same bits in a block of 1, 4, 8 or 16. Nothing here may be contracted to a
// fused multiply-add (-ffp-contract=off). Four lanes are one register of SSE2 or NEON, the
// instructions of which are named only where compilers do not choose them.
#ifndef RIGID_SIMD_LANES_H
#define RIGID_SIMD_LANES_H

#include <cmath>
#include <cstdint>

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

#include "math.h"

namespace rigid {

template <int W>
struct lanes_types;
template <>
struct lanes_types<4> {
  typedef float real __attribute__((vector_size(16)));
  typedef int32_t mask __attribute__((vector_size(16)));
};
template <>
struct lanes_types<8> {
  typedef float real __attribute__((vector_size(32)));
  typedef int32_t mask __attribute__((vector_size(32)));
};
template <>
struct lanes_types<16> {
  typedef float real __attribute__((vector_size(64)));
  typedef int32_t mask __attribute__((vector_size(64)));
};

template <int W>
struct lanes {
  typename lanes_types<W>::real v;

  struct mask {
    typename lanes_types<W>::mask m;
    RIGID_INLINE bool lane(int i) const { return m[i] != 0; }
    RIGID_INLINE bool any() const {
#if defined(__aarch64__)
      if constexpr (W == 4) return vmaxvq_u32((uint32x4_t)m) != 0;
#endif
      int32_t all = 0;
      for (int i = 0; i < W; ++i) all |= m[i];
      return all != 0;
    }
    friend RIGID_INLINE mask operator&(mask a, mask b) { return {a.m & b.m}; }
    friend RIGID_INLINE mask operator|(mask a, mask b) { return {a.m | b.m}; }
    friend RIGID_INLINE mask operator!(mask a) { return {~a.m}; }
  };
  // Sets lane i by bit i.
  static RIGID_INLINE mask bits(uint32_t which) {
    typename lanes_types<W>::mask each;
    for (int i = 0; i < W; ++i) each[i] = 1 << i;
    return {(static_cast<int32_t>(which) & each) != 0};
  }

  static RIGID_INLINE lanes splat(float s) { return {s - typename lanes_types<W>::real{}}; }
  RIGID_INLINE float lane(int i) const { return v[i]; }
  RIGID_INLINE void set(int i, float s) { v[i] = s; }

  friend RIGID_INLINE lanes operator+(lanes a, lanes b) { return {a.v + b.v}; }
  friend RIGID_INLINE lanes operator-(lanes a, lanes b) { return {a.v - b.v}; }
  friend RIGID_INLINE lanes operator*(lanes a, lanes b) { return {a.v * b.v}; }
  friend RIGID_INLINE lanes operator/(lanes a, lanes b) { return {a.v / b.v}; }
  friend RIGID_INLINE lanes operator-(lanes a) { return {-a.v}; }
  friend RIGID_INLINE mask operator<(lanes a, lanes b) { return {a.v < b.v}; }
  friend RIGID_INLINE mask operator>(lanes a, lanes b) { return {a.v > b.v}; }
  friend RIGID_INLINE mask operator<=(lanes a, lanes b) { return {a.v <= b.v}; }
  friend RIGID_INLINE lanes select(mask m, lanes a, lanes b) { return {m.m ? a.v : b.v}; }
  friend RIGID_INLINE lanes min(lanes a, lanes b) { return {a.v < b.v ? a.v : b.v}; }
  friend RIGID_INLINE lanes max(lanes a, lanes b) { return {a.v > b.v ? a.v : b.v}; }
  friend RIGID_INLINE lanes sqrt(lanes a) {
#if defined(__aarch64__)
    if constexpr (W == 4) return {(typename lanes_types<W>::real)vsqrtq_f32((float32x4_t)a.v)};
#endif
    lanes r = a;
    for (int i = 0; i < W; ++i) r.v[i] = std::sqrt(a.v[i]);
    return r;
  }
};

template <>
struct lanes<1> {
  float v;

  struct mask {
    bool m;
    RIGID_INLINE bool lane(int) const { return m; }
    RIGID_INLINE bool any() const { return m; }
    friend RIGID_INLINE mask operator&(mask a, mask b) { return {a.m && b.m}; }
    friend RIGID_INLINE mask operator|(mask a, mask b) { return {a.m || b.m}; }
    friend RIGID_INLINE mask operator!(mask a) { return {!a.m}; }
  };
  static RIGID_INLINE mask bits(uint32_t which) { return {(which & 1u) != 0}; }

  static RIGID_INLINE lanes splat(float s) { return {s}; }
  RIGID_INLINE float lane(int) const { return v; }
  RIGID_INLINE void set(int, float s) { v = s; }

  friend RIGID_INLINE lanes operator+(lanes a, lanes b) { return {a.v + b.v}; }
  friend RIGID_INLINE lanes operator-(lanes a, lanes b) { return {a.v - b.v}; }
  friend RIGID_INLINE lanes operator*(lanes a, lanes b) { return {a.v * b.v}; }
  friend RIGID_INLINE lanes operator/(lanes a, lanes b) { return {a.v / b.v}; }
  friend RIGID_INLINE lanes operator-(lanes a) { return {-a.v}; }
  friend RIGID_INLINE mask operator<(lanes a, lanes b) { return {a.v < b.v}; }
  friend RIGID_INLINE mask operator>(lanes a, lanes b) { return {a.v > b.v}; }
  friend RIGID_INLINE mask operator<=(lanes a, lanes b) { return {a.v <= b.v}; }
  friend RIGID_INLINE lanes select(mask m, lanes a, lanes b) { return {m.m ? a.v : b.v}; }
  friend RIGID_INLINE lanes min(lanes a, lanes b) { return {a.v < b.v ? a.v : b.v}; }
  friend RIGID_INLINE lanes max(lanes a, lanes b) { return {a.v > b.v ? a.v : b.v}; }
  friend RIGID_INLINE lanes sqrt(lanes a) { return {std::sqrt(a.v)}; }
};

template <int W>
RIGID_INLINE lanes<W> clamp(lanes<W> a, lanes<W> lo, lanes<W> hi) {
  return min(max(a, lo), hi);
}
template <int W>
RIGID_INLINE lanes<W> absolute(lanes<W> a) {
  return max(a, -a);
}

// A vector in the plane, W at a time.
template <int W>
struct LaneVec2 {
  lanes<W> x, y;
};
template <int W>
RIGID_INLINE LaneVec2<W> operator+(LaneVec2<W> a, LaneVec2<W> b) {
  return {a.x + b.x, a.y + b.y};
}
template <int W>
RIGID_INLINE LaneVec2<W> operator-(LaneVec2<W> a, LaneVec2<W> b) {
  return {a.x - b.x, a.y - b.y};
}
template <int W>
RIGID_INLINE LaneVec2<W> operator*(lanes<W> s, LaneVec2<W> a) {
  return {s * a.x, s * a.y};
}
template <int W>
RIGID_INLINE lanes<W> dot(LaneVec2<W> a, LaneVec2<W> b) {
  return a.x * b.x + a.y * b.y;
}
template <int W>
RIGID_INLINE lanes<W> cross(LaneVec2<W> a, LaneVec2<W> b) {
  return a.x * b.y - a.y * b.x;
}
// w x r for a spin w about the axis out of the plane.
template <int W>
RIGID_INLINE LaneVec2<W> cross(lanes<W> w, LaneVec2<W> r) {
  return {-(w * r.y), w * r.x};
}

}  // namespace rigid

#endif
