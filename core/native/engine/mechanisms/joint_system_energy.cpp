// SPDX-License-Identifier: MIT
// What a mechanism may gain: nothing, but what forces and motors give it.
//
// The impulses of a substep act along the directions that joints have at its beginning. Where a
// light body between heavy ones turns by a radian meanwhile, they, the corrections of errors and
// the pulls of springs do work that no joint can do. It is counted for each mechanism, over all of
// its time: a swing gains a little in one substep and loses it in another. What goes beyond that is
// taken back, from what joints changed of the motion in the substep: the velocities go as far as it
// takes towards those that forces alone would give, brought to rest against the joints at the
// bodies' new places, which can only lose. That is projecting on what energy there is, as in Dinev,
// Liu, Li, Thomaszewski and Kavan, "FEPR: Fast Energy Projection for Real-time Simulation of
// Deformable Objects" (2018), along the direction in which it is in doubt.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/mechanisms/joint_system.h"
#include "engine/mechanisms/stairs.h"

namespace rigid {

// What springs stored in this substep.
double SystemRows::gain_of_springs(const KernelContext& context) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (AxialRow at : springs_) {
    const SystemNode& node = nodes_[at.node];
    const Axial& axial = node.axial[at.row];
    const bool mouse = node.type->pulls, limits = axial.lower || axial.upper;
    if (axial.across || (mouse && at.row > 0)) continue;
    const double k = axial.stiffness;
    const double most = axial.limited || mouse ? axial.maximum / step_.h : infinity;
    auto stretch_at = [&](double coordinate) {
      if (!limits) return coordinate - axial.target;
      const double above = axial.upper ? std::max(coordinate - axial.upper_at, 0.0) : 0.0;
      return above + (axial.lower ? std::min(coordinate - axial.lower_at, 0.0) : 0.0);
    };
    auto length = [](double x, double y) { return std::sqrt(x * x + y * y); };
    const Axial& other = node.axial[1];
    const double now =
        mouse ? length(axial.coordinate, other.coordinate) : stretch_at(axial.coordinate);
    const double before = mouse ? length(axial.coordinate_before, other.coordinate_before)
                                : stretch_at(axial.coordinate_before);
    sum += spring_energy(k, now, most) - spring_energy(k, before, most);
    const bool known = axial.mode == Stair::most || axial.mode == Stair::least;
    if (axial.implicit && !known) continue;
    for (int i = at.row; i < at.row + (mouse ? 2 : 1); ++i) {
      const Axial& row = node.axial[i];
      auto pull = [&](double stretch) { return std::clamp(k * stretch, -most, most); };
      sum -= 0.5 * step_.h * pull(stretch_at(row.coordinate)) * speed_along(context, node, i);
      sum += 0.5 * step_.h * pull(stretch_at(row.coordinate_before)) * row.speed_before;
    }
  }
  return sum;
}

// Of one that gives all it has that, and of others at most what they gave. A motor that keeps its
// bodies at rest against each other gives nothing.
double SystemRows::work_of_motors(const KernelContext& context) const {
  double sum = 0;
  for (AxialRow at : axial_) {
    const Axial& axial = nodes_[at.node].axial[at.row];
    if (!axial.motor || axial.soft || axial.brakes()) continue;
    const double impulse = motor_share(axial);
    const double work = impulse * (axial.coordinate - axial.coordinate_before) / step_.h;
    const bool known = axial.mode == Stair::most || axial.mode == Stair::least;
    const double speed = speed_along(context, nodes_[at.node], at.row);
    sum += known ? work - 0.5 * impulse * (speed - axial.speed_before) : std::max(work, 0.0);
  }
  return sum;
}

void JointSystem::open_account(const KernelContext& context) {
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    axial.coordinate_before = axial.coordinate;
    axial.speed_before = speed_along(context, nodes_[at.node], at.row);
  }
  account_.open(context);
}

void JointSystem::keep_energy(const KernelContext& context) {
  if (!accounted_) return;
  const double gained = account_.gained(context, work_of_motors(context));
  const double stored = gain_of_springs(context);
  const double excess = account_.excess_with(gained + stored);
  if (!(excess > 0)) return;
  double taken = give_back(context, excess);
  // Bodies that were given an inertia do not lose by it what they have. What they gained in this
  // substep is taken from all motion of the mechanism's parts against each other.
  const double rest = std::min(excess, gained + std::min(stored, 0.0)) - taken;
  if (rest > 0) taken += account_.slow_down(context, rest, is_held());
  account_.take(taken);
}

// Takes energy from what the joints did to the bodies since forces acted, and returns how much.
double JointSystem::give_back(const KernelContext& context, double excess) {
  if (!factored_) factor();
  const std::size_t count = bodies_.size();
  for (std::size_t i = 0; i < count; ++i) {
    BodyState& state = context.states[bodies_[i]];
    saved_[i] = state;
    state.vx = account_.forced(i).vx;
    state.vy = account_.forced(i).vy;
    state.omega = account_.forced(i).omega;
  }
  for (SystemNode& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      const bool acts = !node.axial[i].present || node.axial[i].on;
      node.x[i] = acts ? -speed_along(context, node, i) : 0;
    }
  }
  factors_.substitute(nodes_);
  apply_impulses(context);
  // The kinetic energy a share s of the change: had + 2 slope s + bend s^2, halved.
  double slope = 0, bend = 0;
  for (std::size_t i = 0; i < count; ++i) {
    BodyState& change = context.states[bodies_[i]];
    change.vx -= saved_[i].vx;
    change.vy -= saved_[i].vy;
    change.omega -= saved_[i].omega;
    slope += EnergyAccount::product(account_.own(i), saved_[i], change);
    bend += EnergyAccount::product(account_.own(i), change, change);
  }
  double share = 0;  // and none where numbers have no end
  if (slope < 0 && std::isfinite(slope) && std::isfinite(bend)) {
    const double root = slope * slope - 2 * bend * excess;
    share = root > 0 ? 2 * excess / (std::sqrt(root) - slope) : -slope / bend;
    share = std::min(share, 1.0);
  }
  for (std::size_t i = 0; i < count; ++i) {
    BodyState& state = context.states[bodies_[i]];
    const BodyState change = state;
    state = saved_[i];
    if (share == 0) continue;
    state.vx += static_cast<float>(share * change.vx);
    state.vy += static_cast<float>(share * change.vy);
    state.omega += static_cast<float>(share * change.omega);
  }
  return share > 0 ? -(slope + 0.5 * bend * share) * share : 0;
}

// Whether something that does not move holds it, and takes what momentum it loses.
bool SystemRows::is_held() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const SystemNode& node) {
    return !node.soft && (node.type->over_wheels || !(node.moves_a && node.moves_b));
  });
}

}  // namespace rigid
