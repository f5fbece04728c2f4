// SPDX-License-Identifier: MIT
// The substeps of W worlds of one scene side by side: the interface to the code that is compiled
// for each width (system_lanes.h).
//
// The worlds have equal structure and no contacts in any of them: a substep consists of forces,
// mechanisms and motion only.
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
  const JointSystem* plans;  // systems like those of all worlds
  const StepParameters* parameters;
  int substeps, body_count, system_count;
  const int* awake;
  int awake_count;
  // Called for a body that moved far in a substep: its sweep must be tested.
  void (*look_at_sweep)(void* owner, int body, float time);
  void* memory;  // Kernels::lane_memory bytes, aligned to 64
  bool settled;  // the memory still holds the result of the last step at this home
                 // (resident_lanes.h)
};

}  // namespace rigid

#endif
