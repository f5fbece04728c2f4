// SPDX-License-Identifier: MIT
// The energy that the soft parts of a joint store: its springs, soft limits, and motors with a
// spring of their own.
#ifndef RIGID_ENGINE_JOINTS_STORED_ENERGY_H
#define RIGID_ENGINE_JOINTS_STORED_ENERGY_H

#include "engine/joints/joint.h"
#include "engine/solvers/kernels.h"

namespace rigid {

// Of a spring that pulls with no more than `most`.
double spring_energy(double stiffness, double stretch, double most);

// `lag`: h F v / 2 of the pulls that explicit steps apply, whose velocities are half a substep
// behind the places (mechanisms/energy_account.h). 0 for pulls that are solved implicitly.
struct StoredEnergy {
  double energy = 0, lag = 0;
};

// Of one joint where its bodies are at a moment of the step, given the place of the joint there.
StoredEnergy stored_energy(const Joint& joint, const JointPlace& place, const BodyState& a,
                           const BodyState& b, const KernelContext& context);

// How fast the coordinate changes along which the joint's motor acts, and where it is.
struct DriveReading {
  double coordinate, speed;
};
DriveReading drive_reading(const Joint& joint, const JointPlace& place, const BodyState& a,
                           const BodyState& b);

}  // namespace rigid

#endif
