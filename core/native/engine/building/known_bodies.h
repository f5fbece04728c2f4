// SPDX-License-Identifier: MIT
// The bodies to which rows of joints, forces and points may refer.
#ifndef RIGID_ENGINE_BUILDING_KNOWN_BODIES_H
#define RIGID_ENGINE_BUILDING_KNOWN_BODIES_H

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/building/checked_numbers.h"
#include "engine/world.h"
#include "sorting.h"

namespace rigid {

// The bodies to which rows may refer: existing ones, and new ones added with the rows.
class KnownBodies {
 public:
  explicit KnownBodies(const World& world, std::vector<int> coming = {})
      : there_(&world.parts().bodies), coming_(std::move(coming)), count_(there_->count()) {
    rigid::sort(coming_.begin(), coming_.end());
    if (!coming_.empty()) count_ = std::max(count_, coming_.back() + 1);
  }
  // Without a world: the bodies of a mould, by index.
  explicit KnownBodies(int count) : coming_(count), count_(count) {
    std::iota(coming_.begin(), coming_.end(), 0);
  }
  int find(double value, const std::string& what) const {
    const int slot = check_index(value, count_, what);
    if (std::binary_search(coming_.begin(), coming_.end(), slot)) return slot;
    if (slot >= there_->count() || !there_->alive[slot]) {
      throw std::invalid_argument(what + " must be there; " + std::to_string(slot) +
                                  " was removed");
    }
    return slot;
  }

 private:
  const Bodies* there_ = nullptr;
  std::vector<int> coming_;  // in ascending order
  int count_ = 0;
};

}  // namespace rigid

#endif
