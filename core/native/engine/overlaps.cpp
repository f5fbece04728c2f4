// SPDX-License-Identifier: MIT
// The search for overlapping bodies in a copy of the world.
#include "engine/overlaps.h"

#include <algorithm>
#include <memory>

#include "engine/step.h"
#include "sorting.h"

namespace rigid {

std::vector<Overlap> find_overlaps(World& world, float depth) {
  // Done like the start of a step, in a world of its own.
  const std::unique_ptr<World> other = world.fork();
  other->finish();
  WorldParts& parts = other->parts_to_step();
  if (parts.error || !update_pairs(parts)) return {};
  // Static and sleeping bodies have contacts as well.
  std::vector<Overlap> found;
  parts.narrow_phase.update_contacts();
  for (const Contact& contact : parts.contacts.all()) {
    if (!contact.alive || contact.sensor) continue;
    double deepest = 0;
    for (int k = 0; k < contact.count; ++k) {
      deepest = std::max(deepest, -static_cast<double>(contact.points[k].separation));
    }
    if (deepest <= depth) continue;
    const auto [a, b] = std::minmax(contact.body_a, contact.body_b);
    found.push_back({a, b, deepest});
  }
  rigid::sort(found.begin(), found.end(), [](const Overlap& l, const Overlap& r) {
    if (l.body_a != r.body_a) return l.body_a < r.body_a;
    return l.body_b != r.body_b ? l.body_b < r.body_b : l.depth > r.depth;
  });
  auto same = [](const Overlap& l, const Overlap& r) {
    return l.body_a == r.body_a && l.body_b == r.body_b;
  };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  return found;
}

}  // namespace rigid
