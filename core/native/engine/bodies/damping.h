// SPDX-License-Identifier: MIT
// The damping of velocities: c v of a velocity v per time. With an acceleration a, a substep of h
// results in
//   v' = f v + g h a,   f = e^(-c h),  g = (1 - f) / (c h)
// which is exact for any h, as is the limit speed a / c. Drag d, which is computed for each step,
// is implicit: the result is divided by 1 + g h d.
#ifndef RIGID_ENGINE_BODIES_DAMPING_H
#define RIGID_ENGINE_BODIES_DAMPING_H

namespace rigid {

// The factors f and g: of the velocity before, and of the velocity that forces add.
struct Damping {
  float kept = 1, gained = 1;
};

// e^-y for y >= 0: the Taylor series of e^(-y / 128), to the 128th power.
inline double exponential_decay(double y) {
  if (!(y < 100)) return 0;
  const double x = y * (-1.0 / 128);
  double power =
      1 +
      x * (1 +
           x / 2 *
               (1 +
                x / 3 *
                    (1 +
                     x / 4 *
                         (1 +
                          x / 5 *
                              (1 +
                               x / 6 * (1 + x / 7 * (1 + x / 8 * (1 + x / 9 * (1 + x / 10)))))))));
  for (int i = 0; i < 7; ++i) power *= power;
  return power;
}

inline Damping damping_of(double c, double drag, double h) {
  if (c == 0) {
    const float factor = 1.0f / (1.0f + static_cast<float>(h) * static_cast<float>(drag));
    return {factor, factor};
  }
  const double y = c * h, left = exponential_decay(y);
  const double gained = y < 1e-5 ? 1 - 0.5 * y : (1 - left) / y;
  const double shared = 1 / (1 + gained * h * drag);
  return {static_cast<float>(left * shared), static_cast<float>(gained * shared)};
}

}  // namespace rigid

#endif
