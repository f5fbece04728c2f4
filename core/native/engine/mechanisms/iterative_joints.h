// SPDX-License-Identifier: MIT
// Mechanisms that are solved joint by joint, and the measures against their energy gain.
//
// A few passes over joints do not add energy if their initial impulses do not: each pass minimises
// E(impulses) = |v + M^-1 J^T impulses|^2 M / 2 over its joint. But passes that have not converged
// keep a part of a bad start, which has two sources.
//   The impulses of the substep before, through joints that have turned since. They are scaled by
//   one common factor, the one that leaves the bodies the least energy, which is never more than
//   they had.
//   Velocities that remove errors of position. Where anchors are far from their bodies, neighbours
//   undo most of a joint's correction, and the velocity that the pass without errors should remove
//   stays. There errors are removed separately, by moving bodies without changing velocities.
#ifndef RIGID_ENGINE_MECHANISMS_ITERATIVE_JOINTS_H
#define RIGID_ENGINE_MECHANISMS_ITERATIVE_JOINTS_H

#include <cstdint>
#include <vector>

#include "engine/data/bodies.h"
#include "engine/joints/joints.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/iterative_energy.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

struct IterativeMechanism {
  std::vector<int> joints, bodies;
  bool apart = false;   // its errors are removed by moving its bodies
  bool shared = false;  // it starts with a share of its impulses
  bool coarse = false;  // its energy is measured once a step
  IterativeEnergy energy;
};

struct IterativeData {
  std::vector<IterativeMechanism> iterative_;
  bool more_sweeps_ = false;
  bool any_apart_ = false, any_shared_ = false, any_coarse_ = false;
  bool any_drives_ = false;  // reads the impulses of motors in this step
  int64_t placings_ = -1;    // Joints::placings when they were prepared
};

class IterativeJoints : IterativeData {
 public:
  IterativeJoints(const StepParameters& parameters, Bodies& bodies, Joints& joints,
                  ConstraintLanes& lanes, ThreadPool& pool, const IterativeJoints* from)
      : IterativeData(from ? IterativeData(*from) : IterativeData{}),
        parameters_(parameters),
        bodies_(bodies),
        joints_(joints),
        lanes_(lanes),
        pool_(pool) {}
  IterativeJoints(const IterativeJoints&) = delete;
  void assign(const IterativeJoints& other) { IterativeData::operator=(other); }

  void clear();
  // `rate` is that of its fastest springs; `recalls`: its joints have stored levers.
  void add_iterative(const std::vector<int>& joints, double rate, bool recalls);
  bool empty() const { return iterative_.empty(); }
  int count() const { return static_cast<int>(iterative_.size()); }
  // Called once a step, and before it is repeated.
  void prepare(const std::vector<uint8_t>& touched);
  void rewind();
  // The number of passes over the joints after the first.
  int more_passes() const;

  void warm_start_joints();
  void correct_apart();
  // Calls task(body) for all bodies moved by that correction.
  template <class Task>
  void for_apart(Task&& task) const {
    if (!any_apart_) return;
    for (const IterativeMechanism& mechanism : iterative_) {
      if (!mechanism.apart) continue;
      for (int body : mechanism.bodies) task(body);
    }
  }
  // The accounts of a step, and of a substep: when it begins, when forces have acted, at its end.
  void open_step_accounts();
  void keep_step_energies();
  void open_accounts();
  void note_forces();
  void keep_energies();

  // The values carried over from one step to the next.
  template <class Archive>
  void list(Archive& archive) {
    for (IterativeMechanism& mechanism : iterative_) put(archive, mechanism.energy);
  }

 private:
  // Calls task(mechanism, context) for all of them: no two move the same body.
  template <class Task>
  void for_mechanisms(Task&& task) {
    if (iterative_.empty()) return;
    constexpr int piece = 8;  // mechanisms per thread task
    const KernelContext context = lanes_.context();
    const int count = static_cast<int>(iterative_.size());
    pool_.run(count, piece, [&](int first, int last) {
      for (int i = first; i < last; ++i) {
        if (i + 1 < count) iterative_[i + 1].energy.prefetch(context);
        task(iterative_[i], context);
      }
    });
  }
  void hold_rack(Joint& joint);
  double best_share(const IterativeMechanism& mechanism) const;

  const StepParameters& parameters_;
  Bodies& bodies_;
  Joints& joints_;
  ConstraintLanes& lanes_;
  ThreadPool& pool_;
  std::vector<BodyState> kept_;
};

}  // namespace rigid

#endif
