#include "engine/joints/joint_rows.h"

#include <algorithm>
#include <cmath>

#include "math.h"

namespace rigid {

namespace {

double cross(const double* a, const double* b) { return a[0] * b[1] - a[1] * b[0]; }

}  // namespace

int held_rows(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::prismatic:
      return 2;
    case JointKind::wheel:
      return 1;
    default:
      return 0;
  }
}

int coordinate_row(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::prismatic:
    case JointKind::wheel:
      return 2;
    default:
      return 0;
  }
}

void find_rows(JointKind kind, const JointPlace& p, JointRows& rows) {
  auto set = [&rows](int row, double ux, double uy, double arm_a, double arm_b, double coordinate) {
    const double j[6] = {-ux, -uy, -arm_a, ux, uy, arm_b};
    std::copy(j, j + 6, rows.jacobian[row]);
    rows.coordinate[row] = coordinate;
  };
  const double reach[2] = {p.anchor_a[0] + p.between[0], p.anchor_a[1] + p.between[1]};
  auto along = [&](int row, double ux, double uy) {
    const double u[2] = {ux, uy};
    set(row, ux, uy, cross(reach, u), cross(p.anchor_b, u), p.between[0] * ux + p.between[1] * uy);
  };
  switch (kind) {
    case JointKind::distance: {
      double length = std::sqrt(p.between[0] * p.between[0] + p.between[1] * p.between[1]);
      bool has_direction = length > 1e-12;
      const double u[2] = {has_direction ? p.between[0] / length : 0.0,
                           has_direction ? p.between[1] / length : 0.0};
      set(0, u[0], u[1], cross(p.anchor_a, u), cross(p.anchor_b, u), length);
      // Where there is no direction, that of x for the row across.
      const double t[2] = {-u[1], has_direction ? u[0] : 1.0};
      set(1, t[0], t[1], cross(p.anchor_a, t), cross(p.anchor_b, t), 0);
      break;
    }
    case JointKind::prismatic:
    case JointKind::wheel:
      along(0, -p.axis[1], p.axis[0]);
      set(1, 0, 0, 1, 1, p.angle);
      along(2, p.axis[0], p.axis[1]);
      break;
    case JointKind::rotary_motor:
      set(0, 0, 0, 1, 1, p.angle);
      break;
    case JointKind::axial_friction:
      set(0, p.axis[0], p.axis[1], 0, cross(p.anchor_b, p.axis), 0);
      break;
    default:  // revolute, weld, mouse
      set(0, 1, 0, -p.anchor_a[1], -p.anchor_b[1], p.between[0]);
      set(1, 0, 1, p.anchor_a[0], p.anchor_b[0], p.between[1]);
      set(2, 0, 0, 1, 1, p.angle);
      break;
  }
}

JointPlace joint_place(const Joint& joint, const Body& a, const Body& b) {
  SineCosine qa = sine_cosine(a.angle), qb = sine_cosine(b.angle);
  auto turn = [](const SineCosine& q, Vec2 v, double* out) {
    out[0] = q.cosine * v.x - q.sine * v.y;
    out[1] = q.sine * v.x + q.cosine * v.y;
  };
  JointPlace place;
  turn(qa, joint.local_a, place.anchor_a);
  turn(qb, joint.local_b, place.anchor_b);
  turn(joint.kind == JointKind::axial_friction ? qb : qa, joint.axis, place.axis);
  place.between[0] = b.center_x - a.center_x + place.anchor_b[0] - place.anchor_a[0];
  place.between[1] = b.center_y - a.center_y + place.anchor_b[1] - place.anchor_a[1];
  place.angle = b.angle - a.angle - joint.reference_angle;
  return place;
}

JointPlace moved_place(JointKind kind, const JointPlace& start, const double* offset,
                       const BodyState& a, const BodyState& b) {
  auto turn = [](const BodyState& s, const double* from, double* to) {
    to[0] = s.c * from[0] - s.s * from[1];
    to[1] = s.s * from[0] + s.c * from[1];
  };
  JointPlace place;
  turn(a, start.anchor_a, place.anchor_a);
  turn(b, start.anchor_b, place.anchor_b);
  turn(kind == JointKind::axial_friction ? b : a, start.axis, place.axis);
  place.between[0] =
      static_cast<double>(b.dx) - a.dx + offset[0] + place.anchor_b[0] - place.anchor_a[0];
  place.between[1] =
      static_cast<double>(b.dy) - a.dy + offset[1] + place.anchor_b[1] - place.anchor_a[1];
  place.angle = start.angle + (static_cast<double>(b.delta_angle) - a.delta_angle);
  return place;
}

double spring_mass(const Joint& joint, const Body& a, const Body& b, InverseMass mass_a,
                   InverseMass mass_b) {
  const JointPlace place = joint_place(joint, a, b);
  JointRows rows{};
  find_rows(joint.kind, place, rows);
  // The held rows are eliminated from J M^-1 J^T one after another; what is left is 1 / mass.
  const int held = held_rows(joint.kind), last = coordinate_row(joint.kind);
  const int order[most_rows] = {held > 0 ? 0 : last, held > 1 ? 1 : last, last};
  double k[most_rows][most_rows];
  for (int i = 0; i <= held; ++i) {
    for (int j = 0; j <= held; ++j) {
      k[i][j] = row_product(rows.jacobian[order[i]], rows.jacobian[order[j]], mass_a, mass_b);
    }
  }
  const double whole = k[held][held];
  for (int pivot = 0; pivot < held; ++pivot) {
    if (!(k[pivot][pivot] > 0)) continue;
    for (int i = pivot + 1; i <= held; ++i) {
      double share = k[i][pivot] / k[pivot][pivot];
      for (int j = pivot + 1; j <= held; ++j) k[i][j] -= share * k[pivot][j];
    }
  }
  // What is left of rounding holds fast.
  return k[held][held] > 1e-12 * whole ? 1 / k[held][held] : 0;
}

}  // namespace rigid
