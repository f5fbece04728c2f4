// SPDX-License-Identifier: MIT
// The comparison of each island with its energy and momentum, and the corrections.
#include "engine/islands/conservation.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"
#include "engine/joints/stored_energy.h"
#include "prefetch.h"

namespace rigid {

namespace {

// Joints whose energies are added up together, those that are worth a piece of work, and those that
// are prefetched.
constexpr std::size_t joint_block = 1024;
constexpr int joint_piece = 128, joints_ahead = 6;

// The rate at which the power of the forces on a body grows as they accelerate it.
template <class Part>
double smooth_rate(const Part& part) {
  const double pull = part.mass > 0 ? dot(part.force, part.force) / part.mass : 0;
  return pull + (part.inertia > 0 ? part.torque * part.torque / part.inertia : 0);
}

SineCosine as_known(Rotation q) { return {q.s, q.c}; }

// The energy of a joint's rows that yield, at the step's end.
double energy_after(const Joint& joint, const Bodies& bodies, const KernelContext& context) {
  if (!yields(joint, *context.parameters)) return 0;
  const Body &a = bodies[joint.body_a], &b = bodies[joint.body_b];
  const Double2 offset = {b.center_x - a.center_x, b.center_y - a.center_y};
  const JointPlace start = joint_place(joint, a, b, as_known(a.rotation), as_known(b.rotation));
  const JointPlace end = moved_place(type_of(joint), start, offset, bodies.states[joint.body_a],
                                     bodies.states[joint.body_b]);
  return yielded_energy(joint, end, context);
}

}  // namespace

Double2 Conservation::place_of(int body) const {
  const BodyState& s = bodies_.states[body];
  return {bodies_[body].center_x + s.dx, bodies_[body].center_y + s.dy};
}

void Conservation::open() {
  // Contacts that follow another law serve teaching and stay as in their sources.
  const bool lesson =
      parameters_.clamp != ImpulseClamp::accumulated || parameters_.gravity_friction != 0.0f;
  open_ = (!contacts_.graph().empty() || joints_.any_acts()) && !attraction_.acts() && !lesson;
  if (!open_) return;
  begun_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
  lively_ = liveliness_.any_lively(begun_.data());
}

int Conservation::close() {
  checked_ = 0;
  if (!open_) return 0;
  if (!lively_ && !liveliness_.any_lively(bodies_.states.data()) && !liveliness_.any_shifted()) {
    return 0;
  }
  find_islands();
  for (Island& island : islands_) keep(island);
  return checked_;
}

// The rigid motion at the start of the island's step.
Conservation::Drift Conservation::drift_before(const Island& island) const {
  return find_drift(island, [this](int body) {
    return Place{{bodies_[body].center_x, bodies_[body].center_y}, &begun_[body]};
  });
}

Conservation::Drift Conservation::drift_after(const Island& island) const {
  return find_drift(island,
                    [this](int body) { return Place{place_of(body), &bodies_.states[body]}; });
}

template <class PlaceOf>
Conservation::Drift Conservation::find_drift(const Island& island, PlaceOf&& place_of) const {
  Drift drift;
  for (const Part& part : parts_in(island)) {
    const Place place = place_of(part.body);
    drift.mass += part.mass;
    drift.center = drift.center + part.mass * place.center;
    drift.velocity = drift.velocity + part.mass * Double2{place.state->vx, place.state->vy};
  }
  drift.center = (1 / drift.mass) * drift.center;
  drift.velocity = (1 / drift.mass) * drift.velocity;
  for (const Part& part : parts_in(island)) {
    const Place place = place_of(part.body);
    const Double2 r = place.center - drift.center;
    const Double2 v = Double2{place.state->vx, place.state->vy} - drift.velocity;
    drift.spin += part.mass * cross(r, v) + part.inertia * place.state->omega;
    drift.inertia += part.mass * dot(r, r) + part.inertia;
  }
  drift.omega = island.turns && drift.inertia > 0 ? drift.spin / drift.inertia : 0;
  return drift;
}

// Adds a velocity to all bodies of an island, and a rotation about a point: of their centres, and
// of the bodies themselves if `spins`.
void Conservation::add_motion(const Island& island, Double2 velocity, double turn, Double2 center,
                              bool spins) {
  for (const Part& part : parts_in(island)) {
    BodyState& s = bodies_.states[part.body];
    const Double2 r = place_of(part.body) - center;
    s.vx = static_cast<float>(s.vx + velocity.x - turn * r.y);
    s.vy = static_cast<float>(s.vy + velocity.y + turn * r.x);
    if (spins) s.omega = static_cast<float>(s.omega + turn);
  }
}

// Restores the centre of mass, momentum and angular momentum of a free island to the values that
// follow from its motion before and the forces, if the solver's result differs by more than
// rounding. Missing spin is given to the bodies as a whole if joints hold them, else only to their
// centres: a contact without friction cannot turn a disc.
Conservation::Drift Conservation::settle(const Island& island, const Drift& before) {
  Drift now = drift_after(island);
  if (island.damped) return now;
  const double dt = parameters_.dt;
  Double2 force{0, 0};
  double torque = 0, size = 0, spin_size = 0, doubt = 0, orbits = 0;
  for (const Part& part : parts_in(island)) force = force + part.force;
  for (const Part& part : parts_in(island)) {
    const BodyState &s = begun_[part.body], &after = bodies_.states[part.body];
    const Body& body = bodies_[part.body];
    const Double2 r = Double2{body.center_x, body.center_y} - before.center;
    const Double2 r_after = place_of(part.body) - now.center;
    const double speed = length(Double2{s.vx, s.vy});
    const double speed_after = length(Double2{after.vx, after.vy});
    torque += part.torque + cross(0.5 * (r + r_after), part.force);
    // A force field equal for all bodies causes no torque; the times at which others act are
    // unknown.
    doubt += length(r_after - r) * length(part.force - (part.mass / now.mass) * force);
    size += part.mass * (speed + speed_after);
    spin_size += part.mass * (length(r) * speed + length(r_after) * speed_after) +
                 part.inertia * (std::fabs(s.omega) + std::fabs(after.omega));
    orbits += part.mass * dot(r_after, r_after);
  }
  const double most = constants::momentum_tolerance;
  const Double2 pull = (1 / now.mass) * force;
  const Double2 center = before.center + dt * before.velocity + (0.5 * dt * dt) * pull;
  const double blur = most * dt * size / now.mass;
  // A body that meets a bullet waits with it for the next step and is in the right place only after
  // it.
  if (island.jointed && !(length(now.center - center) <= blur)) {
    const Double2 by = center - now.center;
    for (const Part& part : parts_in(island)) {
      BodyState& s = bodies_.states[part.body];
      s.dx = static_cast<float>(s.dx + by.x);
      s.dy = static_cast<float>(s.dy + by.y);
      continuous_.clamp_shifted(part.body, parameters_.dt);
    }
    now.center = center;
    now.corrected = true;
  }
  // A body that waits for a bullet changes no velocity, but the place of the centre, and by more
  // than velocities half a substep behind do.
  const Double2 late = now.center - center;
  const bool waits = length(late) > blur + dt * dt * length(pull);
  const double waited = waits ? now.mass * cross(late, now.velocity) : 0;
  const Double2 velocity = before.velocity + dt * pull;
  const double rounding = island.jointed ? constants::spin_tolerance : most;
  if (!(now.mass * length(now.velocity - velocity) <= rounding * size)) {
    add_motion(island, velocity - now.velocity, 0, now.center, false);
    now.velocity = velocity;
    now.corrected = true;
  }
  const double missing = before.spin + dt * torque - waited - now.spin;
  const double turned = island.jointed ? now.inertia : orbits;
  // Steps without a correction of positions leave the contact where its source has it.
  const bool placed = !parameters_.needs_overlap || parameters_.correction_rate > 0;
  if ((island.jointed || placed) && island.turns && turned > 0 &&
      !(std::fabs(missing) <= rounding * spin_size + dt * doubt)) {
    add_motion(island, {0, 0}, missing / turned, now.center, island.jointed);
    now.spin += missing;
    now.omega = now.spin / now.inertia;
    now.corrected = true;
  }
  return now;
}

RIGID_INLINE void Conservation::Totals::add(const Totals& other) {
  gains.plain += other.gains.plain;
  gains.lagged += other.gains.lagged;
  gains.kinetic += other.gains.kinetic;
  gains.had += other.gains.had;
  gains.has += other.gains.has;
  gains.weight += other.gains.weight;
  gains.work += other.gains.work;
  ledger.plain += other.ledger.plain;
  ledger.lagged += other.ledger.lagged;
  ledger.reference += other.ledger.reference;
  most += other.most;
  finite &= other.finite;
}

// The energies of a body and their limit, and the energy that constraints added to it in this step.
template <bool with_gains>
RIGID_INLINE Conservation::Totals Conservation::terms_of(const Part& part) const {
  Totals terms;
  Gains& gains = terms.gains;
  const double dt = parameters_.dt, h = parameters_.h, mass = part.mass;
  const BodyState &a = begun_[part.body], &b = bodies_.states[part.body];
  const double before = kinetic_energy(mass, part.inertia, a),
               after = kinetic_energy(mass, part.inertia, b), weight = length(part.force);
  const double speed = parameters_.push_speed + (mass > 0 ? weight / mass * dt : 0);
  terms.finite = std::isfinite(b.vx + b.vy + b.omega + b.dx + b.dy + b.delta_angle);
  terms.most = before + 0.5 * mass * speed * speed;
  gains.had = before;
  gains.has = after;
  gains.weight = weight;
  if constexpr (!with_gains) return terms;
  const double work = part.force.x * b.dx + part.force.y * b.dy + part.torque * b.delta_angle;
  auto power = [&](const BodyState& s) {
    return part.force.x * s.vx + part.force.y * s.vy + part.torque * s.omega;
  };
  const double power_before = power(a), power_after = power(b);
  gains.plain = after - before - work;
  // A blow changes the power at once, and leaves nothing behind the positions.
  const double smooth = constants::smooth_pulls * h * smooth_rate(part);
  const double change = std::clamp(power_after - power_before, -smooth, smooth);
  gains.lagged = after - before - work + 0.5 * h * change;
  // A body that is kept from falling gains nothing by its weight.
  const double due = 0.5 * dt * (power_before + power_after);
  gains.kinetic = after - before - (due > 0 ? std::clamp(work, 0.0, due) : due);
  gains.work = work;
  terms.ledger = bodies_.ledgers[part.body];
  return terms;
}

// The limits of an island, without its gains.
Conservation::Totals Conservation::limits_of(const Island& island) const {
  Totals totals;
  totals.most = island.stored_before + island.drives;
  for (const Part& part : parts_in(island)) totals.add(terms_of<false>(part));
  return totals;
}

// All sums over an island, in the order of its bodies, whichever thread finds the terms.
Conservation::Totals Conservation::totals_of(const Island& island) {
  Totals totals;
  totals.most = island.stored_before + island.drives;
  const std::span<const Part> parts = parts_in(island);
  if (definition_.threads > 1 && island.count > part_piece) {
    terms_.resize(std::max<std::size_t>(terms_.size(), island.count));
    pool_.run(island.count, part_piece, [&](int first, int last) {
      for (int i = first; i < last; ++i) terms_[i] = terms_of<true>(parts[i]);
    });
    for (int i = 0; i < island.count; ++i) totals.add(terms_[i]);
  } else {
    for (const Part& part : parts) totals.add(terms_of<true>(part));
  }
  totals.gains.plain += island.stored - island.drives;
  totals.gains.lagged += island.stored + island.lag - island.drives;
  totals.gains.kinetic -= island.drives;
  return totals;
}

// Scales the motion of the bodies relative to the rigid motion of the island.
void Conservation::scale_rest(const Island& island, const Drift& now, double share) {
  const std::span<const Part> parts = parts_in(island);
  pool_.run(island.count, part_piece, [&](int first, int last) {
    for (const Part& part : parts.subspan(first, last - first)) {
      BodyState& s = bodies_.states[part.body];
      const Double2 r = island.held ? Double2{0, 0} : place_of(part.body) - now.center;
      auto scaled = [share](double has, double rigid) {
        return static_cast<float>(share == 0 ? rigid : rigid + share * (has - rigid));
      };
      s.vx = scaled(s.vx, now.velocity.x - now.omega * r.y);
      s.vy = scaled(s.vy, now.velocity.y + now.omega * r.x);
      s.omega = scaled(s.omega, now.omega);
    }
  });
}

// The kinetic energy of the motion relative to the rigid motion, which a held island has not.
double Conservation::rest_energy(const Island& island, const Drift& drift,
                                 const Gains& gains) const {
  if (island.held) return gains.has;
  double sum = 0;
  for (const Part& part : parts_in(island)) {
    const BodyState& s = bodies_.states[part.body];
    const Double2 r = place_of(part.body) - drift.center;
    const double vx = s.vx - (drift.velocity.x - drift.omega * r.y);
    const double vy = s.vy - (drift.velocity.y + drift.omega * r.x), turn = s.omega - drift.omega;
    sum += 0.5 * (part.mass * (vx * vx + vy * vy) + part.inertia * turn * turn);
  }
  return sum;
}

// The gain of an island beyond its allowance, since its step began.
Conservation::Balance Conservation::balance_of(const Island& island) {
  return balance_of(island, totals_of(island));
}

Conservation::Balance Conservation::balance_of(const Island& island, const Totals& totals) {
  Balance balance;
  balance.gains = totals.gains;
  balance.sum = sum_ledgers(island, totals);
  // Contacts may lift an island. They lift one with joints by no more than it has risen in the
  // step, so that its springs gain no energy.
  const double depth = island.touched ? constants::lift_depth * definition_.length_unit : 0;
  const double lift = depth * balance.gains.weight;
  const double risen = island.jointed ? std::clamp(-balance.gains.work, 0.0, lift) : lift;
  const double most = constants::most_gain * balance.sum.reference + risen;
  balance.allowed = most;
  balance.excess = std::min(balance.sum.plain, balance.sum.lagged) - most;
  return balance;
}

// Removes the constraints' gain of motion beyond the allowance; of a gain of more than twice the
// allowance, nothing is left. The difference of huge numbers keeps a rounding error, so such motion
// is scaled several times.
void Conservation::brake(Island& island, const Drift& now, Balance& balance) {
  for (int time = 0; time < constants::brakings; ++time) {
    const double burst = balance.excess > balance.allowed ? balance.allowed : 0;
    const double take = std::min(balance.excess + burst, balance.gains.kinetic);
    const double least = time > 0 ? constants::unpaid_share * balance.sum.reference : 0;
    if (!(take > least)) break;
    const double rest = rest_energy(island, now, balance.gains);
    scale_rest(island, now, take < rest ? std::sqrt(1 - take / rest) : 0);
    weigh_joints(island);
    balance = balance_of(island);
  }
}

// Corrects the positions of an island whose joints have stored energy without work, or have thrown
// bodies farther than any speed takes them.
Conservation::Drift Conservation::place_joints(Island& island, const Drift& before, Drift now,
                                               Balance& balance) {
  if (owes(island, now, balance)) {
    project(island, balance.excess);
    if (!island.held) now = settle(island, before);
    balance = balance_of(island);
  }
  const double likely = likely_share(island, balance);
  if (owes(island, now, balance) || likely * constants::most_hurried < 1) {
    now = shorten(island, before, now, likely, balance);
  }
  return now;
}

void Conservation::keep(Island& island) {
  if (!island.constrained) return;
  const bool has_account = island.self_kept && !island.touched;
  const bool counts = !island.moved && !has_account;
  const Totals totals = counts ? totals_of(island) : limits_of(island);
  if (!makes_sense(totals)) return reject(island);
  if (island.moved) return split_ledger(island, {}, 0);
  const bool free = !island.held;
  const Drift before = free ? drift_before(island) : Drift{};
  Drift now = free ? settle(island, before) : Drift{};
  if (has_account) return;
  ++checked_;
  Balance balance = now.corrected ? balance_of(island) : balance_of(island, totals);
  // Velocities lag half a substep behind the positions and may hide an excess until they are
  // braked.
  for (int time = 0; time < 2; ++time) {
    if (island.jointed) now = place_joints(island, before, now, balance);
    if (balance.excess > balance.allowed && balance.gains.kinetic > balance.sum.reference) {
      island.thrown = true;
    }
    brake(island, now, balance);
    if (!owes(island, now, balance)) break;
  }
  split_ledger(island, balance.sum, balance.gains.has);
}

// The gain of its bodies so far plus that of the constraints in this step. A loss can be regained
// only up to a share of the motion, plus the yield of contacts and joints under the weight, plus
// what joints that yield have stored.
EnergyLedger Conservation::sum_ledgers(const Island& island, const Totals& totals) {
  EnergyLedger sum = totals.ledger;
  const Gains& gains = totals.gains;
  const double substeps = parameters_.dt * parameters_.inverse_h;
  sum.reference *= std::max(0.0, 1 - constants::gain_memory * substeps);
  sum.reference = std::max(sum.reference, gains.had);
  sum.plain += gains.plain;
  sum.lagged += gains.lagged;
  double least = -constants::island_regain * sum.reference -
                 constants::give_depth * definition_.length_unit * gains.weight;
  if (island.jointed && std::min(sum.plain, sum.lagged) < least) {
    const double wanted = std::min(sum.plain, sum.lagged);
    const KernelContext context = lanes_.context();
    const std::span<const int> joints = joints_in(island);
    double energies[joint_block];
    // Only as many as make a difference.
    for (std::size_t start = 0; start < joints.size() && wanted < least; start += joint_block) {
      const std::span<const int> block =
          joints.subspan(start, std::min(joint_block, joints.size() - start));
      const int count = static_cast<int>(block.size());
      pool_.run(count, joint_piece, [&](int first, int last) {
        for (int i = first; i < last; ++i) {
          if (i + joints_ahead < last) {
            const Joint& next = joints_[block[i + joints_ahead]];
            prefetch_to_read(&bodies_[next.body_a]);
            prefetch_to_read(&bodies_[next.body_b]);
          }
          energies[i] = energy_after(joints_[block[i]], bodies_, context);
        }
      });
      for (int i = 0; i < count; ++i) least -= energies[i];
    }
  }
  sum.plain = std::max(sum.plain, least);
  sum.lagged = std::max(sum.lagged, least);
  return sum;
}

// Divides it among the bodies by their energy, or by their mass if nothing moves.
void Conservation::split_ledger(const Island& island, const EnergyLedger& sum, double kinetic) {
  const std::span<const Part> parts = parts_in(island);
  const bool moves = std::isfinite(kinetic) && kinetic > 0;
  double mass = 0;
  if (!moves) {
    for (const Part& part : parts) mass += part.mass;
  }
  auto share_of = [&](const Part& part) {
    if (!moves) return mass > 0 ? part.mass / mass : 1.0 / island.count;
    return kinetic_energy(part.mass, part.inertia, bodies_.states[part.body]) / kinetic;
  };
  pool_.run(island.count, part_piece, [&](int first, int last) {
    for (const Part& part : parts.subspan(first, last - first)) {
      const double share = share_of(part);
      bodies_.ledgers[part.body] = {share * sum.plain, share * sum.lagged, share * sum.reference};
    }
  });
}

}  // namespace rigid
