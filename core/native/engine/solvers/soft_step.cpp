// SPDX-License-Identifier: MIT
#include "engine/solvers/soft_step.h"

#include "engine/bodies/motion.h"
#include "engine/constants.h"
#include "engine/solvers/pile_lanes.h"
#include "engine/solvers/step_parameters.h"

namespace rigid {

StepParameters SoftStep::parameters(const WorldDefinition& definition) {
  StepParameters p = common_parameters(definition, definition.dt / definition.substeps);
  p.joint = {constants::joint_correction * p.inverse_h, constants::joint_mass_scale,
             1.0f - constants::joint_mass_scale};
  p.warm_start = p.explicit_springs = p.pulls_in_substeps = p.whole_piles = true;
  p.contact_margin = p.speculative;
  p.joint_give = constants::joint_give;
  return p;
}

void SoftStep::solve() {
  if (!piles_.empty()) {
    // What the watch is told of: a pile is worth some hundred pieces of a stage.
    constexpr int worth = 100;
    pool_.run(worth * piles_.count(), worth, [this](int first, int last) {
      for (int pile = first / worth; pile < last / worth; ++pile) solve_pile(pile);
    });
    return;
  }
  const float h = parameters_.h;
  impacts_.begin_step();
  clusters_.find();
  iterative_.open_step_accounts();
  for (int substep = 0; substep < definition_.substeps; ++substep) {
    if (attraction_.acts()) attraction_.pull_substep(h, substep == 0);
    parameters_.servo_rate =
        parameters_.inverse_h / static_cast<float>(definition_.substeps - substep);
    impacts_.run_impacts();
    clusters_.find_hit(2.0f * h);  // `relax` looks at the next substep
    mechanisms_.for_systems(&JointSystem::begin);
    iterative_.open_accounts();
    integrate_velocities(bodies_, h, pool_);
    clusters_.begin();
    iterative_.note_forces();
    iterative_.warm_start_joints();
    loads_.run_contacts(&ContactKernels::warm_start, Share::all);
    lanes_.run_joints(&JointKernels::solve);
    for (int i = 0; i < iterative_.more_passes(); ++i) {
      lanes_.run_joints(&JointKernels::solve);
    }
    mechanisms_.for_systems(&JointSystem::solve);
    tracks_.aim_tracks();
    footings_.note();
    loads_.run_contacts(&Kernels::solve, Share::change);
    clusters_.solve();
    footings_.solve();
    if (!loads_.empty()) mechanisms_.for_systems(&JointSystem::iterate);
    settle_tracks();
    const float time = static_cast<float>(substep + 1) * h;
    integrate_positions(bodies_, h, pool_, [&](int i) { continuous_.clamp_to_impact(i, time); });
    iterative_.correct_apart();
    iterative_.for_apart([&](int i) { continuous_.clamp_shifted(i, time); });
    continuous_.stop_bullets(time);
    lanes_.run_joints(&JointKernels::relax);
    iterative_.keep_energies();
    mechanisms_.locate_drivers();
    // The next substep begins where the bodies are now, with the same factors.
    mechanisms_.for_systems([](JointSystem& system, const KernelContext& context) {
      system.locate(context);
      system.relax(context);
      system.keep_energy(context);
    });
    tracks_.follow_tracks();
    clusters_.follow();
    footings_.note();
    loads_.run_contacts(&Kernels::relax, Share::change);
    clusters_.relax();
    footings_.relax();
    if (!loads_.empty()) mechanisms_.for_systems(&JointSystem::relax);
  }
  iterative_.keep_step_energies();
  lanes_.run_joints(&JointKernels::store);
  mechanisms_.store_systems();
  loads_.run_contacts(&ContactKernels::store, Share::none);
}

// All of a step for what touches nothing else: the same as above, where there is nothing but
// contacts that do not bounce.
void SoftStep::solve_pile(int pile) {
  const float h = parameters_.h;
  const std::span<const int> bodies = piles_.bodies(pile);
  const KernelContext context = lanes_.context();
  PileLanes lanes(lanes_, piles_, pile);
  lanes.run(context, &ContactKernels::prepare);
  for (int substep = 0; substep < definition_.substeps; ++substep) {
    integrate_velocities(bodies_, bodies, h);
    lanes.run(context, &ContactKernels::warm_start);
    lanes.run(context, &Kernels::solve);
    const float time = static_cast<float>(substep + 1) * h;
    integrate_positions(bodies_, bodies, h, [&](int i) { continuous_.clamp_to_impact(i, time); });
    lanes.run(context, &Kernels::relax);
  }
  lanes.run(context, &ContactKernels::store);
}

// What is led in several places, or has joints, is solved with them until they agree.
void SoftStep::settle_tracks() {
  if (!tracks_.coupled()) return;
  for (int i = 0; i < constants::track_sweeps; ++i) {
    mechanisms_.for_systems(&JointSystem::iterate);
    tracks_.aim_tracks();
    loads_.run_contacts(&Kernels::solve, Share::change);
  }
}

}  // namespace rigid
