// SPDX-License-Identifier: MIT
// What mechanisms gain whose joints are solved one by one (energy_account.h).
//
// It is the same account as that of mechanisms solved at once. Their springs and motors are looked
// at from outside, at the places where a substep begins and ends.
#ifndef RIGID_ENGINE_MECHANISMS_ITERATIVE_ENERGY_H
#define RIGID_ENGINE_MECHANISMS_ITERATIVE_ENERGY_H

#include <vector>

#include "engine/joints/joint.h"
#include "engine/joints/springs.h"
#include "engine/mechanisms/energy_account.h"

namespace rigid {

class IterativeEnergy {
 public:
  IterativeEnergy(const std::vector<int>& joints, const std::vector<int>& bodies, bool coarse,
                  const KernelContext& context);
  // Once a step; `touched` marks bodies that have contacts, which give energy and take some.
  // `placed`: joints may be other ones than in the step before.
  void prepare(const KernelContext& context, const std::vector<uint8_t>& touched, bool placed);
  void rewind() { account_.rewind(); }
  // Begins to load what every substep looks at.
  void prefetch(const KernelContext& context) const {
    if (accounted_) account_.prefetch(context);
  }
  // What is carried over from one step to the next.
  template <class Archive>
  void list(Archive& archive) {
    put(archive, account_);
  }
  // Whether the impulses of motors have to be in the joints before `keep`.
  bool needs_motors() const { return accounted_ && drives_; }
  // Where a substep begins, when forces have acted, and where it ends.
  void open(const KernelContext& context);
  void note_forces(const KernelContext& context);
  void keep(const KernelContext& context);
  // The same once for a whole step, of pins alone: they store nothing and drive nothing.
  void open_step(const KernelContext& context, const std::vector<BodyStep>& steps);
  void keep_step(const KernelContext& context, const std::vector<BodyStep>& steps);

 private:
  // Something along a coordinate of a joint that stores energy, or a motor that may give any.
  struct Store {
    int body_a = 0, body_b = 0;
    int8_t count = 1;    // of rows that are one pull: two where its direction is free
    bool turns = false;  // it goes along the angle between the bodies
    bool known = false;  // its pull is that where the substep begins
    bool motor = false, limits = false;
    double stiffness = 0, target = 0, most = 0;
    double angle = 0, reference = 0;  // of one that turns, at the step's start
  };
  // What is seldom asked of it.
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
  // Begins to load them, while bodies are looked at.
  void load_stores() const {
    for (const Store& store : stores_) __builtin_prefetch(&store);
  }
  Reading read(const KernelContext& context, std::size_t store) const;
  double wound_energy(const KernelContext& context, const Store& store) const;
  double work_of_motors(const KernelContext& context) const;
  double stored_energy(const KernelContext& context) const;
  double energy_beside(const BodyState& state, const BodyStep& step, std::size_t i) const;

  EnergyAccount account_;
  std::vector<int> joints_, bodies_, anchors_;  // anchors: what does not move, yet may be moved
  std::vector<Store> stores_;
  std::vector<Details> details_;  // of each store
  bool lasting_ = false;          // stores are what they were, but for the angles at a step's start
  bool coarse_;                   // looked at once a step
  bool held_ = false;             // by what does not move, which takes the momentum that it loses
  bool accounted_ = false, drives_ = false;
  double h_ = 1, stored_before_ = 0, before_ = 0;
};

}  // namespace rigid

#endif
