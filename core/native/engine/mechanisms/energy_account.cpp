#include "engine/mechanisms/energy_account.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/constants.h"

namespace rigid {

namespace {

double inverse_of(float inverse) { return inverse > 0.0f ? 1.0 / inverse : 0; }

bool is_same(InverseMass a, InverseMass b) { return a.mass == b.mass && a.inertia == b.inertia; }

}  // namespace

double spring_energy(double stiffness, double stretch, double most) {
  const double reach = std::fabs(stretch), pull = stiffness * reach;
  if (pull <= most) return 0.5 * pull * reach;
  return most * (reach - 0.5 * most / stiffness);
}

void EnergyAccount::keep_for(const std::vector<int>& bodies) {
  bodies_ = bodies;
  own_.assign(bodies.size(), {0, 0});
  effective_.assign(bodies.size(), {0, 0});
  weighed_.assign(bodies.size(), {{0, 0}, {0, 0}});
  began_.resize(bodies.size());
  forced_.resize(bodies.size());
  drifting_.resize(bodies.size());
}

double EnergyAccount::product(const Mass& m, const BodyState& a, const BodyState& b) {
  const double linear = static_cast<double>(a.vx) * b.vx + static_cast<double>(a.vy) * b.vy;
  return m.mass * linear + m.inertia * (static_cast<double>(a.omega) * b.omega);
}

void EnergyAccount::weigh(const KernelContext& context) {
  h_ = context.parameters->h;
  weigh_own(context);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const InverseMass step = context.masses[bodies_[i]];
    if (is_same(step, weighed_[i].effective)) continue;
    weighed_[i].effective = step;
    effective_[i] = {inverse_of(step.mass), inverse_of(step.inertia)};
  }
}

void EnergyAccount::weigh_own(const KernelContext& context) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const InverseMass own = context.own_masses[bodies_[i]];
    if (is_same(own, weighed_[i].own)) continue;
    weighed_[i].own = own;
    own_[i] = {inverse_of(own.mass), inverse_of(own.inertia)};
  }
}

double EnergyAccount::kinetic_energy(const KernelContext& context) const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyState& s = context.states[bodies_[i]];
    sum += product(own_[i], s, s);
  }
  return 0.5 * sum;
}

bool EnergyAccount::open(const KernelContext& context) {
  bool same = closed_;
  closed_ = false;
  for (std::size_t i = 0; same && i < bodies_.size(); ++i) {
    same = std::memcmp(&began_[i], &context.states[bodies_[i]], sizeof began_[i]) == 0;
  }
  if (same) {
    kinetic_before_ = kinetic_after_;
  } else {
    begin(context);
    kinetic_before_ = kinetic_energy(context);
  }
  sums_.reference = std::max(kinetic_before_, sums_.reference * (1 - constants::gain_memory));
  return same;
}

void EnergyAccount::begin(const KernelContext& context) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) began_[i] = context.states[bodies_[i]];
}

void EnergyAccount::close(const KernelContext& context) {
  begin(context);
  closed_ = true;
}

void EnergyAccount::note_forces(const KernelContext& context) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) forced_[i] = context.states[bodies_[i]];
}

// Of gravity and whatever else gave the bodies their velocities before the joints were solved.
double EnergyAccount::work_of_forces(const KernelContext& context) const {
  double sum = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyState &a = began_[i], &b = forced_[i], &now = context.states[bodies_[i]];
    // What nothing held has been moved by the mean velocity (bodies/motion.h).
    const double ahead = now.vx == b.vx && now.vy == b.vy ? 0 : 0.5;
    auto path = [&](double moved, double speed, double speed_before, double share) {
      return moved / h_ - share * (speed - speed_before);
    };
    const double x = path(static_cast<double>(now.dx) - a.dx, now.vx, a.vx, ahead);
    const double y = path(static_cast<double>(now.dy) - a.dy, now.vy, a.vy, ahead);
    const double turn =
        path(static_cast<double>(now.delta_angle) - a.delta_angle, now.omega, a.omega, 0.5);
    sum += effective_[i].mass *
           ((static_cast<double>(b.vx) - a.vx) * x + (static_cast<double>(b.vy) - a.vy) * y);
    sum += effective_[i].inertia * (static_cast<double>(b.omega) - a.omega) * turn;
  }
  return sum;
}

double EnergyAccount::gained(const KernelContext& context, double of_motors) {
  const double given = work_of_forces(context) + of_motors;
  kinetic_after_ = kinetic_energy(context);
  return kinetic_after_ - kinetic_before_ - given;
}

double EnergyAccount::excess_with(double gained, double kinetic_before) {
  sums_.reference = std::max(kinetic_before, sums_.reference * (1 - constants::gain_memory));
  return excess_with(gained);
}

double EnergyAccount::excess_with(double gained) {
  sums_.balance = std::max(sums_.balance + gained, -constants::most_regain * sums_.reference);
  return sums_.balance - constants::most_gain * sums_.reference;
}

// Whether one of the bodies can only turn: what does not move holds it.
bool EnergyAccount::has_axles() const {
  return std::any_of(own_.begin(), own_.end(), [](const Mass& m) { return !(m.mass > 0); });
}

// The motion of all bodies as one that is free: speed and spin about the common centre of mass.
EnergyAccount::Drift EnergyAccount::find_drift(const KernelContext& context) const {
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

double EnergyAccount::slow_down(const KernelContext& context, double excess, bool held) {
  const Drift drift = held || has_axles() ? Drift{} : find_drift(context);
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
    drifting_[i] = drifting(bodies_[i]);
    BodyState own = context.states[bodies_[i]];
    own.vx -= drifting_[i].vx;
    own.vy -= drifting_[i].vy;
    own.omega -= drifting_[i].omega;
    inner += 0.5 * product(own_[i], own, own);
  }
  const double share = inner > excess ? std::sqrt(1 - excess / inner) : 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyState& state = context.states[bodies_[i]];
    state.vx = static_cast<float>(drifting_[i].vx + share * (state.vx - drifting_[i].vx));
    state.vy = static_cast<float>(drifting_[i].vy + share * (state.vy - drifting_[i].vy));
    state.omega =
        static_cast<float>(drifting_[i].omega + share * (state.omega - drifting_[i].omega));
  }
  return had - kinetic_energy(context);
}

}  // namespace rigid
