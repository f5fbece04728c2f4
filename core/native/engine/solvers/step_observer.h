// SPDX-License-Identifier: MIT
// The observation of one step, for `rigid explain`: after each stage of each substep the solver's
// own numbers are copied out of the lanes and the mechanisms. It changes no number, so an observed
// step has the bits of any other; without an observer nothing of it runs.
//
// Direct joints keep no impulses of single rows: those of each solution are added up here. Joints
// in lanes, like contacts, have them from their blocks.
#ifndef RIGID_ENGINE_SOLVERS_STEP_OBSERVER_H
#define RIGID_ENGINE_SOLVERS_STEP_OBSERVER_H

#include <vector>

#include "engine/data/observed_rows.h"
#include "engine/data/row_parts.h"
#include "engine/solvers/solver.h"

namespace rigid {

class StepObserver : SolverParts {
 public:
  // `only`: a body to whose contacts and joints it is limited, or -1.
  StepObserver(const SolverParts& parts, const Joints& joints, const Contacts& contacts, int only)
      : SolverParts(parts), joints_(joints), contacts_(contacts), only_(only) {}

  // Called by the solver: before it begins, after each kind of constraints in each stage, and when
  // the step is over.
  void begin();
  void follow(Stage stage, ConstraintKind kind);
  void end(Stage stage);

  // How often the step was solved; the last time counts.
  int solutions() const { return solutions_; }
  const std::vector<ObservedBody>& bodies() const { return body_rows_; }
  const std::vector<ObservedContact>& contacts() const { return contact_rows_; }
  const std::vector<ObservedRow>& rows() const { return joint_rows_; }
  const std::vector<ObservedJoint>& joints() const { return joint_sums_; }

 private:
  bool chosen(int a, int b) const { return only_ < 0 || a == only_ || b == only_; }
  template <class Row>
  Row at(Stage stage) const {
    Row row;
    row.substep = substep_;
    row.stage = static_cast<int>(stage);
    return row;
  }
  void note(Stage stage);
  void note_bodies(Stage stage);
  void note_contacts(Stage stage);
  void note_lane_joints(Stage stage);
  void note_systems(Stage stage);
  void add_solution();
  void add_row(Stage stage, int joint, int source, RowPart part, const double* jacobian,
               ObservedRow& row);
  void add_held(Stage stage, int joint, const JointView& view, const JointRows& rows);
  void add_coordinate(Stage stage, int joint, const JointView& view, const JointRows& rows);

  const Joints& joints_;
  const Contacts& contacts_;
  int only_;
  int substep_ = -1, solutions_ = 0;
  bool begun_ = false;          // begin_step has run
  std::vector<double> solved_;  // of each row of each system: its impulse in the substep so far
  std::vector<ObservedBody> body_rows_;
  std::vector<ObservedContact> contact_rows_;
  std::vector<ObservedRow> joint_rows_;
  std::vector<ObservedJoint> joint_sums_;
};

}  // namespace rigid

#endif
