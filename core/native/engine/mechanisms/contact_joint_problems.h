// SPDX-License-Identifier: MIT
// Contact-joint problems: contacts of a mechanism solved as one problem with its joints, where the
// mechanism rests on its light bodies.
//
// A pass over contacts treats the two bodies of a contact as free. It stops the foot of a heavy
// machine with the impulse that stops the foot alone, and the joints bring the foot down again:
// each pass bears only the foot's share of the weight, the machine sinks in meanwhile and is thrown
// back by the correction, and among several feet the load may oscillate for ever, since alternate
// passes over contacts and solutions of the joints need not converge where both are stiff. So the
// contacts of a mechanism whose effective mass at them is much larger than the mass of its bodies
// there are solved as one problem with its joints: the bounded impulses x for which the velocities
//   v + K x,   K = J_c (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1) J_c^T,
// reach the targets of the contacts, with the rows J held that are active (effective_masses.h).
// These impulses replace those of the passes, and the mechanism bears them in the same solution.
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

  // Finds the problems of a step, once the effective masses are known.
  void find();
  void clear() { contact_joint_problems_.clear(); }
  bool empty() const { return contact_joint_problems_.empty(); }
  int count() const { return static_cast<int>(contact_joint_problems_.size()); }
  // Whether a problem takes motors or limits for rigid.
  bool any_firm() const;
  // Called before a pass over all contacts ...
  void note();
  // ... and replaces that pass. Of soft_step:
  void solve();
  void relax();
  // Of sequential_impulse:
  void rest();
  void push();

 private:
  struct ContactJointProblem {
    JointSystem* system;
    std::vector<int> bodies;  // bodies of the mechanism with contacts, by index
    int first_contact, last_contact;
  };
  struct Held {
    int contact, a, b;  // a, b: places of the bodies in the problem, or -1
    double load[2];     // the normal load for friction while a body is pushed
  };
  struct Kept {
    double normal, tangent, total_normal, total_tangent;
  };
  // One direction, normal or tangent, of a contact point.
  struct Row {
    const Held* held;
    ContactSums sums;
    double x, y, arm_a, arm_b;
    double speed;          // current speed of B's point relative to A's
    double wanted;         // target speed: the least along normals
    double give = 0;       // compliance, as a share of the response
    double impulse, kept;  // kept: before the pass that is replaced
    double passed;         // the impulse after that pass
    double kept_total;     // the total before that pass
    double friction = -1;  // of a tangent; its normal is the row before it
    double load = -1;      // replaces the normal impulse in the friction bound, unless below 0
    double response = 0;
    double cost = 0, stiffness = 0;  // the response to its own give, and the sum of both
    bool waits = false;              // it will bounce
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
  std::vector<BodyState> before_;  // of the bodies of all problems, before a pass
  std::vector<Kept> kept_;         // of the points of held_, two each
  // Working data of the current problem; `matrix_` by columns.
  std::vector<double> responses_, matrix_, speeds_;
  std::vector<Row> rows_;
};

}  // namespace rigid

#endif
