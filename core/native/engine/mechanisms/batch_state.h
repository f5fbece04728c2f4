// SPDX-License-Identifier: MIT
// Where W small worlds of one scene live that do step after step side by side: all that changes in
// such steps, and what of the bodies and joints they are made from, one number for each lane.
//
// engine/batch/resident_group.h says which worlds come here and takes them in and out; the steps
// are those of resident_lanes.h.
#ifndef RIGID_ENGINE_MECHANISMS_BATCH_STATE_H
#define RIGID_ENGINE_MECHANISMS_BATCH_STATE_H

#include <vector>

#include "engine/bodies/validity_limits.h"
#include "engine/mechanisms/lane_task.h"

namespace rigid {

struct BatchState {
  struct alignas(64) Doubles {
    double at[LaneTask::most_width];
  };
  struct alignas(64) Floats {
    float at[LaneTask::most_width];
  };
  struct Body {
    Doubles x, y, angle;   // of the centre of mass, where the next step begins
    Doubles cosine, sine;  // of the angle
    Floats vx, vy, omega;
    // Of the last step, as BodyStep and BodyState have it at its end.
    Floats dx, dy, turned, after_x, after_y, correction_x, correction_y;
    // As BodyStep, where nothing but gravity pushes.
    Floats ax, ay, alpha, linear_factor, angular_factor, sweep_margin, core_extent;
  };
  // A joint of a system, as in SystemNode and Joint.
  struct Node {
    bool swings;  // its pull may be too much for its bodies (geometric_stiffness.h)
    Doubles mass_a, inertia_a, mass_b, inertia_b;
    Doubles anchor_ax, anchor_ay, anchor_bx, anchor_by, axis_x, axis_y, reference;
    Doubles length;
    Doubles own_a, own_b, own_mass;  // inverses of inertia; the sum of those of mass
    Doubles total[3];                // of the last step
  };
  // One of its rows that is more than an equation.
  struct Row {
    Doubles target, lower_at, upper_at, maximum, lowest, highest, approach, fastest;
    Doubles motor;  // what it gave in the last step
  };
  struct Account {
    Doubles own_mass, own_inertia, effective_mass, effective_inertia;
  };
  struct System {
    std::vector<Node> nodes;
    std::vector<Row> rows;
    std::vector<Account> accounts;  // by its bodies
    // Of its heaviest body, and three times that of the mass as single precision has it.
    Doubles least_mass, least_inertia, thrice;
    Doubles balance, reference;  // see EnergyAccount
  };
  std::vector<Body> bodies;  // of the worlds, by their indices
  std::vector<System> systems;
  ValidityLimits limits;
};

}  // namespace rigid

#endif
