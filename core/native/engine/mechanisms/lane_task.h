// SPDX-License-Identifier: MIT
// The substeps of W worlds of one scene, done side by side: the border to the code that is compiled
// for each width (system_lanes.h).
//
// The worlds agree in what they are made of, and nothing touches anything in any of them: what is
// left of a substep are forces, mechanisms and motion.
#ifndef RIGID_ENGINE_MECHANISMS_LANE_TASK_H
#define RIGID_ENGINE_MECHANISMS_LANE_TASK_H

#include "engine/data/body.h"
#include "engine/data/kernels.h"

namespace rigid {

class JointSystem;

struct LaneTask {
  static constexpr int most_width = 16, most_bodies = 17, most_nodes = 16, most_systems = 2;
  static constexpr int most_axial = 16, most_below = 48;
  struct World {
    BodyState* states;
    BodyStep* steps;
    JointSystem* systems;
    void* owner;
  };
  World worlds[most_width];
  const JointSystem* plans;  // systems like those of all of them
  const StepParameters* parameters;
  int substeps, body_count, system_count;
  const int* awake;
  int awake_count;
  // Where a body has gone far in a substep: its sweep is to be looked at.
  void (*look_at_sweep)(void* owner, int body, float time);
  void* memory;  // Kernels::lane_memory of it, aligned to 64
  bool settled;  // the memory is as the last step at this home left it (resident_lanes.h)
};

}  // namespace rigid

#endif
