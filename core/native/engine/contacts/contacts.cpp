// SPDX-License-Identifier: MIT
// Creation, activation, colouring and removal of contacts.
#include "engine/contacts/contacts.h"

#include <algorithm>
#include <cmath>

#include "sorting.h"

namespace rigid {

namespace {

double mix(Mixing rule, double a, double b) {
  switch (rule) {
    case Mixing::min:
      return std::min(a, b);
    case Mixing::max:
      return std::max(a, b);
    case Mixing::mean:
      return 0.5 * (a + b);
    case Mixing::product:
      return a * b;
    default:
      return std::sqrt(a * b);
  }
}

}  // namespace

int Contacts::create_contact(int shape_a, int shape_b) {
  // The geometry handles any order of kinds; the order of shapes decides which is A.
  const WorldShape &a = shapes_[shape_a], &b = shapes_[shape_b];
  int index;
  if (free_contacts_.empty()) {
    index = static_cast<int>(contacts_.size());
    contacts_.emplace_back();
    bonds_.emplace_back();
    active_.push_back(0);
    changed_.push_back(ContactChange::none);
    drifts_.push_back(lost_manifold);
    separations_.add_contact();
  } else {
    index = free_contacts_.back();
    free_contacts_.pop_back();
    contacts_[index] = Contact{};
    drifts_[index] = lost_manifold;
    separations_.forget(index);
  }
  of_body_.forget();
  Contact& contact = contacts_[index];
  contact.shape_a = shape_a;
  contact.shape_b = shape_b;
  contact.body_a = a.body;
  contact.body_b = b.body;
  bonds_[index] = {a.body, b.body};
  mix_surfaces(index);
  contact.round_a = a.kind == ShapeKind::circle;
  contact.round_b = b.kind == ShapeKind::circle;
  contact.sensor = a.sensor || b.sensor;
  contact.passable = a.is_one_way() || b.is_one_way();
  may_pass |= contact.passable;
  contact.alive = true;
  active_[index] = has_awake(contact);
  contacts_dirty_ = true;
  return index;
}

void Contacts::mix_surfaces(int index) {
  Contact& contact = contacts_[index];
  const WorldShape &a = shapes_[contact.shape_a], &b = shapes_[contact.shape_b];
  contact.friction = static_cast<float>(mix(definition_.friction_mixing, a.friction, b.friction));
  contact.restitution =
      static_cast<float>(mix(definition_.restitution_mixing, a.restitution, b.restitution));
  float round_a = a.rolling_resistance * a.radius, round_b = b.rolling_resistance * b.radius;
  float larger = std::max(a.rolling_resistance, b.rolling_resistance);
  contact.rolling_resistance =
      std::max(std::max(round_a, round_b), larger * std::max(a.radius, b.radius));
  contact.tangent_speed = a.tangent_speed + b.tangent_speed;
  bonds_[index].conveys = contact.tangent_speed != 0.0f;
}

void Contacts::mix_surfaces_of(int body) {
  for (int i : of_body_.of(body, contacts_, bodies_.size())) {
    if (contacts_[i].alive) mix_surfaces(i);
  }
}

void Contacts::destroy_contact(int index) {
  Contact& contact = contacts_[index];
  if (contact.touching) touches_.set_touching(contact, false, clock_.steps);
  remove_constraint(index);
  broadphase_.remove_pair(contact.shape_a, contact.shape_b);
  contact.alive = false;
  active_[index] = 0;
  free_contacts_.push_back(index);
  contacts_dirty_ = true;
}

void Contacts::destroy_contacts_of(int body) {
  for (int i : of_body_.of(body, contacts_, bodies_.size())) {
    if (contacts_[i].alive) destroy_contact(i);
  }
  touches_.tell_touching();
}

int Contacts::create_new(int shape_a, int shape_b) {
  if (!broadphase_.add_pair(shape_a, shape_b)) return -1;
  const int index = create_contact(shape_a, shape_b);
  active_contacts_.push_back(index);
  near_contacts_.push_back(index);
  return index;
}

void Contacts::forget_manifolds_of(int body) {
  for (int i : of_body_.of(body, contacts_, bodies_.size())) drifts_[i] = lost_manifold;
}

void Contacts::destroy_between(int body_a, int body_b) {
  for (int i : of_body_.of(body_a, contacts_, bodies_.size())) {
    const Contact& contact = contacts_[i];
    const int other = contact.body_a == body_a ? contact.body_b : contact.body_a;
    if (contact.alive && other == body_b) destroy_contact(i);
  }
  touches_.tell_touching();
}

void Contacts::collect_active() {
  if (!contacts_dirty_) return;
  contacts_dirty_ = false;
  // Without branches, which could not be predicted.
  active_contacts_.resize(count());
  int found = 0;
  for (int i = 0; i < count(); ++i) {
    active_contacts_[found] = i;
    found += active_[i] != 0;
  }
  active_contacts_.resize(found);
}

void Contacts::collect_near() {
  near_contacts_.resize(active_contacts_.size());
  int found = 0;
  for (int index : active_contacts_) {
    const bool held = changed_[index] == ContactChange::held;
    near_contacts_[found] = index;
    found += !held;
    changed_[index] = held ? ContactChange::none : changed_[index];
  }
  near_contacts_.resize(found);
}

void Contacts::activate_awake() {
  contacts_dirty_ = true;
  for (int i = 0; i < count(); ++i) {
    if (active_[i]) continue;
    const Contact& contact = contacts_[i];
    if (!contact.alive || !has_awake(contact)) continue;
    active_[i] = 1;
    drifts_[i] = lost_manifold;
    near_contacts_.push_back(i);
    if (contact.count > 0 && !contact.sensor) insert_constraint(i);
  }
  rigid::sort(near_contacts_.begin(), near_contacts_.end());
  near_contacts_.erase(std::unique(near_contacts_.begin(), near_contacts_.end()),
                       near_contacts_.end());
}

void Contacts::deactivate_asleep() {
  contacts_dirty_ = true;
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (!contact.alive || has_awake(contact)) continue;
    active_[index] = 0;
    remove_constraint(index);
  }
}

void Contacts::follow_body(int body) {
  contacts_dirty_ = true;
  for (int i = 0; i < count(); ++i) {
    const Contact& contact = contacts_[i];
    if (!contact.alive || (contact.body_a != body && contact.body_b != body)) continue;
    active_[i] = has_awake(contact);
    drifts_[i] = lost_manifold;
    if (!active_[i]) {
      remove_constraint(i);
    } else if (contact.count > 0 && !contact.sensor) {
      insert_constraint(i);
    }
  }
}

void Contacts::insert_constraint(int index) {
  Contact& contact = contacts_[index];
  if (contact.color >= 0) return;
  bodies_.wake(contact.body_a);
  bodies_.wake(contact.body_b);
  Graph::Place place =
      contact_graph_.add(index, contact.body_a, contact.body_b, bodies_.is_dynamic(contact.body_a),
                         bodies_.is_dynamic(contact.body_b));
  ++changes_;
  contact.color = static_cast<int8_t>(place.color);
  contact.slot = place.slot;
  bonds_[index].solved = true;
}

void Contacts::remove_constraint(int index) {
  Contact& contact = contacts_[index];
  if (contact.color < 0) return;
  ++changes_;
  int moved =
      contact_graph_.remove({contact.color, contact.slot}, contact.body_a, contact.body_b,
                            bodies_.is_dynamic(contact.body_a), bodies_.is_dynamic(contact.body_b));
  if (moved >= 0) contacts_[moved].slot = contact.slot;
  contact.color = contact.slot = -1;
  bonds_[index].solved = false;
}

void Contacts::find_bonds() {
  bonds_.clear();
  for (const Contact& contact : contacts_) {
    bonds_.push_back(
        {contact.body_a, contact.body_b, contact.color >= 0, contact.tangent_speed != 0.0f});
  }
}

// Applies a change found by update_contact.
void Contacts::set_count(int index, int count) {
  Contact& contact = contacts_[index];
  const bool held = contact.color >= 0;
  contact.count = count;
  changed_[index] = count > 0 && !held   ? ContactChange::begin
                    : count == 0 && held ? ContactChange::end
                                         : ContactChange::none;
}

std::vector<int> Contacts::touching() const {
  std::vector<int> found;
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
    const Contact& contact = contacts_[i];
    if (contact.alive && contact.touching && !contact.sensor) found.push_back(i);
  }
  rigid::sort(found.begin(), found.end(), [this](int l, int r) {
    const Contact &a = contacts_[l], &b = contacts_[r];
    return a.shape_a != b.shape_a ? a.shape_a < b.shape_a : a.shape_b < b.shape_b;
  });
  return found;
}

}  // namespace rigid
