// SPDX-License-Identifier: MIT
#include "engine/solvers/solver.h"

#include "engine/bodies/motion.h"
#include "engine/solvers/sequential_impulse.h"
#include "engine/solvers/soft_step.h"

namespace rigid {

void Solver::prepare(bool side_by_side) {
  prepare_bodies(bodies_, parameters_, pool_);
  continuous_.prepare();
  lanes_.run_joints(&JointKernels::prepare);
  mechanisms_.prepare_systems();
  if (!side_by_side) mechanisms_.locate_systems();
  loads_.find_effective_masses();
  ImpulseStages& stages = lanes_.stages();
  stages.restitution = stages.bounce = stages.push = false;
  piles_.find();
  // A pile is prepared where it is solved.
  if (piles_.empty()) loads_.run_contacts(&ContactKernels::prepare, Share::none);
  footings_.find();
  tracks_.start_tracks();
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
