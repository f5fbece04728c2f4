// SPDX-License-Identifier: MIT
// The interface of solvers: one object for a world, made from its settings.
//
// A solver is a list of stages over the kinds of constraints (constraints/constraint.h). It
// prepares the constraints of a step and solves them: it turns forces and constraints into motion
// and moves the bodies to their positions at the step's end. SolverParts holds the parts that it
// may use; StepParameters holds the numbers and switches in which solvers differ and which kernels
// read. solver.cpp lists the solvers.
#ifndef RIGID_ENGINE_SOLVERS_SOLVER_H
#define RIGID_ENGINE_SOLVERS_SOLVER_H

#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "engine/collision/chain_tracks.h"
#include "engine/collision/continuous.h"
#include "engine/collision/impact_problems.h"
#include "engine/collision/impacts.h"
#include "engine/constraints/contact_constraints.h"
#include "engine/constraints/direct_joint_constraints.h"
#include "engine/constraints/joint_constraints.h"
#include "engine/constraints/track_constraints.h"
#include "engine/data/bodies.h"
#include "engine/data/settings.h"
#include "engine/data/stages.h"
#include "engine/forces/attraction.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/contact_joint_problems.h"
#include "engine/mechanisms/effective_masses.h"
#include "engine/mechanisms/iterative_joints.h"
#include "engine/mechanisms/mechanisms.h"
#include "engine/parallel/thread_pool.h"
#include "engine/solvers/island_batches.h"

namespace rigid {

struct SolverParts {
  const WorldDefinition& definition_;
  StepParameters& parameters_;
  Bodies& bodies_;
  ConstraintLanes& lanes_;
  IterativeJoints& iterative_;
  Mechanisms& mechanisms_;
  EffectiveMasses& effective_masses_;
  ContactJointProblems& contact_joint_problems_;
  ChainTracks& tracks_;
  Continuous& continuous_;
  ImpactProblems& impact_problems_;
  Impacts& impacts_;
  Attraction& attraction_;
  IslandBatches& island_batches_;
  ThreadPool& pool_;
  StageClock& clock_;
};

class StepObserver;  // step_observer.h

// The kinds of constraints, in the order in which every stage runs them.
enum class ConstraintKind : uint8_t { joints, direct, tracks, contacts };

class Solver : protected SolverParts {
 public:
  explicit Solver(const SolverParts& parts) : SolverParts(parts) {}
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;

  // Loads constraints into lanes, mechanisms, effective masses, tracks. `side_by_side`: the rows of
  // mechanisms are located elsewhere (batch/batch_stepper.h).
  void prepare(bool side_by_side = false);
  // May be called again after `prepare`, from the states at the step's start.
  virtual void solve() = 0;
  // Tells an observer of all that follows; null: none.
  void observe(StepObserver* observer) { observer_ = observer; }
  const SolverParts& parts() const { return *this; }

 protected:
  // Runs one stage of all kinds of constraints, in their order.
  template <class... Parameters, class... Arguments>
  void run(Stage stage, void (Constraint::*task)(Parameters...), Arguments... arguments) {
    for (std::size_t kind = 0; kind < constraints_.size(); ++kind) {
      (constraints_[kind]->*task)(arguments...);
      if (observer_) tell(stage, static_cast<ConstraintKind>(kind));
    }
    clock_.lap(stage);
  }
  void tell(Stage stage, ConstraintKind kind);
  // Integrates velocities from forces, and positions from velocities, at the time `time` of the
  // step.
  void integrate_forces();
  void move_bodies(float time);

  JointConstraints joint_constraints_{lanes_, iterative_, continuous_};
  DirectJointConstraints direct_constraints_{mechanisms_};
  TrackConstraints track_constraints_{tracks_};
  ContactConstraints contact_constraints_{lanes_, effective_masses_, impact_problems_,
                                          contact_joint_problems_, mechanisms_};
  std::array<Constraint*, 4> constraints_ = {&joint_constraints_, &direct_constraints_,
                                             &track_constraints_, &contact_constraints_};
  StepObserver* observer_ = nullptr;
};

// The description of a kind of solver, as data, taken from its class.
struct SolverType {
  const char* name;
  ContactKernels Kernels::* contacts;  // its contact kernels
  StepParameters (*parameters)(const WorldDefinition& definition);
  std::unique_ptr<Solver> (*make)(const SolverParts& parts);
};

// In the order of their numbers in saved states.
std::span<const SolverType> solver_types();
// Null if there is no solver of that name.
const SolverType* find_solver(std::string_view name);

}  // namespace rigid

#endif
