// SPDX-License-Identifier: MIT
// Touches: starts and ends of touching, reported once for each pair of bodies.
#ifndef RIGID_ENGINE_CONTACTS_TOUCHES_H
#define RIGID_ENGINE_CONTACTS_TOUCHES_H

#include <compare>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/data/archive.h"
#include "engine/data/contact.h"
#include "engine/data/events.h"
#include "engine/data/shapes.h"

namespace rigid {

struct TouchKey {
  int a, b;
  bool sensor;
  auto operator<=>(const TouchKey&) const = default;
  template <class Archive>
  void list(Archive& archive) {
    put(archive, a, b, sensor);
  }
};

struct Touch {
  int count = 0;      // of touching contacts
  bool told = false;  // whether the last event reported touching
  template <class Archive>
  void list(Archive& archive) {
    put(archive, count, told);
  }
};

struct TouchData {
  std::map<TouchKey, Touch> touches_;  // by pair of bodies: sensors always, others on request
  std::vector<std::pair<TouchKey, int>> touched_;  // changes with their steps, not yet reported
  bool contact_events_ = false;
};

class Touches : TouchData {
 public:
  Touches(const Shapes& shapes, Events& events, const Touches* from)
      : TouchData(from ? TouchData(*from) : TouchData{}), shapes_(shapes), events_(events) {}
  Touches(const Touches&) = delete;
  void assign(const Touches& other) { TouchData::operator=(other); }

  void set_touching(Contact& contact, bool touching, int step);
  void tell_touching(bool sensors_only = false);
  void enable_contact_events(bool enabled, std::span<Contact> contacts, int step);

  template <class Archive>
  void list(Archive& a) {
    put(a, touches_, touched_, contact_events_);
  }
  // Throws DamagedState if the values read are invalid.
  void check(std::size_t bodies) const;

 private:
  const Shapes& shapes_;
  Events& events_;
};

}  // namespace rigid

#endif
