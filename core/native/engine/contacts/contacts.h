// SPDX-License-Identifier: MIT
// The contacts: pairs of shapes whose boxes overlap, and the graph that colours those that hold.
#ifndef RIGID_ENGINE_CONTACTS_CONTACTS_H
#define RIGID_ENGINE_CONTACTS_CONTACTS_H

#include <cstdint>
#include <vector>

#include "engine/broadphase/broadphase.h"
#include "engine/contacts/touches.h"
#include "engine/data/bodies.h"
#include "engine/data/contact.h"
#include "engine/data/graph.h"
#include "engine/data/separations.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"

namespace rigid {

// Result of the narrow phase for a contact, applied in order. `held`: a pair that needs no test
// (data/separations.h).
enum class ContactChange : uint8_t { none, apart, begin, end, sensed, held };

struct ContactData {
  std::vector<Contact> contacts_;
  std::vector<uint8_t> active_;  // of each whether it is alive and at least one body awake
  std::vector<int> free_contacts_;
  std::vector<int> active_contacts_;
  bool contacts_dirty_ = true;
  std::vector<ContactChange> changed_;
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
  }

  // Whether one of them may be with a shape that is solid from one side.
  bool may_pass = true;

  Contact& operator[](std::size_t i) { return contacts_[i]; }
  const Contact& operator[](std::size_t i) const { return contacts_[i]; }
  int count() const { return static_cast<int>(contacts_.size()); }
  const std::vector<Contact>& all() const { return contacts_; }
  std::vector<Contact>& all() { return contacts_; }
  // Those with a body that is awake, of the last narrow phase.
  const std::vector<int>& active() const { return active_contacts_; }
  // Of these all that the narrow phase has tested: the others have no points and no effect.
  const std::vector<int>& near() const { return near_contacts_; }
  // task(contact) for each of these, while those to come are being loaded.
  template <class Task>
  void for_near(Task&& task) const {
    for (std::size_t k = 0; k < near_contacts_.size(); ++k) {
      prefetch_near(k);
      task(near_contacts_[k]);
    }
  }
  // Begins to load what comes some contacts after the k-th of them.
  void prefetch_near(std::size_t k) const {
    constexpr std::size_t ahead = 12;
    if (k + ahead >= near_contacts_.size()) return;
    const char* line = reinterpret_cast<const char*>(&contacts_[near_contacts_[k + ahead]]);
    for (std::size_t at = 0; at < sizeof(Contact); at += 64) __builtin_prefetch(line + at);
  }
  const Graph& graph() const { return contact_graph_; }
  // How often the graph has been another.
  int64_t changes() const { return changes_; }
  ContactChange& change(int contact) { return changed_[contact]; }
  // A body fell asleep or woke.
  void expect_changes() { contacts_dirty_ = true; }
  void collect_active();
  void collect_near();

  int create_contact(int shape_a, int shape_b);
  // In the midst of a narrow phase, active at once; -1 where there is one.
  int create_new(int shape_a, int shape_b);
  void destroy_contact(int contact);
  void destroy_contacts_of(const std::vector<uint8_t>& bodies);
  void destroy_between(int body_a, int body_b);
  // The surfaces of a body's shapes are others now.
  void mix_surfaces_of(int body);
  // The contacts that a body has with others: task(contact, other body).
  template <class Task>
  void for_contacts_of(int body, Task&& task) const {
    for (const Contact& contact : contacts_) {
      if (!contact.alive || (contact.body_a != body && contact.body_b != body)) continue;
      task(contact, contact.body_a == body ? contact.body_b : contact.body_a);
    }
  }
  void insert_constraint(int contact);
  void remove_constraint(int contact);
  void set_count(int contact, int count);
  // After bodies woke or fell asleep, or began to move or stopped.
  void activate_awake();
  void deactivate_asleep();
  void follow_body(int body);
  std::vector<int> touching() const;  // in the order of their shapes

  template <class Archive>
  void list(Archive& a) {
    ++changes_;
    may_pass = true;
    put(a, contacts_, active_, free_contacts_, active_contacts_, contacts_dirty_, changed_,
        contact_graph_);
  }
  // Throws DamagedState where what was read cannot be.
  void check() const;

 private:
  void mix_surfaces(Contact& contact) const;
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
};

}  // namespace rigid

#endif
