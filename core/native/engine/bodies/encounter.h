// SPDX-License-Identifier: MIT
// An encounter of two shapes on their paths through a substep: the time and direction of too close
// an approach.
#ifndef RIGID_ENGINE_BODIES_ENCOUNTER_H
#define RIGID_ENGINE_BODIES_ENCOUNTER_H

#include <cmath>

#include "geometry/query.h"

namespace rigid {

// A body's path: from a shift and a rotation, both since the step began, at constant velocity and
// spin.
struct Sweep {
  Vec2 from, move;
  float angle, turn;
};

struct SweptShape {
  Shape shape;
  Rotation rotation;  // at the step's start
  Sweep sweep;
  float core_extent;  // farthest point of the shape's core from the centre of mass
};

// An obstacle on a body's path.
struct Obstacle {
  float trigger = 2.0f;  // when the body would be too deep in it, as a share of the path; > 1:
                         // never
  float time = 2.0f;     // when it was still outside
  Vec2 push{0, 0};       // the shift that moves the path's end outside
  Sweep held{};          // the path of a body that stays with the obstacle from then on
  Sweep lifted{};        // the same from the trigger on, but moved outside
  Vec2 arm{0, 0};        // from the body's centre of mass to the middle of the overlap at the end
  int body = -1;         // the obstacle's
};

class Encounter {
 public:
  // `between` is the vector from the wall's centre of mass to the mover's at the step's start.
  Encounter(const SweptShape& wall, const SweptShape& mover, Vec2 between)
      : wall_(wall), mover_(mover), between_(between) {}

  // The mover's frame relative to the wall, at the time t in [0, 1].
  Transform relative(float t) const { return relative(t, wall_rotation(t)); }
  // Their distance at t (negative: depth), along a normal in the wall's frame from the wall to the
  // mover.
  Separation at(float t) const { return at(relative(t)); }
  // The largest approach by rotation, in addition to their shifts.
  float turning() const {
    return std::fabs(mover_.sweep.turn) * mover_.core_extent +
           std::fabs(wall_.sweep.turn) * wall_.core_extent;
  }
  // The first time when their distance is at most `target`, to within `tolerance`, and the normal
  // then, in the wall's frame; 2 if that never happens. Never late.
  float first_time(float target, float tolerance, Vec2& normal) const;
  // Whether they never overlap by more than `depth`, to within `tolerance`. An overlap at the time
  // `likely` saves the search.
  bool passes_by(float depth, float tolerance, float likely) const {
    if (starts_behind()) return true;
    if (likely >= 0.0f && likely <= 1.0f && at(likely).distance < -depth) return false;
    Vec2 normal;
    return first_time(-depth, tolerance, normal) > 1.0f;
  }
  // The mover's path if it stays with the wall from the time t on.
  Sweep held(float t) const;
  // From the mover's centre of mass to the middle of its overlap with the wall at the path's end:
  // the mean of the contact points, weighted by their depths.
  Vec2 end_arm() const;
  // Their distance at the path's end along a normal of the wall's frame.
  float end_separation(Vec2 normal) const;
  Vec2 direction(float t, Vec2 normal) const { return rotate(wall_rotation(t), normal); }
  Vec2 end_direction(Vec2 normal) const { return direction(1.0f, normal); }
  // Whether the path starts behind a one-sided line.
  bool starts_behind() const;

 private:
  Rotation wall_rotation(float t) const;
  Transform relative(float t, Rotation wall) const;
  Separation at(const Transform& now) const;
  const SweptShape& wall_;
  const SweptShape& mover_;
  Vec2 between_;
};

}  // namespace rigid

#endif
