// SPDX-License-Identifier: MIT
// Bounces, found and solved before a substep's forces act, in sweeps (impacts.cpp).
#ifndef RIGID_ENGINE_COLLISION_IMPACTS_H
#define RIGID_ENGINE_COLLISION_IMPACTS_H

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "engine/collision/impact_group.h"
#include "engine/collision/impact_place.h"
#include "engine/collision/impact_problems.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/contacts/impulse_bearer.h"
#include "engine/data/bodies.h"
#include "engine/data/shapes.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

class Impacts {
 public:
  Impacts(const StepParameters& parameters, Bodies& bodies, const Shapes& shapes,
          const Contacts& contacts, const Chains& chains, const ImpactProblems& impact_problems,
          ConstraintLanes& lanes, ImpulseBearer& bearer, ThreadPool& pool)
      : parameters_(parameters),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        chains_(chains),
        impact_problems_(impact_problems),
        lanes_(lanes),
        bearer_(bearer),
        pool_(pool) {}
  Impacts(const Impacts&) = delete;

  // Forgets the data of bodies and contacts, which is valid for one step.
  void begin_step() { hits_noted_ = false; }
  // Runs the sweeps; returns whether anything has hit.
  bool run_impacts();
  // Excludes bodies, by a mark for each; none if it is empty.
  void leave_out(std::vector<uint8_t> bodies) { left_out_ = std::move(bodies); }
  // The bodies with joints that the last run has hit.
  std::vector<int> hit_and_held() const;

 private:
  void note_hit_bodies(const KernelContext& context);
  void find_places();
  void find_place(const Contact& contact, ImpactPlace& place) const;
  void prefetch_impact(int position) const;
  void drop_left_out();
  bool find_crowds();
  void solve_crowds(KernelContext& context);
  void drop_crowded();
  void group_impacts(int sweep);
  bool group_pressed();
  void sort_groups(const std::vector<int>& parents);
  bool solve_groups(const KernelContext& context);
  struct Blow;
  void mark_thrown(int body);
  void move_back(const ImpactRow& row, float when, const Blow& blow);
  bool solve_impacts(const KernelContext& context, int first, int last, Blow& blow);
  bool is_corner(const WorldShape& shape, Vec2 from_center) const;

  const StepParameters& parameters_;
  Bodies& bodies_;
  const Shapes& shapes_;
  const Contacts& contacts_;
  const Chains& chains_;
  const ImpactProblems& impact_problems_;
  ConstraintLanes& lanes_;
  ImpulseBearer& bearer_;
  ThreadPool& pool_;
  // Impacts of one sweep, and the data of their bodies.
  std::vector<Impact> impacts_;
  std::vector<uint8_t> impact_marks_, left_out_;
  std::vector<uint8_t> crowded_;  // by body, 1 if it is in a crowd; empty without crowds
  std::vector<int> crowds_;       // by body, the tree of its island; empty until needed
  std::vector<uint8_t> free_;     // by body, whether it may be in a crowd; known with these
  struct Hit {
    float when = std::numeric_limits<float>::infinity();  // the first instant at which it is hit
    int impact = -1;                                      // one that hits it at that instant
    int member = -1;                                      // number in its group
    InverseMass inverse{0, 0};                            // without damping
    bool moves = false;
    void forget() {
      when = std::numeric_limits<float>::infinity();
      impact = member = -1;
    }
  };
  std::vector<Hit> hits_;
  bool hits_noted_ = false;                 // in this step
  std::vector<ImpactPlace> impact_places_;  // of contacts hit in this step
  std::vector<int> placed_contacts_;        // by place
  std::vector<int> place_of_contact_;       // by contact, or -1
  std::vector<int> impact_parents_, impact_groups_;
  std::vector<int> impact_order_, group_starts_, group_ends_;  // impacts by group
};

}  // namespace rigid

#endif
