// SPDX-License-Identifier: MIT
// The data of a body: the part that the solver reads (hot), and the rest (cold).
#ifndef RIGID_ENGINE_DATA_BODY_H
#define RIGID_ENGINE_DATA_BODY_H

#include "engine/data/kinds.h"
#include "math.h"

namespace rigid {

// The solver's part of a body, half a cache line: velocity of the centre of mass, spin, and the
// motion since the step began (rotation angle, shift, cosine and sine of the angle).
struct alignas(32) BodyState {
  float vx, vy, omega, delta_angle, dx, dy, c, s;
};

struct InverseMass {
  float mass, inertia;
};

RIGID_INLINE bool can_move(InverseMass m) { return m.mass != 0.0f || m.inertia != 0.0f; }

// The rest of a body's data. `center` and `angle` are those at the last step's end. Fields that
// steps read come first, and fill two cache lines.
struct alignas(64) Body {
  double center_x = 0, center_y = 0, angle = 0;
  Rotation rotation{1, 0};
  Vec2 local_center{0, 0};  // centre of mass in body coordinates
  Vec2 force{0, 0};         // for the next step only
  float torque = 0;
  float drag = 0, angular_drag = 0;  // 1/time, for the next step only
  float mass = 0, inertia = 0;
  float linear_damping = 0, angular_damping = 0, gravity_scale = 1;
  float sleep_time = 0;
  int acting_joints = 0;   // joints that hold it, while it is awake
  float extent = 0;        // farthest point of its shapes from the centre of mass
  float core_extent = 0;   // the same of their cores, which a rotation moves
  float sweep_margin = 0;  // distance in a step beyond which its path is checked (clamp_to_impact)
  float travel = 0;        // upper bound of the motion of its points in the last step
  Vec2 expected_velocity{0, 0};  // the motion covered by its shapes' boxes
  float expected_spin = 0;
  BodyKind kind = BodyKind::dynamic;
  bool fixed_rotation = false, bullet = false, may_sleep = true, collides = true;
  bool frozen = false;
  bool finished = false;  // its mass and the boxes of its shapes are computed
  int island = -1;        // of a sleeping body
  int first_shape = 0, shape_count = 0;
  // As given: NaN for values from the shapes.
  double given_mass = 0, given_inertia = 0, given_center_x = 0, given_center_y = 0;
  double origin_x = 0, origin_y = 0;  // as given, until the masses are known

  bool is_damped() const {
    return linear_damping > 0.0f || angular_damping > 0.0f || drag > 0.0f || angular_drag > 0.0f;
  }
};

// Effect of a body's forces and damping in one substep, and the correction of a free flight.
struct BodyStep {
  float ax, ay, alpha;                  // velocity gained per substep
  float linear_factor, angular_factor;  // share of a velocity after damping
  float after_x, after_y;               // velocity just after the forces
  float correction_x, correction_y;     // h/2 (velocity before - velocity after)
  float sweep_margin, core_extent;      // see Body
  // Its motion since the step began and the time since then, at the last check of its path; after
  // the step, its motion in the whole step.
  float moved_x, moved_y, turned, looked_at;
  bool led = false;  // it has a chain track and no other constraints
};

// The speed of a body when it became slow, as a share of the speed limit for sleep; its motion
// since the last check for sleep, and the number of consecutive checks in which it was calm
// (bodies/rest.h).
struct Rest {
  float speed = 0, x = 0, y = 0, turn = 0, time = 0;
  int calm = 0;
};

// A body's share of the energy gain by constraints of its islands (islands/conservation.h): from
// present velocities, and from velocities half a substep behind its positions; and the kinetic
// energy that it is compared with.
struct EnergyLedger {
  double plain = 0, lagged = 0, reference = 0;
};

}  // namespace rigid

#endif
