// SPDX-License-Identifier: MIT
// The formulas of a body's motion in a substep, of one body (Number is float) or of the same body
// in several worlds (lanes<W>).
#ifndef RIGID_ENGINE_BODIES_MOTION_FORMULAS_H
#define RIGID_ENGINE_BODIES_MOTION_FORMULAS_H

#include "math.h"

namespace rigid {

// A speed after forces and damping: v' = factor v + gained. `correction` is the difference of the
// substep's path to h v' without other influences: h (v - v') / 2.
template <class Number>
RIGID_INLINE Number pushed_speed(Number speed, Number factor, Number gained, Number half_step,
                                 Number& correction) {
  const Number after = speed * factor + gained;
  correction = half_step * (speed - after);
  return after;
}

// The path after a substep; `free`: only forces have acted, so that the mean of the speeds before
// and after is the exact motion under constant acceleration.
template <class Number, class Mask>
RIGID_INLINE Number moved_path(Number path, Number speed, Number step, Mask free,
                               Number correction) {
  const Number moved = path + step * speed;
  return select(free, moved + correction, moved);
}

// The motion of a body's farthest point since its sweep was checked.
template <class Number>
RIGID_INLINE Number swept_path(Number x, Number y, Number turn, Number core_extent) {
  return max(x, -x) + max(y, -y) + max(turn, -turn) * core_extent;
}

}  // namespace rigid

#endif
