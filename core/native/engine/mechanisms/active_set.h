// SPDX-License-Identifier: MIT
// Target speeds and mode changes of limits and motors (direct_joints.h), for one row or for those
// of W worlds side by side.
#ifndef RIGID_ENGINE_MECHANISMS_ACTIVE_SET_H
#define RIGID_ENGINE_MECHANISMS_ACTIVE_SET_H

#include <limits>

#include "engine/data/constants.h"
#include "engine/mechanisms/direct_rows.h"

namespace rigid {

// The share of an error to remove in a substep: all of a small error, a bounded distance of a large
// one. Less while other bodies rest on the mechanism: a contact sees only the light bodies that it
// touches, and throws off their load when they snap back.
template <class Number>
RIGID_INLINE Number correction_of(const SystemStep& step, Number error, bool angular) {
  if (!step.corrects) return 0;
  const Number size = absolute(error), most = step.most_of(angular), whole = 1.0;
  const Number share = select(size <= most, whole, most / size);
  return step.touched ? constants::touched_correction * share : share;
}

// The speed that removes this share of the error within the substep.
template <class Number>
RIGID_INLINE Number correcting_speed(const SystemStep& step, Number error, bool angular) {
  return -correction_of(step, error, angular) * error / step.h;
}

// The least speed that keeps a row above its lower limit in this substep, or brings it back to it.
template <class Number>
RIGID_INLINE Number lower_speed(const ActiveRow<Number>& row, const SystemStep& step,
                                bool relaxing) {
  if (!row.lower) return -std::numeric_limits<double>::infinity();
  const Number gap = row.coordinate - row.lower_at;
  const Number back = relaxing ? 0 : correcting_speed(step, gap, row.angular);
  return select(gap > 0, -gap / step.h, back);
}

template <class Number>
RIGID_INLINE Number upper_speed(const ActiveRow<Number>& row, const SystemStep& step,
                                bool relaxing) {
  if (!row.upper) return std::numeric_limits<double>::infinity();
  const Number gap = row.coordinate - row.upper_at;
  const Number back = relaxing ? 0 : correcting_speed(step, gap, row.angular);
  return select(gap < 0, -gap / step.h, back);
}

// The speed that takes a servo motor to its target position within the substep, bounded by the
// speed from which it can still brake.
template <class Number>
RIGID_INLINE Number servo_speed(const ActiveRow<Number>& row, const SystemStep& step) {
  const Number distance = row.target - row.coordinate, size = absolute(distance);
  const Number usual = step.most_of(row.angular) / step.h;
  const Number fastest = select(row.fastest > 0, row.fastest, usual);
  const Number most = lesser(step.servo_rate * size, fastest);
  const Number braking = lesser(most, root(row.approach * size));
  return with_sign(select(row.approach > 0, braking, most), distance);
}

// The target speed of a motor. A motor without a maximum, or one that stops at limits, is clamped
// to the speeds that the limits leave.
template <class Number>
RIGID_INLINE Number drive_speed(const ActiveRow<Number>& row, const SystemStep& step,
                                bool relaxing) {
  const Number speed = row.position ? row.heading : row.target;
  if (!row.stops) return speed;
  return greater(lesser(speed, upper_speed(row, step, relaxing)), lower_speed(row, step, relaxing));
}

// The target speed of a row in its mode; `error` is that of a row without a mode.
template <class Number, class Modes>
RIGID_INLINE Number wanted_speed(const ActiveRow<Number>& row, Modes mode, const SystemStep& step,
                                 Number error, bool relaxing) {
  const Number off = row.equal ? row.coordinate - row.lower_at : error;
  Number wanted = relaxing ? 0 : correcting_speed(step, off, row.angular);
  if (row.lower) {
    wanted = select(mode == RowMode::push_lower, lower_speed(row, step, relaxing), wanted);
  }
  if (row.upper) {
    wanted = select(mode == RowMode::push_upper, upper_speed(row, step, relaxing), wanted);
  }
  if (row.motor) wanted = select(mode == RowMode::drive, drive_speed(row, step, relaxing), wanted);
  return wanted;
}

template <class Modes>
RIGID_INLINE auto has_known_impulse(Modes mode) {
  return (mode == RowMode::idle) | (mode == RowMode::least) | (mode == RowMode::most);
}

// The missing part of the impulse, in modes whose impulse is known.
template <class Number, class Modes>
RIGID_INLINE Number missing_impulse(const ActiveRow<Number>& row, Modes mode) {
  const Number none = 0;
  const Number motor = select(mode == RowMode::least, row.lowest, row.highest);
  const Number whole = select(mode == RowMode::idle, none, motor);
  return select(has_known_impulse(mode), whole - row.sum, none);
}

// The motor's share of the impulse along its row: its maximum while it presses on a limit; a motor
// that only brakes contributes as much of the impulse as its bounds allow.
template <class Number, class Modes>
RIGID_INLINE Number motor_share(const ActiveRow<Number>& row, Modes mode) {
  if (!row.bounded) return row.sum;
  const Number some = between(row.sum, row.lowest, row.highest);
  if (row.stops) return some;
  const auto at_limit =
      (mode == RowMode::push_lower) | (mode == RowMode::push_upper) | (mode == RowMode::hold);
  const Number lead = row.position ? row.target - row.coordinate : row.target;
  const Number all = select(lead > 0, row.highest, row.lowest);
  return select(at_limit, select(lead == 0, some, all), some);
}

template <int W, bool fixed>
RIGID_INLINE number<W> motor_share(const AxialOf<W, fixed>& row) {
  if constexpr (!fixed) {
    if (row.soft) return row.sum;
  }
  const ActiveRow<number<W>>& active_row = row;
  return motor_share(active_row, row.mode);
}

// The initial guess: limits that would be passed push, and motors that were at their maximum stay
// there.
template <class Number, class Modes>
RIGID_INLINE Modes first_mode(const ActiveRow<Number>& row, Modes mode, const SystemStep& step,
                              Number speed) {
  if (row.equal) return RowMode::hold;
  const Number lower = lower_speed(row, step, false), upper = upper_speed(row, step, false);
  const Modes up = RowMode::push_lower, down = RowMode::push_upper;
  if (!row.motor) {
    const Modes idle = RowMode::idle;
    return select(speed < lower, up, select(speed > upper, down, idle));
  }
  const Number wanted = drive_speed(row, step, false);
  const Modes drive = RowMode::drive;
  const Modes before = select((mode == RowMode::least) | (mode == RowMode::most), mode, drive);
  return select(wanted > upper, down, select(wanted < lower, up, before));
}

// The mode that matches a row's impulse and speed: its current one or the next one.
template <class Number, class Modes>
RIGID_INLINE Modes next_mode(const ActiveRow<Number>& row, Modes mode, const SystemStep& step,
                             Number impulse, Number speed, Number blur, bool relaxing) {
  const Number none = 0;
  const Number most = row.motor ? row.highest : none, least = row.motor ? row.lowest : none;
  const Number lower = lower_speed(row, step, relaxing), upper = upper_speed(row, step, relaxing);
  const Number wanted = row.motor ? drive_speed(row, step, relaxing) : speed;
  const Modes above = row.motor ? RowMode::least : RowMode::idle;
  const Modes below = row.motor ? RowMode::most : RowMode::idle;
  const Modes drive = RowMode::drive, up = RowMode::push_lower, down = RowMode::push_upper;
  // Whether the motor drives into a limit, and so presses on it with its maximum. False without a
  // motor.
  const auto presses_down = wanted<lower, presses_up = wanted> upper;
  Modes next = select(speed < lower - blur, up, select(speed > upper + blur, down, mode));
  if (row.motor) {
    const Modes from_most =
        select(presses_down, up, select((!presses_up) & (speed > wanted + blur), drive, next));
    const Modes from_least =
        select(presses_up, down, select((!presses_down) & (speed < wanted - blur), drive, next));
    const Modes from_drive = select(impulse > most, below, select(impulse < least, above, mode));
    next = select(mode == RowMode::most, from_most, next);
    next = select(mode == RowMode::least, from_least, next);
    next = select(mode == RowMode::drive, from_drive, next);
  }
  if (row.lower) {
    const auto down_to = row.motor ? presses_down : none > none;
    const Modes leaves = select(down_to, above, below);
    const Modes from = select(impulse < select(down_to, least, most), leaves, mode);
    next = select(mode == RowMode::push_lower, from, next);
  }
  if (row.upper) {
    const auto up_to = row.motor ? presses_up : none > none;
    const Modes leaves = select(up_to, below, above);
    const Modes from = select(impulse > select(up_to, most, least), leaves, mode);
    next = select(mode == RowMode::push_upper, from, next);
  }
  return next;
}

// The change of speed along a row that is lost in the rounding of single precision.
template <class Number, class Velocity>
RIGID_INLINE Number blur_along(const Velocity& a, const Velocity& b, const Number* j) {
  constexpr double rounding = 4e-7;
  return rounding * (absolute(j[0] * a.vx) + absolute(j[1] * a.vy) + absolute(j[2] * a.omega) +
                     absolute(j[3] * b.vx) + absolute(j[4] * b.vy) + absolute(j[5] * b.omega));
}

}  // namespace rigid

#endif
