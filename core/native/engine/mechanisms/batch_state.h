// SPDX-License-Identifier: MIT
// The state of W small worlds of one scene that are stepped side by side: all values that change in
// such steps and the constants of their bodies and joints, one number for each lane.
//
// engine/batch/resident_group.h selects the worlds and moves them in and out; resident_lanes.h
// steps them.
#ifndef RIGID_ENGINE_MECHANISMS_BATCH_STATE_H
#define RIGID_ENGINE_MECHANISMS_BATCH_STATE_H

#include <cstdint>
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
    // Values of the last step, as in BodyStep and in BodyState at its end.
    Floats dx, dy, turned, after_x, after_y, correction_x, correction_y, looked_at;
    // As in BodyStep; of pushed bodies those of the last step.
    Floats ax, ay, alpha, linear_factor, angular_factor, sweep_margin, core_extent;
    // Of pushed bodies: the acceleration by gravity, and the factors of forces in `push_body`.
    Floats weight_x, weight_y, inverse_mass, inverse_inertia, linear_gained, angular_gained;
  };
  // A force that acts in every step, as a ForceSource.
  struct Source {
    int index, body;  // body: its place
    bool at_center, turns;
    Doubles at_x, at_y;  // from the centre of mass, in body coordinates
    Floats x, y, torque;
    Floats enabled;  // 0 or 1
  };
  // A joint of a system, with the values of SystemNode and Joint.
  struct Node {
    bool swings;  // its pull may exceed what its bodies can follow (geometric_stiffness.h)
    Doubles mass_a, inertia_a, mass_b, inertia_b;
    Doubles anchor_ax, anchor_ay, anchor_bx, anchor_by, axis_x, axis_y, reference;
    Doubles length;
    Doubles own_a, own_b, own_mass;  // inverse inertias; the sum of the inverse masses
    Doubles total[3];                // of the last step
  };
  // A row with a limit or a motor.
  struct Row {
    Doubles target, lower_at, upper_at, maximum, lowest, highest, approach, fastest;
    Doubles motor;  // the motor's impulse in the last step
  };
  struct Account {
    Doubles own_mass, own_inertia, effective_mass, effective_inertia;
  };
  struct System {
    std::vector<Node> nodes;
    std::vector<Row> rows;
    std::vector<Account> accounts;  // by body of the system
    // Inverse mass and inertia of its heaviest body; three times that inverse mass in single
    // precision.
    Doubles least_mass, least_inertia, thrice;
    Doubles balance, reference;  // as in EnergyAccount
  };
  std::vector<Body> bodies;  // by their places (LaneTask::members)
  std::vector<System> systems;
  std::vector<Source> sources;  // by body, and for each body in the order in which they act
  double dt;
  ValidityLimits limits;
  uint32_t failed = 0;  // lanes in which the next step is not one for lanes
};

}  // namespace rigid

#endif
