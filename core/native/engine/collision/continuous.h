// SPDX-License-Identifier: MIT
// Continuous collision: fast bodies do not pass through thin ones.
//
// Two mechanisms prevent it. A pair of shapes that will meet within the step gets its contact ahead
// of time (`find_time_of_impact`), so that the solver stops or bounces it there, in the right order
// with all other contacts. And after each substep, the true path of a body that has moved far is
// swept again: if it passed through a static or kinematic body, the body is clamped in front of it
// (`clamp_to_impact`), where the next step finds an ordinary contact.
#ifndef RIGID_ENGINE_COLLISION_CONTINUOUS_H
#define RIGID_ENGINE_COLLISION_CONTINUOUS_H

#include <vector>

#include "engine/bodies/encounter.h"
#include "engine/broadphase/broadphase.h"
#include "engine/collision/one_way.h"
#include "engine/contacts/chain_branches.h"
#include "engine/data/bodies.h"
#include "engine/data/kernels.h"
#include "engine/data/shapes.h"
#include "geometry/manifold.h"

namespace rigid {

class Continuous {
 public:
  Continuous(const StepParameters& parameters, Bodies& bodies, Shapes& shapes,
             Broadphase& broadphase, const ChainBranches& chain_branches, const OneWay& one_way)
      : parameters_(parameters),
        bodies_(bodies),
        shapes_(shapes),
        broadphase_(broadphase),
        chain_branches_(chain_branches),
        one_way_(one_way) {}
  Continuous(const Continuous&) = delete;

  // Called in the narrow phase, for one contact at a time on any thread.
  void mark_walls(const Contact& contact, Vec2 between, const Manifold& manifold);
  void mark_near(int body, uint8_t mark = wall_near);
  bool find_time_of_impact(const Contact& contact, Vec2 between, Manifold& manifold,
                           Vec2& gap) const;
  // The depth that a grazing contact may reach in a step.
  float grazing_depth(const Contact& contact) const {
    const float depth = contact.restitution > 0.0f ? 0.2f * parameters_.slop : parameters_.slop;
    return depth + parameters_.allowed_penetration;
  }
  bool grazes(const Contact& contact, Vec2 between, const Manifold& manifold) const;
  // Called at the step's start, and at the time `time` of the step, after a substep.
  void prepare();
  void clamp_to_impact(int body, float time);
  // The same for a body that was moved by a correction, if that was far.
  void clamp_shifted(int body, float time);
  void stop_bullets(float time);
  // Whether a sweep stays within the boxes of a body's shapes, so that it meets nothing new.
  bool stays_in_boxes(int body, const Sweep& sweep) const;
  // The pairs whose paths in this step end together, since they met.
  struct Pair {
    int first, second;
  };
  const std::vector<Pair>& held_pairs() const { return held_pairs_; }

 private:
  Sweep free_sweep(int body) const;
  void slow_down(int body, Vec2 shift, Vec2 arm);
  bool keeps_its_boxes(int body, const Sweep& sweep, float time) const;
  SweptShape swept_shape(const WorldShape& shape, const Sweep& sweep) const;
  Sweep wall_sweep(int body, float from, float to) const;
  // The overlap from which a shape is an obstacle: paths of bodies may end in it by less than that
  // depth; motion that is not their own stops at the surface.
  enum class Depth { deep, surface };
  void meet(const WorldShape& wall, const Sweep& still, const WorldShape& shape, const Sweep& sweep,
            float least, Depth depth, Obstacle& first) const;
  Obstacle find_obstacle(int body, const Sweep& sweep, float from, float to, bool moving,
                         Depth depth) const;
  void set_sweep_end(int body, const Sweep& sweep, float time);
  Sweep last_sweep(int body) const;
  Obstacle find_target(int body, const Sweep& sweep, float since, int left_out, Depth depth);
  void hold_together(int first, int second, float met, float time);

  const StepParameters& parameters_;
  Bodies& bodies_;
  Shapes& shapes_;
  Broadphase& broadphase_;
  const ChainBranches& chain_branches_;
  const OneWay& one_way_;
  struct SweepStart {
    Vec2 shift{0, 0};
    float angle = 0;
  };
  std::vector<SweepStart> sweep_starts_;  // of the substep, if there are bullets
  std::vector<Pair> held_pairs_;
};

}  // namespace rigid

#endif
