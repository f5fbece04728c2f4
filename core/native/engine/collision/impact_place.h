// SPDX-License-Identifier: MIT
// Data of one contact for all its impacts during a step, gathered in one place, since impacts.cpp
// reads it often.
#ifndef RIGID_ENGINE_COLLISION_IMPACT_PLACE_H
#define RIGID_ENGINE_COLLISION_IMPACT_PLACE_H

#include "engine/data/body.h"

namespace rigid {

struct ImpactPlace {
  bool round_a, round_b;
  Vec2 normal, between;  // from A to B; the centres of mass at the step's start
  Vec2 gravity;          // of B relative to A
  float friction, restitution, tangent_speed;
  float radius_a, radius_b;
  // The nearest point of each core, from the centre of mass, and whether it is a corner.
  struct Point {
    Vec2 core_a, core_b;
    bool corner_a, corner_b;
  } points[2];

  void find(int point, float when, const BodyState& a, const BodyState& b, Vec2& ra,
            Vec2& rb) const;
};

}  // namespace rigid

#endif
