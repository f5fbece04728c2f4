// Heavy things on light parts of mechanisms.
//
// A contact takes the bodies it is between for free. A load on a light shelf, which a weld holds to
// a wall, sees a body that flies away at a touch; weld and contact then hand the load to and fro, a
// little of it in each pass, and the load chatters or falls through. What it ought to see is the
// shelf as the wall holds it. Contacts therefore work with the mass and the moment of inertia that
// a body shows while its mechanism's rigid rows are held; what that left out of the push is given
// to the body afterwards, and the mechanism is solved again, so that its joints bear the load.
#include <algorithm>
#include <cmath>

#include "engine/constants.h"
#include "engine/world.h"

namespace rigid {

namespace {

// The smallest inverse mass and inertia that are together no less than a response in any direction.
InverseMass bound(const double response[3][3], InverseMass own) {
  const double xx = response[0][0], yy = response[1][1],
               xy = 0.5 * (response[0][1] + response[1][0]);
  const double turn = std::max(response[2][2], 0.0);
  const double half = 0.5 * (xx - yy);
  const double linear = std::max(0.5 * (xx + yy) + std::sqrt(half * half + xy * xy), 0.0);
  const double cx = 0.5 * (response[0][2] + response[2][0]);
  const double cy = 0.5 * (response[1][2] + response[2][1]);
  const double coupling = std::sqrt(cx * cx + cy * cy);
  double mass = linear, inertia = turn;
  if (coupling > 0) {
    const double share = turn > 0 ? std::sqrt(linear / turn) : 1;
    mass = linear + coupling * share;
    inertia = share > 0 ? turn + coupling / share : own.inertia;
  }
  // What is no better than the body's own gains nothing, and leaves the more to the other.
  if (inertia >= own.inertia) {
    const double rest = own.inertia - turn;
    inertia = own.inertia;
    if (coupling > 0) mass = rest > 0 ? linear + coupling * coupling / rest : own.mass;
  } else if (mass >= own.mass) {
    const double rest = own.mass - linear;
    mass = own.mass;
    if (coupling > 0) inertia = rest > 0 ? turn + coupling * coupling / rest : own.inertia;
  }
  return {static_cast<float>(std::min<double>(mass, own.mass)),
          static_cast<float>(std::min<double>(inertia, own.inertia))};
}

}  // namespace

// Finds the bodies of mechanisms that something much heavier touches, and what contacts take them
// for in this step.
void World::lend() {
  lent_.clear();
  if (systems_.empty()) return;
  heaviest_touch_.assign(bodies_.size(), 0.0f);
  bool any = false;
  auto touch = [&](int body, int other) {
    const float own = step_masses_[body].mass, mass = step_masses_[other].mass;
    if (system_of_[body] < 0 || !(mass > 0) || !(mass * constants::heavy_touch < own)) return;
    float& least = heaviest_touch_[body];
    if (least == 0.0f || mass < least) least = mass;
    any = true;
  };
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (contact.color < 0) continue;
    touch(contact.body_a, contact.body_b);
    touch(contact.body_b, contact.body_a);
  }
  if (!any) return;
  contact_masses_ = step_masses_;
  std::vector<uint8_t> held(systems_.size(), 0);
  for (int i = 0; i < body_count(); ++i) {
    const float heaviest = heaviest_touch_[i];
    if (heaviest == 0.0f || static_cast<int>(lent_.size()) >= constants::most_lent) continue;
    JointSystem& system = systems_[system_of_[i]];
    if (!held[system_of_[i]]) system.hold_rigid_rows();
    held[system_of_[i]] = 1;
    const InverseMass own = step_masses_[i];
    double response[3][3];
    system.find_response(i, own, response);
    InverseMass seen = bound(response, own);
    // More than what touches it would be lost on the contact, and on a float.
    const float extent = std::max(bodies_[i].extent, parameters_.slop);
    seen.mass = std::min(std::max(seen.mass, heaviest), own.mass);
    seen.inertia = std::min(std::max(seen.inertia, heaviest / (extent * extent)), own.inertia);
    if (!(seen.mass < own.mass || seen.inertia < own.inertia)) continue;
    contact_masses_[i] = seen;
    lent_.push_back({i, own, seen, {}});
  }
}

void World::note_lent() {
  for (Lent& lent : lent_) lent.before = states_[lent.body];
}

// The impulses that contacts gave since note_lent, as the body's own mass takes them.
void World::settle_lent() {
  for (const Lent& lent : lent_) {
    BodyState& state = states_[lent.body];
    const float linear = lent.own.mass / lent.seen.mass;
    const float angular = lent.seen.inertia > 0.0f ? lent.own.inertia / lent.seen.inertia : 1.0f;
    state.vx = lent.before.vx + linear * (state.vx - lent.before.vx);
    state.vy = lent.before.vy + linear * (state.vy - lent.before.vy);
    state.omega = lent.before.omega + angular * (state.omega - lent.before.omega);
  }
}

}  // namespace rigid
