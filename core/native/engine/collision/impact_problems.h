// SPDX-License-Identifier: MIT
// Impact problems: contacts among balls that are hit, solved together.
//
// Solvers visit contacts one by one, in an order that a symmetric scene does not have. When a rack
// of balls is broken, several balls press on each other, and the difference that the order makes
// between a ball and its mirror image grows with every later impact. Contacts in a group of free
// balls are therefore solved together, once it has been hit: for the same velocities and the same
// limits as in the solver, as the complementarity problem that its passes converge to
// (impact_group.h). The results of the passes are replaced.
//
// Balls have one point for each pair and normals that turn nothing, so that impact problems are
// small and their normals and friction hardly affect each other: solved alternately, they converge
// soon. Groups that forces pull onto something are left to the passes, and so are bodies held by
// joints or touching movable shapes with corners.
#ifndef RIGID_ENGINE_COLLISION_IMPACT_PROBLEMS_H
#define RIGID_ENGINE_COLLISION_IMPACT_PROBLEMS_H

#include <vector>

#include "engine/collision/impact_group.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/shapes.h"
#include "engine/lanes/constraint_lanes.h"

namespace rigid {

class ImpactProblems {
 public:
  ImpactProblems(const StepParameters& parameters, Bodies& bodies, const Shapes& shapes,
                 const Contacts& contacts, const Chains& chains, ConstraintLanes& lanes)
      : parameters_(parameters),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        chains_(chains),
        lanes_(lanes) {}
  ImpactProblems(const ImpactProblems&) = delete;

  // Finds the impact problems of a step.
  void find();
  // Whether a contact belongs to a problem.
  bool hold(int contact) const { return !touches_.empty() && problem_of_contact_[contact] >= 0; }

  int count() const { return static_cast<int>(impact_problems_.size()); }

  // Finds the problems hit within a time, at the present velocities; the stages skip the others.
  void find_hit(float time);
  // Takes the present velocities as those without contact impulses.
  void begin();
  // Adds the changes of velocity since the last stage that are not due to contacts.
  void follow();

  // Stages of soft_step, each after the passes of the same name.
  void solve();
  void relax();
  // Stages of sequential_impulse.
  void bounce();
  void rest();
  void push();

 private:
  struct Motion {
    double vx = 0, vy = 0, spin = 0;
  };
  struct Touch {
    int contact, body_a, body_b;
    ImpactRow normal, tangent;  // between the bodies of its problem
    double separation = 0;      // at the step's start
    double gap = 0;             // present value
    double least = 0;           // least required velocity along the normal
    double give = 0;            // the cost of its impulse, as a share of its response
    double impulse = 0;         // along the normal, of the last stage
    double load = 0;            // of sequential_impulse: the normal load for friction while it is
                                // pushed
    bool waits = false;         // it will bounce in the next substep, with its present speed
    int row = -1;               // of those being solved
  };
  struct Member {
    int body;
    Motion free;
    BodyState given;  // the state after the last stage
  };
  struct ImpactProblem {
    int first, last;                // of touches_
    int first_member, last_member;  // of members_, numbered in ImpactGroup from 1 on
    bool hit;
  };
  enum class Friction { of_normal, of_load, of_bounce };
  // The sums of a contact that a stage replaces: those so far, those at a substep's end, or those
  // of impacts, for which bodies have no damping.
  enum class Stage { part, whole, blows };

  template <class Root>
  void collect(Root&& root);
  bool may_take(const Contact& contact) const;
  bool is_ball(int body) const;
  void add_problem(int first, int last);
  void set_rows(Touch& touch, const Contact& contact);
  void place_exactly(Touch& touch, const Contact& contact) const;
  double gap_of(const Touch& touch) const;
  double speed_of(const ImpactProblem& problem, const Touch& touch, const ImpactRow& row) const;
  bool is_hit(const ImpactProblem& problem, float time);
  template <class Prepare>
  void run(Friction friction, Stage stage, Prepare&& prepare);
  void begin_group(const ImpactProblem& problem, bool undamped);
  bool take_rows(const ImpactProblem& problem);
  bool rub(const ImpactProblem& problem, Friction friction);
  double error_of_normals() const;
  void solve_problem(const ImpactProblem& problem, Friction friction);
  void give(const ImpactProblem& problem, Stage stage);

  const StepParameters& parameters_;
  Bodies& bodies_;
  const Shapes& shapes_;
  const Contacts& contacts_;
  const Chains& chains_;
  ConstraintLanes& lanes_;
  std::vector<ImpactProblem> impact_problems_;
  std::vector<Touch> touches_;  // by problem
  std::vector<Member> members_;
  std::vector<int> problem_of_contact_;  // or -1, while there are any
  // During the search.
  std::vector<int> found_, parents_;  // contacts, and their trees
  std::vector<int> number_of_body_;   // or -1
  // Working data of the current problem.
  ImpactGroup group_;
  std::vector<ImpactRow> normals_, tangents_;
  std::vector<int> touch_of_row_;
};

}  // namespace rigid

#endif
