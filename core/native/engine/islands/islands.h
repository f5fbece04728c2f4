// SPDX-License-Identifier: MIT
// Islands: bodies that touch or are joined sleep together and wake together.
#ifndef RIGID_ENGINE_ISLANDS_ISLANDS_H
#define RIGID_ENGINE_ISLANDS_ISLANDS_H

#include <vector>

#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/settings.h"
#include "engine/joints/joints.h"

namespace rigid {

struct IslandData {
  int island_count_ = 0;
};

class Islands : IslandData {
 public:
  Islands(const WorldDefinition& definition, const Clock& clock, Bodies& bodies, Contacts& contacts,
          Joints& joints, const Islands* from)
      : IslandData(from ? IslandData(*from) : IslandData{}),
        definition_(definition),
        clock_(clock),
        bodies_(bodies),
        contacts_(contacts),
        joints_(joints) {}
  Islands(const Islands&) = delete;
  void assign(const Islands& other) { IslandData::operator=(other); }

  int count() const { return island_count_; }
  // Adds the island of a body that starts asleep.
  int add() { return island_count_++; }
  // Wakes the bodies noted by `Bodies::wake`, with their islands.
  void apply_wakes();
  void put_to_sleep();

  template <class Archive>
  void list(Archive& a) {
    put(a, island_count_);
  }

 private:
  const WorldDefinition& definition_;
  const Clock& clock_;
  Bodies& bodies_;
  Contacts& contacts_;
  Joints& joints_;
  std::vector<int> parents_, firm_;
};

}  // namespace rigid

#endif
