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
struct Sweep;

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
  int substeps, system_count;
  // The bodies of a world that take part, each at its place in the lanes: first those that are
  // awake, then those that mechanisms hang on.
  const int* members;
  int member_count, awake_count;
  // Called for a body that moved far in a substep: its sweep must be tested.
  void (*look_at_sweep)(void* owner, int body, float time);
  // The same of a resident world: whether the sweep stays within the boxes of the body's shapes.
  // The owners of empty lanes are null.
  bool (*holds_sweep)(void* owner, int body, const Sweep& sweep);
  void* memory;  // Kernels::lane_memory bytes, aligned to 64
  int place_of(int body) const {
    int place = 0;
    while (members[place] != body) ++place;
    return place;
  }
  bool settled;  // the memory still holds the result of the last step at this home
                 // (resident_lanes.h)
};

}  // namespace rigid

#endif
