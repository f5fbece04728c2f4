// SPDX-License-Identifier: MIT
// The bounces of a step of sequential_impulse, before its forces act: blows at their times within
// the step for free bodies, passes over all contacts and joints for the others.
#ifndef RIGID_ENGINE_SOLVERS_BOUNCES_H
#define RIGID_ENGINE_SOLVERS_BOUNCES_H

#include <cstdint>
#include <vector>

#include "engine/collision/impact_problems.h"
#include "engine/collision/impacts.h"
#include "engine/constraints/contact_constraints.h"
#include "engine/constraints/direct_joint_constraints.h"
#include "engine/constraints/joint_constraints.h"
#include "engine/data/bodies.h"
#include "engine/data/settings.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/effective_masses.h"

namespace rigid {

class Bounces {
 public:
  Bounces(const WorldDefinition& definition, const StepParameters& parameters, Bodies& bodies,
          ConstraintLanes& lanes, const EffectiveMasses& effective_masses,
          ImpactProblems& impact_problems, Impacts& impacts, JointConstraints& joints,
          DirectJointConstraints& direct_joints, ContactConstraints& contacts)
      : definition_(definition),
        parameters_(parameters),
        bodies_(bodies),
        lanes_(lanes),
        effective_masses_(effective_masses),
        impact_problems_(impact_problems),
        impacts_(impacts),
        joints_(joints),
        direct_joints_(direct_joints),
        contacts_(contacts) {}
  Bounces(const Bounces&) = delete;

  // `in_time`: free bodies bounce at the instants at which they meet.
  void run(bool in_time);

 private:
  bool hit();
  std::vector<uint8_t> find_stopped(const std::vector<int>& held);
  void bounce_freely();
  void bounce();
  double bounce_gain() const;

  const WorldDefinition& definition_;
  const StepParameters& parameters_;
  Bodies& bodies_;
  ConstraintLanes& lanes_;
  const EffectiveMasses& effective_masses_;
  ImpactProblems& impact_problems_;
  Impacts& impacts_;
  JointConstraints& joints_;
  DirectJointConstraints& direct_joints_;
  ContactConstraints& contacts_;
  std::vector<BodyState> kept_;         // see bounce
  std::vector<BodyState> start_, hit_;  // see hit
};

}  // namespace rigid

#endif
