// SPDX-License-Identifier: MIT
// The energy bound of directly solved mechanisms: no gain except from forces and motors. Of one
// world or of W.
//
// The impulses of a substep act along the directions that joints have at its beginning. Where a
// light body between heavy ones turns by a radian meanwhile, these impulses, the corrections of
// errors and the pulls of springs do work that no joint can do. The work is counted for each
// mechanism over its whole life: a swing gains a little in one substep and loses it in another. An
// excess is removed from the change of motion that joints made in the substep: the velocities are
// blended, as far as needed, towards those that forces alone would give, projected onto the joints
// at the bodies' new places, which can only lose energy. This is energy projection as in Dinev,
// Liu, Li, Thomaszewski and Kavan, "FEPR: Fast Energy Projection for Real-time Simulation of
// Deformable Objects" (2018), along the direction of the uncertain motion.
#ifndef RIGID_ENGINE_MECHANISMS_DIRECT_ENERGY_H
#define RIGID_ENGINE_MECHANISMS_DIRECT_ENERGY_H

#include <algorithm>
#include <limits>

#include "engine/mechanisms/direct_solve.h"

namespace rigid {

// The work of motors in the substep. A motor at its maximum counts in full, any other at most with
// the work of its impulse. A motor that holds its bodies at rest against each other does no work.
template <int W, bool fixed>
auto DirectJoints<W, fixed>::work_of_motors(const State* states) const -> Number {
  const Number none = 0;
  Number sum = 0;
  for (const AxialRow& row : axial_) {
    if (!row.motor) continue;
    if constexpr (!fixed) {
      if (row.soft || row.brakes()) continue;
    }
    const Number impulse = motor_share(row);
    const Number work = impulse * (row.coordinate - row.coordinate_before) / step_.h;
    const Mask known = (row.mode == RowMode::most) | (row.mode == RowMode::least);
    const Number speed = speed_along(states, nodes_[row.node], row.row);
    const Number given =
        select(known, work - 0.5 * impulse * (speed - row.speed_before), greater(work, none));
    sum += row.position ? given : select(row.target == none, none, given);
  }
  return sum;
}

template <int W, bool fixed>
bool DirectJoints<W, fixed>::is_held() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    return !node.soft && (node.type->takes_momentum() || !(node.moves_a && node.moves_b));
  });
}

template <int W, bool fixed>
void DirectJoints<W, fixed>::keep_energy(State* states, const Body* bodies) {
  if (!accounted_) return;
  const Number none = 0, gained = account_.gained(states, work_of_motors(states));
  Number stored = none;
  if constexpr (!fixed) stored = gain_of_springs(states);
  const Number excess = account_.excess_with(gained + stored);
  const Mask gains = excess > none;
  if (!any(gains)) return;
  Number taken = give_back(states, excess, gains);
  // Bodies with added inertia keep their energy in this removal. The gain of this substep is taken
  // from the relative motion of the mechanism's parts.
  const Number rest = lesser(excess, gained + lesser(stored, none)) - taken;
  const Mask more = gains & (rest > none);
  if (any(more)) {
    Number slowed = none;
    if constexpr (fixed) {
      using Motion = typename decltype(account_)::Velocity;
      slowed = account_.slow_down(states, rest, more, [](const auto&) { return Motion{0, 0, 0}; });
    } else {
      slowed = account_.slow_down(states, bodies, rest, is_held());
    }
    taken = select(more, taken + slowed, taken);
  }
  account_.take(select(gains, taken, none));
}

// Removes energy from the change of motion that joints made since forces acted; returns how much.
template <int W, bool fixed>
auto DirectJoints<W, fixed>::give_back(State* states, Number excess, Mask which) -> Number {
  const Number none = 0, whole = 1;
  if (!factored_) factor();
  save_velocities(states);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    State& state = states[bodies_[i]];
    state.vx = account_.forced(i).vx;
    state.vy = account_.forced(i).vy;
    state.omega = account_.forced(i).omega;
  }
  for (Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      node.x[i] = select(acts(node, i), -speed_along(states, node, i), none);
    }
  }
  substitute();
  apply_impulses(states, !Mask{});
  // The kinetic energy after a share s of the change: (had + 2 slope s + bend s^2) / 2.
  Number slope = 0, bend = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    State& change = states[bodies_[i]];
    change.vx = single(change.vx - saved_[i].vx);
    change.vy = single(change.vy - saved_[i].vy);
    change.omega = single(change.omega - saved_[i].omega);
    slope += energy_product(account_.own(i), saved_[i], change);
    bend += energy_product(account_.own(i), change, change);
  }
  // No blending where values overflow.
  const Number infinity = std::numeric_limits<double>::infinity();
  const Number steepness = absolute(slope), curvature = absolute(bend);
  const Mask known = (slope < none) & (steepness < infinity) & (curvature < infinity);
  const Number square = slope * slope - 2 * bend * excess;
  const Number some = select(square > none, 2 * excess / (root(square) - slope), -slope / bend);
  const Number share = select(known, lesser(some, whole), none);
  const Mask moves = which & !(share == none);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    State& state = states[bodies_[i]];
    auto part = [&](auto saved, auto change) {
      return select(moves, single(saved + single(share * change)), saved);
    };
    state.vx = part(saved_[i].vx, state.vx);
    state.vy = part(saved_[i].vy, state.vy);
    state.omega = part(saved_[i].omega, state.omega);
  }
  return select(share > none, -(slope + 0.5 * bend * share) * share, none);
}

}  // namespace rigid

#endif
