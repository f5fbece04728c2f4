// SPDX-License-Identifier: MIT
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

void EnergyAccount::keep_for(const std::vector<int>& bodies) {
  parts_.assign(bodies.size(), {});
  for (std::size_t i = 0; i < bodies.size(); ++i) parts_[i].body = bodies[i];
  drifting_.resize(bodies.size());
}

double EnergyAccount::product(const Mass& m, const BodyState& a, const BodyState& b) {
  const double linear = static_cast<double>(a.vx) * b.vx + static_cast<double>(a.vy) * b.vy;
  return m.mass * linear + m.inertia * (static_cast<double>(a.omega) * b.omega);
}

bool EnergyAccount::weigh(const KernelContext& context) {
  h_ = context.parameters->h;
  bool changed = weigh_own(context);
  for (Part& part : parts_) {
    const InverseMass step = context.masses[part.body];
    if (is_same(step, part.effective_inverse)) continue;
    part.effective_inverse = step;
    part.effective = {inverse_of(step.mass), inverse_of(step.inertia)};
    changed = true;
  }
  return changed;
}

bool EnergyAccount::weigh_own(const KernelContext& context) {
  bool changed = false;
  for (Part& part : parts_) {
    const InverseMass own = context.own_masses[part.body];
    if (is_same(own, part.own_inverse)) continue;
    part.own_inverse = own;
    part.own = {inverse_of(own.mass), inverse_of(own.inertia)};
    changed = true;
  }
  return changed;
}

double EnergyAccount::kinetic_energy(const KernelContext& context) const {
  double sum = 0;
  for (const Part& part : parts_) {
    const BodyState& s = context.states[part.body];
    sum += product(part.own, s, s);
  }
  return 0.5 * sum;
}

bool EnergyAccount::open(const KernelContext& context) {
  bool same = closed_;
  closed_ = false;
  for (std::size_t i = 0; same && i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    same = std::memcmp(&part.began, &context.states[part.body], sizeof part.began) == 0;
  }
  if (same) {
    kinetic_before_ = kinetic_after_;
  } else {
    for (Part& part : parts_) part.began = context.states[part.body];
    kinetic_before_ = kinetic_energy(context);
  }
  note_motion(kinetic_before_);
  return same;
}

void EnergyAccount::note_forces(const KernelContext& context) {
  for (Part& part : parts_) {
    const BodyState& s = context.states[part.body];
    part.forced = {s.vx, s.vy, s.omega};
  }
}

// Of gravity and whatever else gave a body its velocity before the joints were solved: what moved
// it, and what turned it.
RIGID_INLINE EnergyAccount::Work EnergyAccount::work_of_forces(const Part& part,
                                                               const BodyState& now) const {
  const BodyState& a = part.began;
  const Velocity& b = part.forced;
  // What nothing held or turned has been moved by the mean velocity (bodies/motion.h).
  const double ahead = now.vx == b.vx && now.vy == b.vy ? 0 : 0.5;
  auto path = [&](double moved, double speed, double speed_before, double share) {
    return moved / h_ - share * (speed - speed_before);
  };
  const double x = path(static_cast<double>(now.dx) - a.dx, now.vx, a.vx, ahead);
  const double y = path(static_cast<double>(now.dy) - a.dy, now.vy, a.vy, ahead);
  const double turn = path(static_cast<double>(now.delta_angle) - a.delta_angle, now.omega, a.omega,
                           now.omega == b.omega ? 0 : 0.5);
  return {part.effective.mass *
              ((static_cast<double>(b.vx) - a.vx) * x + (static_cast<double>(b.vy) - a.vy) * y),
          part.effective.inertia * (static_cast<double>(b.omega) - a.omega) * turn};
}

double EnergyAccount::gained(const KernelContext& context, double of_motors) {
  double work = 0, motion = 0;
  for (Part& part : parts_) {
    const BodyState now = context.states[part.body];
    const Work own = work_of_forces(part, now);
    work += own.moving;
    work += own.turning;
    motion += product(part.own, now, now);
    part.began = now;
  }
  kinetic_after_ = 0.5 * motion;
  return kinetic_after_ - kinetic_before_ - (work + of_motors);
}

void EnergyAccount::note_motion(double kinetic_before) {
  sums_.reference = std::max(kinetic_before, sums_.reference * (1 - constants::gain_memory));
}

double EnergyAccount::excess_with(double gained, double spare) {
  const double least = -constants::most_regain * sums_.reference - spare;
  sums_.balance = std::max(sums_.balance + gained, least);
  return sums_.balance - constants::most_gain * sums_.reference - spare;
}

double EnergyAccount::weight() const {
  double sum = 0;
  for (const Part& part : parts_) {
    const double x = static_cast<double>(part.forced.vx) - part.began.vx;
    const double y = static_cast<double>(part.forced.vy) - part.began.vy;
    sum += part.effective.mass * std::sqrt(x * x + y * y);
  }
  return sum / h_;
}

// Whether one of the bodies can only turn: what does not move holds it.
bool EnergyAccount::has_axles() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return !(part.own.mass > 0); });
}

// The motion of all bodies as one that is free: speed and spin about the common centre of mass.
EnergyAccount::Drift EnergyAccount::find_drift(const KernelContext& context) const {
  Drift drift;
  double mass = 0, inertia = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double m = parts_[i].own.mass;
    const Body& body = context.bodies[parts_[i].body];
    const BodyState& s = context.states[parts_[i].body];
    drift.x += m * (body.center_x + s.dx);
    drift.y += m * (body.center_y + s.dy);
    drift.vx += m * s.vx;
    drift.vy += m * s.vy;
    mass += m;
  }
  for (double* sum : {&drift.x, &drift.y, &drift.vx, &drift.vy}) *sum /= mass;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double m = parts_[i].own.mass, own = parts_[i].own.inertia;
    const Body& body = context.bodies[parts_[i].body];
    const BodyState& s = context.states[parts_[i].body];
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
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    drifting_[i] = drifting(parts_[i].body);
    BodyState own = context.states[parts_[i].body];
    own.vx -= drifting_[i].vx;
    own.vy -= drifting_[i].vy;
    own.omega -= drifting_[i].omega;
    inner += 0.5 * product(parts_[i].own, own, own);
  }
  const double share = inner > excess ? std::sqrt(1 - excess / inner) : 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    BodyState& state = context.states[parts_[i].body];
    state.vx = static_cast<float>(drifting_[i].vx + share * (state.vx - drifting_[i].vx));
    state.vy = static_cast<float>(drifting_[i].vy + share * (state.vy - drifting_[i].vy));
    state.omega =
        static_cast<float>(drifting_[i].omega + share * (state.omega - drifting_[i].omega));
  }
  return had - kinetic_energy(context);
}

}  // namespace rigid
