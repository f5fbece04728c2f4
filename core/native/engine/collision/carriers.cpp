// SPDX-License-Identifier: MIT
// The search for loads of kinematic bodies that retreat, and their change of velocity.
#include "engine/collision/carriers.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sorting.h"

namespace rigid {

namespace {

// A change smaller than this share of the velocity is rounding.
constexpr float least_change = 1e-5f;
constexpr int contact_piece = 512;  // contacts per piece of work

bool bears(const Contact& contact) {
  return contact.alive && contact.touching && !contact.sensor && contact.count > 0;
}

Vec2 middle_of(const Contact& contact) {
  if (contact.count == 1) return contact.points[0].anchor;
  return 0.5f * (contact.points[0].anchor + contact.points[1].anchor);
}

}  // namespace

void Carriers::take_along() {
  if (definition_.substeps < 2) return;
  find_changes();
  if (changes_.empty() || clock_.steps == 0) return;
  island_of_.assign(bodies_.size(), -1);
  followers_.clear();
  find_first();
  if (followers_.empty()) return;
  find_others();
  const float per_step = static_cast<float>(1.0 / definition_.dt);
  for (const Follower& follower : followers_) {
    BodyState& state = bodies_.states[follower.body];
    Body& body = bodies_[follower.body];
    state.vx += follower.shift.x;
    state.vy += follower.shift.y;
    body.force = body.force - (body.mass * per_step) * follower.shift;
  }
}

// Finds the velocity changes of all carriers since the last step.
void Carriers::find_changes() {
  changes_.clear();
  std::vector<int> carriers;
  constexpr float all = std::numeric_limits<float>::infinity();
  broadphase_.query_kinematic({{-all, -all}, {all, all}}, [&](int shape) {
    carriers.push_back(shapes_[shape].body);
    return true;
  });
  rigid::sort(carriers.begin(), carriers.end());
  carriers.erase(std::unique(carriers.begin(), carriers.end()), carriers.end());
  const float per_step = static_cast<float>(1.0 / definition_.dt);
  for (int i : carriers) {
    BodyStep& step = bodies_.steps[i];
    const BodyState& state = bodies_.states[i];
    const Vec2 before = {step.moved_x * per_step, step.moved_y * per_step};
    const float turned = step.turned * per_step;
    // The motion of a body that has stopped is not measured.
    if (!bodies_.awake[i]) step.moved_x = step.moved_y = step.turned = 0.0f;
    const Vec2 change = {state.vx - before.x, state.vy - before.y};
    const float turn = state.omega - turned;
    const float size = std::fabs(change.x) + std::fabs(change.y);
    const float speed =
        std::fabs(before.x) + std::fabs(before.y) + std::fabs(state.vx) + std::fabs(state.vy);
    const float spin = std::fabs(turned) + std::fabs(state.omega);
    if (size <= least_change * speed && std::fabs(turn) <= least_change * spin) continue;
    changes_.push_back({i, change, turn});
  }
}

// Whether its forces would shift it farther than that within the step.
bool Carriers::would_follow(int index, Vec2 shift) const {
  const Body& body = bodies_[index];
  const float inverse = bodies_.inverse_masses[index].mass;
  const float dt = static_cast<float>(definition_.dt);
  const Vec2 gravity = {static_cast<float>(definition_.gravity_x),
                        static_cast<float>(definition_.gravity_y)};
  const Vec2 gained = dt * (body.gravity_scale * gravity + inverse * body.force);
  return dot(gained, shift) > dot(shift, shift);
}

void Carriers::spread(int body, Vec2 shift) {
  if (island_of_[body] >= 0 || !bodies_.awake[body] || !bodies_.is_dynamic(body)) return;
  if (!would_follow(body, shift)) return;
  island_of_[body] = static_cast<int>(followers_.size());
  followers_.push_back({body, shift});
}

// Finds the bodies that rest directly on the carriers.
void Carriers::find_first() {
  change_of_.assign(bodies_.size(), -1);
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    change_of_[changes_[i].body] = static_cast<int>(i);
  }
  for (int index : contacts_.near()) {
    const ContactBond& bond = contacts_.bond(index);
    if (change_of_[bond.body_a] < 0 && change_of_[bond.body_b] < 0) continue;
    const Contact& contact = contacts_[index];
    if (!bears(contact)) continue;
    for (const bool a_carries : {true, false}) {
      const int carrier = a_carries ? contact.body_a : contact.body_b;
      const int other = a_carries ? contact.body_b : contact.body_a;
      if (change_of_[carrier] < 0) continue;
      const Change* change = &changes_[change_of_[carrier]];
      const Vec2 n = a_carries ? contact.normal : -1.0f * contact.normal;
      Vec2 r = middle_of(contact);
      if (!a_carries) r = r + contact.offset;
      const float along = dot(change->velocity + cross(change->omega, r), n);
      if (along < 0.0f) spread(other, along * n);
    }
  }
}

// Finds which bodies bear each other or are joined, and those that are joined to something that
// does not move with them.
void Carriers::find_bearings() {
  const std::vector<int>& near = contacts_.near();
  const int count = static_cast<int>(near.size());
  bearing_parts_.resize((count + contact_piece - 1) / contact_piece);
  pool_.run(count, contact_piece, [&](int first, int last) {
    std::vector<Bearing>& part = bearing_parts_[first / contact_piece];
    part.clear();
    for (int i = first; i < last; ++i) {
      contacts_.prefetch_near(i);
      const Contact& contact = contacts_[near[i]];
      if (bears(contact)) part.push_back({contact.body_a, contact.body_b});
    }
  });
  bearings_.clear();
  for (const std::vector<Bearing>& part : bearing_parts_) {
    bearings_.insert(bearings_.end(), part.begin(), part.end());
  }
  tied_.assign(bodies_.size(), 0);
  for (const Joint& joint : joints_) {
    if (joint.color < 0) continue;
    if (bodies_.is_dynamic(joint.body_a) && bodies_.is_dynamic(joint.body_b)) {
      bearings_.push_back({joint.body_a, joint.body_b});
    } else {
      tied_[joint.body_a] = tied_[joint.body_b] = 1;
    }
  }
  bearings_of_.forget();
}

// Finds all bodies that rest on these or are joined to them, except those joined to something that
// does not move with them.
void Carriers::find_others() {
  find_bearings();
  for (std::size_t k = 0; k < followers_.size(); ++k) {
    const Follower from = followers_[k];
    if (tied_[from.body]) continue;
    for (int i : bearings_of_.of(from.body, bearings_, bodies_.size())) {
      const Bearing& bearing = bearings_[i];
      spread(bearing.body_a == from.body ? bearing.body_b : bearing.body_a, from.shift);
    }
  }
  std::erase_if(followers_, [&](const Follower& f) { return tied_[f.body] != 0; });
}

}  // namespace rigid
