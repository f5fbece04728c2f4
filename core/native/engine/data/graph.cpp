// SPDX-License-Identifier: MIT
// Colouring of constraints that are added and removed.
#include "engine/data/graph.h"

namespace rigid {

bool Graph::is_taken(int color, int body) const {
  if (place_[color] < 0) return false;
  const std::vector<uint64_t>& bodies = colors_[place_[color]].bodies;
  std::size_t word = static_cast<std::size_t>(body) >> 6;
  return word < bodies.size() && (bodies[word] >> (body & 63) & 1);
}

Graph::Color& Graph::take(int color) {
  if (place_[color] < 0) {
    place_[color] = static_cast<int8_t>(colors_.size());
    colors_.emplace_back();
  }
  return colors_[place_[color]];
}

void Graph::set(Color& color, int body, bool value) {
  std::size_t word = static_cast<std::size_t>(body) >> 6;
  if (word >= color.bodies.size()) color.bodies.resize(word + 1, 0);
  uint64_t bit = uint64_t{1} << (body & 63);
  if (value) {
    color.bodies[word] |= bit;
  } else {
    color.bodies[word] &= ~bit;
  }
}

Graph::Place Graph::add(int id, int body_a, int body_b, bool moves_a, bool moves_b) {
  int chosen = overflow;
  bool both = moves_a && moves_b;
  for (int i = 0; i < color_count; ++i) {
    int color = both ? i : color_count - 1 - i;
    if (both && i == color_count - reserved) break;
    if (moves_a && is_taken(color, body_a)) continue;
    if (moves_b && is_taken(color, body_b)) continue;
    chosen = color;
    break;
  }
  Color& color = take(chosen);
  if (chosen != overflow) {
    if (moves_a) set(color, body_a, true);
    if (moves_b) set(color, body_b, true);
  }
  color.ids.push_back(id);
  ++size_;
  return {chosen, static_cast<int>(color.ids.size()) - 1};
}

int Graph::remove(Place place, int body_a, int body_b, bool moves_a, bool moves_b) {
  Color& color = take(place.color);
  if (place.color != overflow) {
    if (moves_a) set(color, body_a, false);
    if (moves_b) set(color, body_b, false);
  }
  int last = color.ids.back();
  int removed = color.ids[place.slot];
  color.ids[place.slot] = last;
  color.ids.pop_back();
  --size_;
  return removed == last ? -1 : last;
}

int Graph::used_colors() const {
  int used = 0;
  for (const Color& color : colors_) used += color.ids.empty() ? 0 : 1;
  return used;
}

}  // namespace rigid
