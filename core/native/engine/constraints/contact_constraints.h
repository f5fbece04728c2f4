// SPDX-License-Identifier: MIT
// Contacts: the passes over them, then the groups of contacts that are solved at once in place of
// the passes (clusters of blows, contacts of light parts of mechanisms), then the mechanisms that
// bear what contacts gave bodies of a corrected mass.
#ifndef RIGID_ENGINE_CONSTRAINTS_CONTACT_CONSTRAINTS_H
#define RIGID_ENGINE_CONSTRAINTS_CONTACT_CONSTRAINTS_H

#include "engine/collision/clusters.h"
#include "engine/collision/impacts.h"
#include "engine/constraints/constraint.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/footings.h"
#include "engine/mechanisms/heavy_loads.h"
#include "engine/mechanisms/mechanisms.h"

namespace rigid {

class ContactConstraints : public Constraint {
 public:
  ContactConstraints(ConstraintLanes& lanes, HeavyLoads& loads, Clusters& clusters,
                     Footings& footings, Mechanisms& mechanisms)
      : lanes_(lanes),
        loads_(loads),
        clusters_(clusters),
        footings_(footings),
        mechanisms_(mechanisms) {}

  // A stage over all contacts; what it gave is added to bodies of a corrected mass, if there are
  // any.
  template <class Stage>
  void run(Stage stage, Share share = Share::none) {
    if (loads_.empty()) {
      if (lanes_.contact_count() > 0) lanes_.run_contacts(lanes_.context(), stage);
    } else {
      loads_.run_contacts(stage, share);
    }
  }

  void begin_step() override { clusters_.find(); }
  void note_forces() override { clusters_.begin(); }
  void warm_start() override { run(&ContactKernels::warm_start, Share::all); }
  void solve() override {
    footings_.note();
    run(&Kernels::solve, Share::change);
    clusters_.solve();
    footings_.solve();
    bear(&JointSystem::iterate);
  }
  void settle() override { run(&Kernels::solve, Share::change); }
  void relax() override {
    clusters_.follow();
    footings_.note();
    run(&Kernels::relax, Share::change);
    clusters_.relax();
    footings_.relax();
    bear(&JointSystem::relax);
  }
  void begin_bounce() override { clusters_.begin(); }
  void bounce() override { run(&Kernels::bounce, Share::blows); }
  void rest(int) override {
    footings_.note();
    run(&Kernels::rest, Share::change);
    footings_.rest();
    bear(&JointSystem::iterate);
  }
  void finish_rest() override { clusters_.rest(); }
  void push() override {
    footings_.note();
    run(&Kernels::push, Share::change);
    footings_.push();
    bear(&JointSystem::iterate);
  }
  void finish_push() override { clusters_.push(); }
  void store() override { run(&ContactKernels::store); }

  // Once rounds of bounces have agreed.
  void replace_bounces() {
    clusters_.bounce();
    bear(&JointSystem::relax);
  }

 private:
  template <class Stage>
  void bear(Stage stage) {
    if (!loads_.empty()) mechanisms_.for_systems(stage);
  }

  ConstraintLanes& lanes_;
  HeavyLoads& loads_;
  Clusters& clusters_;
  Footings& footings_;
  Mechanisms& mechanisms_;
};

}  // namespace rigid

#endif
