// SPDX-License-Identifier: MIT
// Mechanisms that stand on their light parts.
//
// A pass over contacts takes the bodies it is between for free. The foot of a heavy machine is then
// stopped by what would stop the foot, and the joints bring it down again: each pass takes just the
// foot's share of the weight, what lands sinks in meanwhile and is thrown back by what pushes it
// out, and among several feet the load may go to and fro for ever, since passes over contacts and
// solutions of the joints in turn need not come to rest where those are stiff. So contacts of a
// mechanism that shows itself much heavier at them than its bodies there are solved as one problem
// with its joints: the impulses x between their bounds, for which the velocities
//   v + K x,   K = J_c (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1) J_c^T,
// are what the contacts want, with the rows J held that hold it for now (effective_masses.h). They
// take the place of what the passes have made of them; the mechanism bears them at once.
#ifndef RIGID_ENGINE_MECHANISMS_CONTACT_JOINT_PROBLEMS_H
#define RIGID_ENGINE_MECHANISMS_CONTACT_JOINT_PROBLEMS_H

#include <vector>

#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/effective_masses.h"
#include "engine/mechanisms/mechanisms.h"

namespace rigid {

class ContactJointProblems {
 public:
  ContactJointProblems(const StepParameters& parameters, Bodies& bodies, Contacts& contacts,
                       const Chains& chains, Mechanisms& mechanisms,
                       const EffectiveMasses& effective_masses, ConstraintLanes& lanes)
      : parameters_(parameters),
        bodies_(bodies),
        contacts_(contacts),
        chains_(chains),
        mechanisms_(mechanisms),
        effective_masses_(effective_masses),
        lanes_(lanes) {}
  ContactJointProblems(const ContactJointProblems&) = delete;

  // Those of a step, once it is known what contacts see.
  void find();
  void clear() { contact_joint_problems_.clear(); }
  bool empty() const { return contact_joint_problems_.empty(); }
  int count() const { return static_cast<int>(contact_joint_problems_.size()); }
  // Whether motors or limits are taken for walls by one of them.
  bool any_firm() const;
  // Before a pass over all contacts, ...
  void note();
  // ... and what replaces that pass. Of soft_step:
  void solve();
  void relax();
  // Of sequential_impulse:
  void rest();
  void push();

 private:
  struct ContactJointProblem {
    JointSystem* system;
    std::vector<int> bodies;  // of the mechanism, that have contacts, by their indices
    int first_contact, last_contact;
  };
  struct Held {
    int contact, a, b;  // the bodies' places in the problem, or -1
    double load[2];     // what bears friction while it is pushed
  };
  struct Kept {
    double normal, tangent, total_normal, total_tangent;
  };
  // A direction of a point of a contact.
  struct Row {
    const Held* held;
    ContactSums sums;
    double x, y, arm_a, arm_b;
    double speed;          // of now, of B's point as seen from A's
    double wanted;         // at least, along normals
    double give = 0;       // what an impulse costs, as a share of its response
    double impulse, kept;  // kept: before the pass that is replaced
    double passed;         // what that made of it
    double kept_total;     // in the same way
    double friction = -1;  // of a tangent, whose normal is the row before it
    double load = -1;      // that bears it instead, where not below 0
    double response = 0;
    bool waits = false;  // it will bounce
  };
  enum class Stage { solve, relax, rest, push };

  bool is_light(int body, const JointSystem& system) const;
  bool may_stand(const ContactJointProblem& problem) const;
  bool stands(const ContactJointProblem& problem);
  void add(JointSystem& system);
  void run(Stage stage);
  void set_rows(const ContactJointProblem& problem, Stage stage);
  void set_aim(Row& row, const Contact& contact, double gap, bool fixed, Stage stage) const;
  double gap_of(const Contact& contact, int point) const;
  void undo_pass(const ContactJointProblem& problem);
  void set_matrix(const ContactJointProblem& problem);
  void solve_rows();
  void give(const ContactJointProblem& problem, Stage stage);

  const StepParameters& parameters_;
  Bodies& bodies_;
  Contacts& contacts_;
  const Chains& chains_;
  Mechanisms& mechanisms_;
  const EffectiveMasses& effective_masses_;
  ConstraintLanes& lanes_;
  std::vector<ContactJointProblem> contact_joint_problems_;
  std::vector<Held> held_;         // by problem
  std::vector<uint8_t> taken_;     // of each contact
  std::vector<BodyState> before_;  // of the bodies of all contact_joint_problems, before a pass
  std::vector<Kept> kept_;         // of the points of held_, two each
  // Of the problem that is solved.
  std::vector<double> responses_, matrix_;
  std::vector<Row> rows_;
};

}  // namespace rigid

#endif
