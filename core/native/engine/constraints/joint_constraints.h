// SPDX-License-Identifier: MIT
// Joints that are solved one by one, in lanes.
#ifndef RIGID_ENGINE_CONSTRAINTS_JOINT_CONSTRAINTS_H
#define RIGID_ENGINE_CONSTRAINTS_JOINT_CONSTRAINTS_H

#include "engine/collision/continuous.h"
#include "engine/constraints/constraint.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/iterative_joints.h"

namespace rigid {

class JointConstraints : public Constraint {
 public:
  JointConstraints(ConstraintLanes& lanes, IterativeJoints& iterative, Continuous& continuous)
      : lanes_(lanes), iterative_(iterative), continuous_(continuous) {}

  void begin_step() override { iterative_.open_step_accounts(); }
  void begin_substep() override { iterative_.open_accounts(); }
  void note_forces() override { iterative_.note_forces(); }
  void warm_start() override { iterative_.warm_start_joints(); }
  void solve() override {
    lanes_.run_joints(&JointKernels::solve);
    for (int i = 0; i < iterative_.more_passes(); ++i) lanes_.run_joints(&JointKernels::solve);
  }
  void relax() override {
    lanes_.run_joints(&JointKernels::relax);
    iterative_.keep_energies();
  }
  void bounce() override { lanes_.run_joints(&JointKernels::relax); }
  // The following passes start from the impulses of the last step.
  void finish_bounce() override { lanes_.run_joints(&JointKernels::prepare); }
  void rest(int) override { lanes_.run_joints(&JointKernels::solve); }
  void push() override { lanes_.run_joints(&JointKernels::solve); }
  void correct_positions(float time) override {
    iterative_.correct_apart();
    iterative_.for_apart([&](int body) { continuous_.clamp_shifted(body, time); });
  }
  void limit_energy() override { iterative_.keep_energies(); }
  void end_step() override { iterative_.keep_step_energies(); }
  void store() override { lanes_.run_joints(&JointKernels::store); }

 private:
  ConstraintLanes& lanes_;
  IterativeJoints& iterative_;
  Continuous& continuous_;
};

}  // namespace rigid

#endif
