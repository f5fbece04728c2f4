// SPDX-License-Identifier: MIT
// The energy gain of mechanisms whose joints are solved one by one (energy_account.h).
//
// The account is the same as that of directly solved mechanisms. Springs and motors are measured
// from outside, at the positions where a substep begins and ends.
#ifndef RIGID_ENGINE_MECHANISMS_ITERATIVE_ENERGY_H
#define RIGID_ENGINE_MECHANISMS_ITERATIVE_ENERGY_H

#include <vector>

#include "engine/joints/joint.h"
#include "engine/joints/springs.h"
#include "engine/mechanisms/energy_account.h"
#include "prefetch.h"

namespace rigid {

class IterativeEnergy {
 public:
  IterativeEnergy(const std::vector<int>& joints, const std::vector<int>& bodies, bool coarse,
                  const KernelContext& context);
  // Called once a step; `touched` marks bodies that have contacts, which add and remove energy.
  // `placed`: joints may differ from those of the step before.
  void prepare(const KernelContext& context, const std::vector<uint8_t>& touched, bool placed);
  void rewind() { account_.rewind(); }
  // Prefetches the data that every substep reads.
  void prefetch(const KernelContext& context) const {
    if (accounted_) account_.prefetch(context);
  }
  // The values carried over from one step to the next.
  template <class Archive>
  void list(Archive& archive) {
    put(archive, account_);
  }
  // Whether the motors' impulses must be stored in the joints before `keep`.
  bool needs_motors() const { return accounted_ && drives_; }
  // Called when a substep begins, when forces have acted, and when it ends.
  void open(const KernelContext& context);
  void note_forces(const KernelContext& context);
  void keep(const KernelContext& context);
  // The same once for a whole step, for mechanisms of pins only: they store and drive nothing.
  void open_step(const KernelContext& context, const std::vector<BodyStep>& steps);
  void keep_step(const KernelContext& context, const std::vector<BodyStep>& steps);

 private:
  // A coordinate of a joint that stores energy, or its motor.
  struct Store {
    int body_a = 0, body_b = 0;
    int8_t count = 1;    // rows of one pull: two if its direction is free
    bool turns = false;  // its coordinate is the angle between the bodies
    bool known = false;  // its pull is that at the start of the substep
    bool motor = false, limits = false;
    double stiffness = 0, target = 0, most = 0;
    double angle = 0, reference = 0;  // of an angle, at the step's start
  };
  // Members that are seldom read.
  struct Details {
    int joint = 0, row = 0;
    double lower = 0, upper = 0;
    JointPlace start{};
    Double2 offset{0, 0};
    double coordinate_before = 0;
  };
  struct Reading {
    double coordinate, energy;
  };
  void add(const KernelContext& context, int joint, const JointPlace& start, int row,
           SoftPart part);
  void add_stores(const KernelContext& context, int joint);
  void find_stores(const KernelContext& context);
  // Prefetches them while bodies are read.
  void load_stores() const {
    for (const Store& store : stores_) prefetch_to_read(&store);
  }
  Reading read(const KernelContext& context, std::size_t store) const;
  double wound_energy(const KernelContext& context, const Store& store) const;
  double work_of_motors(const KernelContext& context) const;
  double stored_energy(const KernelContext& context) const;
  double energy_beside(const BodyState& state, const BodyStep& step, std::size_t i) const;

  EnergyAccount account_;
  std::vector<int> joints_, bodies_, anchors_;  // anchors: bodies that do not move by forces, but
                                                // may be moved
  std::vector<Store> stores_;
  std::vector<Details> details_;  // of each store
  bool lasting_ = false;          // stores are unchanged, except for the angles at a step's start
  bool coarse_;                   // measured once a step
  bool held_ = false;             // by a body that does not move, which takes the momentum that it
                                  // loses
  bool accounted_ = false, drives_ = false;
  double h_ = 1, stored_before_ = 0, before_ = 0;
};

}  // namespace rigid

#endif
