// SPDX-License-Identifier: MIT
// Wide doubles: a number type of W doubles, the counterpart of lanes<W> (lanes.h). Each computes
// separately with IEEE arithmetic, so that the result for W worlds side by side has the bits of
// each alone. Stored as two vectors, as long as those of W floats.
#ifndef RIGID_SIMD_WIDE_H
#define RIGID_SIMD_WIDE_H

#include <cmath>
#include <cstring>
#include <type_traits>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "simd/lanes.h"

namespace rigid {

template <int W>
struct wide_types;
template <>
struct wide_types<4> {
  typedef double real __attribute__((vector_size(16)));
  typedef long long mask __attribute__((vector_size(16)));
  typedef float half __attribute__((vector_size(8)));
};
template <>
struct wide_types<8> {
  typedef double real __attribute__((vector_size(32)));
  typedef long long mask __attribute__((vector_size(32)));
  typedef float half __attribute__((vector_size(16)));
};
template <>
struct wide_types<16> {
  typedef double real __attribute__((vector_size(64)));
  typedef long long mask __attribute__((vector_size(64)));
  typedef float half __attribute__((vector_size(32)));
};

// Single instructions of the processor for which compilers emit several.
template <int W>
RIGID_INLINE bool any_of(typename wide_types<W>::mask bits) {
#if defined(__AVX512F__)
  if constexpr (W == 16) return _mm512_test_epi64_mask((__m512i)bits, (__m512i)bits) != 0;
#endif
#if defined(__AVX2__)
  if constexpr (W == 8) return _mm256_testz_si256((__m256i)bits, (__m256i)bits) == 0;
#endif
  long long sum = 0;
  for (int i = 0; i < W / 2; ++i) sum |= bits[i];
  return sum != 0;
}
template <int W>
RIGID_INLINE typename wide_types<W>::real widened_half(typename wide_types<W>::half a) {
  using real = typename wide_types<W>::real;
#if defined(__AVX512F__)
  if constexpr (W == 16) return (real)_mm512_maskz_cvtps_pd((__mmask8)-1, (__m256)a);
#endif
#if defined(__AVX2__)
  if constexpr (W == 8) return (real)_mm256_cvtps_pd((__m128)a);
#endif
  return __builtin_convertvector(a, real);
}

template <int W>
struct wide {
  using real = typename wide_types<W>::real;
  using bits = typename wide_types<W>::mask;
  real v[2];

  struct mask {
    bits m[2];
    friend RIGID_INLINE bool lane_at(mask a, int i) { return a.m[i / (W / 2)][i % (W / 2)] != 0; }
    friend RIGID_INLINE bool any(mask a) { return any_of<W>(a.m[0] | a.m[1]); }
    friend RIGID_INLINE mask operator&(mask a, mask b) {
      return {{a.m[0] & b.m[0], a.m[1] & b.m[1]}};
    }
    friend RIGID_INLINE mask operator|(mask a, mask b) {
      return {{a.m[0] | b.m[0], a.m[1] | b.m[1]}};
    }
    friend RIGID_INLINE mask operator!(mask a) { return {{~a.m[0], ~a.m[1]}}; }
    friend RIGID_INLINE mask operator!=(mask a, mask b) {
      return {{a.m[0] ^ b.m[0], a.m[1] ^ b.m[1]}};
    }
    friend RIGID_INLINE mask select(mask which, mask a, mask b) {
      return (which & a) | ((!which) & b);
    }
  };

  wide() = default;
  RIGID_INLINE wide(double s) : v{s - real{}, s - real{}} {}
  RIGID_INLINE wide(real low, real high) : v{low, high} {}
  RIGID_INLINE double lane(int i) const { return v[i / (W / 2)][i % (W / 2)]; }
  RIGID_INLINE void set(int i, double s) { v[i / (W / 2)][i % (W / 2)] = s; }

  friend RIGID_INLINE wide operator+(wide a, wide b) { return {a.v[0] + b.v[0], a.v[1] + b.v[1]}; }
  friend RIGID_INLINE wide operator-(wide a, wide b) { return {a.v[0] - b.v[0], a.v[1] - b.v[1]}; }
  friend RIGID_INLINE wide operator*(wide a, wide b) { return {a.v[0] * b.v[0], a.v[1] * b.v[1]}; }
  friend RIGID_INLINE wide operator/(wide a, wide b) { return {a.v[0] / b.v[0], a.v[1] / b.v[1]}; }
  friend RIGID_INLINE wide operator-(wide a) { return {-a.v[0], -a.v[1]}; }
  RIGID_INLINE wide& operator+=(wide b) { return *this = *this + b; }
  RIGID_INLINE wide& operator-=(wide b) { return *this = *this - b; }
  friend RIGID_INLINE mask operator<(wide a, wide b) {
    return {{a.v[0] < b.v[0], a.v[1] < b.v[1]}};
  }
  friend RIGID_INLINE mask operator>(wide a, wide b) { return b < a; }
  friend RIGID_INLINE mask operator<=(wide a, wide b) {
    return {{a.v[0] <= b.v[0], a.v[1] <= b.v[1]}};
  }
  friend RIGID_INLINE mask operator==(wide a, wide b) {
    return {{a.v[0] == b.v[0], a.v[1] == b.v[1]}};
  }
  friend RIGID_INLINE wide select(mask which, wide a, wide b) {
    return {which.m[0] ? a.v[0] : b.v[0], which.m[1] ? a.v[1] : b.v[1]};
  }
  friend RIGID_INLINE wide absolute(wide a) {
    return {real(bits(a.v[0]) & most), real(bits(a.v[1]) & most)};
  }
  friend RIGID_INLINE wide root(wide a) {
#if defined(__aarch64__)
    if constexpr (W == 4) {
      return {(real)vsqrtq_f64((float64x2_t)a.v[0]), (real)vsqrtq_f64((float64x2_t)a.v[1])};
    }
#endif
    wide r = a;
    for (int k = 0; k < 2; ++k) {
      for (int i = 0; i < W / 2; ++i) r.v[k][i] = std::sqrt(a.v[k][i]);
    }
    return r;
  }
  friend RIGID_INLINE wide with_sign(wide size, wide sign) {
    return {real((bits(size.v[0]) & most) | (bits(sign.v[0]) & ~most)),
            real((bits(size.v[1]) & most) | (bits(sign.v[1]) & ~most))};
  }

 private:
  static constexpr long long most = 0x7fffffffffffffff;  // all bits but the sign
};

template <int W>
RIGID_INLINE wide<W> widened(lanes<W> a) {
  typename wide_types<W>::half halves[2];
  std::memcpy(halves, &a.v, sizeof a.v);
  return {widened_half<W>(halves[0]), widened_half<W>(halves[1])};
}
template <int W>
RIGID_INLINE lanes<W> narrowed(wide<W> a) {
  using half = typename wide_types<W>::half;
  const half halves[2] = {__builtin_convertvector(a.v[0], half),
                          __builtin_convertvector(a.v[1], half)};
  lanes<W> r;
  std::memcpy(&r.v, halves, sizeof r.v);
  return r;
}
// Rounded to single precision.
template <int W>
RIGID_INLINE wide<W> single(wide<W> a) {
  using half = typename wide_types<W>::half;
  return {widened_half<W>(__builtin_convertvector(a.v[0], half)),
          widened_half<W>(__builtin_convertvector(a.v[1], half))};
}
template <int W>
RIGID_INLINE wide<W> in_double(wide<W> a) {
  return a;
}

// A double of each of W worlds; for a single world, a double.
template <int W>
using number = std::conditional_t<W == 1, double, wide<W>>;
// The same in single precision.
template <int W>
using single_number = std::conditional_t<W == 1, float, wide<W>>;
// Conversion between lanes of floats and numbers in single precision.
RIGID_INLINE lanes<1> in_lanes(float a) { return {a}; }
RIGID_INLINE float from_lanes(lanes<1> a) { return a.v; }
template <int W>
RIGID_INLINE lanes<W> in_lanes(wide<W> a) {
  return narrowed(a);
}
template <int W>
RIGID_INLINE wide<W> from_lanes(lanes<W> a) {
  return widened(a);
}
// Reads one of the W numbers, or masks.
template <class Real>
  requires std::is_arithmetic_v<Real> || std::is_enum_v<Real>
RIGID_INLINE Real lane_at(Real a, int) {
  return a;
}
template <int W>
RIGID_INLINE double lane_at(wide<W> a, int lane) {
  return a.lane(lane);
}
template <class Real>
  requires std::is_arithmetic_v<Real>
RIGID_INLINE void set_lane(Real& to, int, Real from) {
  to = from;
}
template <int W>
RIGID_INLINE void set_lane(wide<W>& to, int lane, double from) {
  to.set(lane, from);
}

// W consecutive doubles or floats.
template <int W>
RIGID_INLINE number<W> read_numbers(const double* from) {
  number<W> numbers;
  std::memcpy(&numbers, from, sizeof numbers);
  return numbers;
}
template <int W>
RIGID_INLINE void write_numbers(number<W> numbers, double* to) {
  std::memcpy(to, &numbers, sizeof numbers);
}
template <int W>
RIGID_INLINE lanes<W> read_lanes(const float* from) {
  lanes<W> number;
  std::memcpy(&number, from, sizeof number);
  return number;
}
template <int W>
RIGID_INLINE void write_lanes(lanes<W> number, float* to) {
  std::memcpy(to, &number, sizeof number);
}

template <int W>
struct WideSineCosine {
  wide<W> sine, cosine;
};
// As sine_cosine of math.h, for angles below 6e9.
template <int W>
RIGID_INLINE WideSineCosine<W> sine_cosine(wide<W> angle) {
  using Number = wide<W>;
  using bits = typename Number::bits;
  // In a double of this size the last bit counts ones.
  const Number ones = 6755399441055744.0, one = 1;
  const Number turns = angle * 0.63661977236758134308 + 0.5;
  const Number nearest = (turns + ones) - ones;
  const Number k = select(turns < nearest, nearest - one, nearest);
  const Number x = quarter_rest(angle, k), z = x * x;
  const Number s = sine_series(x, z), c = cosine_series(z), counted = k + ones;
  const typename Number::mask odd = {{-(bits(counted.v[0]) & 1), -(bits(counted.v[1]) & 1)}};
  const bits second[2] = {bits(counted.v[0]) & 2, bits(counted.v[1]) & 2};
  const typename Number::mask turned = {{-(second[0] >> 1), -(second[1] >> 1)}};
  const Number sine = select(odd, c, s), cosine = select(odd, -s, c);
  return {select(turned, -sine, sine), select(turned, -cosine, cosine)};
}

template <int W>
struct WideVec2 {
  wide<W> x, y;
  friend RIGID_INLINE WideVec2 operator+(WideVec2 a, WideVec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend RIGID_INLINE WideVec2 operator-(WideVec2 a, WideVec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend RIGID_INLINE wide<W> dot(WideVec2 a, WideVec2 b) { return a.x * b.x + a.y * b.y; }
  friend RIGID_INLINE wide<W> cross(WideVec2 a, WideVec2 b) { return a.x * b.y - a.y * b.x; }
};

}  // namespace rigid

#endif
