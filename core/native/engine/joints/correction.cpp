// SPDX-License-Identifier: MIT
// The correction of positions by the rows of a joint.
#include "engine/joints/correction.h"

#include <algorithm>

#include "engine/data/bodies.h"
#include "engine/joints/springs.h"
#include "engine/joints/stored_energy.h"

namespace rigid {

namespace {

void shift(BodyState& state, InverseMass mass, const double* j, double push) {
  state.dx += static_cast<float>(mass.mass * j[0] * push);
  state.dy += static_cast<float>(mass.mass * j[1] * push);
  state.delta_angle += static_cast<float>(mass.inertia * j[2] * push);
  const Rotation q = small_rotation(state.delta_angle);
  state.c = q.c;
  state.s = q.s;
}

// The bodies of a joint, and its rows at their present places.
struct Correction {
  Correction(const Joint& j, Bodies& bodies, const InverseMass* inverse_masses)
      : joint(j),
        type(type_of(j)),
        a(bodies.states[j.body_a]),
        b(bodies.states[j.body_b]),
        mass_a(inverse_masses[j.body_a]),
        mass_b(inverse_masses[j.body_b]),
        start(joint_place(j, bodies[j.body_a], bodies[j.body_b])),
        offset{bodies[j.body_b].center_x - bodies[j.body_a].center_x,
               bodies[j.body_b].center_y - bodies[j.body_a].center_y} {
    find_rows();
  }
  void find_rows() { type.find_rows(joint, moved_place(type, start, offset, a, b), rows); }
  void apply(int row, double push) {
    shift(a, mass_a, rows.jacobian[row], push);
    shift(b, mass_b, rows.jacobian[row] + 3, push);
  }
  double give(int i, int j) const {
    return row_product(rows.jacobian[i], rows.jacobian[j], mass_a, mass_b);
  }

  const Joint& joint;
  const JointType& type;
  BodyState &a, &b;
  const InverseMass mass_a, mass_b;
  const JointPlace start;
  const Double2 offset;
  JointRows rows;
};

}  // namespace

void correct_joint(const Joint& joint, double share, Bodies& bodies,
                   const InverseMass* inverse_masses) {
  Correction correction(joint, bodies, inverse_masses);
  const int count = rigid_rows(joint);
  double k[most_rows][most_rows], push[most_rows];
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) k[i][j] = correction.give(i, j);
    push[i] = -share * correction.rows.coordinate[i];
  }
  solve_rows(k, push, count);
  for (int i = 0; i < count; ++i) correction.apply(i, push[i]);
  if (!has_any_limits(joint) || has_soft_limits(joint)) return;
  correction.find_rows();
  const JointType& type = correction.type;
  const int row = type.coordinate_row;
  const double lower = type.range(joint).lower, upper = type.range(joint).upper;
  const double at = correction.rows.coordinate[row];
  const double back = std::clamp(at, lower, std::max(lower, upper)) - at;
  const double whole = correction.give(row, row);
  if (back != 0 && whole > 0) correction.apply(row, share * back / whole);
}

void ease_springs(const Joint& joint, double share, Bodies& bodies, const KernelContext& context) {
  Correction correction(joint, bodies, context.own_inverse_masses);
  const SoftReading reading{joint, correction.rows, correction.a, correction.b, context};
  for_soft_pulls(reading, [&](const SoftPull& pull) {
    for (int i = 0; i < pull.count; ++i) {
      const double whole = correction.give(pull.row + i, pull.row + i);
      if (whole > 0) correction.apply(pull.row + i, (share - 1) * pull.stretch[i] / whole);
    }
    correction.find_rows();
  });
}

}  // namespace rigid
