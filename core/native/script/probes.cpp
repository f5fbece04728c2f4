// SPDX-License-Identifier: MIT
// Evaluates probes, with the bits of core/world/probes.py.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "engine/queries/queries.h"
#include "engine/world_parts.h"
#include "script/runner.h"
#include "script/turning.h"

namespace rigid::script {

namespace {

bool is_finite(const Numbers& point) { return std::isfinite(point[0]) && std::isfinite(point[1]); }

}  // namespace

bool Runner::passes(int slot, const BodyFilter& filter) const {
  if (std::binary_search(filter.bodies.begin(), filter.bodies.end(), slot)) return true;
  const State& state = tagging_ != nullptr ? *tagging_ : state_;
  return slot < static_cast<int>(state.tags.size()) && state.tags[slot].meets(filter.tags);
}

bool Runner::is_found(int slot, const Probe& probe) const {
  return !passes(slot, probe.ignored) && (probe.finds_all || passes(slot, probe.only));
}

// Empty after the removal of its body; nothing where one of its numbers has no value.
std::optional<Sight> Runner::look(World& world, const Probe& probe, const Exact& exact) {
  const auto is_there = [&](int slot) {
    return slot == none || world.parts().bodies.find(slot) == slot;
  };
  Sight sight;
  if (!is_there(probe.frame) || !is_there(probe.body)) return sight;
  const std::optional<Numbers> at = value(world, probe.at, nullptr, exact);
  const std::optional<Numbers> to = value(world, probe.to, nullptr, exact);
  const std::optional<double> angle = number(world, probe.angle, nullptr, exact);
  if (!at || !to || !angle) return std::nullopt;
  const Broadphase& broadphase = world.refreshed_broadphase();
  const Bodies& bodies = world.parts().bodies;
  const Shapes& shapes = world.parts().shapes;
  const Frame frame = frame_of(bodies, probe.frame);
  sight.first = sight.last = placed(*at, frame, exact);
  sight.ends = 1;
  if (!is_finite(sight.first)) return std::nullopt;
  if (probe.kind == ProbeKind::ray) {
    sight.last = placed(*to, frame, exact);
    sight.ends = 2;
    const double x = sight.last[0] - sight.first[0], y = sight.last[1] - sight.first[1];
    if (!std::isfinite(x) || !std::isfinite(y)) return std::nullopt;
    if (x == 0.0 && y == 0.0) return sight;
    for (const RayHit& hit : ray_hits(bodies, shapes, broadphase, sight.first[0], sight.first[1], x,
                                      y, probe.categories)) {
      if (!is_found(hit.body, probe)) continue;
      sight.hits = true;
      sight.hit = {hit.x, hit.y};
      sight.normal = {hit.normal.x, hit.normal.y};
      sight.bodies = {hit.body};
      break;
    }
  } else if (probe.kind == ProbeKind::shape) {
    std::set<int> found;
    const Frame turned{0.0, 0.0, frame.angle + *angle};
    for (const ConvexPart& part : probe.parts) {
      std::vector<Vec2> corners;
      for (std::size_t k = 0; k < part.corners.size(); k += 2) {
        const Numbers corner = placed({part.corners[k], part.corners[k + 1]}, turned, exact);
        corners.push_back({static_cast<float>(corner[0]), static_cast<float>(corner[1])});
      }
      for (const auto& [body, shape] :
           overlap_solids(bodies, shapes, broadphase, corners, static_cast<float>(part.radius),
                          sight.first[0], sight.first[1], probe.categories)) {
        found.insert(body);
      }
    }
    for (int body : found) {
      if (is_found(body, probe)) sight.bodies.push_back(body);
    }
  } else {
    const BodyState& state = bodies.states[probe.body];
    const auto local = bodies[probe.body].local_center;
    const Numbers center = placed({local.x, local.y}, frame_of(bodies, probe.body), exact);
    const double spin = state.omega;
    sight.velocity = {state.vx - spin * (sight.first[1] - center[1]),
                      state.vy + spin * (sight.first[0] - center[0])};
    sight.bodies = {probe.body};
  }
  return sight;
}

std::optional<double> Runner::probe(World& world, const ProbeReading& reading, const Exact& exact) {
  const std::optional<Sight> sight = look(world, program_->probes[reading.probe], exact);
  if (!sight) return std::nullopt;
  const Numbers& place = sight->hits ? sight->hit : sight->last;
  switch (reading.quantity) {
    case ProbeQuantity::hit:
      return sight->bodies.empty() ? 0.0 : 1.0;
    case ProbeQuantity::count:
      return static_cast<double>(sight->bodies.size());
    case ProbeQuantity::matching: {
      int count = 0;
      for (int body : sight->bodies) {
        const bool is_born = reading.by_name && body >= program_->bodies;
        const Born* const born = is_born ? born_of(world.parts().bodies, body) : nullptr;
        const int own = born != nullptr ? born->root : body;
        const bool has_name = born != nullptr && is_one_of(reading.names, born->name);
        count += has_name || (own != none && passes(own, reading.filter)) ? 1 : 0;
      }
      return count;
    }
    case ProbeQuantity::x:
    case ProbeQuantity::y:
      return sight->ends == 0 ? 0.0 : place[reading.quantity == ProbeQuantity::x ? 0 : 1];
    case ProbeQuantity::normal_x:
    case ProbeQuantity::normal_y:
      return sight->hits ? sight->normal[reading.quantity == ProbeQuantity::normal_x ? 0 : 1] : 0.0;
    case ProbeQuantity::distance:
      if (sight->ends == 0) return 0.0;
      return length_of(place[0] - sight->first[0], place[1] - sight->first[1], exact);
    case ProbeQuantity::vx:
      return sight->velocity[0];
    case ProbeQuantity::vy:
      return sight->velocity[1];
    default:
      return length_of(sight->velocity[0], sight->velocity[1], exact);
  }
}

}  // namespace rigid::script
