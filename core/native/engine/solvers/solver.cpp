#include "engine/solvers/solver.h"

#include "engine/bodies/motion.h"
#include "engine/solvers/sequential_impulse.h"
#include "engine/solvers/soft_step.h"

namespace rigid {

void Solver::prepare() {
  prepare_bodies(bodies_, parameters_, pool_);
  continuous_.prepare();
  lanes_.run_joints(&JointKernels::prepare);
  mechanisms_.prepare_systems();
  loads_.find_effective_masses();
  lanes_.stages().bounce = lanes_.stages().push = false;
  loads_.run_contacts(&ContactKernels::prepare, Share::none);
  tracks_.start_tracks();
}

std::unique_ptr<Solver> make_solver(const SolverParts& parts) {
  switch (parts.definition_.solver) {
    case SolverKind::sequential_impulse:
      return std::make_unique<SequentialImpulse>(parts);
    default:
      return std::make_unique<SoftStep>(parts);
  }
}

ContactKernels Kernels::* contact_kernels_of(SolverKind kind) {
  return kind == SolverKind::sequential_impulse ? &Kernels::impulse : &Kernels::soft;
}

}  // namespace rigid
