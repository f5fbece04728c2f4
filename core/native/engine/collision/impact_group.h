// SPDX-License-Identifier: MIT
// Impacts of one instant on shared bodies, solved together.
//
// Newton's law of impact requires u' = -e u of each point for its relative velocity u along the
// normal. If several points of a body are hit simultaneously, each impulse changes the velocities
// at the others, so the impulses x >= 0 are those of the linear complementarity problem
//   K x - b >= 0,  x (K x - b) = 0,  b = -(1 + e) u,  K = J M^-1 J^T,
// whose velocities are unique: a symmetric blow stays symmetric. As u' = -e u wherever x > 0, the
// energy changes by sum x u (1 - e) / 2 <= 0. Friction is the same problem with b = -v for the
// slip v, and x bounded by friction times the normal impulse.
//
// Both are minima of x K x / 2 - b x between bounds. They are found by passes of projected
// Gauss-Seidel, alternating with a direct solution of the rows at no bound while these are few
// (Morales, Nocedal and Smelyanskiy, "An algorithm for the fast solution of symmetric linear
// complementarity problems", 2008).
#ifndef RIGID_ENGINE_COLLISION_IMPACT_GROUP_H
#define RIGID_ENGINE_COLLISION_IMPACT_GROUP_H

#include <span>
#include <vector>

#include "engine/data/body.h"
#include "engine/data/constants.h"

namespace rigid {

// One direction at one point, from A to B.
struct ImpactRow {
  int a, b;                     // members of the group
  double x, y;                  // the direction
  double arm_a, arm_b;          // the velocity of the point along it for a spin of 1
  double wanted;                // b: the required change of the relative velocity
  double lower = 0, upper = 0;  // of the impulse
  double impulse = 0;
  double give = constants::impact_regularization;  // cost of an impulse, as a share of its response
  double response = 0;                             // relative velocity for an impulse of 1
  double stiffness = 0, cost = 0;  // response with the cost of the impulse, and the cost alone
};

class ImpactGroup {
 public:
  // The member that represents all bodies that cannot move.
  static constexpr int fixed = 0;

  // Inverse mass, and the velocity change by the impulses so far.
  struct Member {
    double mass = 0, inertia = 0;
    double vx = 0, vy = 0, spin = 0;
  };

  void clear() { members_.assign(1, Member{}); }
  int add(InverseMass inverse) {
    members_.push_back({inverse.mass, inverse.inertia});
    return static_cast<int>(members_.size()) - 1;
  }
  // The same by number; number 0 is `fixed`.
  void resize(std::size_t count) { members_.resize(count); }
  void set(int i, InverseMass inverse) { members_[i] = {inverse.mass, inverse.inertia}; }
  const Member& member(int i) const { return members_[i]; }

  // Adds the impulses of normal rows that had these speeds before. However far the passes converge,
  // the rows together do no more work than their restitution allows.
  void solve_normals(std::span<ImpactRow> rows, std::span<const double> speeds);
  // The same between bounds, for friction. Rows with equal bounds are skipped.
  void solve_tangents(std::span<ImpactRow> rows) { solve(rows); }
  // Solves rows with any bounds, starting from their impulses, until no pass changes a velocity by
  // more than `settled`; up to `most_direct` rows with unequal bounds are solved directly.
  void solve_until(std::span<ImpactRow> rows, double settled, int most_direct);
  // The change of a row's relative velocity by the impulses so far.
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
  std::vector<ImpactRow*> loose_, free_;  // rows with unequal bounds; those at no bound
  std::vector<double> matrix_, steps_;
};

}  // namespace rigid

#endif
