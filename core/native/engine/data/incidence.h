// SPDX-License-Identifier: MIT
// The items (contacts, joints) of each body.
#ifndef RIGID_ENGINE_DATA_INCIDENCE_H
#define RIGID_ENGINE_DATA_INCIDENCE_H

#include <span>
#include <vector>

namespace rigid {

// Found in one pass over all items when it is needed, and kept until items are added or move to
// other bodies: many bodies that are removed between two steps cost one pass. Items that were
// removed since then remain in it. It is not part of the state.
class Incidence {
 public:
  void forget() { known_ = false; }

  // The items of a body in their order. `items` have alive, body_a and body_b; `bodies` is the
  // number of bodies.
  template <class Items>
  std::span<const int> of(int body, const Items& items, std::size_t bodies) {
    if (!known_ || first_.size() <= static_cast<std::size_t>(body) + 1) find(items, bodies);
    return std::span<const int>(items_).subspan(first_[body], first_[body + 1] - first_[body]);
  }

 private:
  template <class Items>
  void find(const Items& items, std::size_t bodies) {
    first_.assign(bodies + 2, 0);
    for (const auto& item : items) {
      if (!item.alive) continue;
      ++first_[item.body_a + 2];
      if (item.body_b != item.body_a) ++first_[item.body_b + 2];
    }
    for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    items_.resize(first_.back());
    int index = 0;
    for (const auto& item : items) {
      if (item.alive) {
        items_[first_[item.body_a + 1]++] = index;
        if (item.body_b != item.body_a) items_[first_[item.body_b + 1]++] = index;
      }
      ++index;
    }
    known_ = true;
  }

  bool known_ = false;
  std::vector<int> first_;  // of each body, then their number
  std::vector<int> items_;
};

}  // namespace rigid

#endif
