// SPDX-License-Identifier: MIT
// Recordable channels of a world: one table, the source of names and units in Python.
#ifndef RIGID_ENGINE_CHANNELS_H
#define RIGID_ENGINE_CHANNELS_H

#include <cstdint>
#include <span>
#include <vector>

namespace rigid {

struct WorldParts;

enum class Owner : uint8_t { body, point, joint, world };
constexpr const char* owners[] = {"body", "point", "joint", "world"};

// A world during a reading; values for all owners are computed once.
struct Reading {
  explicit Reading(const WorldParts& read) : world(read) {}
  const WorldParts& world;
  std::vector<double> push_pulls;  // of all bars
};

struct Channel {
  Owner owner;
  const char *quantity, *unit;
  double (*read)(Reading& reading, int index);  // of the owner `index`
  // Whether it can be read of a world that is in lanes, which has no contacts there, and of which
  // only the places and velocities of bodies are written.
  bool in_lanes = false;
};

// Python refers to channels by their place in this table.
std::span<const Channel> channels();

// `codes` are pairs: the channel's place in the table, and the index of its owner.
void sample(const WorldParts& world, std::span<const int32_t> codes, double* out);

}  // namespace rigid

#endif
