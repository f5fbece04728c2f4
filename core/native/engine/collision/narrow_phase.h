// SPDX-License-Identifier: MIT
// The narrow phase: finds the contacts of each pair of shapes that touch, or will touch in the
// step.
#ifndef RIGID_ENGINE_COLLISION_NARROW_PHASE_H
#define RIGID_ENGINE_COLLISION_NARROW_PHASE_H

#include <span>

#include "engine/collision/chain_tracks.h"
#include "engine/collision/continuous.h"
#include "engine/collision/one_way.h"
#include "engine/collision/polygon_pairs.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/contacts/touches.h"
#include "engine/data/bodies.h"
#include "engine/data/kernels.h"
#include "engine/data/separations.h"
#include "engine/data/shapes.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

class NarrowPhase {
 public:
  NarrowPhase(const StepParameters& parameters, const Clock& clock, Bodies& bodies,
              const Shapes& shapes, Contacts& contacts, Separations& separations, Touches& touches,
              const Chains& chains, ChainTracks& tracks, Continuous& continuous, OneWay& one_way,
              const Kernels& kernels, ThreadPool& pool)
      : parameters_(parameters),
        clock_(clock),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        separations_(separations),
        touches_(touches),
        chains_(chains),
        tracks_(tracks),
        continuous_(continuous),
        one_way_(one_way),
        kernels_(kernels),
        pool_(pool) {}
  NarrowPhase(const NarrowPhase&) = delete;

  void update_contacts();
  // Called after a step: reports the contacts that carried an impulse or overlap.
  void report_touching();

 private:
  void prefetch_shapes(int index) const;
  void prefetch_points(int index) const;
  // Contacts of polygons, collected until the lanes are full.
  template <int corners>
  struct PolygonContacts {
    PolygonPairs<corners> pairs;
    int index[most_polygon_pairs];
  };
  template <int corners>
  void add(PolygonContacts<corners>& few, int index);
  template <int corners>
  void flush(PolygonContacts<corners>& few);
  int waiting_corners(const WorldShape& a, const WorldShape& b) const;
  void find_contacts(int first, int last);
  ContactChange find_contact(int index);
  ContactChange take_manifold(int index, Manifold& manifold, bool comes_deeper, bool smooth);
  bool goes_through(Contact& contact, const Manifold& manifold) const;
  void pass(Contact& contact, Manifold& manifold, Vec2 normal, bool goes_through) const;
  Vec2 between(const Contact& contact) const;
  float margin(bool smooth) const;
  bool stays_apart(int index);
  float next_motion(int body_a, int body_b, float extent_a, float extent_b) const;
  bool begins_to_hold(const Contact& contact) const;
  bool keeps_manifold(int index);
  void prefetch_motion(int index) const;
  void note_separation(int index, Vec2 normal, float separation, float margin);
  void take_over_points(Contact& contact, const Manifold& manifold);

  const StepParameters& parameters_;
  const Clock& clock_;
  Bodies& bodies_;
  const Shapes& shapes_;
  Contacts& contacts_;
  Separations& separations_;
  Touches& touches_;
  const Chains& chains_;
  ChainTracks& tracks_;
  Continuous& continuous_;
  OneWay& one_way_;
  const Kernels& kernels_;
  ThreadPool& pool_;
};

}  // namespace rigid

#endif
