// SPDX-License-Identifier: MIT
// Effective masses: the masses that contacts see of bodies that a mechanism holds.
//
// A contact treats its two bodies as free. A load on a light shelf, welded to a wall, sees a body
// that flies away at a touch; weld and contact then pass the load to and fro, a little in each
// pass, and the load chatters or falls through. It should see the shelf as the wall holds it.
// Contacts therefore use the effective mass and moment of inertia, those that a body shows while
// its mechanism's rigid rows are held; their impulses are applied to the body itself afterwards,
// and the mechanism is solved again, so that its joints bear the load.
//
// A body driven by a motor without a maximum has the motor's target speed whatever it pushes, so
// contacts see it as a moving wall. Its mechanism bears each contact impulse immediately, before
// another contact sees the body with a speed that it never had. This also holds for joints solved
// one by one: a system of their mechanism is kept for this purpose only.
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
                  Joints& joints, Mechanisms& mechanisms, ConstraintLanes& lanes, ThreadPool& pool)
      : parameters_(parameters),
        bodies_(bodies),
        contacts_(contacts),
        joints_(joints),
        mechanisms_(mechanisms),
        lanes_(lanes),
        pool_(pool) {}
  EffectiveMasses(const EffectiveMasses&) = delete;

  // Finds the masses that contacts use for bodies of mechanisms in this step.
  void find_effective_masses();
  bool empty() const override { return loaded_.empty(); }
  int count() const { return static_cast<int>(loaded_.size()); }
  bool is_loaded(int body) const { return !loaded_.empty() && loaded_of_[body] >= 0; }
  void clear() { loaded_.clear(); }
  KernelContext contact_context() override;
  // Runs a stage over all contacts, then applies its impulses to the bodies.
  template <class Stage>
  void run_contacts(Stage stage, Share share) {
    if (lanes_.contact_count() == 0) return;
    const KernelContext context = contact_context();
    note(share);
    lanes_.run_contacts(context, stage);
    if (share == Share::none || empty()) return;
    collect_pushes(share);
    apply_pushes();
  }
  void note(Share share) override;
  void add(int body, double x, double y, double turn) override;
  void apply_pushes() override;

  // Keeps the impulses at the step's start, if the step may have to be repeated; `firm`: something
  // besides these loads takes motors or limits for rigid.
  void keep_impulses(bool firm);
  void restore_impulses();

 private:
  // A body with an effective mass.
  struct Loaded {
    int body;
    InverseMass own;
    JointSystem* bearer;  // bears its loads if motors or limits hold it, or null
    BodyState before;
    JointSystem::Load load;
    void add(double x, double y, double turn) {
      load.x += x;
      load.y += y;
      load.turn += turn;
    }
  };
  struct LoadedContact {
    int contact, a, b;  // a, b: in loaded_, or -1
    ContactPush before;
  };
  struct KeptImpulses {
    int contact;
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
  ThreadPool& pool_;
  std::vector<Loaded> loaded_;
  std::vector<LoadedContact> loaded_contacts_;
  std::vector<int> loaded_of_;               // by body, while any are loaded, or -1
  std::vector<InverseMass> contact_masses_;  // of all bodies, while any are loaded
  std::vector<float> heaviest_touch_;        // by body: the inverse mass of the heaviest body that
                                             // touches it
  std::vector<KeptImpulses> kept_impulses_;  // of solved contacts, at the step's start
  std::vector<Joint> kept_joints_;
};

}  // namespace rigid

#endif
