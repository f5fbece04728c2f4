// SPDX-License-Identifier: MIT
// Places of an island whose excess of energy cannot be taken from its velocities.
#include <algorithm>
#include <cmath>

#include "engine/bodies/motion.h"
#include "engine/constants.h"
#include "engine/islands/conservation.h"
#include "engine/joints/correction.h"
#include "engine/joints/springs.h"

namespace rigid {

namespace {

double length(Double2 v) { return std::sqrt(dot(v, v)); }

}  // namespace

// Takes errors out of the island's joints by moving its bodies, and shortens the stretches of its
// springs until these store no more than they may.
void Conservation::project(Island& island, double excess) {
  const std::span<const int> joints = joints_in(island);
  moved_.clear();
  for (const Part& part : parts_in(island)) moved_.push_back(bodies_.states[part.body]);
  const double stored = island.stored_before + island.stored;
  const double most = std::max(island.stored_before, stored - excess);
  const KernelContext context = lanes_.context();
  for (int sweep = 0; sweep < constants::projection_sweeps; ++sweep) {
    for (int i : joints) correct_joint(joints_[i], 1, bodies_, context.own_masses);
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

// Whether projecting has moved a body farther than errors of the step can be: by more than the
// bodies have moved in it. Joints that contradict each other have no places to go to.
bool Conservation::strays(const Island& island) const {
  double way = 0, farthest = 0;
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const int body = parts_in(island)[i].body;
    const BodyState &from = moved_[i], &to = bodies_.states[body];
    const double reach = bodies_[body].reach;
    way = std::max(way, std::fabs(double{from.dx}) + std::fabs(double{from.dy}) +
                            std::fabs(from.delta_angle) * reach);
    const double moved = std::fabs(double{to.dx} - from.dx) + std::fabs(double{to.dy} - from.dy) +
                         std::fabs(double{to.delta_angle} - from.delta_angle) * reach;
    if (!(moved <= farthest)) farthest = moved;
  }
  return !(farthest <= 2 * way);
}

// Joints and contacts that contradict each other may leave no numbers: then nothing in the island
// has moved but as one, and nothing remembers an impulse.
bool Conservation::reject(const Island& island) {
  const bool good =
      std::all_of(parts_in(island).begin(), parts_in(island).end(), [this](const Part& part) {
        const BodyState& s = bodies_.states[part.body];
        return std::isfinite(s.vx + s.vy + s.omega) && std::isfinite(s.dx + s.dy + s.delta_angle);
      });
  if (good) return false;
  const Drift before = drift_before(island);
  for (const Part& part : parts_in(island)) bodies_.states[part.body] = begun_[part.body];
  scale_rest(island, island.held ? Drift{} : before, 0);
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
  forget(island);
  return true;
}

void Conservation::weigh_joints(Island& island) {
  island.stored_before = island.stored = island.lag = island.drives = 0;
  for (int i : joints_in(island)) weigh_joint(joints_[i], island);
}

// Whether a body has gone where no motion that there was could take it.
bool Conservation::is_flung(const Island& island) {
  double fastest = 0, way = 0, gap = 0;  // gap: between the anchors of a joint
  for (const Part& part : parts_in(island)) {
    const BodyState &begun = begun_[part.body], &s = bodies_.states[part.body];
    const double reach = bodies_[part.body].reach;
    fastest = std::max(
        fastest, length(Double2{begun.vx, begun.vy}) + std::fabs(double{begun.omega}) * reach);
    way = std::max(way, length(Double2{s.dx, s.dy}));
  }
  for (int i : joints_in(island)) {
    const Joint& joint = joints_[i];
    const JointPlace place = joint_place(joint, bodies_[joint.body_a], bodies_[joint.body_b]);
    gap = std::max(gap, length(place.between));
  }
  const double most = (fastest + parameters_.push_speed) * parameters_.dt + gap;
  return way > constants::most_hurried * most;
}

// Takes a body back to where its step began, with the velocity that it has.
void Conservation::stay(int body) {
  BodyState& s = bodies_.states[body];
  const BodyState& begun = begun_[body];
  s.dx = begun.dx;
  s.dy = begun.dy;
  s.delta_angle = begun.delta_angle;
  s.c = begun.c;
  s.s = begun.s;
}

// The step of an island whose bodies keep their places beside each other.
Conservation::Drift Conservation::move_as_one(const Island& island, const Drift& before,
                                              const Drift& now) {
  Drift drift = now;
  drift.inertia = before.inertia;
  drift.omega = island.turns && before.inertia > 0 ? now.spin / before.inertia : 0;
  const double angle = 0.5 * parameters_.dt * (before.omega + drift.omega);
  const double cosine = std::cos(angle), sine = std::sin(angle);
  for (const Part& part : parts_in(island)) {
    const Body& body = bodies_[part.body];
    BodyState& s = bodies_.states[part.body];
    const Double2 r = Double2{body.center_x, body.center_y} - before.center;
    const Double2 turned = {cosine * r.x - sine * r.y, sine * r.x + cosine * r.y};
    s.dx = static_cast<float>(drift.center.x + turned.x - body.center_x);
    s.dy = static_cast<float>(drift.center.y + turned.y - body.center_y);
    s.delta_angle = static_cast<float>(angle);
    const Rotation q = small_rotation(s.delta_angle);
    s.c = q.c;
    s.s = q.s;
    continuous_.clamp_shifted(part.body, parameters_.dt);
  }
  scale_rest(island, drift, 0);
  return drift;
}

}  // namespace rigid
