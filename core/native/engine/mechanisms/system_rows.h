// SPDX-License-Identifier: MIT
// The rows of a mechanism of a single world: selection, location, and response to loads on their
// bodies.
#ifndef RIGID_ENGINE_MECHANISMS_SYSTEM_ROWS_H
#define RIGID_ENGINE_MECHANISMS_SYSTEM_ROWS_H

#include <algorithm>
#include <vector>

#include "engine/data/kernels.h"
#include "engine/mechanisms/direct_joints.h"

namespace rigid {

// The rows of all joints of a mechanism, with queries on them and sums of their impulses.
class SystemRows : protected DirectJoints<1> {
 protected:
  // The slot of a body in bodies_.
  int slot_of(int body) const {
    return static_cast<int>(std::lower_bound(bodies_.begin(), bodies_.end(), body) -
                            bodies_.begin());
  }
  // Selects a joint's rows for its node: those without give, or those with it.
  void plan_rows(const Joint& joint, SystemNode& node);
  // Called once a step.
  void prepare_node(SystemNode& node, const KernelContext& context);
  void set_axial(const Joint& joint, Axial& axial) const;
  void set_spring(const KernelContext& context, const Joint& joint, const SystemNode& node,
                  Axial& axial) const;
  // At the bodies' present places.
  void locate_node(SystemNode& node, const KernelContext& context);
  void settle_springs();
  // Whether a limit, or a motor with reserve, holds a row for now.
  bool stands_firm(const Axial& axial) const;
  // The answers of the held rows to a unit impulse on a body along x, along y, and to a turn: by
  // node, row and column.
  struct Answers {
    double x[most_rows][3];
  };
  void find_answers(int body, InverseMass mass);
  // Adds M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1, the block of a body, for the answers found last.
  void add_answers(int body, InverseMass mass, double change[3][3]) const;
  InverseMass heaviest() const { return least_; }
  bool is_overloaded(const KernelContext& context, const Axial& axial) const;

  std::vector<Answers> answers_;
  InverseMass least_{0, 0};           // of the heaviest body
  std::vector<SineCosine> turns_;     // of the bodies that move, at the step's start
  std::vector<double> spring_rates_;  // of each of these, 1/time^2
};

}  // namespace rigid

#endif
