// SPDX-License-Identifier: MIT
// The search for bodies that move.
#include "engine/islands/liveliness.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"

namespace rigid {

// NaN does not count as slow.
bool Liveliness::is_lively(const BodyState& s, const Body& body) const {
  const float slow = constants::lively_speed * static_cast<float>(definition_.length_unit) *
                     static_cast<float>(1 / definition_.time_per_second);
  const float speed = std::fabs(s.vx) + std::fabs(s.vy);
  return !(speed < slow) || !(speed + std::fabs(s.omega) * body.extent < slow);
}

bool Liveliness::any_lively(const BodyState* states) {
  auto test = [&](int i) {
    return bodies_.awake[i] && is_dynamic(bodies_, i) && is_lively(states[i], bodies_[i]);
  };
  // Most often it is the same as before.
  if (last_found_ < bodies_.count() && test(last_found_)) return true;
  const auto found = std::find_if(bodies_.awake_list.begin(), bodies_.awake_list.end(), test);
  if (found == bodies_.awake_list.end()) return false;
  last_found_ = *found;
  return true;
}

bool Liveliness::any_shifted() const {
  const float per_second = static_cast<float>(1 / parameters_.dt);
  return std::any_of(bodies_.awake_list.begin(), bodies_.awake_list.end(), [&](int i) {
    BodyState s = bodies_.states[i];
    s.vx = s.dx * per_second;
    s.vy = s.dy * per_second;
    s.omega = s.delta_angle * per_second;
    return is_dynamic(bodies_, i) && is_lively(s, bodies_[i]);
  });
}

}  // namespace rigid
