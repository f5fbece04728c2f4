// SPDX-License-Identifier: MIT
// Contact constraints: the passes over contacts, then the problems that are solved directly in
// place of the passes (impact problems, contact-joint problems), then the mechanisms that bear the
// contact impulses on bodies with effective masses.
#ifndef RIGID_ENGINE_CONSTRAINTS_CONTACT_CONSTRAINTS_H
#define RIGID_ENGINE_CONSTRAINTS_CONTACT_CONSTRAINTS_H

#include "engine/collision/impact_problems.h"
#include "engine/collision/impacts.h"
#include "engine/constraints/constraint.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/contact_joint_problems.h"
#include "engine/mechanisms/effective_masses.h"
#include "engine/mechanisms/mechanisms.h"

namespace rigid {

class ContactConstraints : public Constraint {
 public:
  ContactConstraints(ConstraintLanes& lanes, EffectiveMasses& effective_masses,
                     ImpactProblems& impact_problems, ContactJointProblems& contact_joint_problems,
                     Mechanisms& mechanisms)
      : lanes_(lanes),
        effective_masses_(effective_masses),
        impact_problems_(impact_problems),
        contact_joint_problems_(contact_joint_problems),
        mechanisms_(mechanisms) {}

  // Runs a stage over all contacts, then applies its impulses to bodies with effective masses, if
  // there are any.
  template <class Stage>
  void run(Stage stage, Share share = Share::none) {
    if (effective_masses_.empty()) {
      if (lanes_.contact_count() > 0) lanes_.run_contacts(lanes_.context(), stage);
    } else {
      effective_masses_.run_contacts(stage, share);
    }
  }

  void begin_step() override { impact_problems_.find(); }
  void note_forces() override { impact_problems_.begin(); }
  void warm_start() override { run(&ContactKernels::warm_start, Share::all); }
  void solve() override {
    contact_joint_problems_.note();
    run(&Kernels::solve, Share::change);
    impact_problems_.solve();
    contact_joint_problems_.solve();
    bear(&JointSystem::solve_again);
  }
  void solve_with_tracks() override { run(&Kernels::solve, Share::change); }
  void relax() override {
    impact_problems_.follow();
    contact_joint_problems_.note();
    run(&Kernels::relax, Share::change);
    impact_problems_.relax();
    contact_joint_problems_.relax();
    bear(&JointSystem::relax);
  }
  void begin_bounce() override { impact_problems_.begin(); }
  void bounce() override { run(&Kernels::bounce, Share::blows); }
  void rest(int) override {
    contact_joint_problems_.note();
    run(&Kernels::rest, Share::change);
    contact_joint_problems_.rest();
    bear(&JointSystem::solve_again);
  }
  void finish_rest() override { impact_problems_.rest(); }
  void push() override {
    contact_joint_problems_.note();
    run(&Kernels::push, Share::change);
    contact_joint_problems_.push();
    bear(&JointSystem::solve_again);
  }
  void finish_push() override { impact_problems_.push(); }
  void store() override { run(&ContactKernels::store); }

  // Called once rounds of bounces have converged.
  void replace_bounces() {
    impact_problems_.bounce();
    bear(&JointSystem::relax);
  }

 private:
  template <class Stage>
  void bear(Stage stage) {
    if (!effective_masses_.empty()) mechanisms_.for_systems(stage);
  }

  ConstraintLanes& lanes_;
  EffectiveMasses& effective_masses_;
  ImpactProblems& impact_problems_;
  ContactJointProblems& contact_joint_problems_;
  Mechanisms& mechanisms_;
};

}  // namespace rigid

#endif
