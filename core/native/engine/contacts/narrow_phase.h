// The narrow phase: where the shapes of each pair touch, or will within the step.
#ifndef RIGID_ENGINE_CONTACTS_NARROW_PHASE_H
#define RIGID_ENGINE_CONTACTS_NARROW_PHASE_H

#include "engine/bodies/bodies.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/contacts/continuous.h"
#include "engine/contacts/separations.h"
#include "engine/contacts/touches.h"
#include "engine/contacts/tracks.h"
#include "engine/parallel/thread_pool.h"
#include "engine/shapes/shapes.h"
#include "engine/solvers/kernels.h"

namespace rigid {

class NarrowPhase {
 public:
  NarrowPhase(const StepParameters& parameters, const Clock& clock, Bodies& bodies,
              const Shapes& shapes, Contacts& contacts, Separations& separations, Touches& touches,
              const Chains& chains, Tracks& tracks, Continuous& continuous, ThreadPool& pool)
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
        pool_(pool) {}
  NarrowPhase(const NarrowPhase&) = delete;

  void update_contacts();
  // After a step: which contacts carried something, or overlap.
  void report_touching();

 private:
  void prefetch(int index) const;
  ContactChange find_contact(int index);
  bool stays_apart(int index);
  void note_separation(int index, float separation, float margin);
  void take_over_points(Contact& contact, const struct Manifold& manifold);

  const StepParameters& parameters_;
  const Clock& clock_;
  Bodies& bodies_;
  const Shapes& shapes_;
  Contacts& contacts_;
  Separations& separations_;
  Touches& touches_;
  const Chains& chains_;
  Tracks& tracks_;
  Continuous& continuous_;
  ThreadPool& pool_;
};

}  // namespace rigid

#endif
