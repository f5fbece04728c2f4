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
  bool hit();
  std::vector<uint8_t> find_stopped(const std::vector<int>& held);
  void bounce_freely();
  void bounce();
  double bounce_gain() const;
  void move_and_push(float h);
  void turn_along_tracks();

  std::vector<BodyState> kept_;         // see bounce and move_and_push
  std::vector<BodyState> start_, hit_;  // see hit
};

}  // namespace rigid

#endif
