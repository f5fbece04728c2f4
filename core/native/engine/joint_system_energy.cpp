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
//
// Forces that are known when a substep begins act on velocities that are half a substep behind the
// places. What such a step keeps is m v^2 / 2 + U + h F v / 2, exactly where F = -dU/dx is linear
// (Hairer, Lubich and Wanner, "Geometric Numerical Integration", IX.3), and that is what is
// counted.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/joint_system.h"

namespace rigid {

namespace {
// Of the motion that there was: as much may be gained for a while, ...
constexpr double most_gain = 0.01;
// ... and so much of a loss be regained. The motion is forgotten within so many substeps.
constexpr double most_regain = 0.01;
constexpr double memory = 1.0 / 256;

double inverse_of(float inverse) { return inverse > 0.0f ? 1.0 / inverse : 0; }

// Of a spring that pulls with no more than `most`.
double energy_of(double stiffness, double stretch, double most) {
  const double reach = std::fabs(stretch), pull = stiffness * reach;
  if (pull <= most) return 0.5 * pull * reach;
  return most * (reach - 0.5 * most / stiffness);
}
}  // namespace

// Twice the kinetic energy, or the same of two velocities.
double JointSystem::product(const Mass& m, const BodyState& a, const BodyState& b) {
  const double linear = static_cast<double>(a.vx) * b.vx + static_cast<double>(a.vy) * b.vy;
  return m.mass * linear + m.inertia * (static_cast<double>(a.omega) * b.omega);
}

void JointSystem::weigh(const KernelContext& context) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const InverseMass own = context.own_masses[bodies_[i]], step = context.masses[bodies_[i]];
    own_[i] = {inverse_of(own.mass), inverse_of(own.inertia)};
    lent_[i] = {inverse_of(step.mass), inverse_of(step.inertia)};
  }
}

double JointSystem::kinetic_energy(const KernelContext& context) const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyState& s = context.states[bodies_[i]];
    sum += product(own_[i], s, s);
  }
  return 0.5 * sum;
}

// What springs stored in this substep.
double JointSystem::gain_of_springs(const KernelContext& context) const {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (AxialRow at : springs_) {
    const Node& node = nodes_[at.node];
    const Axial& axial = node.axial[at.row];
    const bool mouse = node.kind == JointKind::mouse, limits = axial.lower || axial.upper;
    if (axial.across || (mouse && at.row > 0)) continue;
    const double k = axial.stiffness;
    const double most = axial.motor || mouse ? axial.maximum / h_ : infinity;
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
    sum += energy_of(k, now, most) - energy_of(k, before, most);
    const bool known = axial.mode == Axial::most || axial.mode == Axial::least;
    if (axial.implicit && !known) continue;
    for (int i = at.row; i < at.row + (mouse ? 2 : 1); ++i) {
      const Axial& row = node.axial[i];
      auto pull = [&](double stretch) { return std::clamp(k * stretch, -most, most); };
      sum -= 0.5 * h_ * pull(stretch_at(row.coordinate)) * speed_along(context, node, i);
      sum += 0.5 * h_ * pull(stretch_at(row.coordinate_before)) * row.speed_before;
    }
  }
  return sum;
}

// Of gravity and whatever else gave the bodies their velocities before the joints were solved.
double JointSystem::work_of_forces(const KernelContext& context) const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyState &a = began_[i], &b = forced_[i], &now = context.states[bodies_[i]];
    // What nothing held has been moved by the mean velocity (World::integrate_positions).
    const double ahead = now.vx == b.vx && now.vy == b.vy ? 0 : 0.5;
    auto way = [&](double moved, double speed, double speed_before, double share) {
      return moved / h_ - share * (speed - speed_before);
    };
    const double x = way(static_cast<double>(now.dx) - a.dx, now.vx, a.vx, ahead);
    const double y = way(static_cast<double>(now.dy) - a.dy, now.vy, a.vy, ahead);
    const double turn =
        way(static_cast<double>(now.delta_angle) - a.delta_angle, now.omega, a.omega, 0.5);
    sum += lent_[i].mass *
           ((static_cast<double>(b.vx) - a.vx) * x + (static_cast<double>(b.vy) - a.vy) * y);
    sum += lent_[i].inertia * (static_cast<double>(b.omega) - a.omega) * turn;
  }
  return sum;
}

// Of one that gives all it has that, and of others at most what they gave.
double JointSystem::work_of_motors(const KernelContext& context) const {
  double sum = 0;
  for (AxialRow at : axial_) {
    const Axial& axial = nodes_[at.node].axial[at.row];
    if (!axial.motor || axial.soft) continue;
    const double impulse = motor_share(axial);
    const double work = impulse * (axial.coordinate - axial.coordinate_before) / h_;
    const bool known = axial.mode == Axial::most || axial.mode == Axial::least;
    const double speed = speed_along(context, nodes_[at.node], at.row);
    sum += known ? work - 0.5 * impulse * (speed - axial.speed_before) : std::max(work, 0.0);
  }
  return sum;
}

void JointSystem::open_account(const KernelContext& context) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) began_[i] = context.states[bodies_[i]];
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    axial.coordinate_before = axial.coordinate;
    axial.speed_before = speed_along(context, nodes_[at.node], at.row);
  }
  kinetic_before_ = kinetic_energy(context);
  account_.reference = std::max(kinetic_before_, account_.reference * (1 - memory));
}

void JointSystem::keep_energy(const KernelContext& context) {
  if (!accounted_) return;
  if (impulse_solver_) locate(context);  // after soft_step's last pass they are
  const double given = work_of_forces(context) + work_of_motors(context);
  const double gained = kinetic_energy(context) - kinetic_before_ - given;
  const double stored = gain_of_springs(context);
  account_.balance =
      std::max(account_.balance + gained + stored, -most_regain * account_.reference);
  const double excess = account_.balance - most_gain * account_.reference;
  if (!(excess > 0)) return;
  double taken = give_back(context, excess);
  // Bodies that were lent an inertia do not lose by it what they have. What they gained in this
  // substep is taken from all motion of the mechanism's parts against each other.
  const double rest = std::min(excess, gained + std::min(stored, 0.0)) - taken;
  if (rest > 0) taken += slow_down(context, rest);
  account_.balance -= taken;
}

// Takes energy from what the joints did to the bodies since forces acted, and returns how much.
double JointSystem::give_back(const KernelContext& context, double excess) {
  if (!factored_) factor();
  const std::size_t count = bodies_.size();
  for (std::size_t i = 0; i < count; ++i) {
    BodyState& state = context.states[bodies_[i]];
    saved_[i] = state;
    state.vx = forced_[i].vx;
    state.vy = forced_[i].vy;
    state.omega = forced_[i].omega;
  }
  for (Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      const bool acts = !node.axial[i].present || node.axial[i].on;
      node.x[i] = acts ? -speed_along(context, node, i) : 0;
    }
  }
  substitute();
  apply_impulses(context);
  // The kinetic energy a share s of the way there: had + 2 slope s + bend s^2, halved.
  double slope = 0, bend = 0;
  for (std::size_t i = 0; i < count; ++i) {
    BodyState& way = context.states[bodies_[i]];
    way.vx -= saved_[i].vx;
    way.vy -= saved_[i].vy;
    way.omega -= saved_[i].omega;
    slope += product(own_[i], saved_[i], way);
    bend += product(own_[i], way, way);
  }
  double share = 0;  // and none where numbers have no end
  if (slope < 0 && std::isfinite(slope) && std::isfinite(bend)) {
    const double root = slope * slope - 2 * bend * excess;
    share = root > 0 ? 2 * excess / (std::sqrt(root) - slope) : -slope / bend;
    share = std::min(share, 1.0);
  }
  for (std::size_t i = 0; i < count; ++i) {
    BodyState& state = context.states[bodies_[i]];
    const BodyState way = state;
    state = saved_[i];
    if (share == 0) continue;
    state.vx += static_cast<float>(share * way.vx);
    state.vy += static_cast<float>(share * way.vy);
    state.omega += static_cast<float>(share * way.omega);
  }
  return share > 0 ? -(slope + 0.5 * bend * share) * share : 0;
}

// Whether something that does not move holds it, and takes what momentum it loses.
bool JointSystem::is_held() const {
  for (const Node& node : nodes_) {
    if (!node.soft && !(node.moves_a && node.moves_b)) return true;
  }
  return std::any_of(own_.begin(), own_.end(), [](const Mass& m) { return !(m.mass > 0); });
}

// The motion of all bodies as one that is free: speed and spin about the common centre of mass.
JointSystem::Drift JointSystem::find_drift(const KernelContext& context) const {
  Drift drift;
  double mass = 0, inertia = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double m = own_[i].mass;
    const Body& body = context.bodies[bodies_[i]];
    const BodyState& s = context.states[bodies_[i]];
    drift.x += m * (body.center_x + s.dx);
    drift.y += m * (body.center_y + s.dy);
    drift.vx += m * s.vx;
    drift.vy += m * s.vy;
    mass += m;
  }
  for (double* sum : {&drift.x, &drift.y, &drift.vx, &drift.vy}) *sum /= mass;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const double m = own_[i].mass, own = own_[i].inertia;
    const Body& body = context.bodies[bodies_[i]];
    const BodyState& s = context.states[bodies_[i]];
    const double x = body.center_x + s.dx - drift.x;
    const double y = body.center_y + s.dy - drift.y;
    drift.omega += m * (x * (s.vy - drift.vy) - y * (s.vx - drift.vx)) + own * s.omega;
    inertia += m * (x * x + y * y) + own;
    // What cannot turn does not turn with the others.
    if (!(own > 0)) drift.turns = false;
  }
  drift.omega = drift.turns && inertia > 0 ? drift.omega / inertia : 0;
  return drift;
}

// Takes energy from the motion of the parts against each other and against what holds them. All
// joints hold what is a multiple of that as they did.
double JointSystem::slow_down(const KernelContext& context, double excess) {
  const Drift drift = is_held() ? Drift{} : find_drift(context);
  auto drifting = [&](int body) {
    BodyState s = context.states[body];
    const double x = context.bodies[body].center_x + s.dx - drift.x;
    const double y = context.bodies[body].center_y + s.dy - drift.y;
    s.vx = static_cast<float>(drift.vx - drift.omega * y);
    s.vy = static_cast<float>(drift.vy + drift.omega * x);
    s.omega = static_cast<float>(drift.omega);
    return s;
  };
  const double had = kinetic_energy(context);
  double inner = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    saved_[i] = drifting(bodies_[i]);
    BodyState own = context.states[bodies_[i]];
    own.vx -= saved_[i].vx;
    own.vy -= saved_[i].vy;
    own.omega -= saved_[i].omega;
    inner += 0.5 * product(own_[i], own, own);
  }
  const double share = inner > excess ? std::sqrt(1 - excess / inner) : 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyState& state = context.states[bodies_[i]];
    state.vx = static_cast<float>(saved_[i].vx + share * (state.vx - saved_[i].vx));
    state.vy = static_cast<float>(saved_[i].vy + share * (state.vy - saved_[i].vy));
    state.omega = static_cast<float>(saved_[i].omega + share * (state.omega - saved_[i].omega));
  }
  return had - kinetic_energy(context);
}

}  // namespace rigid
