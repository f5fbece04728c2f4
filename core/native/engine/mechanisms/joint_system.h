// SPDX-License-Identifier: MIT
// A directly solved mechanism of a single world (direct_joints.h), which also bears loads on its
// bodies.
#ifndef RIGID_ENGINE_MECHANISMS_JOINT_SYSTEM_H
#define RIGID_ENGINE_MECHANISMS_JOINT_SYSTEM_H

#include <memory>
#include <span>
#include <vector>

#include "engine/data/kernels.h"
#include "engine/data/row_parts.h"
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
  // blocks; a mechanism that would cost more than `budget` is refused: cost() is then 0. `plan`
  // holds the plan of the mechanism before.
  JointSystem(const std::vector<int>& joints, const KernelContext& context, long budget,
              BlockPlan& plan);
  long cost() const { return factors_ ? factors_->cost() : 0; }
  const std::vector<int>& joints() const { return joints_; }
  // The bodies that it hangs on, which do not move with it.
  const std::vector<int>& holders() const { return holders_; }

  // Whether it can be solved side by side with others like it (system_lanes.h), and whether another
  // one is like it: the same rows between the same bodies.
  bool is_for_lanes() const { return for_lanes_; }
  bool is_like(const JointSystem& other) const;

  // Called once a step: anchors and offsets in world axes. `touched` marks bodies that have
  // contacts.
  void prepare(const KernelContext& context, const std::vector<uint8_t>& touched);
  // Sets Jacobians and errors at the bodies' present places.
  void locate(const KernelContext& context);
  // Whether one of its bodies has contacts in this step.
  bool is_touched() const { return step_.touched; }
  // Whether it has a motor without a maximum: driven bodies have its target speed.
  bool is_driven() const { return driven_; }
  // Whether it is held by motors or limits that a load may overcome.
  bool is_firm() const { return firm_ && !yields_; }
  // Whether a load overcame them: then they are not rigid in this step.
  bool yields() {
    const bool more = overloaded_ && !yields_;
    yields_ = yields_ || overloaded_;
    return more;
  }
  void yield() { yields_ = true; }
  void forget_overload() { yields_ = overloaded_ = false; }
  // From here on only the rigid rows are active, and those driven by such motors. After `locate`.
  void begin_blow();
  // The rows that a load does not move: all that are rigid for now, or only those without motors.
  enum class Held { rigid, driven };
  void hold(Held held);
  // Finds the response of a body to two impulses and a torque with these rows held: the inverse of
  // the inertia that its contacts see.
  void find_response(int body, InverseMass mass, double response[3][3]);
  // The same of several bodies to each other, with all active rows held: rows and columns by body,
  // three each.
  void find_held_responses(const std::vector<int>& bodies,
                           std::span<const InverseMass> inverse_masses,
                           std::vector<double>& responses);
  // The inverse mass and inertia of its heaviest body.
  using SystemRows::heaviest;
  // An impulse on a body of a driven mechanism, and the response of its held rows.
  struct Load {
    int body;
    double x, y, turn;
  };
  void bear(const KernelContext& context, const std::vector<Load>& loads);
  // Called before a substep's forces act: notes the speeds for springs.
  void begin(const KernelContext& context) {
    turn_to_active();
    DirectJoints::begin(context.states);
  }
  // Finds the impulses that bring the velocities to rest against the joints and remove a share of
  // their errors, and applies them to the bodies.
  void solve(const KernelContext& context) {
    turn_to_active();
    DirectJoints::solve(context.states, context.parameters->servo_rate);
  }
  // Solves for the remainder after other constraints changed the bodies, without removing errors
  // again; the impulses of the step accumulate.
  void solve_again(const KernelContext& context) {
    turn_to_active();
    solve_active_set(context.states, false);
  }
  // The same as `solve` without the removal of errors, at the end of a substep.
  void relax(const KernelContext& context) {
    turn_to_active();
    solve_active_set(context.states, true);
  }
  // Called at the end of a substep, after `locate`: removes the energy that the mechanism gained
  // without work (direct_energy.h).
  void keep_energy(const KernelContext& context) {
    turn_to_active();
    DirectJoints::keep_energy(context.states, context.bodies);
  }
  bool is_accounted() const { return accounted_; }
  // The values carried over from one step to the next.
  template <class Archive>
  void list(Archive& archive) {
    put(archive, account_);
  }
  // Called before a step is repeated.
  void rewind() { account_.rewind(); }
  // Forgets the steps before, as a system that is made anew.
  void renew() {
    account_.forget();
    forget_overload();
  }
  // Its rows in their present state, for observers (solvers/step_observer.h). `share` is that of
  // the error to be removed in a substep; `impulse` is that of the last solution.
  struct RowView {
    int joint, source, mode;
    RowPart part;
    const double* jacobian;
    double error, wanted, give, share, lowest, highest, impulse;
    bool on;
  };
  std::vector<RowView> view_rows(bool relaxing) const;
  // Adds the loads of a joint in the step so far: x, y, turn and its motor's.
  void add_totals_of(int joint, double& x, double& y, double& turn, double& motor) const;
  // Stores the sums of the step in the joints.
  void store(const KernelContext& context) const;
  // Copies all values that change from step to step, and the constants of its joints and bodies,
  // into a lane of worlds that are alike, and back into the joints; `own`: the masses of the
  // bodies.
  void copy_to(BatchState::System& to, int lane, const Joints& joints,
               const std::vector<InverseMass>& own) const;
  void copy_from(const BatchState::System& from, int lane, Joints& joints);
  // Takes the changed values of a joint's motor into a lane; false if rows of another kind need
  // them.
  bool copy_motor(BatchState::System& to, int lane, int index, const Joint& joint) const;
  // Whether a joint pulled harder in this step than its bodies' inertia allows
  // (geometric_stiffness.h).
  bool is_taut(const KernelContext& context, const std::vector<InverseMass>& own) const;

 private:
  std::vector<int> joints_, holders_;
  std::shared_ptr<const BlockFactors> blocks_;  // owner of factors_
  bool settled_ = false;
  bool for_lanes_ = false;
  bool driven_ = false, firm_ = false, overloaded_ = false, yields_ = false;
  // The factors are those of held rows at these places, with this share of `give`.
  bool held_ = false;
  double held_share_ = 1;
  // Factors that were found at these places before: of active rows while those of held rows are in
  // use, and the other way round. Rows with give may change between.
  struct OtherFactors {
    std::vector<Block> below, inverses;
    std::vector<uint8_t> rows;  // whether each axial row is in them
    bool known = false, held = false;
    double share = 1;
  };
  OtherFactors others_;
  bool are_held(double share) const;
  void exchange_factors();
  void turn_to_active();
  std::vector<Load> borne_;  // by body of bodies_
};

}  // namespace rigid

#endif
