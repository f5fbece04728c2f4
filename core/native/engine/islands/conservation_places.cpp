// SPDX-License-Identifier: MIT
// Positions of islands whose excess of energy cannot be removed from their velocities.
#include <algorithm>
#include <cmath>

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"
#include "engine/islands/conservation.h"
#include "engine/joints/correction.h"
#include "engine/joints/springs.h"

namespace rigid {

namespace {

// The length by which the rigid rows and the hard limits of a joint are apart at a place.
double open_gap(const Joint& joint, const JointPlace& place) {
  const JointType& type = type_of(joint);
  JointRows rows;
  type.find_rows(joint, place, rows);
  double gap = 0;
  for (int i = 0; i < rigid_rows(joint); ++i) {
    if (!type.angular[i]) gap = std::max(gap, std::fabs(rows.coordinate[i]));
  }
  const int row = type.coordinate_row;
  if (!has_any_limits(joint) || has_soft_limits(joint) || type.angular[row]) return gap;
  const double lower = type.range(joint).lower, upper = type.range(joint).upper;
  const double at = rows.coordinate[row];
  return std::max(gap, std::fabs(std::clamp(at, lower, std::max(lower, upper)) - at));
}

// The same at the step's start.
double gap_before(const Joint& joint, const Bodies& bodies) {
  return open_gap(joint, joint_place(joint, bodies[joint.body_a], bodies[joint.body_b]));
}

// By how much it has closed in the step.
double closing(const Joint& joint, const Bodies& bodies) {
  const double before = gap_before(joint, bodies);
  if (before == 0) return 0;
  const Body &a = bodies[joint.body_a], &b = bodies[joint.body_b];
  const Double2 offset = {b.center_x - a.center_x, b.center_y - a.center_y};
  const JointPlace place = moved_place(type_of(joint), joint_place(joint, a, b), offset,
                                       bodies.states[joint.body_a], bodies.states[joint.body_b]);
  return std::max(before - open_gap(joint, place), 0.0);
}

}  // namespace

// Whether joints have stored energy without work, and braking the relative motion cannot pay for
// it. Overlapping bodies are pushed apart and may be lifted by that; joints that lift a hanging
// load return their earlier yield.
bool Conservation::owes(const Island& island, const Drift& now, const Balance& balance) {
  if (!island.jointed || !(balance.excess > 0)) return false;
  const Gains& gains = balance.gains;
  const double brakes = std::min(rest_energy(island, now, gains), std::max(gains.kinetic, 0.0));
  const double rounding = constants::unpaid_share * balance.sum.reference + 1e-9 * gains.has;
  // What earlier steps left unpaid cannot be taken from the way of this one.
  const double gain = std::min(gains.plain, gains.lagged) - 1e-9 * gains.has;
  const double unpaid = std::min(balance.excess - rounding, gain) - brakes;
  if (!(unpaid > 0) || island.thrown) return unpaid > 0;
  // The height that its velocities do not explain.
  double lifted = 0;
  for (const Part& part : parts_in(island)) {
    const BodyState &a = begun_[part.body], &b = bodies_.states[part.body];
    const Double2 way = 0.5 * parameters_.dt * Double2{double{a.vx} + b.vx, double{a.vy} + b.vy};
    const double due = std::min(dot(part.force, way), 0.0);
    lifted += std::max(due - dot(part.force, Double2{b.dx, b.dy}), 0.0);
  }
  const double fastest = parameters_.push_speed * parameters_.dt;
  const double pushed = std::min(fastest, overlap_of(island)) * gains.weight;
  const double left = unpaid - std::min(pushed, lifted);
  if (!(left > 0)) return false;
  // Joints that were apart lift no body farther than all of them together have closed.
  if (left > std::max(-gains.work, 0.0)) return true;
  double closed = 0;
  for (int i : joints_in(island)) {
    closed += closing(joints_[i], bodies_);
    if (left <= closed * gains.weight) return false;
  }
  return true;
}

// Removes the errors of the island's joints by moving its bodies, and shortens the stretches of its
// springs until they store no more than allowed.
void Conservation::project(Island& island, double excess) {
  const std::span<const int> joints = joints_in(island);
  moved_.clear();
  for (const Part& part : parts_in(island)) moved_.push_back(bodies_.states[part.body]);
  const double stored = island.stored_before + island.stored;
  const double most = std::max(island.stored_before, stored - excess);
  const KernelContext context = lanes_.context();
  for (int sweep = 0; sweep < constants::projection_sweeps; ++sweep) {
    for (int i : joints) correct_joint(joints_[i], 1, bodies_, context.own_inverse_masses);
    weigh_joints(island);
    const double now = island.stored_before + island.stored;
    if (!(now > most)) continue;
    const double share = std::sqrt(most / now);
    for (int i : joints) {
      if (has_soft_rows(joints_[i])) ease_springs(joints_[i], share, bodies_, context);
    }
  }
  if (strays(island)) {
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      bodies_.states[parts_in(island)[i].body] = moved_[i];
    }
  }
  for (const Part& part : parts_in(island)) continuous_.clamp_shifted(part.body, parameters_.dt);
  weigh_joints(island);
}

// Whether projection has moved a body farther than errors of the step can be: by more than the
// bodies have moved in it. Joints that contradict each other have no valid positions.
bool Conservation::strays(const Island& island) const {
  double way = 0, farthest = 0;
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const int body = parts_in(island)[i].body;
    const BodyState &from = moved_[i], &to = bodies_.states[body];
    const double reach = bodies_[body].core_extent;
    way = std::max(way, std::fabs(double{from.dx}) + std::fabs(double{from.dy}) +
                            std::fabs(from.delta_angle) * reach);
    const double moved = std::fabs(double{to.dx} - from.dx) + std::fabs(double{to.dy} - from.dy) +
                         std::fabs(double{to.delta_angle} - from.delta_angle) * reach;
    if (!(moved <= farthest)) farthest = moved;
  }
  return !(farthest <= 2 * way);
}

// Whether the values of an island are finite and in proportion to those before.
bool Conservation::makes_sense(const Totals& totals) {
  return totals.finite && totals.gains.has <= constants::most_growth * totals.most;
}

// Joints and contacts that contradict each other may leave senseless values: then the island keeps
// only its rigid motion, and no impulse is stored.
void Conservation::reject(const Island& island) {
  const Drift before = drift_before(island);
  std::vector<BodyState> begun;
  for (const Part& part : parts_in(island)) {
    begun.push_back(bodies_.states[part.body] = begun_[part.body]);
    BodyStep& step = bodies_.steps[part.body];
    step.moved_x = step.moved_y = step.turned = step.looked_at = 0;
  }
  if (island.held) {
    scale_rest(island, Drift{}, 0);
  } else {
    // It goes on by its momentum and by the forces of the step.
    Drift forced = before;
    const double dt = parameters_.dt;
    for (const Part& part : parts_in(island)) {
      const Body& body = bodies_[part.body];
      const Double2 r = Double2{body.center_x, body.center_y} - before.center;
      forced.velocity = forced.velocity + (dt / before.mass) * part.force;
      forced.spin += dt * (part.torque + cross(r, part.force));
    }
    forced.center = before.center + (0.5 * dt) * (before.velocity + forced.velocity);
    if (island.turns && before.inertia > 0) forced.omega = forced.spin / before.inertia;
    go_part_of_way(island, before, forced, begun, 0);
  }
  for (int i : joints_in(island)) joints_[i].clear_impulses();
  contacts_.for_near([&](int index) {
    Contact& contact = contacts_[index];
    if (island_of_[contact.body_a] < 0 && island_of_[contact.body_b] < 0) return;
    const int body = island_of_[contact.body_a] >= 0 ? contact.body_a : contact.body_b;
    if (&islands_[island_of_[body]] != &island) return;
    for (ContactPoint& point : contact.points) {
      point.normal_impulse = point.tangent_impulse = point.total_normal = point.total_tangent = 0;
    }
    contact.rolling_impulse = 0;
  });
  split_ledger(island, {}, 0);
}

void Conservation::weigh_joints(Island& island) {
  island.stored_before = island.stored = island.lag = island.drives = 0;
  for (int i : joints_in(island)) weigh_joint(joints_[i], island);
}

// The share of its way that each body could travel if it alone had all the energy available; joints
// that were apart may close.
double Conservation::likely_share(const Island& island, const Balance& balance) {
  const double dt = parameters_.dt;
  const double had = balance.sum.reference + island.stored_before + island.drives;
  auto share_with = [&](double gap) {
    double share = 1;
    for (const Part& part : parts_in(island)) {
      const BodyState& s = bodies_.states[part.body];
      const double way = length(Double2{s.dx, s.dy});
      const double speed = std::sqrt(2 * had / part.mass) + length(part.force) / part.mass * dt;
      const double most = (speed + parameters_.push_speed) * dt + gap;
      if (part.mass > 0 && way * share > most) share = most / way;
    }
    return share;
  };
  const double share = share_with(0);
  if (share == 1) return share;
  double gap = 0;
  for (int i : joints_in(island)) gap = std::max(gap, gap_before(joints_[i], bodies_));
  return share_with(gap);
}

// Ends the step of an island between two positions: that after its rigid motion alone, or its start
// if something holds it, and that where its bodies are.
Conservation::Drift Conservation::go_part_of_way(const Island& island, const Drift& before,
                                                 const Drift& now,
                                                 const std::vector<BodyState>& ends, double share) {
  Drift drift = now;
  double angle = 0;
  if (!island.held) {
    drift.inertia = before.inertia;
    drift.omega = island.turns && before.inertia > 0 ? now.spin / before.inertia : 0;
    angle = 0.5 * parameters_.dt * (before.omega + drift.omega);
  }
  const SineCosine turn_by = sine_cosine(angle);
  const double cosine = turn_by.cosine, sine = turn_by.sine;
  for (int i = 0; i < island.count; ++i) {
    const Part& part = parts_in(island)[i];
    const Body& body = bodies_[part.body];
    const BodyState& end = share > 0 ? ends[i] : begun_[part.body];
    BodyState& s = bodies_.states[part.body];
    const BodyState& begun = begun_[part.body];
    double dx = begun.dx, dy = begun.dy, turn = begun.delta_angle;
    if (!island.held) {
      const Double2 r = Double2{body.center_x, body.center_y} - before.center;
      const Double2 turned = {cosine * r.x - sine * r.y, sine * r.x + cosine * r.y};
      dx = drift.center.x + turned.x - body.center_x;
      dy = drift.center.y + turned.y - body.center_y;
      turn = angle;
    }
    s.dx = static_cast<float>(dx + share * (end.dx - dx));
    s.dy = static_cast<float>(dy + share * (end.dy - dy));
    s.delta_angle = static_cast<float>(turn + share * (end.delta_angle - turn));
    const Rotation q = small_rotation(s.delta_angle);
    s.c = q.c;
    s.s = q.s;
    // The way back along the path of the step is free.
    if (!island.held) continuous_.clamp_shifted(part.body, parameters_.dt);
  }
  if (share == 0) {
    scale_rest(island, island.held ? Drift{} : drift, 0);
    return drift;
  }
  if (island.held) return drift;
  return settle(island, before);
}

// Halves the way of an island's bodies until springs and weights store no more than was available;
// after the last attempt, they keep their positions relative to each other.
Conservation::Drift Conservation::shorten(Island& island, const Drift& before, const Drift& now,
                                          double likely, Balance& balance) {
  std::vector<BodyState> ends;
  for (const Part& part : parts_in(island)) ends.push_back(bodies_.states[part.body]);
  Drift shortened = now;
  double share = std::min(1.0, 2 * likely);
  for (int left = constants::way_halvings; left-- > 0;) {
    share = left > 0 ? 0.5 * share : 0;
    if (share == 0 && island.held && !island.tied) {
      // What only touches something goes on as one body, with the momentum that the contacts left.
      const Drift start = drift_before(island);
      Drift end = drift_after(island);
      end.center = start.center + 0.5 * parameters_.dt * (start.velocity + end.velocity);
      Island loose = island;
      loose.held = false;
      go_part_of_way(loose, start, end, {}, 0);
      weigh_joints(island);
      balance = balance_of(island);
      if (!owes(island, now, balance)) break;
    }
    shortened = go_part_of_way(island, before, now, ends, share);
    weigh_joints(island);
    balance = balance_of(island);
    if (!owes(island, shortened, balance)) break;
  }
  return shortened;
}

}  // namespace rigid
