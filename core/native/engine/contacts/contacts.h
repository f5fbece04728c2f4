// SPDX-License-Identifier: MIT
// Contacts: pairs of shapes whose boxes overlap, and the graph that colours the touching ones.
#ifndef RIGID_ENGINE_CONTACTS_CONTACTS_H
#define RIGID_ENGINE_CONTACTS_CONTACTS_H

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/broadphase/broadphase.h"
#include "engine/contacts/touches.h"
#include "engine/data/bodies.h"
#include "engine/data/contact.h"
#include "engine/data/graph.h"
#include "engine/data/incidence.h"
#include "engine/data/separations.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"
#include "prefetch.h"

namespace rigid {

// The drift of a manifold that does not hold.
constexpr float lost_manifold = std::numeric_limits<float>::infinity();

// Result of the narrow phase for a contact, applied in order. `held`: a pair that needs no test
// (data/separations.h).
enum class ContactChange : uint8_t { none, apart, begin, end, sensed, held };

// The data that loops over all contacts read first, a tenth of the size of a contact.
struct ContactBond {
  int body_a = 0, body_b = 0;
  bool solved = false;   // whether it is in the graph
  bool conveys = false;  // whether one of its surfaces moves
};

struct ContactData {
  std::vector<Contact> contacts_;
  std::vector<ContactBond> bonds_;  // of each; follows from them
  std::vector<uint8_t> active_;     // of each: whether it exists and at least one body is awake
  std::vector<int> free_contacts_;
  std::vector<int> active_contacts_;
  bool contacts_dirty_ = true;
  std::vector<ContactChange> changed_;
  // Of each: how far its bodies have moved relative to one another since its manifold was found, an
  // upper bound; infinite if the next step must find it anew.
  std::vector<float> drifts_;
  Graph contact_graph_;
};

class Contacts : ContactData {
 public:
  Contacts(const WorldDefinition& definition, const Clock& clock, Bodies& bodies,
           const Shapes& shapes, Broadphase& broadphase, Separations& separations, Touches& touches,
           const Contacts* from)
      : ContactData(from ? ContactData(*from) : ContactData{}),
        definition_(definition),
        clock_(clock),
        bodies_(bodies),
        shapes_(shapes),
        broadphase_(broadphase),
        separations_(separations),
        touches_(touches) {}
  Contacts(const Contacts&) = delete;
  void assign(const Contacts& other) {
    ContactData::operator=(other);
    ++changes_;
    may_pass = true;
    of_body_.forget();
  }

  // Whether one of them may include a one-way shape.
  bool may_pass = true;

  Contact& operator[](std::size_t i) { return contacts_[i]; }
  const Contact& operator[](std::size_t i) const { return contacts_[i]; }
  int count() const { return static_cast<int>(contacts_.size()); }
  const std::vector<Contact>& all() const { return contacts_; }
  std::vector<Contact>& all() { return contacts_; }
  // Contacts with an awake body, as of the last narrow phase.
  const std::vector<int>& active() const { return active_contacts_; }
  // Those of them that the narrow phase has tested: the others have no points and no effect.
  const std::vector<int>& near() const { return near_contacts_; }
  // Calls task(contact) for each of these, and prefetches the following ones.
  template <class Task>
  void for_near(Task&& task) const {
    for (std::size_t k = 0; k < near_contacts_.size(); ++k) {
      prefetch_near(k);
      task(near_contacts_[k]);
    }
  }
  // Calls task(contact, body_a, body_b) for those that are solved.
  template <class Task>
  void for_solved(Task&& task) const {
    for (int index : near_contacts_) {
      const ContactBond& bond = bonds_[index];
      if (bond.solved) task(index, bond.body_a, bond.body_b);
    }
  }
  // Prefetches the contact at a distance after the k-th of them.
  void prefetch_near(std::size_t k) const {
    constexpr std::size_t ahead = 12;
    if (k + ahead >= near_contacts_.size()) return;
    const char* line = reinterpret_cast<const char*>(&contacts_[near_contacts_[k + ahead]]);
    for (std::size_t at = 0; at < sizeof(Contact); at += 64) prefetch_to_read(line + at);
  }
  const ContactBond& bond(int contact) const { return bonds_[contact]; }
  // Whether it has points, while the changes of the narrow phase wait to be applied.
  bool has_points(int contact) const {
    const ContactChange change = changed_[contact];
    if (!bonds_[contact].solved) return change == ContactChange::begin;
    return change != ContactChange::end && change != ContactChange::apart;
  }
  const Graph& graph() const { return contact_graph_; }
  // The number of changes of the graph.
  int64_t changes() const { return changes_; }
  ContactChange& change(int contact) { return changed_[contact]; }
  float& drift(int contact) { return drifts_[contact]; }
  // Called when a body was placed elsewhere.
  void forget_manifolds_of(int body);
  // A body fell asleep or woke.
  void expect_changes() { contacts_dirty_ = true; }
  void collect_active();
  void collect_near();

  int create_contact(int shape_a, int shape_b);
  // Called within a narrow phase: creates a contact that is active immediately; -1 if there is one.
  int create_new(int shape_a, int shape_b);
  void destroy_contact(int contact);
  void destroy_contacts_of(int body);
  void destroy_between(int body_a, int body_b);
  // Called when the surfaces of a body's shapes have changed.
  void mix_surfaces_of(int body);
  // Calls task(contact, other body) for the contacts of a body with others.
  template <class Task>
  void for_contacts_of(int body, Task&& task) const {
    for (int i : of_body_.of(body, contacts_, bodies_.size())) {
      const Contact& contact = contacts_[i];
      if (contact.alive) task(contact, contact.body_a == body ? contact.body_b : contact.body_a);
    }
  }
  void insert_constraint(int contact);
  void remove_constraint(int contact);
  void set_count(int contact, int count);
  // Called after bodies woke or fell asleep, or began to move or stopped.
  void activate_awake();
  void deactivate_asleep();
  void follow_body(int body);
  std::vector<int> touching() const;  // in the order of their shapes

  template <class Archive>
  void list(Archive& a) {
    ++changes_;
    may_pass = true;
    of_body_.forget();
    put(a, contacts_, active_, free_contacts_, active_contacts_, contacts_dirty_, changed_, drifts_,
        contact_graph_);
    if constexpr (Archive::reads) find_bonds();
  }
  // Throws DamagedState if the values read are invalid.
  void check() const;

 private:
  void find_bonds();
  void mix_surfaces(int contact);
  bool has_awake(const Contact& contact) const {
    return bodies_.either_awake(contact.body_a, contact.body_b);
  }

  const WorldDefinition& definition_;
  const Clock& clock_;
  Bodies& bodies_;
  const Shapes& shapes_;
  Broadphase& broadphase_;
  Separations& separations_;
  Touches& touches_;
  std::vector<int> near_contacts_;
  int64_t changes_ = 0;
  mutable Incidence of_body_;
};

}  // namespace rigid

#endif
