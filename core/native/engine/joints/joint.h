// SPDX-License-Identifier: MIT
// The interface of joint types. Each type is one file in this folder, with its rows, readings,
// loads and lane kernels; types.h lists them.
//
// A joint's rows are directions in which it holds two bodies, or along which it drives them. With
// A's anchor r_a and B's anchor r_b from the centres of mass, and d from r_a to r_b:
//   two anchors together   J = [-1 0 r_a.y, 1 0 -r_b.y], [0 -1 -r_a.x, 0 1 r_b.x]
//   an angle               J = [0 0 -1, 0 0 1]
//   along a unit vector u  J = [-u, -(r_a + d) x u, u, r_b x u], with u turning with A
#ifndef RIGID_ENGINE_JOINTS_JOINT_H
#define RIGID_ENGINE_JOINTS_JOINT_H

#include <limits>

#include "engine/data/body.h"
#include "engine/data/joint_data.h"
#include "engine/joints/numbers.h"

namespace rigid {

struct JointStateRow;

constexpr int most_rows = 3;
constexpr float no_limit = std::numeric_limits<float>::infinity();

// The relative place of the two bodies of a joint, for one joint or for the same joint of W worlds
// (mechanisms/system_lanes.h). Vectors in world axes.
template <class Vector, class Number>
struct PlaceOf {
  Vector anchor_a, anchor_b;
  Vector between;  // from A's anchor to B's
  Vector axis;     // of joints along a line, and of axial friction
  Number angle;    // of B from A, less the reference
};

template <class Vector, class Number>
struct RowsOf {
  Number jacobian[most_rows][6];  // columns: velocity and spin of A, of B
  Number coordinate[most_rows];
  Number turn[most_rows];  // the torque on B, about its anchor, of an impulse along the row
  void set(int row, Vector u, Number arm_a, Number arm_b, Number at) {
    const Number j[6] = {-u.x, -u.y, -arm_a, u.x, u.y, arm_b};
    for (int i = 0; i < 6; ++i) jacobian[row][i] = j[i];
    coordinate[row] = at;
    turn[row] = 0;
  }
  void set_angle(int row, Number at) {
    set(row, {0, 0}, 1, 1, at);
    turn[row] = 1;
  }
  // The anchors together, in the first two rows.
  void set_point(const PlaceOf<Vector, Number>& p) {
    set(0, {1, 0}, -p.anchor_a.y, -p.anchor_b.y, p.between.x);
    set(1, {0, 1}, p.anchor_a.x, p.anchor_b.x, p.between.y);
  }
};

// Extra data of joints that connect more than two anchors; these are never solved side by side.
struct JointPlace : PlaceOf<Double2, double> {
  double angle_a, angle_b;
  Double2 rope_a, rope_b;  // of joints over wheels: from the wheels to the anchors
};
using JointRows = RowsOf<Double2, double>;

// Lever arms of a row along a direction, for each way of holding two bodies. Templates for one
// joint in doubles and for W joints in lanes.
template <class Vector, class Number>
struct LineRow {
  Vector u;
  Number arm_a, arm_b;
};
// Along a direction that is fixed to neither body.
template <class Vector>
RIGID_INLINE auto row_between(Vector anchor_a, Vector anchor_b, Vector u) {
  return LineRow<Vector, decltype(cross(u, u))>{u, cross(anchor_a, u), cross(anchor_b, u)};
}
// Along a direction fixed to A, which extends to B's anchor.
template <class Vector>
RIGID_INLINE auto row_of_a(Vector anchor_a, Vector anchor_b, Vector between, Vector u) {
  return row_between(anchor_a + between, anchor_b, u);
}

// The velocity of B's anchor in A's rotating frame, and B's spin relative to A's.
struct JointMotion {
  Double2 velocity;
  double turn;
};

// Along the joint's coordinate, as in channels.
struct JointReading {
  double translation, speed;
};

// The range of the coordinate between limits.
struct JointRange {
  float lower, upper;
};

// The data of a type. Types omit values that equal these defaults.
struct JointTraits {
  JointKind kind;
  int held_rows = 0;             // the first rows, which hold the bodies without give
  int coordinate_row = 0;        // the row of limits, motors and springs
  int motor_row = 0;             // the same for motors
  int spring_rows = 1;           // rows that a spring holds together
  bool angular[most_rows] = {};  // rows of angles
  bool needs_axis = false;       // it has a direction of its own
  bool axis_of_b = false;        // which rotates with B
  bool reaches_to_b = false;     // A's line extends to B's anchor, where its force acts on both
  bool between_anchors = false;  // its direction is that from anchor to anchor
  bool by_length = false;        // its coordinate is a length, with a minimum and a maximum
  bool over_wheels = false;      // its ropes end at wheels fixed in the world
  bool pulls = false;            // its spring pulls towards a target, with a maximum
  bool against_world = false;    // its body A is the world
  bool frame_bears = false;      // its impulses on A and B are not opposite; a frame bears the rest
  bool from_start = false;       // its coordinate counts from Joint::start, where it was placed
  bool links = false;            // it couples the motions of two other joints
  float no_lower = -no_limit;    // the value of a lower limit that is not set
};

struct JointType : JointTraits {
  // Whether a row's coordinate is the angle between the bodies.
  bool turns_bodies(int row) const { return angular[row] && !from_start; }
  // Whether it takes momentum or angular momentum from movable bodies.
  bool takes_momentum() const { return over_wheels || frame_bears; }
  bool for_lanes;  // its rows can be found for W worlds side by side (mechanisms/system_lanes.h)
  void (*find_rows)(const Joint& joint, const JointPlace& place, JointRows& rows);
  JointReading (*read)(const Joint& joint, const JointPlace& place, const JointMotion& motion);
  JointRange (*range)(const Joint& joint);
  bool (*has_limits)(const Joint& joint);
  // Whether it has rows that hold or drive without give.
  bool (*is_rigid)(const Joint& joint);
  // Whether the bodies may turn about its anchors, so that its pull swings them.
  bool (*swings)(const Joint& joint);
};

const JointType& type_of(JointKind kind);
inline const JointType& type_of(const Joint& joint) { return type_of(joint.kind); }

// Defaults of types.
struct CommonJoint {
  static JointReading read(const Joint&, const JointPlace&, const JointMotion& motion) {
    return {0, motion.turn};
  }
  static JointRange range(const Joint& joint) { return {joint.lower, joint.upper}; }
  static bool has_limits(const Joint& joint) { return joint.has_limits; }
  static bool is_rigid(const Joint&) { return true; }
  static bool swings(const Joint&) { return false; }
};

// At the bodies' places at the end of the last step.
JointPlace joint_place(const Joint& joint, const Body& a, const Body& b);
// The same with known sines and cosines of their angles.
JointPlace joint_place(const Joint& joint, const Body& a, const Body& b, const SineCosine& qa,
                       const SineCosine& qb);

// The angle between the bodies after their motion since the step began, for one joint or for W.
template <class Number, class Place, class State>
RIGID_INLINE Number moved_angle(const Place& start, const State& a, const State& b) {
  return start.angle + (static_cast<Number>(b.delta_angle) - a.delta_angle);
}

// The place after that motion; `offset` is from A's centre of mass to B's at the step's start.
template <class Vector, class Number, class State>
RIGID_INLINE PlaceOf<Vector, Number> place_after(bool axis_of_b,
                                                 const PlaceOf<Vector, Number>& start,
                                                 Vector offset, const State& a, const State& b) {
  auto turn = [](const State& s, Vector v) {
    return Vector{s.c * v.x - s.s * v.y, s.s * v.x + s.c * v.y};
  };
  PlaceOf<Vector, Number> place;
  place.anchor_a = turn(a, start.anchor_a);
  place.anchor_b = turn(b, start.anchor_b);
  place.axis = turn(axis_of_b ? b : a, start.axis);
  place.between = {
      static_cast<Number>(b.dx) - a.dx + offset.x + place.anchor_b.x - place.anchor_a.x,
      static_cast<Number>(b.dy) - a.dy + offset.y + place.anchor_b.y - place.anchor_a.y};
  place.angle = moved_angle<Number>(start, a, b);
  return place;
}
JointPlace moved_place(const JointType& type, const JointPlace& start, Double2 offset,
                       const BodyState& a, const BodyState& b);

// Readings of a joint at its bodies' present places, without its loads.
JointStateRow joint_reading(const Joint& joint, const Body& a, const Body& b,
                            const BodyState& state_a, const BodyState& state_b);

// The impulse of the last step on one of its bodies.
Double2 impulse_on(const Joint& joint, bool on_b, const Body& a, const Body& b);

// The point where its force acts on one of its bodies, in the world.
Double2 force_point(const Joint& joint, bool on_b, const Body& a, const Body& b);

// Product of two rows of J for one body, weighted by inverse mass and inverse inertia.
template <class Number, class Part>
RIGID_INLINE Number body_product(const Number* j, const Number* k, Part mass, Part inertia) {
  return mass * (j[0] * k[0] + j[1] * k[1]) + inertia * j[2] * k[2];
}

// J M^-1 K^T of two rows of one joint.
template <class Number, class Mass>
RIGID_INLINE Number row_product(const Number* j, const Number* k, const Mass& a, const Mass& b) {
  return body_product(j, k, a.mass, a.inertia) + body_product(j + 3, k + 3, b.mass, b.inertia);
}

// The mass (or inertia) that a spring along the joint's coordinate accelerates: that of the two
// bodies, held by the joint's own rigid rows at their present places, and by nothing else. 0 if
// nothing can move. An arm pinned at its end to the world has its inertia about the pin.
double spring_mass(const Joint& joint, const Body& a, const Body& b, InverseMass mass_a,
                   InverseMass mass_b);

}  // namespace rigid

#endif
