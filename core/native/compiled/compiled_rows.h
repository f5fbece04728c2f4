// SPDX-License-Identifier: MIT
// Rows of a compiled scene that the engine's building does not have.
#ifndef RIGID_COMPILED_COMPILED_ROWS_H
#define RIGID_COMPILED_COMPILED_ROWS_H

#include "engine/data/rows.h"

namespace rigid {

// An actuator that is switched before a step: what `set_force` and `set_motor` are told.
#define RIGID_SWITCH_FIELDS(X)                                  \
  X(double, step, 0, "-", "the number of steps done before it") \
  X(double, x, 0, "force", "or a motor's target")               \
  X(double, y, 0, "force", "or a motor's strongest")            \
  X(double, torque, 0, "force*length", "of a force")            \
  X(int32_t, kind, 0, "-", "0: a force, 1: a motor")            \
  X(int32_t, slot, 0, "-", "of the force or the joint")         \
  X(int32_t, body, 0, "-", "of a motor; without it nothing is") \
  X(int32_t, enabled, 1, "-", "of a force")

RIGID_ROW(SwitchRow, "SWITCH", RIGID_SWITCH_FIELDS)

}  // namespace rigid

#endif
