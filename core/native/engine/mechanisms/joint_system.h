// SPDX-License-Identifier: MIT
// A mechanism of a world that is alone: its joints are solved at once (direct_joints.h), and bear
// what pushes its bodies.
#ifndef RIGID_ENGINE_MECHANISMS_JOINT_SYSTEM_H
#define RIGID_ENGINE_MECHANISMS_JOINT_SYSTEM_H

#include <memory>
#include <span>
#include <vector>

#include "engine/data/kernels.h"
#include "engine/joints/joints.h"
#include "engine/joints/springs.h"
#include "engine/mechanisms/batch_state.h"
#include "engine/mechanisms/block_factors.h"
#include "engine/mechanisms/direct_joints.h"
#include "engine/mechanisms/system_rows.h"

namespace rigid {

class JointSystem : SystemRows {
  template <int W>
  friend class SystemLanes;

 public:
  // The joints of one mechanism, in the order of their indices. Costs are counted in products of
  // blocks; a mechanism that would need more than `budget` of them is refused: cost() is then 0.
  // `plan` has those of the mechanism before.
  JointSystem(const std::vector<int>& joints, const KernelContext& context, long budget,
              BlockPlan& plan);
  long cost() const { return factors_ ? factors_->cost() : 0; }
  const std::vector<int>& joints() const { return joints_; }

  // Whether it can be solved side by side with others like it (system_lanes.h), and whether another
  // is like it: the same rows between the same bodies.
  bool is_for_lanes() const { return for_lanes_; }
  bool is_like(const JointSystem& other) const;

  // Once a step: anchors and offsets in world axes. `touched` marks bodies that have contacts.
  void prepare(const KernelContext& context, const std::vector<uint8_t>& touched);
  // At the bodies' present places: Jacobians and errors.
  void locate(const KernelContext& context);
  // Whether a motor without a maximum is among them: what it drives has the speed that it wants.
  bool is_driven() const { return driven_; }
  // Whether motors or limits hold it that something may overcome.
  bool is_firm() const { return firm_ && !yields_; }
  // Whether something did: then they are no wall in this step.
  bool yields() {
    const bool more = overloaded_ && !yields_;
    yields_ = yields_ || overloaded_;
    return more;
  }
  void yield() { yields_ = true; }
  void forget_overload() { yields_ = overloaded_ = false; }
  // From here on the rigid rows alone act, and those that such motors drive. After `locate`.
  void begin_blow();
  // What something that pushes does not move: these rows, or those without motors.
  enum class Held { rigid, driven };
  void hold(Held held);
  // How a body answers to impulses and a torque with these rows held: the inverse of the inertia
  // that something sees that pushes it.
  void find_response(int body, InverseMass mass, double response[3][3]);
  // The same of several bodies to each other, with all that holds them for now: rows and columns go
  // by body, three each.
  void find_held_responses(const std::vector<int>& bodies, std::span<const InverseMass> masses,
                           std::vector<double>& responses);
  // The inverse mass and inertia of its heaviest body.
  using SystemRows::heaviest;
  // Impulses on bodies of a driven mechanism, and what its held rows give against them.
  struct Load {
    int body;
    double x, y, turn;
  };
  void bear(const KernelContext& context, const std::vector<Load>& loads);
  // Before a substep's forces act: the speeds that springs remember.
  void begin(const KernelContext& context) { DirectJoints::begin(context.states); }
  // Impulses that bring the velocities to rest against the joints and remove a share of their
  // errors. Applied to the bodies.
  void solve(const KernelContext& context) {
    DirectJoints::solve(context.states, context.parameters->servo_rate);
  }
  // In `sequential_impulse`: what is left of that once others have acted on the bodies, with all
  // impulses of the step accumulated.
  void iterate(const KernelContext& context) { solve_active_set(context.states, false); }
  // The same as `solve` without removing errors, at the end of a substep.
  void relax(const KernelContext& context) { solve_active_set(context.states, true); }
  // At the end of a substep, located where the bodies are now: takes back what the mechanism gained
  // of itself (direct_energy.h).
  void keep_energy(const KernelContext& context) {
    DirectJoints::keep_energy(context.states, context.bodies);
  }
  bool is_accounted() const { return accounted_; }
  // What is carried over from one step to the next.
  template <class Archive>
  void list(Archive& archive) {
    put(archive, account_);
  }
  // Before a step is taken again.
  void rewind() { account_.rewind(); }
  // The step's sums, into the joints.
  void store(const KernelContext& context) const;
  // All that changes from step to step, and what of its joints and bodies steps need, into a lane
  // of worlds that are alike; `own`: the masses of the bodies. And back, into the joints.
  void copy_to(BatchState::System& to, int lane, const Joints& joints,
               const std::vector<InverseMass>& own) const;
  void copy_from(const BatchState::System& from, int lane, Joints& joints);
  // Whether a joint pulled harder in this step than its bodies' inertia allows
  // (geometric_stiffness.h).
  bool is_taut(const KernelContext& context, const std::vector<InverseMass>& own) const;

 private:
  std::vector<int> joints_;
  std::shared_ptr<const BlockFactors> blocks_;  // what factors_ points to
  bool settled_ = false;
  bool for_lanes_ = false;
  bool driven_ = false, firm_ = false, overloaded_ = false, yields_ = false;
  std::vector<Load> borne_;  // by each of bodies_
};

}  // namespace rigid

#endif
