// SPDX-License-Identifier: MIT
// sequential_impulse: bounces, forces and rest, then the correction of overlap (impulse_kernels.h).
#ifndef RIGID_ENGINE_SOLVERS_SEQUENTIAL_IMPULSE_H
#define RIGID_ENGINE_SOLVERS_SEQUENTIAL_IMPULSE_H
#include <vector>

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
  void bounce();
  double bounce_gain() const;
  void move_and_push(float h);
  void turn_along_tracks();

  std::vector<BodyState> kept_;  // see bounce and move_and_push
};

}  // namespace rigid

#endif
