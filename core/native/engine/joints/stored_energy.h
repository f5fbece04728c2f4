// SPDX-License-Identifier: MIT
// The energy that the soft parts of a joint store: its springs, soft limits, and motors with a
// spring of their own; and that of rigid rows that yield to their load.
#ifndef RIGID_ENGINE_JOINTS_STORED_ENERGY_H
#define RIGID_ENGINE_JOINTS_STORED_ENERGY_H

#include "engine/data/kernels.h"
#include "engine/joints/joint.h"
#include "engine/joints/springs.h"

namespace rigid {

// The energy of a spring whose pull is at most `most`.
double spring_energy(double stiffness, double stretch, double most);

// The stiffness by which the energy of a mouse is found, on a body of this inverse mass. A stiff
// one takes its stretch away within a substep of duration h, and gives the body no more than the
// speed for it. By its own stiffness the error of a path, of micrometres, would count as a loaded
// spring.
double pulled_stiffness(double stiffness, double inverse_mass, double h);

// `lag`: h F v / 2 of the pulls that explicit steps apply, whose velocities are half a substep
// behind the positions (mechanisms/energy_account.h). 0 for pulls that are solved implicitly.
struct StoredEnergy {
  double energy = 0, lag = 0;
};

// Whether all soft parts of the joint depend on the angle between its bodies alone: then only the
// angle of its place is read.
bool stores_by_angle(const Joint& joint);

// Whether the rigid rows of a joint yield to their load like springs: those of `soft_step` that are
// solved one by one (StepParameters::joint).
bool yields(const Joint& joint, const StepParameters& p);

// The energy of its rows that yield.
double yielded_energy(const Joint& joint, const JointPlace& place, const KernelContext& context);

// The energy of one joint with its bodies within a step, given the place of the joint there.
StoredEnergy stored_energy(const Joint& joint, const JointPlace& place, const BodyState& a,
                           const BodyState& b, const KernelContext& context);

// A joint, its rows and its bodies: the input for reading its soft parts.
struct SoftReading {
  const Joint& joint;
  const JointRows& rows;
  const BodyState &a, &b;
  const KernelContext& context;
};

// The pull of one soft part along `count` rows from `row` on, with the stretch in each of them.
struct SoftPull {
  int row, count;
  double stretch[2];
  double stiffness, most;
};
SoftPull soft_pull(const SoftReading& reading, int row, SoftPart part);

// Calls visit(pull) for every soft part of the joint.
template <class Visit>
void for_soft_pulls(const SoftReading& reading, Visit&& visit) {
  const Joint& joint = reading.joint;
  const JointType& type = type_of(joint);
  if (type.pulls) {
    visit(soft_pull(reading, 0, SoftPart::along));
    return;
  }
  const int row = type.coordinate_row;
  if (joint.spring.kind != 0) {
    const bool wide = type.spring_rows > 1;
    visit(soft_pull(reading, wide ? 0 : row, SoftPart::along));
    if (wide) visit(soft_pull(reading, type.spring_rows - 1, SoftPart::turning));
  }
  if (has_soft_motor(joint)) visit(soft_pull(reading, type.motor_row, SoftPart::motor));
  if (has_soft_limits(joint)) visit(soft_pull(reading, row, SoftPart::limits));
}

// The rows that hold a joint's bodies together, which are the first ones.
int rigid_rows(const Joint& joint);

// Solves the symmetric k x = b; rows without a pivot give 0. Overwrites both.
void solve_rows(double k[most_rows][most_rows], double* b, int count);

// The coordinate along which the joint's motor acts, and its rate.
struct DriveReading {
  double coordinate, speed;
};
DriveReading drive_reading(const Joint& joint, const JointPlace& place, const BodyState& a,
                           const BodyState& b);

}  // namespace rigid

#endif
