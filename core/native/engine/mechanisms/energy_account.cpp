// SPDX-License-Identifier: MIT
// The bodies of an energy account, and the removal of energy from their relative motion.
#include "engine/mechanisms/energy_account.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/data/constants.h"

namespace rigid {

namespace {

double inverse_of(float inverse) { return inverse > 0.0f ? 1.0 / inverse : 0; }

bool is_same(InverseMass a, InverseMass b) { return a.mass == b.mass && a.inertia == b.inertia; }

}  // namespace

void EnergyAccount::keep_for(const std::vector<int>& bodies) {
  parts_.assign(bodies.size(), {});
  for (std::size_t i = 0; i < bodies.size(); ++i) parts_[i].body = bodies[i];
}

bool EnergyAccount::weigh(const KernelContext& context) {
  h_ = context.parameters->h;
  bool changed = weigh_own(context);
  for (Part& part : parts_) {
    const InverseMass step = context.inverse_masses[part.body];
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
    const InverseMass own = context.own_inverse_masses[part.body];
    if (is_same(own, part.own_inverse)) continue;
    part.own_inverse = own;
    part.own = {inverse_of(own.mass), inverse_of(own.inertia)};
    changed = true;
  }
  return changed;
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
    kinetic_before_ = kinetic_energy(context.states);
  }
  note_motion(kinetic_before_);
  return same;
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

// Whether one of the bodies can only turn: it is held by a body that does not move.
bool EnergyAccount::has_axles() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return !(part.own.mass > 0); });
}

// The free motion of all bodies together: velocity and spin about the common centre of mass.
EnergyAccount::Drift EnergyAccount::find_drift(const BodyState* states, const Body* bodies) const {
  Drift drift;
  double mass = 0, inertia = 0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double m = parts_[i].own.mass;
    const Body& body = bodies[parts_[i].body];
    const BodyState& s = states[parts_[i].body];
    drift.x += m * (body.center_x + s.dx);
    drift.y += m * (body.center_y + s.dy);
    drift.vx += m * s.vx;
    drift.vy += m * s.vy;
    mass += m;
  }
  for (double* sum : {&drift.x, &drift.y, &drift.vx, &drift.vy}) *sum /= mass;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const double m = parts_[i].own.mass, own = parts_[i].own.inertia;
    const Body& body = bodies[parts_[i].body];
    const BodyState& s = states[parts_[i].body];
    const double x = body.center_x + s.dx - drift.x;
    const double y = body.center_y + s.dy - drift.y;
    drift.omega += m * (x * (s.vy - drift.vy) - y * (s.vx - drift.vx)) + own * s.omega;
    inertia += m * (x * x + y * y) + own;
    // A body that cannot turn does not turn with the others.
    if (!(own > 0)) drift.turns = false;
  }
  drift.omega = drift.turns && inertia > 0 ? drift.omega / inertia : 0;
  return drift;
}

double EnergyAccount::slow_down(BodyState* states, const Body* bodies, double excess,
                                bool held) const {
  const Drift drift = held || has_axles() ? Drift{} : find_drift(states, bodies);
  return AccountOf::slow_down(states, excess, true, [&](const Part& part) {
    const BodyState& s = states[part.body];
    const double x = bodies[part.body].center_x + s.dx - drift.x;
    const double y = bodies[part.body].center_y + s.dy - drift.y;
    return Velocity{static_cast<float>(drift.vx - drift.omega * y),
                    static_cast<float>(drift.vy + drift.omega * x),
                    static_cast<float>(drift.omega)};
  });
}

}  // namespace rigid
