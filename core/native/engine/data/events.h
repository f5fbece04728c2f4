// SPDX-License-Identifier: MIT
// Events of a running world, in order, until they are taken.
#ifndef RIGID_ENGINE_DATA_EVENTS_H
#define RIGID_ENGINE_DATA_EVENTS_H

#include <utility>
#include <vector>

#include "engine/data/archive.h"
#include "engine/data/bodies.h"
#include "engine/data/rows.h"

namespace rigid {

// The state of a body on which a step stopped.
struct StepError {
  EventKind kind;
  int body, step;
  double x, y, vx, vy, omega;
};

struct EventData {
  std::vector<EventRow> events_;
};

class Events : EventData {
 public:
  Events(const Bodies& bodies, const Events* from)
      : EventData(from ? EventData(*from) : EventData{}), bodies_(bodies) {}
  Events(const Events&) = delete;
  void assign(const Events& other) { EventData::operator=(other); }

  // Adds an event of one body or two.
  void tell(int step, EventKind kind, int a, int b = -1) {
    const int64_t second = b < 0 ? -1 : bodies_.slots.id(b);
    events_.push_back({step, static_cast<int32_t>(kind), bodies_.slots.id(a), second});
  }
  // Adds an event of a joint, by its id.
  void tell_joint(int step, EventKind kind, int64_t joint) {
    events_.push_back({step, static_cast<int32_t>(kind), joint, -1});
  }
  std::vector<EventRow> take() { return std::exchange(events_, {}); }
  const std::vector<EventRow>& all() const { return events_; }
  template <class Archive>
  void list(Archive& archive) {
    put(archive, events_);
  }

 private:
  const Bodies& bodies_;
};

}  // namespace rigid

#endif
