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
  int islands = 0;         // of awake bodies that contacts and joints hold together
  int island_batches = 0;  // that were solved by themselves
  // Joints that are solved at once and one by one, and the mechanisms they form; of the latter,
  // those whose mechanism costs too much at once, and those with slow springs alone.
  int direct_joints = 0, direct_mechanisms = 0, iterative_joints = 0, iterative_mechanisms = 0;
  int costly_joints = 0, soft_joints = 0;
  // Groups of contacts that are solved at once: blows, and contacts of light parts of mechanisms;
  // bodies with a corrected mass, and shapes on tracks.
  int impact_problems = 0, contact_problems = 0, corrected_masses = 0, tracks = 0;
  const char* alone = nullptr;  // why it is not stepped beside other worlds
  bool measured = false;        // whether the stages were
  std::array<double, stage_count> stages{};
};

}  // namespace rigid

#endif
