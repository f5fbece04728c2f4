// The rows of a joint: directions in which it holds two bodies, or along which it drives them.
//
// With A's anchor r_a and B's anchor r_b from the centres of mass, and d from the one to the other:
//   two anchors together   J = [-1 0 r_a.y, 1 0 -r_b.y], [0 -1 -r_a.x, 0 1 r_b.x]
//   an angle               J = [0 0 -1, 0 0 1]
//   along a unit vector u  J = [-u, -(r_a + d) x u, u, r_b x u], with u turning with A
#ifndef RIGID_ENGINE_JOINT_ROWS_H
#define RIGID_ENGINE_JOINT_ROWS_H

#include "engine/state.h"

namespace rigid {

constexpr int most_rows = 3;

// Where the two bodies of a joint stand. Vectors in world axes.
struct JointPlace {
  double anchor_a[2], anchor_b[2];
  double between[2];  // from A's anchor to B's
  double axis[2];     // of joints along a line, and of axial friction
  double angle;       // of B from A, less the reference
};

// At the bodies' places of the last step's end.
JointPlace joint_place(const Joint& joint, const Body& a, const Body& b);

// The same place after the bodies' motion since the step began; `offset` is from A's centre of mass
// to B's where the step began.
JointPlace moved_place(JointKind kind, const JointPlace& start, const double* offset,
                       const BodyState& a, const BodyState& b);

// revolute, weld: x, y, angle. prismatic, wheel: across, angle, along. distance: length, across.
// mouse: x, y. rotary_motor: angle. axial_friction: along. Columns: velocity and spin of A, of B.
struct JointRows {
  double jacobian[most_rows][6];
  double coordinate[most_rows];
};

void find_rows(JointKind kind, const JointPlace& place, JointRows& rows);

// How many rows before the coordinate's hold the bodies without give.
int held_rows(JointKind kind);

// The row that limits, motors and springs act along.
int coordinate_row(JointKind kind);

// What a column of J takes of a body's velocity: inverse mass, inverse mass, inverse inertia.
inline double body_product(const double* j, const double* k, double mass, double inertia) {
  return mass * (j[0] * k[0] + j[1] * k[1]) + inertia * j[2] * k[2];
}

// J M^-1 K^T of two rows of one joint.
inline double row_product(const double* j, const double* k, InverseMass a, InverseMass b) {
  return body_product(j, k, a.mass, a.inertia) + body_product(j + 3, k + 3, b.mass, b.inertia);
}

// The mass (or inertia) that a spring along the joint's coordinate swings: of the two bodies, held
// by the joint's own rigid rows where they stand, and by nothing else. 0 where nothing can move.
// An arm pinned at its end to the world has its inertia about the pin.
double spring_mass(const Joint& joint, const Body& a, const Body& b, InverseMass mass_a,
                   InverseMass mass_b);

}  // namespace rigid

#endif
