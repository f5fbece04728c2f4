// SPDX-License-Identifier: MIT
// The graph of constraints: colours them so that no two of one colour move the same body.
//
// Constraints are added and removed one at a time and keep their colour while they exist. Those of
// one colour may be solved in any order, side by side, with the same result. A constraint that fits
// no colour is put in the overflow, which is solved one by one. Bodies that cannot move cause no
// conflict; their constraints prefer the last colours, so that the push from the ground is solved
// last and prevails.
#ifndef RIGID_ENGINE_DATA_GRAPH_H
#define RIGID_ENGINE_DATA_GRAPH_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "engine/data/archive.h"

namespace rigid {

class Graph {
 public:
  static constexpr int color_count = 24;
  static constexpr int overflow = color_count;
  // Colours reserved for constraints with a body that cannot move.
  static constexpr int reserved = 4;

  struct Place {
    int color, slot;
  };

  Graph() { std::fill(std::begin(place_), std::end(place_), int8_t{-1}); }

  // moves_a, moves_b: whether the body can move.
  Place add(int id, int body_a, int body_b, bool moves_a, bool moves_b);
  // Returns the id that took the freed slot, or -1.
  int remove(Place place, int body_a, int body_b, bool moves_a, bool moves_b);

  const std::vector<int>& ids(int color) const {
    return place_[color] < 0 ? no_ids : colors_[place_[color]].ids;
  }
  bool empty() const { return size_ == 0; }
  int size() const { return size_; }
  int used_colors() const;
  // All colours, including unused ones.
  template <class Archive>
  void list(Archive& archive) {
    if constexpr (Archive::reads) *this = {};
    for (int color = 0; color <= color_count; ++color) {
      Color none;
      Color& listed = place_[color] < 0 ? none : colors_[place_[color]];
      put(archive, listed);
      if (!none.bodies.empty() || !none.ids.empty()) take(color) = none;
    }
    put(archive, size_);
  }

 private:
  struct Color {
    std::vector<uint64_t> bodies;  // one bit each
    std::vector<int> ids;
    template <class Archive>
    void list(Archive& archive) {
      put(archive, bodies, ids);
    }
  };
  inline static const std::vector<int> no_ids;
  bool is_taken(int color, int body) const;
  Color& take(int color);
  static void set(Color& color, int body, bool value);

  // Used colours, in the order of their first use: most graphs have none or few, and small worlds
  // have many graphs.
  std::vector<Color> colors_;
  int8_t place_[color_count + 1];  // of each in colors_, or -1
  int size_ = 0;
};

}  // namespace rigid

#endif
