// SPDX-License-Identifier: MIT
// The rows that an observed step (solvers/step_observer.h) leaves: bodies, contact points, rows of
// joints and sums of joints, each after a stage of a substep.
#ifndef RIGID_ENGINE_DATA_OBSERVED_ROWS_H
#define RIGID_ENGINE_DATA_OBSERVED_ROWS_H

#include "engine/data/rows.h"

namespace rigid {

// `substep` counts from 0; -1 is the start of the step, and the number of substeps its end.
#define RIGID_OBSERVED_FIELDS(X)  \
  X(int32_t, substep, 0, "-", "") \
  X(int32_t, stage, 0, "-", "the last one that has run, one of STAGES")

#define RIGID_OBSERVED_BODY_FIELDS(X)                                        \
  RIGID_OBSERVED_FIELDS(X)                                                   \
  X(int32_t, body, 0, "-", "its slot")                                       \
  X(double, vx, 0, "length/time", "")                                        \
  X(double, vy, 0, "length/time", "")                                        \
  X(double, omega, 0, "radian/time", "")                                     \
  X(double, dx, 0, "length", "motion since the step began")                  \
  X(double, dy, 0, "length", "motion since the step began")                  \
  X(double, turn, 0, "radian", "motion since the step began")                \
  X(double, inverse_mass, 0, "1/mass", "as the solver sees it in this step") \
  X(double, inverse_inertia, 0, "1/(mass*length^2)", "as the solver sees it in this step")

#define RIGID_OBSERVED_CONTACT_FIELDS(X)                                                     \
  RIGID_OBSERVED_FIELDS(X)                                                                   \
  X(int32_t, contact, 0, "-", "its place in the list of contacts")                           \
  X(int32_t, point, 0, "-", "0 or 1")                                                        \
  X(int32_t, body_a, 0, "-", "slot")                                                         \
  X(int32_t, body_b, 0, "-", "slot")                                                         \
  X(double, normal_x, 0, "-", "from A to B")                                                 \
  X(double, normal_y, 0, "-", "from A to B")                                                 \
  X(double, x, 0, "length", "of A's point, at the start of the step")                        \
  X(double, y, 0, "length", "of A's point, at the start of the step")                        \
  X(double, anchor_ax, 0, "length", "from A's centre of mass")                               \
  X(double, anchor_ay, 0, "length", "from A's centre of mass")                               \
  X(double, anchor_bx, 0, "length", "from B's centre of mass")                               \
  X(double, anchor_by, 0, "length", "from B's centre of mass")                               \
  X(double, inverse_mass_a, 0, "1/mass", "of the contact, which may bear loads")             \
  X(double, inverse_inertia_a, 0, "1/(mass*length^2)", "")                                   \
  X(double, inverse_mass_b, 0, "1/mass", "of the contact, which may bear loads")             \
  X(double, inverse_inertia_b, 0, "1/(mass*length^2)", "")                                   \
  X(double, separation, 0, "length", "present one, below 0 where they overlap")              \
  X(double, normal_speed, 0, "length/time", "of B's point against A's")                      \
  X(double, tangent_speed, 0, "length/time", "of B's surface against A's")                   \
  X(double, normal_mass, 0, "mass", "1 / (J M^-1 J^T)")                                      \
  X(double, tangent_mass, 0, "mass", "1 / (J M^-1 J^T)")                                     \
  X(double, friction, 0, "-", "coefficient")                                                 \
  X(double, rolling_resistance, 0, "length", "lever of the normal force")                    \
  X(double, restitution, 0, "-", "coefficient")                                              \
  X(double, bias, 0, "length/time", "of the pass that removes overlap, at present")          \
  X(double, mass_scale, 0, "-", "of that pass")                                              \
  X(double, impulse_scale, 0, "-", "of that pass")                                           \
  X(double, normal_impulse, 0, "force*time", "of the substep so far")                        \
  X(double, tangent_impulse, 0, "force*time", "of the substep so far")                       \
  X(double, total_normal, 0, "force*time", "of the step: blows, and substeps that are over") \
  X(double, total_tangent, 0, "force*time", "of the step")                                   \
  X(double, rolling_impulse, 0, "force*length*time", "of the substep so far")                \
  X(Flag, fixed, 0, "-", "one body cannot move")                                             \
  X(Flag, tracked, 0, "-", "it follows a chain")

#define RIGID_OBSERVED_ROW_FIELDS(X)                                                           \
  RIGID_OBSERVED_FIELDS(X)                                                                     \
  X(int32_t, joint, 0, "-", "slot")                                                            \
  X(int32_t, row, 0, "-", "of the joint's type")                                               \
  X(int32_t, part, 0, "-", "one of ROW_PARTS")                                                 \
  X(int32_t, mode, 0, "-", "of a direct limit or motor, one of ROW_MODES")                     \
  X(int32_t, body_a, 0, "-", "slot")                                                           \
  X(int32_t, body_b, 0, "-", "slot")                                                           \
  X(double, j0, 0, "-", "J, at present")                                                       \
  X(double, j1, 0, "-", "")                                                                    \
  X(double, j2, 0, "-", "")                                                                    \
  X(double, j3, 0, "-", "")                                                                    \
  X(double, j4, 0, "-", "")                                                                    \
  X(double, j5, 0, "-", "")                                                                    \
  X(double, mass, 0, "mass or mass*length^2", "1 / (J M^-1 J^T)")                              \
  X(double, error, 0, "length or radian", "of position, at present")                           \
  X(double, speed, 0, "length/time or radian/time", "along the row")                           \
  X(double, wanted, 0, "length/time or radian/time", "the speed at which the impulse stays 0") \
  X(double, gamma, 0, "time/mass", "J v + gamma / h p = wanted")                               \
  X(double, beta, 0, "-", "share of the error that a substep removes")                         \
  X(double, low, 0, "force*time", "bound of the impulse in a substep")                         \
  X(double, high, 0, "force*time", "bound of the impulse in a substep")                        \
  X(double, impulse, 0, "force*time", "of the substep so far")                                 \
  X(Flag, direct, 0, "-", "solved together with the other rows of its mechanism")              \
  X(Flag, on, 0, "-", "its speed is given; else its impulse")

// Loads on B.
#define RIGID_OBSERVED_JOINT_FIELDS(X)                          \
  RIGID_OBSERVED_FIELDS(X)                                      \
  X(int32_t, joint, 0, "-", "slot")                             \
  X(int32_t, mechanism, 0, "-", "of a direct one; else -1")     \
  X(double, x, 0, "force*time", "of the step so far")           \
  X(double, y, 0, "force*time", "of the step so far")           \
  X(double, turn, 0, "force*length*time", "of the step so far") \
  X(double, motor, 0, "force*time", "the motor's in the step so far")

RIGID_ROW(ObservedBody, "OBSERVED_BODY", RIGID_OBSERVED_BODY_FIELDS)
RIGID_ROW(ObservedContact, "OBSERVED_CONTACT", RIGID_OBSERVED_CONTACT_FIELDS)
RIGID_ROW(ObservedRow, "OBSERVED_ROW", RIGID_OBSERVED_ROW_FIELDS)
RIGID_ROW(ObservedJoint, "OBSERVED_JOINT", RIGID_OBSERVED_JOINT_FIELDS)

}  // namespace rigid

#endif
