// SPDX-License-Identifier: MIT
// The number of pairs of each shape, counted only in worlds with enough pairs to form crowds.
#ifndef RIGID_ENGINE_BROADPHASE_NEIGHBOURS_H
#define RIGID_ENGINE_BROADPHASE_NEIGHBOURS_H

#include <cstddef>
#include <vector>

#include "engine/broadphase/pair_set.h"
#include "engine/data/shapes.h"

namespace rigid {

class Neighbours {
 public:
  static constexpr int many = 64;  // pairs of a shape: more are a crowd

  void add(int a, int b, int change) {
    if (!known_) return;
    const std::size_t least = static_cast<std::size_t>(a > b ? a : b) + 1;
    if (counts_.size() < least) counts_.resize(least, 0);
    counts_[a] += change;
    counts_[b] += change;
  }
  // Whether there are, including `more`, more than `most` pairs of two shapes that both have many
  // neighbours. A floor with everything resting on it is no crowd, nor is a large world.
  template <class Pairs>
  bool are_crowded(const PairSet& pairs, const Pairs& more, const Shapes& shapes,
                   std::size_t most) {
    if (pairs.size() + more.size() <= most) return false;
    if (!known_) {
      known_ = true;
      counts_.assign(shapes.size(), 0);
      pairs.for_each([this](int a, int b) { add(a, b, 1); });
    }
    std::vector<int> counts = counts_;
    counts.resize(shapes.size(), 0);
    for (const auto& pair : more) {
      ++counts[pair.a];
      ++counts[pair.b];
    }
    std::size_t bound = 0;
    for (int i = 0; i < shapes.count(); ++i) {
      if (shapes[i].body_kind != BodyKind::fixed && counts[i] > many) bound += counts[i];
    }
    if (bound <= most) return false;
    std::size_t crowded = 0;
    auto count = [&](int a, int b) { crowded += counts[a] > many && counts[b] > many; };
    pairs.for_each(count);
    for (const auto& pair : more) count(pair.a, pair.b);
    return crowded > most;
  }

 private:
  std::vector<int> counts_;
  bool known_ = false;
};

}  // namespace rigid

#endif
