// SPDX-License-Identifier: MIT
// The mechanisms of a world: connected joints, and how each mechanism is solved.
#ifndef RIGID_ENGINE_MECHANISMS_MECHANISMS_H
#define RIGID_ENGINE_MECHANISMS_MECHANISMS_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/settings.h"
#include "engine/joints/joints.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/iterative_joints.h"
#include "engine/mechanisms/joint_system.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

// The solution of a joint: direct, or iterative for a reason: the world's option (asked), the cost
// of a direct solution, or a mechanism with slow springs only (soft).
enum class JointPath : uint8_t { inactive, direct, asked, costly, soft };

struct MechanismData {
  std::vector<JointSystem> systems_;
  long systems_cost_ = 0;         // of all systems together
  int systems_grain_ = 1;         // systems per thread task, which takes some hundred products
  std::vector<int> system_of_;    // of each body, or -1
  std::vector<JointPath> paths_;  // of each joint
  // Mechanisms with motors without a maximum whose joints are solved one by one: driven bodies bear
  // what they push (effective_masses.h).
  std::vector<JointSystem> drivers_;
  std::vector<int> driver_of_;  // of each body, or -1
  // All joints are solved directly and have no springs: then a search depends on the kinds of their
  // rows only, not on the bodies' positions.
  bool plain_ = false;
  bool renews_ = false;  // systems begin anew in the next step
  // The result of the next search, if the joints are not regrouped until then: shared by many
  // worlds of one scene.
  std::shared_ptr<const MechanismData> foreseen_;
  int64_t foreseen_at_ = -1;  // Joints::regroupings
};

class Mechanisms : MechanismData {
 public:
  Mechanisms(const WorldDefinition& definition, const StepParameters& parameters, Bodies& bodies,
             Contacts& contacts, Joints& joints, IterativeJoints& iterative, ConstraintLanes& lanes,
             ThreadPool& pool, const Mechanisms* from)
      : MechanismData(from ? MechanismData(*from) : MechanismData{}),
        definition_(definition),
        parameters_(parameters),
        bodies_(bodies),
        contacts_(contacts),
        joints_(joints),
        iterative_(iterative),
        lanes_(lanes),
        pool_(pool) {}
  Mechanisms(const Mechanisms&) = delete;
  void assign(const Mechanisms& other) {
    if (other.systems_.empty()) spare_.swap(systems_);
    MechanismData::operator=(other);
  }

  // A new body belongs to no mechanism until they are found again.
  void add_body(int body) {
    system_of_.resize(bodies_.size(), -1);
    driver_of_.resize(bodies_.size(), -1);
    system_of_[body] = driver_of_[body] = -1;
  }
  // Finds the mechanisms among the active joints and selects those to solve directly.
  void make_systems(bool recalls = false);
  // Begins all systems anew in the next step, as a search does; false where one may find others.
  // For a joint whose values have changed, but not the kinds of its rows.
  bool renew();
  // Called when they have begun anew in a lane.
  void note_renewed() { renews_ = false; }
  // Whether the result of the search is known from another world of the same joints.
  bool foresees() const { return foreseen_ && foreseen_at_ == joints_.regroupings(); }
  void foresee(const Mechanisms& found);
  bool empty() const { return systems_.empty(); }
  bool any() const { return !systems_.empty() || !drivers_.empty(); }
  const std::vector<JointSystem>& systems() const { return systems_; }
  // Whether all of them can be solved side by side with those of other worlds that are like them.
  bool are_for_lanes() const;
  JointSystem* for_lanes() { return systems_.data(); }
  // Prepares the systems at the bodies' places at the step's start.
  void prepare_systems();
  void locate_systems();
  void store_systems();
  void locate_drivers();
  // Called before a step is repeated, and when it is over.
  void rewind();
  bool find_overloads();
  void forget_overloads();
  // Calls task(system, context) for all directly solved systems.
  template <class Task>
  void for_systems(Task&& task) {
    if (systems_.empty()) return;
    const KernelContext context = lanes_.context();
    pool_.run(static_cast<int>(systems_.size()), systems_grain_, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) std::invoke(task, systems_[i], context);
    });
  }

  // Whether the mechanism of a body may be solved side by side with those of other worlds: then it
  // has an account of its own in every substep.
  bool keeps_account(int body) const {
    return system_of_[body] >= 0 && systems_[system_of_[body]].is_for_lanes();
  }
  // The solution of a joint since mechanisms were found last.
  JointPath path_of(int joint) const {
    return joint < static_cast<int>(paths_.size()) ? paths_[joint] : JointPath::inactive;
  }
  bool has_drivers() const { return !drivers_.empty(); }
  bool is_solved_at_once(int body) const { return system_of_[body] >= 0; }
  // The mechanism that bears the contact impulses of a body: directly solved, or kept for this
  // purpose only.
  JointSystem* bearer_of(int body);
  // The contacts of this step of bodies of such mechanisms.
  const std::vector<int>& borne_contacts() const { return borne_contacts_; }
  // Whether it is solved directly, not only kept for its loads.
  bool solves(const JointSystem& system) const {
    return std::any_of(systems_.begin(), systems_.end(),
                       [&](const JointSystem& each) { return &each == &system; });
  }
  bool is_driven(int body);
  // Whether motors or limits may hold a body in place.
  bool is_held(int body);

  // The values carried over from one step to the next; the rest is derived from the other state.
  template <class Archive>
  void list(Archive& archive) {
    bool made = !joints_.regrouped();
    put(archive, made);
    if constexpr (Archive::reads) {
      joints_.expect_regrouping();
      if (made) make_systems(true);
    }
    if (!made) return;
    renew_systems();
    for (JointSystem& system : systems_) put(archive, system);
    put(archive, iterative_);
  }

 private:
  std::vector<double> find_spring_rates(const std::vector<int>& members, bool recalls);
  void take_foreseen();
  void renew_systems();
  std::vector<std::optional<JointSystem>> plan_systems(
      const std::vector<std::vector<int>>& mechanisms, const KernelContext& context, long budget);
  void add_system(const std::vector<int>& mechanism, JointSystem&& system);
  void add_driver(const std::vector<int>& mechanism, const KernelContext& context, long& budget);

  const WorldDefinition& definition_;
  const StepParameters& parameters_;
  Bodies& bodies_;
  Contacts& contacts_;
  Joints& joints_;
  IterativeJoints& iterative_;
  ConstraintLanes& lanes_;
  ThreadPool& pool_;
  std::vector<uint8_t> touched_;  // bodies that have contacts in this step
  std::vector<int> borne_contacts_;
  std::vector<JointSystem> spare_;  // reused memory
  BlockPlan plan_;
};

}  // namespace rigid

#endif
