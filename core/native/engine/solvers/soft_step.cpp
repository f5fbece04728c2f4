// SPDX-License-Identifier: MIT
// The stages of soft_step.
#include "engine/solvers/soft_step.h"

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"
#include "engine/solvers/island_batch_lanes.h"
#include "engine/solvers/step_parameters.h"

namespace rigid {

StepParameters SoftStep::parameters(const WorldDefinition& definition) {
  StepParameters p = common_parameters(definition, definition.dt / definition.substeps);
  p.joint = {constants::joint_correction * p.inverse_h, constants::joint_mass_scale,
             1.0f - constants::joint_mass_scale};
  p.warm_start = p.explicit_springs = p.pulls_in_substeps = p.whole_batches = true;
  p.contact_margin = p.speculative;
  p.joint_give = constants::joint_give;
  if (is_weightless(definition)) {
    p.slowest_impact *= constants::weightless_impact / constants::restitution_threshold;
    p.restitution_threshold = p.slowest_impact;
  }
  return p;
}

void SoftStep::solve() {
  clock_.start();
  if (!island_batches_.empty()) return solve_island_batches();
  impacts_.begin_step();
  run(Stage::begin, &Constraint::begin_step);
  for (int substep = 0; substep < definition_.substeps; ++substep) {
    begin_substep(substep);
    integrate_forces();
    run(Stage::forces, &Constraint::note_forces);
    run(Stage::warm_start, &Constraint::warm_start);
    run(Stage::solve, &Constraint::solve);
    // Shapes on tracks with other contacts or joints are solved together with these until they
    // agree.
    for (int i = tracks_.coupled() ? constants::track_sweeps : 0; i > 0; --i) {
      run(Stage::tracks, &Constraint::solve_with_tracks);
    }
    move_bodies(static_cast<float>(substep + 1) * parameters_.h);
    run(Stage::relax, &Constraint::relax);
  }
  run(Stage::store, &Constraint::end_step);
  run(Stage::store, &Constraint::store);
}

// Attraction, blows at their times within the substep, and the start of the constraints.
void SoftStep::begin_substep(int substep) {
  const float h = parameters_.h;
  if (attraction_.acts()) attraction_.pull_substep(h, substep == 0);
  parameters_.servo_rate =
      parameters_.inverse_h / static_cast<float>(definition_.substeps - substep);
  impacts_.run_impacts();
  impact_problems_.find_hit(2.0f * h);  // `relax` looks at the next substep
  clock_.lap(Stage::impacts);
  run(Stage::begin, &Constraint::begin_substep);
}

void SoftStep::solve_island_batches() {
  // The poller counts an island batch as some hundred pieces of a stage.
  constexpr int worth = 100;
  pool_.run(worth * island_batches_.count(), worth, [this](int first, int last) {
    for (int island_batch = first / worth; island_batch < last / worth; ++island_batch)
      solve_island_batch(island_batch);
  });
  clock_.lap(Stage::island_batches);
}

// A whole step for one island batch: the same as above, with only contacts that do not bounce.
void SoftStep::solve_island_batch(int island_batch) {
  const float h = parameters_.h;
  const std::span<const int> bodies = island_batches_.bodies(island_batch);
  const KernelContext context = lanes_.context();
  IslandBatchLanes lanes(lanes_, island_batches_, island_batch);
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

}  // namespace rigid
