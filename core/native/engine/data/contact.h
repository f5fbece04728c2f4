// SPDX-License-Identifier: MIT
// The data of a contact: two shapes whose boxes overlap, and the points where they touch.
#ifndef RIGID_ENGINE_DATA_CONTACT_H
#define RIGID_ENGINE_DATA_CONTACT_H

#include <cstdint>

#include "math.h"

namespace rigid {

// One point of a contact, relative to body A's centre of mass, world axes, at the step's start.
struct ContactPoint {
  Vec2 anchor;
  float separation;
  uint16_t id;
  float normal_impulse, tangent_impulse;  // of the last substep: the warm start of the next
  float total_normal, total_tangent;      // over the whole step
};

// Two shapes whose boxes overlap. Kept as long as they do, so that impulses carry over.
//
// Two cache lines. Kernels read and write it in groups of four floats: normal and offset, the
// halves of each point, and the surface from friction on.
struct alignas(64) Contact {
  int shape_a, shape_b, body_a, body_b;
  Vec2 normal{1, 0};  // from A to B, world axes
  Vec2 offset{0, 0};  // centre of A minus centre of B
  ContactPoint points[2];
  float friction, restitution, rolling_resistance, tangent_speed;
  float rolling_impulse = 0;
  int slot = -1;  // in the graph; -1: none
  int8_t color = -1;
  int8_t count = 0;
  bool round_a : 1 = false, round_b : 1 = false;  // a circle
  bool passable : 1 = false;                      // one of the shapes is one-way
  bool judged : 1 = false;                        // passable: passing through was decided
  bool through : 1 = false;  // passable: the decision, one body passes through the other
  bool inside : 1 = false;   // they overlapped at the start of the last step
  bool touching = false;     // pressed together, or overlapping, in the last step
  bool sensor = false;       // one of the shapes is a sensor: only overlap counts
  bool led = false;          // it represents all of a circle's contacts with a chain
  bool grazes = false;       // it would stop a body that only passes by, unless it has a chain
                             // track
  bool alive = false;
};

}  // namespace rigid

#endif
