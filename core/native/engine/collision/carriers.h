// SPDX-License-Identifier: MIT
// Carriers: kinematic bodies that retreat from their load, such as a lift that slows down.
//
// A kinematic body has one velocity for a whole step, so its speed changes suddenly at the start;
// its load is accelerated by its weight, over the whole step. Without a correction, the contact
// would open and close within each step. So a load that would follow, because its forces press it
// on by more than this change, takes the change at the start as well, and returns it as a force
// over the step:
//   v += s,  F += -m s / dt,      s = n dot(n, change of the point's velocity)
// Momentum at the step's end is the same, and the contact bears m (g - a) in each substep. A
// body that retreats faster than its load could follow leaves it as usual.
#ifndef RIGID_ENGINE_COLLISION_CARRIERS_H
#define RIGID_ENGINE_COLLISION_CARRIERS_H

#include <vector>

#include "engine/broadphase/broadphase.h"
#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/incidence.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"
#include "engine/joints/joints.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

class Carriers {
 public:
  Carriers(const WorldDefinition& definition, const Clock& clock, Bodies& bodies,
           const Shapes& shapes, const Broadphase& broadphase, const Contacts& contacts,
           const Joints& joints, ThreadPool& pool)
      : definition_(definition),
        clock_(clock),
        bodies_(bodies),
        shapes_(shapes),
        broadphase_(broadphase),
        contacts_(contacts),
        joints_(joints),
        pool_(pool) {}
  Carriers(const Carriers&) = delete;

  // Called before a step, once forces and contacts are known.
  void take_along();

 private:
  struct Change {
    int body;
    Vec2 velocity;
    float omega;
  };
  struct Follower {
    int body;
    Vec2 shift;
  };
  void find_changes();
  void find_first();
  void find_bearings();
  void find_others();
  void spread(int body, Vec2 shift);
  bool would_follow(int body, Vec2 shift) const;

  const WorldDefinition& definition_;
  const Clock& clock_;
  Bodies& bodies_;
  const Shapes& shapes_;
  const Broadphase& broadphase_;
  const Contacts& contacts_;
  const Joints& joints_;
  ThreadPool& pool_;
  std::vector<Change> changes_;
  std::vector<Follower> followers_;  // in the order in which they were found
  std::vector<int> island_of_;       // by body, during the search; -1: none
  std::vector<int> change_of_;       // by body: its place in changes_; -1: none
  struct Bearing {
    int body_a, body_b;
    bool alive = true;
  };
  std::vector<Bearing> bearings_;  // pairs of bodies that bear each other, or are joined
  std::vector<std::vector<Bearing>> bearing_parts_;
  Incidence bearings_of_;
  std::vector<uint8_t> tied_;  // by body
};

}  // namespace rigid

#endif
