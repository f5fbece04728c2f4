// SPDX-License-Identifier: MIT
// Channels from outside, checked.
#ifndef RIGID_ENGINE_BUILDING_CHECKED_CHANNELS_H
#define RIGID_ENGINE_BUILDING_CHECKED_CHANNELS_H

#include <cstdint>
#include <span>
#include <stdexcept>

#include "engine/building/checked_numbers.h"
#include "engine/channels.h"
#include "engine/world.h"

namespace rigid {

inline int owner_count(const World& world, Owner owner) {
  switch (owner) {
    case Owner::body:
      return world.parts().bodies.count();
    case Owner::point:
      return world.parts().points.count();
    case Owner::joint:
      return world.parts().joints.count();
    case Owner::world:
      return 1;
  }
  return 0;
}

// Pairs of a channel's place in the table and an owner's index.
inline void check_channel_codes(const World& world, std::span<const int32_t> codes) {
  const int known = static_cast<int>(channels().size());
  for (std::size_t i = 0; i < codes.size(); i += 2) {
    const int code = whole(codes[i], 0, known - 1, "channel code");
    if (codes[i + 1] < 0 || codes[i + 1] >= owner_count(world, channels()[code].owner)) {
      throw std::invalid_argument("channel index out of range");
    }
  }
}

}  // namespace rigid

#endif
