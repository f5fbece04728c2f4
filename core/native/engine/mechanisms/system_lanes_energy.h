// SPDX-License-Identifier: MIT
// What mechanisms of W worlds may gain, side by side: energy_account.cpp and
// joint_system_energy.cpp.
#ifndef RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_ENERGY_H
#define RIGID_ENGINE_MECHANISMS_SYSTEM_LANES_ENERGY_H

#include <limits>

#include "engine/mechanisms/system_lanes_solve.h"

namespace rigid {

template <int W>
wide<W> SystemLanes<W>::kinetic_energy() const {
  Number sum = 0;
  for (int i = 0; i < own_count_; ++i) {
    const State& s = bodies_[plan_->bodies_[i]];
    const Mass& own = accounts_[i].own;
    sum += own.mass * (s.vx * s.vx + s.vy * s.vy) + own.inertia * (s.omega * s.omega);
  }
  return 0.5 * sum;
}

template <int W>
wide<W> SystemLanes<W>::work_of_forces() const {
  const double h = plan_->account_.h_;
  const Number none = 0, half = 0.5;
  Number sum = 0;
  for (int i = 0; i < own_count_; ++i) {
    const State& a = accounts_[i].began;
    const Velocity& b = accounts_[i].forced;
    const State& now = bodies_[plan_->bodies_[i]];
    const Number ahead = select((now.vx == b.vx) & (now.vy == b.vy), none, half);
    auto path = [&](Number moved, Number speed, Number speed_before, Number share) {
      return moved / h - share * (speed - speed_before);
    };
    const Number x = path(now.dx - a.dx, now.vx, a.vx, ahead);
    const Number y = path(now.dy - a.dy, now.vy, a.vy, ahead);
    const Number turn = path(now.delta_angle - a.delta_angle, now.omega, a.omega,
                             select(now.omega == b.omega, none, half));
    sum += accounts_[i].effective.mass * ((b.vx - a.vx) * x + (b.vy - a.vy) * y);
    sum += accounts_[i].effective.inertia * (b.omega - a.omega) * turn;
  }
  return sum;
}

template <int W>
wide<W> SystemLanes<W>::work_of_motors() const {
  const Number none = 0;
  Number sum = 0;
  for (int i = 0; i < axial_count_; ++i) {
    const Row& row = axial_[i];
    if (!row.data.motor) continue;
    const Number impulse = motor_share(row.data, row.stair);
    const Number work = impulse * (row.data.coordinate - row.data.coordinate_before) / step_.h;
    const Mask known = (row.stair == Stair::most) | (row.stair == Stair::least);
    const Number speed = speed_along(nodes_[row.node], row.row);
    const Number given =
        select(known, work - 0.5 * impulse * (speed - row.data.speed_before), greater(work, none));
    sum += row.data.position ? given : select(row.data.target == none, none, given);
  }
  return sum;
}

// Twice the kinetic energy, or the same of two velocities.
template <int W>
RIGID_INLINE wide<W> SystemLanes<W>::product(const Mass& m, const Velocity& a, const Velocity& b) {
  return m.mass * (a.vx * b.vx + a.vy * b.vy) + m.inertia * (a.omega * b.omega);
}

// Which worlds are to be stepped alone.
template <int W>
auto SystemLanes<W>::keep_energy() -> Mask {
  if (!accounted_) return Mask::none();
  const Number none = 0;
  const Number given = work_of_forces() + work_of_motors();
  const Number gained = kinetic_energy() - kinetic_before_ - given + none;
  balance_ = greater(balance_ + gained, -constants::most_regain * reference_);
  const Number excess = balance_ - constants::most_gain * reference_;
  const Mask gains = excess > none;
  if (!gains.any()) return Mask::none();
  Number taken = give_back(excess, gains);
  const Number rest = lesser(excess, gained + none) - taken;
  const Mask more = gains & (rest > none);
  Mask alone = Mask::none();
  if (more.any()) {
    if (plan_->is_held()) {
      taken = select(more, taken + slow_down(rest, more), taken);
    } else {
      alone = more;
    }
  }
  balance_ = select(gains, balance_ - taken, balance_);
  return alone;
}

// See JointSystem::give_back.
template <int W>
wide<W> SystemLanes<W>::give_back(Number excess, Mask which) {
  const Number none = 0, one = 1;
  if (!factored_) factor();
  for (int i = 0; i < own_count_; ++i) {
    State& state = bodies_[plan_->bodies_[i]];
    saved_[i] = {state.vx, state.vy, state.omega};
    const Velocity& forced = accounts_[i].forced;
    state.vx = forced.vx;
    state.vy = forced.vy;
    state.omega = forced.omega;
  }
  for (int n = 0; n < nodes_count_; ++n) {
    Node& node = nodes_[n];
    for (int i = 0; i < node.plan->rows; ++i) {
      node.x[i] = select(acts(node, i), -speed_along(node, i), none);
    }
  }
  substitute();
  apply_impulses(Mask::all());
  Number slope = 0, bend = 0;
  Velocity changes[LaneTask::most_bodies];
  for (int i = 0; i < own_count_; ++i) {
    const State& state = bodies_[plan_->bodies_[i]];
    const Velocity& saved = saved_[i];
    changes[i] = {rounded(state.vx - saved.vx), rounded(state.vy - saved.vy),
                  rounded(state.omega - saved.omega)};
    slope += product(accounts_[i].own, saved, changes[i]);
    bend += product(accounts_[i].own, changes[i], changes[i]);
  }
  const Number infinity = std::numeric_limits<double>::infinity();
  const Mask known = (slope < none) & (absolute(slope) < infinity) & (absolute(bend) < infinity);
  const Number square = slope * slope - 2 * bend * excess;
  const Number some = select(square > none, 2 * excess / (root(square) - slope), -slope / bend);
  const Number share = select(known, lesser(some, one), none);
  const Mask moves = which & !(share == none);
  for (int i = 0; i < own_count_; ++i) {
    State& state = bodies_[plan_->bodies_[i]];
    auto part = [&](Number saved, Number change) {
      return select(moves, rounded(saved + rounded(share * change)), saved);
    };
    state.vx = part(saved_[i].vx, changes[i].vx);
    state.vy = part(saved_[i].vy, changes[i].vy);
    state.omega = part(saved_[i].omega, changes[i].omega);
  }
  return select(share > none, -(slope + 0.5 * bend * share) * share, none);
}

// See EnergyAccount::slow_down, of what something holds.
template <int W>
wide<W> SystemLanes<W>::slow_down(Number excess, Mask which) {
  const Number none = 0, one = 1, had = kinetic_energy();
  Number inner = 0;
  for (int i = 0; i < own_count_; ++i) {
    const State& state = bodies_[plan_->bodies_[i]];
    const Velocity own = {state.vx, state.vy, state.omega};
    inner += 0.5 * product(accounts_[i].own, own, own);
  }
  const Number share = select(inner > excess, root(one - excess / inner), none);
  for (int i = 0; i < own_count_; ++i) {
    State& state = bodies_[plan_->bodies_[i]];
    state.vx = select(which, rounded(none + share * state.vx), state.vx);
    state.vy = select(which, rounded(none + share * state.vy), state.vy);
    state.omega = select(which, rounded(none + share * state.omega), state.omega);
  }
  return had - kinetic_energy();
}

}  // namespace rigid

#endif
