// SPDX-License-Identifier: MIT
// The preparation common to all solvers, and their list.
#include "engine/solvers/solver.h"

#include "engine/bodies/motion.h"
#include "engine/solvers/sequential_impulse.h"
#include "engine/solvers/soft_step.h"
#include "engine/solvers/step_observer.h"

namespace rigid {

void Solver::prepare(bool side_by_side) {
  prepare_bodies(bodies_, parameters_, pool_);
  continuous_.prepare();
  lanes_.run_joints(&JointKernels::prepare);
  mechanisms_.prepare_systems();
  if (!side_by_side) mechanisms_.locate_systems();
  effective_masses_.find_effective_masses();
  ImpulseStages& stages = lanes_.stages();
  stages.restitution = stages.bounce = stages.push = false;
  island_batches_.find();
  // An island batch is prepared where it is solved.
  if (island_batches_.empty()) contact_constraints_.run(&ContactKernels::prepare);
  contact_joint_problems_.find();
  tracks_.start_tracks();
  if (observer_) observer_->begin();
}

void Solver::tell(Stage stage, ConstraintKind kind) { observer_->follow(stage, kind); }

void Solver::integrate_forces() {
  integrate_velocities(bodies_, parameters_.h, pool_);
  clock_.lap(Stage::forces);
}

void Solver::move_bodies(float time) {
  integrate_positions(bodies_, parameters_.h, pool_,
                      [&](int body) { continuous_.clamp_to_impact(body, time); });
  for (Constraint* constraint : constraints_) constraint->correct_positions(time);
  continuous_.stop_bullets(time);
  clock_.lap(Stage::positions);
}

namespace {

template <class Type>
constexpr SolverType describe() {
  return {Type::name, Type::contacts, Type::parameters,
          [](const SolverParts& parts) -> std::unique_ptr<Solver> {
            return std::make_unique<Type>(parts);
          }};
}

}  // namespace

std::span<const SolverType> solver_types() {
  static constexpr SolverType all[] = {describe<SoftStep>(), describe<SequentialImpulse>()};
  return all;
}

const SolverType* find_solver(std::string_view name) {
  for (const SolverType& type : solver_types()) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

}  // namespace rigid
