// Bounces. They are found and solved before a substep's forces act, in sweeps (impacts.cpp).
#ifndef RIGID_ENGINE_CONTACTS_IMPACTS_H
#define RIGID_ENGINE_CONTACTS_IMPACTS_H

#include <limits>
#include <vector>

#include "engine/bodies/bodies.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/contacts/impact_group.h"
#include "engine/mechanisms/heavy_loads.h"
#include "engine/parallel/thread_pool.h"
#include "engine/shapes/shapes.h"
#include "engine/solvers/constraint_lanes.h"

namespace rigid {

class Impacts {
 public:
  Impacts(const StepParameters& parameters, Bodies& bodies, const Shapes& shapes,
          const Contacts& contacts, const Chains& chains, ConstraintLanes& lanes, HeavyLoads& loads,
          ThreadPool& pool)
      : parameters_(parameters),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        chains_(chains),
        lanes_(lanes),
        loads_(loads),
        pool_(pool) {}
  Impacts(const Impacts&) = delete;

  void run_impacts();

 private:
  void group_impacts(int sweep);
  bool group_pressed();
  void sort_groups(std::vector<int>& parents);
  bool solve_groups(const KernelContext& context);
  struct Blow;
  void move_back(const ImpactRow& row, float when, const Blow& blow);
  bool solve_impacts(const KernelContext& context, int first, int last, Blow& blow);
  void place_impact(const Contact& contact, int point, float when, Vec2& ra, Vec2& rb) const;
  bool is_corner(const WorldShape& shape, Vec2 from_center) const;

  const StepParameters& parameters_;
  Bodies& bodies_;
  const Shapes& shapes_;
  const Contacts& contacts_;
  const Chains& chains_;
  ConstraintLanes& lanes_;
  HeavyLoads& loads_;
  ThreadPool& pool_;
  // Impacts of one sweep, and what is known of bodies meanwhile.
  std::vector<Impact> impacts_;
  std::vector<uint8_t> impact_marks_;
  struct Hit {
    float when = std::numeric_limits<float>::infinity();  // the first instant at which it is hit
    int impact = -1;                                      // one that hits it then
    int member = -1;                                      // of its group
  };
  std::vector<Hit> hits_;
  std::vector<int> impact_order_, group_starts_;  // impacts by group
};

}  // namespace rigid

#endif
