// SPDX-License-Identifier: MIT
// Joints that hang together, solved at once and exactly.
//
// Solving joints one after another passes a load on by one body a pass: long chains stretch, welded
// beams sag. Here the rigid rows of a whole mechanism (pins, welds, rods) form one system
//   (J M^-1 J^T) impulse = -(J v + bias)
// that is factored in blocks of one joint each (block_factors.h). Joints are neighbours where they
// share a moving body; a chain or a tree leaves no fill, so that its cost grows with its length
// alone (the observation behind Featherstone's and Baraff's 1996 linear-time methods).
//
// Limits, ropes and motors are one more row of their joint, along its coordinate (an angle, a
// length). The impulse along it falls as the speed rises, on a staircase: with a motor of maximum M
// towards the speed w between two limits that leave it the speeds from `lower` to `upper`,
//
//   impulse  >= M |        M        | -M to M |       -M       | <= -M
//   speed   lower | lower < v < w   |    w    | w < v < upper  | upper
//
// On a riser the speed is known and the impulse solved for, on a tread the impulse is known. Which
// stair each row stands on is found by pivoting: rows whose impulse or speed leaves their stair go
// to the next one, all at once while that leaves fewer of them, else the first alone (Judice and
// Pires, "A block principal pivoting algorithm for large-scale strictly monotone linear
// complementarity problems", 1994). The solution is unique, so no order and no guess decides it.
//
// Springs, soft limits and motors with a spring of their own are rows with give: their impulse is
//   -(drag * speed + carry * speed before + pull * stretch)
// with the speed at the substep's end, when everything else in the mechanism has had its say, and
// that before its forces acted. `pull` is h k. The damping c is shared between both speeds so that
// it decays as e^(-h c / m) does where nothing else moves the two bodies, and nearly so where
// something does (exponential fitting; Hairer and Wanner, "Solving Ordinary Differential Equations
// II"). An undamped spring that is slow beside a substep has no drag: its impulse is known
// beforehand, and what swings keeps its energy. One that is fast takes the implicit step, drag
// h (c + h k), which is equation (2.17) of soft constraints and stable at any stiffness.
//
// The arithmetic is in double precision, on one thread a mechanism, always in the same order.
#ifndef RIGID_ENGINE_JOINT_SYSTEM_H
#define RIGID_ENGINE_JOINT_SYSTEM_H

#include <algorithm>
#include <span>
#include <vector>

#include "engine/joints/springs.h"
#include "engine/mechanisms/block_factors.h"
#include "engine/mechanisms/energy_account.h"
#include "engine/mechanisms/system_rows.h"
#include "engine/solvers/kernels.h"

namespace rigid {

class JointSystem : SystemRows {
  template <int W>
  friend class SystemLanes;
  friend class LaneStay;

 public:
  // The joints of one mechanism, in the order of their indices. Costs are counted in products of
  // blocks; a mechanism that would need more than `budget` of them is refused: cost() is then 0.
  // `plan` has those of the mechanism before.
  JointSystem(const std::vector<int>& joints, const KernelContext& context, long budget,
              BlockPlan& plan);
  long cost() const { return factors_.cost(); }
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
  void begin(const KernelContext& context);
  // Impulses that bring the velocities to rest against the joints and remove a share of their
  // errors. Applied to the bodies.
  void solve(const KernelContext& context);
  // In `sequential_impulse`: what is left of that once others have acted on the bodies, with all
  // impulses of the step accumulated.
  void iterate(const KernelContext& context);
  // The same as `solve` without removing errors, at the end of a substep.
  void relax(const KernelContext& context);
  // At the end of a substep, located where the bodies are now: takes back what the mechanism gained
  // of itself (joint_system_energy.cpp).
  void keep_energy(const KernelContext& context);
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
  // Whether a joint pulled harder in this step than its bodies' inertia allows (tension.h).
  bool is_taut(const KernelContext& context, const std::vector<InverseMass>& own) const;

 private:
  // joint_system.cpp
  void factor(double give_share = 1);

  // joint_system_solve.cpp, joint_system_stairs.cpp
  void find_impulses(const KernelContext& context, bool relaxing);
  void stand(const KernelContext& context, AxialRow at, Stair stair);
  void start_modes(const KernelContext& context);
  void start_spring(const KernelContext& context, AxialRow at);
  void start_hard(const KernelContext& context, AxialRow at);
  void start_pull(const KernelContext& context, AxialRow at);
  void ease_pull(SystemNode& node);
  Stair next_mode(const KernelContext& context, AxialRow at, bool relaxing) const;
  void find_leaving(const KernelContext& context, bool relaxing);
  void solve_active_set(const KernelContext& context, bool relaxing);

  // joint_system_energy.cpp
  void open_account(const KernelContext& context);
  double give_back(const KernelContext& context, double excess);

  std::vector<int> joints_;
  BlockFactors factors_;
  EnergyAccount account_;
  bool accounted_ = false;  // nothing else acts on the mechanism in this step
  bool settled_ = false, factored_ = false;
  bool for_lanes_ = false;
  bool driven_ = false, firm_ = false, overloaded_ = false, yields_ = false;
  std::vector<BodyState> saved_;
  std::vector<Load> borne_;  // by each of bodies_
  struct Move {
    AxialRow at;
    Stair mode;
  };
  std::vector<Move> leaving_;  // rows that leave their stair, and where they go
};

}  // namespace rigid

#endif
