// SPDX-License-Identifier: MIT
// Heavy things on light parts of mechanisms.
//
// A contact takes the bodies it is between for free. A load on a light shelf, which a weld holds to
// a wall, sees a body that flies away at a touch; weld and contact then hand the load to and fro, a
// little of it in each pass, and the load chatters or falls through. What it ought to see is the
// shelf as the wall holds it. Contacts therefore work with the mass and the moment of inertia that
// a body shows while its mechanism's rigid rows are held, its effective mass; what they have given
// is put on the body itself afterwards, and the mechanism is solved again, so that its joints bear
// the load.
//
// What a motor without a maximum drives has the speed that the motor wants, whatever it pushes, and
// so contacts see it as they see a wall that moves. Its mechanism bears each of their impulses at
// once, before anything else meets the body with a speed that it never had. That holds for joints
// solved one by one too: a system of their mechanism is kept for it, and solves nothing else.
#ifndef RIGID_ENGINE_MECHANISMS_EFFECTIVE_MASSES_H
#define RIGID_ENGINE_MECHANISMS_EFFECTIVE_MASSES_H

#include <vector>

#include "engine/contacts/contacts.h"
#include "engine/contacts/impulse_bearer.h"
#include "engine/data/bodies.h"
#include "engine/joints/joints.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/mechanisms.h"

namespace rigid {

class EffectiveMasses : public ImpulseBearer {
 public:
  EffectiveMasses(const StepParameters& parameters, Bodies& bodies, Contacts& contacts,
                  Joints& joints, Mechanisms& mechanisms, ConstraintLanes& lanes)
      : parameters_(parameters),
        bodies_(bodies),
        contacts_(contacts),
        joints_(joints),
        mechanisms_(mechanisms),
        lanes_(lanes) {}
  EffectiveMasses(const EffectiveMasses&) = delete;

  // What contacts take bodies of mechanisms for in this step.
  void find_effective_masses();
  bool empty() const override { return loaded_.empty(); }
  int count() const { return static_cast<int>(loaded_.size()); }
  bool is_loaded(int body) const { return !loaded_.empty() && loaded_of_[body] >= 0; }
  void clear() { loaded_.clear(); }
  KernelContext contact_context() override;
  // A stage over all contacts, and what it gave onto the bodies.
  template <class Stage>
  void run_contacts(Stage stage, Share share) {
    if (lanes_.contact_count() == 0) return;
    const KernelContext context = contact_context();
    note(share);
    lanes_.run_contacts(context, stage);
    if (share == Share::none || empty()) return;
    collect_pushes(share);
    settle();
  }
  void note(Share share) override;
  void add(int body, double x, double y, double turn) override;
  void settle() override;

  // What a step begins with, where it may have to be taken again: `firm` says that others than
  // these loads take motors or limits for walls.
  void keep_impulses(bool firm);
  void restore_impulses();

 private:
  // A body that contacts see as its mechanism holds it.
  struct Loaded {
    int body;
    InverseMass own;
    JointSystem* bearer;  // of its loads, where motors or limits hold it, or null
    BodyState before;
    JointSystem::Load load;
    void add(double x, double y, double turn) {
      load.x += x;
      load.y += y;
      load.turn += turn;
    }
  };
  struct LoadedContact {
    int contact, a, b;  // in loaded_, or -1
    ContactPush before;
  };
  struct KeptImpulses {
    float rolling, normal[2], tangent[2];
  };
  struct Response {
    double of[3][3];
  };
  bool presses(const Contact& contact) const;
  std::vector<int> find_loaded();
  std::vector<Response> find_responses(const std::vector<int>& bodies, JointSystem::Held held);
  std::vector<const JointSystem*> find_blocked(const std::vector<int>& bodies,
                                               const std::vector<Response>& driven);
  void collect_pushes(Share share);

  const StepParameters& parameters_;
  Bodies& bodies_;
  Contacts& contacts_;
  Joints& joints_;
  Mechanisms& mechanisms_;
  ConstraintLanes& lanes_;
  std::vector<Loaded> loaded_;
  std::vector<LoadedContact> loaded_contacts_;
  std::vector<int> loaded_of_;               // of each body, while any are loaded, or -1
  std::vector<InverseMass> contact_masses_;  // of all bodies, while any are loaded
  std::vector<float> heaviest_touch_;        // of each body: the inverse mass of what touches it
  std::vector<KeptImpulses> kept_impulses_;  // of active contacts, at the step's start
  std::vector<Joint> kept_joints_;
};

}  // namespace rigid

#endif
