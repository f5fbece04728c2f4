// SPDX-License-Identifier: MIT
// sequential_impulse: bounces, forces and rest, then the correction of overlap (impulse_kernels.h).
#ifndef RIGID_ENGINE_SOLVERS_SEQUENTIAL_IMPULSE_H
#define RIGID_ENGINE_SOLVERS_SEQUENTIAL_IMPULSE_H
#include <vector>

#include "engine/solvers/bounces.h"
#include "engine/solvers/solver.h"

namespace rigid {

class SequentialImpulse : public Solver {
 public:
  static constexpr const char* name = "sequential_impulse";
  static constexpr ContactKernels Kernels::* contacts = &Kernels::impulse;
  static StepParameters parameters(const WorldDefinition& definition);

  using Solver::Solver;
  void solve() override;

 private:
  bool is_plain() const;
  template <class Pass>
  void iterate(Pass&& pass);
  float change_by_pass() const;
  void move_and_push();
  void turn_along_tracks();

  Bounces bounces_{definition_,         parameters_,         bodies_,  lanes_,
                   effective_masses_,   impact_problems_,    impacts_, joint_constraints_,
                   direct_constraints_, contact_constraints_};
  std::vector<BodyState> kept_;         // see move_and_push
  std::vector<BodyState> before_pass_;  // see iterate
};

}  // namespace rigid

#endif
