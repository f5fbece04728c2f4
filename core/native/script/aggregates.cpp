// SPDX-License-Identifier: MIT
// Numbers of many bodies, with the bits of core/world/aggregates.py.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "engine/channels.h"
#include "engine/world_parts.h"
#include "script/runner.h"
#include "script/turning.h"

namespace rigid::script {

// Shewchuk, Discrete & Computational Geometry 18, 1997: growing an expansion.
std::optional<double> rounded_sum(std::span<const double> numbers) {
  std::vector<double> parts;  // that do not overlap, the smallest first
  for (double x : numbers) {
    std::size_t kept = 0;
    for (double y : parts) {
      if (std::fabs(x) < std::fabs(y)) std::swap(x, y);
      const double high = x + y, low = y - (high - x);
      if (low != 0.0) parts[kept++] = low;
      x = high;
    }
    if (!std::isfinite(x)) return std::nullopt;
    parts.resize(kept);
    parts.push_back(x);
  }
  if (parts.empty()) return 0.0;
  double sum = parts.back(), low = 0.0;
  std::size_t rest = parts.size() - 1;
  while (rest > 0) {
    const double x = sum, y = parts[--rest];
    sum = x + y;
    low = y - (sum - x);
    if (low != 0.0) break;
  }
  // Half-way between two doubles what is left over decides.
  if (rest > 0 && low != 0.0 && (low < 0.0) == (parts[rest - 1] < 0.0)) {
    const double twice = 2.0 * low, further = sum + twice;
    if (further - sum == twice) sum = further;
  }
  return sum;
}

// The slots of those that are there, in the order in which they came.
std::vector<int> Runner::members_of(const Bodies& bodies, const Aggregate& aggregate) const {
  std::vector<int> found;
  const auto is_there = [&](int slot) { return bodies.find(slot) == slot; };  // one of the scene's
  for (int slot : aggregate.bodies) {
    if (is_there(slot)) found.push_back(slot);
  }
  if (aggregate.tag == none) return found;
  const State& state = tagging_ != nullptr ? *tagging_ : state_;
  const auto has = [&](int slot) {
    const bool is_known = slot < static_cast<int>(state.tags.size());
    return is_known && state.tags[slot].has(aggregate.tag);
  };
  for (int slot = 1; slot < program_->bodies; ++slot) {
    if (has(slot) && is_there(slot)) found.push_back(slot);
  }
  for (const Born& each : state.born) {
    const int slot = bodies.find(each.id);
    if (slot >= 0 && has(slot)) found.push_back(slot);
  }
  return found;
}

// 0 without bodies; nothing where a sum is not finite.
std::optional<double> Runner::aggregate(Reading& reading, const Aggregate& aggregate,
                                        const Exact& exact) const {
  const Bodies& bodies = reading.world.bodies;
  const std::vector<int> slots = members_of(bodies, aggregate);
  if (aggregate.over == Over::count) return static_cast<double>(slots.size());
  if (slots.empty()) return 0.0;
  if (aggregate.over >= Over::momentum) return measured(reading, aggregate.over, slots, exact);
  const std::size_t width = aggregate.channels.size();
  std::vector<double> rows, masses;
  for (int slot : slots) {
    for (int channel : aggregate.channels) rows.push_back(read_channel(reading, channel, slot));
  }
  std::vector<double> terms;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const double* row = rows.data() + i * width;
    switch (aggregate.over) {
      case Over::momentum_x:
      case Over::momentum_y:
        terms.push_back(row[0] * row[aggregate.over == Over::momentum_x ? 1 : 2]);
        break;
      case Over::center_x:
      case Over::center_y: {
        if (row[0] == 0.0) continue;
        double x = row[1], y = row[2];
        const auto center = bodies[slots[i]].local_center;
        const double cx = center.x, cy = center.y;
        if (cx != 0.0 || cy != 0.0) {
          const auto [c, s] = turn_of(row[3], exact);
          x += c * cx - s * cy, y += s * cx + c * cy;
        }
        terms.push_back(row[0] * (aggregate.over == Over::center_x ? x : y));
        masses.push_back(row[0]);
        break;
      }
      default:
        terms.push_back(row[0]);
    }
  }
  if (aggregate.over == Over::least) return *std::min_element(terms.begin(), terms.end());
  if (aggregate.over == Over::most) return *std::max_element(terms.begin(), terms.end());
  const std::optional<double> sum = rounded_sum(terms);
  if (!sum) return std::nullopt;
  if (aggregate.over == Over::mean) return *sum / static_cast<double>(terms.size());
  if (aggregate.over < Over::center_x) return sum;
  const std::optional<double> mass = rounded_sum(masses);
  if (!mass) return std::nullopt;
  return masses.empty() ? 0.0 : *sum / *mass;
}

}  // namespace rigid::script
