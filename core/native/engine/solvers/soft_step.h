// SPDX-License-Identifier: MIT
// soft_step: a step divided into substeps, in which constraints are first solved as stiff springs
// that remove overlap, and then again without these (Catto, Solver2D, 2024).
#ifndef RIGID_ENGINE_SOLVERS_SOFT_STEP_H
#define RIGID_ENGINE_SOLVERS_SOFT_STEP_H
#include "engine/solvers/solver.h"

namespace rigid {

class SoftStep : public Solver {
 public:
  static constexpr const char* name = "soft_step";
  static constexpr ContactKernels Kernels::* contacts = &Kernels::soft;
  static StepParameters parameters(const WorldDefinition& definition);

  using Solver::Solver;
  void solve() override;

 private:
  void begin_substep(int substep);
  void solve_island_batches();
  void solve_island_batch(int island_batch);
};

}  // namespace rigid

#endif
