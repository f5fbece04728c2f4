// SPDX-License-Identifier: MIT
// The parts of a world: its state, and the objects that work on it. Each part gets at its
// construction references to the parts that it uses.
//
// World (world.h) owns them and changes them between steps; Step (step.h) and batch/ step them;
// channels, statistics and queries read them.
#ifndef RIGID_ENGINE_WORLD_PARTS_H
#define RIGID_ENGINE_WORLD_PARTS_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/broadphase/broadphase.h"
#include "engine/collision/carriers.h"
#include "engine/collision/chain_tracks.h"
#include "engine/collision/continuous.h"
#include "engine/collision/impacts.h"
#include "engine/collision/narrow_phase.h"
#include "engine/contacts/chain_branches.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/contacts/touches.h"
#include "engine/data/bodies.h"
#include "engine/data/events.h"
#include "engine/data/points.h"
#include "engine/data/rows.h"
#include "engine/data/separations.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"
#include "engine/data/stages.h"
#include "engine/forces/attraction.h"
#include "engine/forces/bars.h"
#include "engine/forces/forces.h"
#include "engine/forces/surroundings.h"
#include "engine/islands/conservation.h"
#include "engine/islands/islands.h"
#include "engine/joints/joints.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/effective_masses.h"
#include "engine/mechanisms/geometric_stiffness.h"
#include "engine/mechanisms/iterative_joints.h"
#include "engine/mechanisms/mechanisms.h"
#include "engine/parallel/thread_pool.h"
#include "engine/solvers/solver.h"
#include "engine/statistics.h"
#include "engine/stopwatch.h"

namespace rigid {

struct WorldParts {
  // `from`: the world whose state is copied, with an equal definition; null for an empty world.
  WorldParts(const WorldDefinition& definition, const WorldParts* from);
  WorldParts(const WorldParts&) = delete;

  // Lists the settings that must agree for a saved state to fit, and the data of a saved state.
  template <class Archive>
  void list_definition(Archive& archive);
  template <class Archive>
  void list(Archive& archive);
  // Throws DamagedState if an index or a number is out of its range.
  void check() const;
  // Copies the state of another world into the existing memory; returns false if its definition
  // differs. Neither has unfinished bodies.
  bool assign(const WorldParts& other);
  // Discards data of the last step that is not part of the state.
  void forget_loads();

  WorldDefinition definition;
  Clock clock;
  StepParameters parameters;
  ThreadPool pool;

  Bodies bodies;
  Shapes shapes;
  Points points;
  Forces forces;
  Surroundings surroundings;
  Attraction attraction;
  Bars bars;
  Events events;
  Separations separations;
  Broadphase broadphase;
  Touches touches;
  Contacts contacts;
  Joints joints;
  Islands islands;
  Carriers carriers;

  ConstraintLanes lanes;
  IterativeJoints iterative;
  Mechanisms mechanisms;
  GeometricStiffness geometric_stiffness;
  EffectiveMasses effective_masses;
  Chains chains;
  ChainBranches chain_branches;
  ChainTracks tracks;
  OneWay one_way;
  Continuous continuous;
  ContactJointProblems contact_joint_problems;
  ImpactProblems impact_problems;
  Impacts impacts;
  NarrowPhase narrow_phase;
  IslandBatches island_batches;
  Conservation conservation;
  StageClock stage_clock;
  std::unique_ptr<Solver> solver;

  std::vector<int> unfinished;  // bodies whose masses and boxes are not yet computed
  std::optional<StepError> error;
  std::vector<StepError> errors;
  std::vector<BodyState> states_before;  // at the start of a step that may be repeated
  bool goes_in_lanes = false;            // the step that has begun: its mechanisms are not located
  Statistics times;                      // of the step's parts
  Stopwatch stopwatch;
};

}  // namespace rigid

#endif
