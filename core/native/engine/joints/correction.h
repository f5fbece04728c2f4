// SPDX-License-Identifier: MIT
// Moves the bodies of a joint to where its rows want them, and leaves their velocities alone.
//
// A row with the error C moves its bodies by M^-1 J^T l, l = -(J M^-1 J^T)^-1 C: the smallest move,
// by mass, that takes the error out. Its two halves are equal and opposite and act along one line,
// so that the common centre of mass stays where it is and nothing turns as a whole (Müller,
// Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007).
#ifndef RIGID_ENGINE_JOINTS_CORRECTION_H
#define RIGID_ENGINE_JOINTS_CORRECTION_H

#include "engine/data/bodies.h"
#include "engine/data/kernels.h"
#include "engine/joints/joint.h"

namespace rigid {

// The rows that hold a joint's bodies without give, which are its first ones.
int rigid_rows(const Joint& joint);

// Takes a share of a joint's error out: of its rigid rows, and of its limits that do not give.
void correct_joint(const Joint& joint, double share, Bodies& bodies, const InverseMass* masses);

// Shortens the stretches of a joint's soft parts to a share of what they are.
void ease_springs(const Joint& joint, double share, Bodies& bodies, const KernelContext& context);

}  // namespace rigid

#endif
