// SPDX-License-Identifier: MIT
// The engine of a world that its host steps, as that of a textbook solver.
//
// The runner stops where a step is to be made. Shapes, masses and poses are the world's; the host's
// engine knows contacts and what joints bear, and takes notice of all that a script changes.
#ifndef RIGID_SCRIPT_HOST_ENGINE_H
#define RIGID_SCRIPT_HOST_ENGINE_H

#include <array>
#include <cstdint>
#include <vector>

#include "engine/data/events.h"
#include "engine/data/rows.h"

namespace rigid::script {

#ifdef RIGID_SMALL
constexpr bool has_hosts = false;
#else
constexpr bool has_hosts = true;
#endif

enum class Change : uint8_t {
  moved,    // the body of an id has another pose or velocity
  body,     // a body: the target, and the number
  gravity,  // x, y
  motor,    // of a joint: its target, and the most that it gives
  limits,   // of a joint: from, to
  spring,   // of a joint: its kind, and two numbers
  target,   // of a mouse: x, y
  force,    // x, y, torque; `which` is whether it acts
  force_removed,
  joint_removed,
};

class HostEngine {
 public:
  virtual ~HostEngine() = default;
  // Whether it has the values of a channel, in place of the world.
  virtual bool has(int channel) const = 0;
  virtual double read(int channel, int slot) const = 0;
  // The mean point and normal of two bodies that touch, and the sum of their impulses.
  virtual std::array<double, 5> touch(int a, int b) const = 0;
  // Called when a body was removed from the world; the events of that.
  virtual std::vector<EventRow> removed(int slot) = 0;
  // Takes a force, which the world does not have; its slot.
  virtual int add_force(const ForceRow& row) = 0;
  // Called before a change of the world, and after that of a motion; false where it cannot be.
  virtual bool change(Change what, int64_t owner, int which,
                      const std::array<double, 3>& numbers) = 0;
};

}  // namespace rigid::script

#endif
