// SPDX-License-Identifier: MIT
// ImpactProblems of balls that are hit, solved at once.
//
// Solvers visit contacts one by one, in an order that a symmetric scene does not have. When a rack
// of balls is broken, several others press each ball, and the difference that the order makes
// between a ball and its mirror image grows with every later impact. Contacts in a group of free
// balls are therefore solved together, once it has been hit: for the same velocities and the same
// limits that the solver has, as the complementarity problem that its passes go towards
// (impact_group.h). Whatever the passes have made of them is replaced.
//
// Balls have one point for each pair and normals that turn nothing, so that impact_problems are
// small and their normals and their friction hardly disturb each other: solved in turn, they settle
// soon. IslandBatches that are pulled down onto something are left to the passes, and so is what is
// held by joints, or touches anything with corners that can move.
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

  // The impact_problems of a step.
  void find();
  // Whether a contact is one of theirs.
  bool hold(int contact) const { return !touches_.empty() && problem_of_contact_[contact] >= 0; }

  int count() const { return static_cast<int>(impact_problems_.size()); }

  // Which of them are hit within a time, as they move now; the stages do nothing to the others.
  void find_hit(float time);
  // The velocities of now are those without what contacts give.
  void begin();
  // Takes over changes of velocities since the last stage that contacts did not make.
  void follow();

  // Of soft_step, each after the passes of that name.
  void solve();
  void relax();
  // Of sequential_impulse.
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
    double gap = 0;             // of now
    double least = 0;           // the velocity along the normal that it must have at least
    double give = 0;            // the cost of its impulse, as a share of its response
    double impulse = 0;         // along the normal, of the last stage
    double load = 0;            // of sequential_impulse: what bears friction while it is pushed
    bool waits = false;         // it will bounce in the next substep, as fast as it comes
    int row = -1;               // of those that are solved
  };
  struct Member {
    int body;
    Motion free;
    BodyState given;  // what the last stage has left
  };
  struct ImpactProblem {
    int first, last;                // of touches_
    int first_member, last_member;  // of members_, numbered in ImpactGroup from 1 on
    bool hit;
  };
  enum class Friction { of_normal, of_load, of_bounce };
  // The sums of a contact that a stage replaces: those so far, those of a substep's end, or those
  // of impacts, which see the bodies undamped.
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
  // Of the problem that is being solved.
  ImpactGroup group_;
  std::vector<ImpactRow> normals_, tangents_;
  std::vector<int> touch_of_row_;
};

}  // namespace rigid

#endif
