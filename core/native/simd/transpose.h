// SPDX-License-Identifier: MIT
// Loading numbers of W lanes from W bodies, whose floats are stored in fours and eights, and
// storing them.
//
// A vector consists of quarters of four floats. Vector k of four holds the floats of the bodies k,
// k + 4, k + 8, ... in its quarters; with each quarter transposed, vector k holds float k of all
// bodies in their order.
#ifndef RIGID_SIMD_TRANSPOSE_H
#define RIGID_SIMD_TRANSPOSE_H

#include <cstring>
#include <utility>

#include "simd/lanes.h"

namespace rigid {

template <int W>
using real = typename lanes_types<W>::real;

// Place i of the result is place Index(i) of the concatenation of a and b.
template <int W, class Index, std::size_t... I>
RIGID_INLINE auto shuffled(real<W> a, real<W> b, Index, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, Index{}(static_cast<int>(I))...);
}
template <int W, class Index>
RIGID_INLINE real<W> shuffled(real<W> a, real<W> b, Index index) {
  return shuffled<W>(a, b, index, std::make_index_sequence<W>{});
}

template <int W>
RIGID_INLINE void transpose_quarters(real<W>& a, real<W>& b, real<W>& c, real<W>& d) {
  // The first or the second half of each quarter of both: alternating, and one after the other.
  auto low = [](int i) { return i / 4 * 4 + i % 4 / 2 + i % 2 * W; };
  auto high = [](int i) { return i / 4 * 4 + i % 4 / 2 + i % 2 * W + 2; };
  auto first = [](int i) { return i / 4 * 4 + i % 2 + i % 4 / 2 * W; };
  auto last = [](int i) { return i / 4 * 4 + i % 2 + i % 4 / 2 * W + 2; };
  const real<W> ab_low = shuffled<W>(a, b, low), ab_high = shuffled<W>(a, b, high);
  const real<W> cd_low = shuffled<W>(c, d, low), cd_high = shuffled<W>(c, d, high);
  a = shuffled<W>(ab_low, cd_low, first);
  b = shuffled<W>(ab_low, cd_low, last);
  c = shuffled<W>(ab_high, cd_high, first);
  d = shuffled<W>(ab_high, cd_high, last);
}

// The quarters 0, 2, 4, ... or 1, 3, 5, ... of a and b.
template <int W>
RIGID_INLINE real<W> even_quarters(real<W> a, real<W> b) {
  return shuffled<W>(a, b, [](int i) { return i / 4 * 8 + i % 4; });
}
template <int W>
RIGID_INLINE real<W> odd_quarters(real<W> a, real<W> b) {
  return shuffled<W>(a, b, [](int i) { return i / 4 * 8 + 4 + i % 4; });
}

template <int W, std::size_t... I>
RIGID_INLINE real<W> joined(real<W / 2> a, real<W / 2> b, std::index_sequence<I...>) {
  return __builtin_shufflevector(a, b, I...);
}

RIGID_INLINE real<4> as_quad(const char* from) {
  real<4> r;
  std::memcpy(&r, from, sizeof r);
  return r;
}
RIGID_INLINE real<4> as_quad(real<4> floats) { return floats; }

// Four floats each, as many as there are quarters: at(first), at(first + 4), ... are their
// addresses, or the floats.
template <int W, class At>
RIGID_INLINE real<W> load_quads(const At& at, int first) {
  if constexpr (W == 4) {
    return as_quad(at(first));
  } else {
    return joined<W>(load_quads<W / 2>(at, first), load_quads<W / 2>(at, first + W / 2),
                     std::make_index_sequence<W>{});
  }
}
// Eight floats each, from half as many.
template <int W, class At>
RIGID_INLINE real<W> load_octets(const At& at, int first) {
  if constexpr (W == 8) {
    real<W> r;
    std::memcpy(&r, at(first), sizeof r);
    return r;
  } else {
    return joined<W>(load_octets<W / 2>(at, first), load_octets<W / 2>(at, first + W / 4),
                     std::make_index_sequence<W>{});
  }
}

template <int W>
RIGID_INLINE void store_quad(char* to, const real<W>& from, int quarter) {
  constexpr std::size_t size = 4 * sizeof(float);
  std::memcpy(to, reinterpret_cast<const char*>(&from) + quarter * size, size);
}

// Four floats from each of W places, as four numbers of W lanes: at(lane) is their address, or the
// floats.
template <int W, class At>
RIGID_INLINE void load_rows(const At& at, lanes<W>& r0, lanes<W>& r1, lanes<W>& r2, lanes<W>& r3) {
  if constexpr (W == 1) {
    const real<4> floats = as_quad(at(0));
    r0 = {floats[0]};
    r1 = {floats[1]};
    r2 = {floats[2]};
    r3 = {floats[3]};
  } else {
    r0.v = load_quads<W>(at, 0);
    r1.v = load_quads<W>(at, 1);
    r2.v = load_quads<W>(at, 2);
    r3.v = load_quads<W>(at, 3);
    transpose_quarters<W>(r0.v, r1.v, r2.v, r3.v);
  }
}

// The reverse, to the places of the lanes for which there(lane) holds.
template <int W, class At, class There>
RIGID_INLINE void store_rows(const At& at, const There& there, lanes<W> r0, lanes<W> r1,
                             lanes<W> r2, lanes<W> r3) {
  if constexpr (W == 1) {
    if (!there(0)) return;
    const float p[4] = {r0.v, r1.v, r2.v, r3.v};
    std::memcpy(at(0), p, sizeof p);
  } else {
    transpose_quarters<W>(r0.v, r1.v, r2.v, r3.v);
    const real<W> rows[4] = {r0.v, r1.v, r2.v, r3.v};
    for (int k = 0; k < 4; ++k) {
      for (int quarter = 0; quarter < W / 4; ++quarter) {
        const int lane = 4 * quarter + k;
        if (there(lane)) store_quad<W>(at(lane), rows[k], quarter);
      }
    }
  }
}

}  // namespace rigid

#endif
