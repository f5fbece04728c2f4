// SPDX-License-Identifier: MIT
// Small vectors and rotations, and the trigonometry of the engine.
//
// Trigonometry is written from + - * / and sqrt alone: those are exact to the last bit on every
// processor that follows IEEE 754, unlike the functions of a C library. Everything here is always
// inlined, because the wide solver compiles these lines again for other instruction sets and the
// linker must never mix the copies.
#ifndef RIGID_MATH_H
#define RIGID_MATH_H

#include <cmath>
#include <type_traits>

#define RIGID_INLINE __attribute__((always_inline)) inline

namespace rigid {

constexpr float pi = 3.14159265358979323846f;

struct Vec2 {
  float x, y;
};

RIGID_INLINE Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
RIGID_INLINE Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
RIGID_INLINE Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
RIGID_INLINE Vec2 operator*(float s, Vec2 a) { return {s * a.x, s * a.y}; }
RIGID_INLINE bool operator==(Vec2 a, Vec2 b) { return a.x == b.x && a.y == b.y; }
RIGID_INLINE float dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
RIGID_INLINE float cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
// w x r for a spin w about the axis out of the plane.
RIGID_INLINE Vec2 cross(float w, Vec2 r) { return {-w * r.y, w * r.x}; }
// A quarter turn counter-clockwise, and clockwise.
RIGID_INLINE Vec2 left_perpendicular(Vec2 a) { return {-a.y, a.x}; }
RIGID_INLINE Vec2 right_perpendicular(Vec2 a) { return {a.y, -a.x}; }
RIGID_INLINE float length_squared(Vec2 a) { return a.x * a.x + a.y * a.y; }
RIGID_INLINE float length(Vec2 a) { return std::sqrt(a.x * a.x + a.y * a.y); }
RIGID_INLINE Vec2 lerp(Vec2 a, Vec2 b, float t) {
  return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}
// Selects a value, as in lanes for several numbers.
template <class Value>
  requires std::is_arithmetic_v<Value> || std::is_enum_v<Value>
RIGID_INLINE Value select(bool which, Value a, Value b) {
  return which ? a : b;
}
RIGID_INLINE double absolute(double a) { return std::fabs(a); }
RIGID_INLINE float min(float a, float b) { return a < b ? a : b; }
RIGID_INLINE float max(float a, float b) { return a > b ? a : b; }
RIGID_INLINE float clamp(float a, float lo, float hi) { return a < lo ? lo : (a > hi ? hi : a); }
RIGID_INLINE Vec2 min(Vec2 a, Vec2 b) { return {min(a.x, b.x), min(a.y, b.y)}; }
RIGID_INLINE Vec2 max(Vec2 a, Vec2 b) { return {max(a.x, b.x), max(a.y, b.y)}; }

struct Double2 {
  double x, y;
};

RIGID_INLINE Double2 operator+(Double2 a, Double2 b) { return {a.x + b.x, a.y + b.y}; }
RIGID_INLINE Double2 operator-(Double2 a, Double2 b) { return {a.x - b.x, a.y - b.y}; }
RIGID_INLINE Double2 operator*(double s, Double2 a) { return {s * a.x, s * a.y}; }
RIGID_INLINE double dot(Double2 a, Double2 b) { return a.x * b.x + a.y * b.y; }
RIGID_INLINE double cross(Double2 a, Double2 b) { return a.x * b.y - a.y * b.x; }
RIGID_INLINE double length(Double2 a) { return std::sqrt(dot(a, a)); }

// The inverse of an effective mass or a stiffness, which may be 0.
RIGID_INLINE double inverse_or_zero(double k) { return k > 0 ? 1 / k : 0; }

// The direction of a, or zero if a is too short.
RIGID_INLINE Vec2 normalize(Vec2 a) {
  float n = length(a);
  if (n < 1e-18f) return {0.0f, 0.0f};
  float s = 1.0f / n;
  return {s * a.x, s * a.y};
}

// A rotation, stored as the cosine and sine of its angle.
struct Rotation {
  float c, s;
};

RIGID_INLINE Vec2 rotate(Rotation q, Vec2 v) {
  return {q.c * v.x - q.s * v.y, q.s * v.x + q.c * v.y};
}
RIGID_INLINE Vec2 inverse_rotate(Rotation q, Vec2 v) {
  return {q.c * v.x + q.s * v.y, -q.s * v.x + q.c * v.y};
}
// First b, then a.
RIGID_INLINE Rotation operator*(Rotation a, Rotation b) {
  return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}
// The rotation from a to b: a^-1 b.
RIGID_INLINE Rotation inverse_multiply(Rotation a, Rotation b) {
  return {a.c * b.c + a.s * b.s, a.c * b.s - a.s * b.c};
}

// x -> rotate(q, x) + p
struct Transform {
  Vec2 p;
  Rotation q;
};

RIGID_INLINE Vec2 apply(const Transform& t, Vec2 v) { return rotate(t.q, v) + t.p; }
RIGID_INLINE Vec2 inverse_apply(const Transform& t, Vec2 v) { return inverse_rotate(t.q, v - t.p); }

struct Aabb {
  Vec2 lower, upper;
};

RIGID_INLINE bool overlaps(const Aabb& a, const Aabb& b) {
  return !(b.lower.x > a.upper.x || b.lower.y > a.upper.y || a.lower.x > b.upper.x ||
           a.lower.y > b.upper.y);
}
RIGID_INLINE bool contains(const Aabb& a, const Aabb& b) {
  return a.lower.x <= b.lower.x && a.lower.y <= b.lower.y && b.upper.x <= a.upper.x &&
         b.upper.y <= a.upper.y;
}
RIGID_INLINE Aabb merge(const Aabb& a, const Aabb& b) {
  return {min(a.lower, b.lower), max(a.upper, b.upper)};
}

// Sine and cosine in double precision. The argument is reduced to [-pi/4, pi/4] in two parts of
// pi/2 (Cody and Waite, 1980), then the Taylor series is summed, whose first dropped term is below
// 1e-17 there. Angles beyond 1e9 turns have no direction left in a double and give (1, 0).
struct SineCosine {
  double sine, cosine;
};

RIGID_INLINE Double2 turned(const SineCosine& q, Vec2 v) {
  return {q.cosine * v.x - q.sine * v.y, q.sine * v.x + q.cosine * v.y};
}

// The remainder of an angle minus k times pi/2: pi/2 to 33 bits, and the rest of it.
template <class Number>
RIGID_INLINE Number quarter_rest(Number angle, Number k) {
  return (angle - k * 1.57079632673412561417) - k * 6.07710050650619224932e-11;
}
template <class Number>
RIGID_INLINE Number sine_series(Number x, Number z) {
  return x * (1.0 + z * (-1.0 / 6 +
                         z * (1.0 / 120 +
                              z * (-1.0 / 5040 + z * (1.0 / 362880 +
                                                      z * (-1.0 / 39916800 +
                                                           z * (1.0 / 6227020800.0 +
                                                                z * (-1.0 / 1307674368000.0))))))));
}
template <class Number>
RIGID_INLINE Number cosine_series(Number z) {
  return 1.0 +
         z * (-0.5 + z * (1.0 / 24 +
                          z * (-1.0 / 720 + z * (1.0 / 40320 +
                                                 z * (-1.0 / 3628800 +
                                                      z * (1.0 / 479001600 +
                                                           z * (-1.0 / 87178291200.0 +
                                                                z * (1.0 / 20922789888000.0))))))));
}

inline SineCosine sine_cosine(double angle) {
  if (!(angle > -6e9 && angle < 6e9)) return {0.0, 1.0};
  double k = std::floor(angle * 0.63661977236758134308 + 0.5);
  double x = quarter_rest(angle, k);
  double z = x * x;
  double s = sine_series(x, z);
  double c = cosine_series(z);
  switch (static_cast<long long>(k) & 3) {
    case 0:
      return {s, c};
    case 1:
      return {c, -s};
    case 2:
      return {-s, -c};
    default:
      return {-c, s};
  }
}

inline Rotation make_rotation(double angle) {
  SineCosine sc = sine_cosine(angle);
  return {static_cast<float>(sc.cosine), static_cast<float>(sc.sine)};
}

// The same for an angle in (-0.5, 0.5), of one or several numbers: `number` converts a float.
template <class Number, class Make>
RIGID_INLINE void small_turn(Number angle, Make number, Number& c, Number& s) {
  const Number z = angle * angle;
  c = number(1.0f) + z * (number(-0.5f) + z * (number(1.0f / 24) + z * number(-1.0f / 720)));
  s = angle * (number(1.0f) +
               z * (number(-1.0f / 6) + z * (number(1.0f / 120) + z * number(-1.0f / 5040))));
}
// For a rotation within one step, which is nearly always small.
RIGID_INLINE Rotation small_rotation(float angle) {
  if (!(angle > -0.5f && angle < 0.5f)) return make_rotation(angle);
  Rotation q;
  small_turn(angle, [](float number) { return number; }, q.c, q.s);
  return q;
}

// The angle of (x, y), in (-pi, pi], in double precision; 0 at the origin. The tangent in [0, 1] is
// reduced to within 1/8 of a quarter k/4 by atan t = atan k/4 + atan((t - k/4) / (1 + t k/4)), then
// the series is summed; its first dropped term is below 4e-19.
inline double arc_tangent(double y, double x) {
  constexpr double quarters[5] = {0.0, 0.24497866312686415417, 0.46364760900080611621,
                                  0.64350110879328438680, 0.78539816339744830962};
  double ax = std::fabs(x);
  double ay = std::fabs(y);
  bool steep = ay > ax;
  double larger = steep ? ay : ax;
  if (!(larger > 0.0)) return 0.0;
  double t = (steep ? ax : ay) / larger;
  int k = static_cast<int>(4.0 * t + 0.5);
  double q = 0.25 * k;
  double u = (t - q) / (1.0 + t * q);
  double z = u * u;
  double series =
      u *
      (1.0 +
       z * (-1.0 / 3 +
            z * (1.0 / 5 +
                 z * (-1.0 / 7 +
                      z * (1.0 / 9 +
                           z * (-1.0 / 11 + z * (1.0 / 13 + z * (-1.0 / 15 + z * (1.0 / 17)))))))));
  double angle = quarters[k] + series;
  if (steep) angle = 1.57079632679489661923 - angle;
  if (x < 0.0) angle = 3.14159265358979323846 - angle;
  return y < 0.0 ? -angle : angle;
}

}  // namespace rigid

#endif
