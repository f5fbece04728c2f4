// SPDX-License-Identifier: MIT
// Impacts of one instant that share bodies, solved together.
//
// Newton's law of impact asks of each point u' = -e u for its relative velocity u along the normal.
// Where several points of a body are hit at once each impulse changes what the others see, and so
// the impulses x >= 0 are those of the linear complementarity problem
//   K x - b >= 0,  x (K x - b) = 0,  b = -(1 + e) u,  K = J M^-1 J^T,
// whose velocities are unique: a symmetric blow stays symmetric. As u' = -e u wherever x > 0, the
// energy changes by sum x u (1 - e) / 2 <= 0. Friction is the same problem with b = -v for the
// slip v, and x bounded by friction times the normal impulse.
//
// Both are minima of x K x / 2 - b x between bounds. They are found by passes of projected
// Gauss-Seidel, in turn with a solution of what is not at its bound, as long as that is small
// (Morales, Nocedal and Smelyanskiy, "An algorithm for the fast solution of symmetric linear
// complementarity problems", 2008).
#ifndef RIGID_ENGINE_COLLISION_IMPACT_GROUP_H
#define RIGID_ENGINE_COLLISION_IMPACT_GROUP_H

#include <span>
#include <vector>

#include "engine/data/body.h"
#include "engine/data/constants.h"

namespace rigid {

// One point along one direction, which leads from A to B.
struct ImpactRow {
  int a, b;                     // of the group's members
  double x, y;                  // the direction
  double arm_a, arm_b;          // what a spin of 1 moves the point along it
  double wanted;                // b: what the impulses should add to the relative velocity
  double lower = 0, upper = 0;  // of the impulse
  double impulse = 0;
  double give = constants::impact_regularization;  // what an impulse costs, of its response
  double response = 0;                             // relative velocity for an impulse of 1
  double stiffness = 0, cost = 0;  // the same with what the impulse itself costs, and that alone
};

class ImpactGroup {
 public:
  // The member that represents everything that cannot move.
  static constexpr int fixed = 0;

  // Inverse mass, and the velocity change of the impulses so far.
  struct Member {
    double mass = 0, inertia = 0;
    double vx = 0, vy = 0, spin = 0;
  };

  void clear() { members_.assign(1, Member{}); }
  int add(InverseMass inverse) {
    members_.push_back({inverse.mass, inverse.inertia});
    return static_cast<int>(members_.size()) - 1;
  }
  // The same by numbers, the first of which is `fixed`.
  void resize(std::size_t count) { members_.resize(count); }
  void set(int i, InverseMass inverse) { members_[i] = {inverse.mass, inverse.inertia}; }
  const Member& member(int i) const { return members_[i]; }

  // Adds the impulses of normal rows that had these speeds before. Whatever the passes leave
  // undone, the rows together do no more work than their restitution allows.
  void solve_normals(std::span<ImpactRow> rows, std::span<const double> speeds);
  // The same between bounds, for friction. Rows without room between them do nothing.
  void solve_tangents(std::span<ImpactRow> rows) { solve(rows); }
  // Rows between any bounds, from the impulses that they have, until no pass changes a velocity by
  // more than `settled`; those with room between their bounds all at once, up to so many.
  void solve_until(std::span<ImpactRow> rows, double settled, int most_direct);
  // How the impulses so far have changed a row's relative velocity.
  double change(const ImpactRow& row) const {
    const Member &a = members_[row.a], &b = members_[row.b];
    return (row.x * b.vx + row.y * b.vy + row.arm_b * b.spin) -
           (row.x * a.vx + row.y * a.vy + row.arm_a * a.spin);
  }

 private:
  void solve(std::span<ImpactRow> rows);
  void set_response(ImpactRow& row) const;
  double missing(const ImpactRow& row) const;
  void push(const ImpactRow& row, double impulse);
  double visit(ImpactRow& row);
  double pass(bool backwards);
  void solve_free();
  double coupling(const ImpactRow& r, const ImpactRow& s) const;

  std::vector<Member> members_, kept_members_;
  std::vector<ImpactRow*> loose_, free_;  // rows with room between their bounds, at none of them
  std::vector<double> matrix_, steps_;
};

}  // namespace rigid

#endif
