// SPDX-License-Identifier: MIT
// Directly solved joints, mechanism by mechanism.
#ifndef RIGID_ENGINE_CONSTRAINTS_DIRECT_JOINT_CONSTRAINTS_H
#define RIGID_ENGINE_CONSTRAINTS_DIRECT_JOINT_CONSTRAINTS_H

#include "engine/constraints/constraint.h"
#include "engine/mechanisms/mechanisms.h"

namespace rigid {

class DirectJointConstraints : public Constraint {
 public:
  explicit DirectJointConstraints(Mechanisms& mechanisms) : mechanisms_(mechanisms) {}

  void begin_substep() override { mechanisms_.for_systems(&JointSystem::begin); }
  void solve() override { mechanisms_.for_systems(&JointSystem::solve); }
  void solve_with_tracks() override { mechanisms_.for_systems(&JointSystem::solve_again); }
  // The next substep begins at the bodies' present places, with the same factors.
  void relax() override {
    mechanisms_.locate_drivers();
    mechanisms_.for_systems([](JointSystem& system, const KernelContext& context) {
      system.locate(context);
      system.relax(context);
      system.keep_energy(context);
    });
  }
  void begin_bounce() override {
    mechanisms_.for_systems([](JointSystem& system, const KernelContext&) { system.begin_blow(); });
  }
  void bounce() override { mechanisms_.for_systems(&JointSystem::relax); }
  void rest(int pass) override {
    mechanisms_.for_systems(pass == 0 ? &JointSystem::solve : &JointSystem::solve_again);
  }
  void push() override { mechanisms_.for_systems(&JointSystem::solve_again); }
  void limit_energy() override {
    mechanisms_.for_systems([](JointSystem& system, const KernelContext& context) {
      if (system.is_accounted()) system.locate(context);
      system.keep_energy(context);
    });
  }
  void store() override { mechanisms_.store_systems(); }

 private:
  Mechanisms& mechanisms_;
};

}  // namespace rigid

#endif
