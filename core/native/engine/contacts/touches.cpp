// SPDX-License-Identifier: MIT
// The record of touching bodies and its events.
#include "engine/contacts/touches.h"

namespace rigid {

// Two bodies may touch in several places, with several shapes or lines of a chain; they are
// reported once. The place may change from one shape to the next within a step: the state at its
// end is reported.
void Touches::set_touching(Contact& contact, bool touching, int step) {
  contact.touching = touching;
  if (!contact.sensor && !contact_events_) return;
  // In a sensor's pair the sensor's body is the first.
  int a = contact.body_a, b = contact.body_b;
  if (contact.sensor ? !shapes_[contact.shape_a].sensor : a > b) std::swap(a, b);
  const TouchKey key{a, b, contact.sensor};
  touches_[key].count += touching ? 1 : -1;
  touched_.push_back({key, step});
}

// Reports begins and ends of touching since the last call, in the order in which they were found.
void Touches::tell_touching(bool sensors_only) {
  std::size_t kept = 0;
  for (const auto& [key, step] : touched_) {
    if (sensors_only && !key.sensor) {
      touched_[kept++] = {key, step};
      continue;
    }
    auto found = touches_.find(key);
    if (found == touches_.end()) continue;
    Touch& touch = found->second;
    const bool touching = touch.count > 0;
    if (touching != touch.told) {
      const EventKind begin = key.sensor ? EventKind::sensor_begin : EventKind::contact_begin;
      const EventKind end = key.sensor ? EventKind::sensor_end : EventKind::contact_end;
      events_.tell(step, touching ? begin : end, key.a, key.b);
      touch.told = touching;
    }
    if (!touching) touches_.erase(found);
  }
  touched_.resize(kept);
}

void Touches::enable_contact_events(bool enabled, std::span<Contact> contacts, int step) {
  if (enabled == contact_events_) return;
  contact_events_ = enabled;
  std::erase_if(touches_, [](const auto& entry) { return !entry.first.sensor; });
  if (!enabled) return;
  // Bodies that touch already are not reported.
  for (Contact& contact : contacts) {
    const bool touches = contact.alive && contact.touching && !contact.sensor;
    if (touches) set_touching(contact, true, step);
  }
  for (auto& [key, touch] : touches_) touch.told = touch.count > 0;
  touched_.clear();
}

}  // namespace rigid
