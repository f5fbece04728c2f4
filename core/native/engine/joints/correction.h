// SPDX-License-Identifier: MIT
// Corrects the positions of a joint's bodies by its rows, without changing velocities.
//
// A row with the error C moves its bodies by M^-1 J^T l, l = -(J M^-1 J^T)^-1 C: the smallest move,
// by mass, that removes the error. Its two halves are equal and opposite and act along one line, so
// that the common centre of mass stays in place without a rotation of the whole (Müller,
// Heidelberger, Hennix and Ratcliff, "Position Based Dynamics", 2007).
#ifndef RIGID_ENGINE_JOINTS_CORRECTION_H
#define RIGID_ENGINE_JOINTS_CORRECTION_H

#include "engine/data/bodies.h"
#include "engine/data/kernels.h"
#include "engine/joints/joint.h"

namespace rigid {

// Removes a share of a joint's error: of its rigid rows, and of its hard limits.
void correct_joint(const Joint& joint, double share, Bodies& bodies,
                   const InverseMass* inverse_masses);

// Scales the stretches of a joint's soft parts by a share.
void ease_springs(const Joint& joint, double share, Bodies& bodies, const KernelContext& context);

}  // namespace rigid

#endif
