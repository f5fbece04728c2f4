// SPDX-License-Identifier: MIT
// Counts and times of the last step, and the path that the engine took in it.
#ifndef RIGID_ENGINE_STATISTICS_H
#define RIGID_ENGINE_STATISTICS_H

#include <array>

#include "engine/data/stages.h"

namespace rigid {

// Milliseconds of the parts of a step, and counts of what it solved.
struct Statistics {
  double pairs = 0, narrow = 0, prepare = 0, solve = 0, finish = 0, sleep = 0;
  int lanes = 0, constraints = 0, colors = 0, awake = 0;
  int islands = 0;         // of awake bodies connected by contacts and joints
  int island_batches = 0;  // that were solved one after another
  // Joints solved directly and iteratively, and the mechanisms they form; of the latter joints,
  // those whose mechanism is too costly for a direct solution, and those of mechanisms with slow
  // springs only.
  int direct_joints = 0, direct_mechanisms = 0, iterative_joints = 0, iterative_mechanisms = 0;
  int costly_joints = 0, soft_joints = 0;
  // Impact problems and contact-joint problems, bodies with effective masses, and shapes on tracks.
  int impact_problems = 0, contact_problems = 0, effective_masses = 0, tracks = 0;
  int asleep = 0;               // bodies
  int touched_mechanisms = 0;   // direct mechanisms with contacts, whose joints are corrected less
  int checked_islands = 0;      // whose energy and momentum were checked
  int repeats = 0;              // of the step, for taut joints or overloaded motors
  const char* alone = nullptr;  // why it is not stepped side by side with other worlds
  bool measured = false;        // whether the stages were measured
  std::array<double, stage_count> stages{};
};

struct WorldParts;
Statistics read_statistics(const WorldParts& parts);

}  // namespace rigid

#endif
