// SPDX-License-Identifier: MIT
// The rows between Python and the engine: the input of a world, and its readings.
//
// Each field is defined once: type, name, default, unit, meaning. The struct is generated from it,
// and so are NumPy's structured dtype (_native.BODY and so on) and the table `_native.ROWS`. Units
// are words: length, time, mass and their products; `-` is none. NaN means "from the shapes" where
// a meaning mentions it.
#ifndef RIGID_ENGINE_DATA_ROWS_H
#define RIGID_ENGINE_DATA_ROWS_H

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/data/kinds.h"

namespace rigid {

using Flag = uint8_t;  // 0 or not
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

#define RIGID_BODY_FIELDS(X)                                                       \
  X(double, x, 0, "length", "origin")                                              \
  X(double, y, 0, "length", "origin")                                              \
  X(double, angle, 0, "radian", "positive from +x towards +y")                     \
  X(double, vx, 0, "length/time", "velocity of the centre of mass")                \
  X(double, vy, 0, "length/time", "velocity of the centre of mass")                \
  X(double, omega, 0, "radian/time", "angular velocity")                           \
  X(double, mass, nan_value, "mass", "NaN: from the shapes")                       \
  X(double, inertia, nan_value, "mass*length^2", "NaN: from the shapes")           \
  X(double, center_x, nan_value, "length", "centre of mass; NaN: from the shapes") \
  X(double, center_y, nan_value, "length", "centre of mass; NaN: from the shapes") \
  X(double, linear_damping, 0, "1/time", "share of the velocity lost in a time")   \
  X(double, angular_damping, 0, "1/time", "share of the spin lost in a time")      \
  X(double, gravity_scale, 1, "-", "share of gravity that it feels")               \
  X(int32_t, kind, static_cast<int>(BodyKind::dynamic), "-", "one of BODY_KINDS")  \
  X(Flag, fixed_rotation, 0, "-", "it does not turn")                              \
  X(Flag, bullet, 0, "-", "swept against dynamic bodies too")                      \
  X(Flag, sleep, 1, "-", "may fall asleep")                                        \
  X(Flag, awake, 1, "-", "awake at the start")                                     \
  X(Flag, collide, 1, "-", "touches others")

#define RIGID_SHAPE_FIELDS(X)                                                        \
  X(double, radius, 0, "length", "of a circle or capsule, or how far it is rounded") \
  X(double, density, 1, "mass/length^2", "")                                         \
  X(double, friction, 0.6, "-", "coefficient")                                       \
  X(double, restitution, 0, "-", "coefficient")                                      \
  X(double, rolling_resistance, 0, "length", "lever of the normal force")            \
  X(double, tangent_speed, 0, "length/time", "of a surface that moves, along it")    \
  X(double, one_way_x, 0, "-", "a unit vector in the body's axes: solid towards it") \
  X(double, one_way_y, 0, "-", "with x = 0: solid towards all sides")                \
  X(int32_t, body, 0, "-", "index of a body")                                        \
  X(int32_t, kind, 0, "-", "one of SHAPE_KINDS")                                     \
  X(int32_t, first_point, 0, "-", "row of the points that come with the shapes")     \
  X(int32_t, point_count, 1, "-", "")                                                \
  X(int32_t, category, 0, "-", "row of the collision matrix")                        \
  X(Flag, sensor, 0, "-", "feels and does not touch")

// Numbers that only some joint types have, finite: they generate fields of the joint's data, its
// reading and saved states.
#define RIGID_OWN_JOINT_NUMBERS(X)                                                               \
  X(double, ratio, 1, "-", "gear: turns of A for one of B; rack: length a radian; pulley: of B") \
  X(double, orbit, 0, "-", "of a gear: how often the line between its hinges counts as a turn")

// Limits and positions of motors are angles of a revolute joint, translations along the axis of a
// prismatic or wheel joint, 0 where the anchors coincide.
#define RIGID_JOINT_FIELDS(X)                                                                    \
  X(double, anchor_ax, 0, "length", "from A's origin, in A's axes")                              \
  X(double, anchor_ay, 0, "length", "from A's origin, in A's axes")                              \
  X(double, anchor_bx, 0, "length", "from B's origin, in B's axes")                              \
  X(double, anchor_by, 0, "length", "from B's origin, in B's axes")                              \
  X(double, axis_x, 1, "-", "in A's axes; of axial_friction in B's")                             \
  X(double, axis_y, 0, "-", "in A's axes; of axial_friction in B's")                             \
  X(double, reference_angle, 0, "radian", "of B from A, which counts as no turn")                \
  X(double, break_force, infinity, "force", "")                                                  \
  X(double, break_torque, infinity, "force*length", "")                                          \
  X(double, break_push_pull, infinity, "force", "see the channel body_push_pull")                \
  X(double, break_push, infinity, "force", "of a distance joint: on what pushes its ends apart") \
  X(double, break_pull, infinity, "force", "of a distance joint: on what pulls them together")   \
  X(double, spring_1, 0, "1/time or force/length", "frequency or stiffness")                     \
  X(double, spring_2, 0, "- or force*time/length", "damping ratio or damping")                   \
  X(double, spring_max, infinity, "force", "the largest of a wheel's suspension")                \
  X(double, lower, 0, "radian or length", "limit")                                               \
  X(double, upper, 0, "radian or length", "limit")                                               \
  X(double, limit_spring_1, 0, "1/time or force/length", "of limits that give")                  \
  X(double, limit_spring_2, 0, "- or force*time/length", "of limits that give")                  \
  X(double, motor_target, 0, "speed or position", "a wheel's motor turns B")                     \
  X(double, motor_max, infinity, "force or force*length", "also of a mouse and axial_friction")  \
  X(double, motor_spring_1, 0, "1/time or force/length", "of a motor that gives")                \
  X(double, motor_spring_2, 0, "- or force*time/length", "of a motor that gives")                \
  X(double, length, 0, "length", "of a distance joint: where its spring rests")                  \
  X(double, min_length, 0, "length", "of a distance joint; a rod's is its max_length")           \
  X(double, max_length, infinity, "length", "of a distance joint")                               \
  X(double, target_x, 0, "length", "of a mouse, in the world")                                   \
  X(double, target_y, 0, "length", "of a mouse, in the world")                                   \
  RIGID_OWN_JOINT_NUMBERS(X)                                                                     \
  X(double, wheel_ax, 0, "length", "of a pulley, in the world, over which A's rope runs")        \
  X(double, wheel_ay, 0, "length", "of a pulley, in the world, over which A's rope runs")        \
  X(double, wheel_bx, 0, "length", "of a pulley, in the world, over which B's rope runs")        \
  X(double, wheel_by, 0, "length", "of a pulley, in the world, over which B's rope runs")        \
  X(double, pitch, 0, "radian", "of a revolute with a ratchet: a tooth; below 0: turns back")    \
  X(double, pawl_max, infinity, "force*length", "of a ratchet, above which it slips by a tooth") \
  X(double, motor_fastest, 0, "speed", "to a position, without a spring; 0: 3 m/s or rad/s")     \
  X(int32_t, kind, 0, "-", "one of JOINT_KINDS")                                                 \
  X(int32_t, body_a, 0, "-", "index of a body; 0 is the world")                                  \
  X(int32_t, body_b, 0, "-", "index of a body; 0 is the world")                                  \
  X(int32_t, spring_kind, 0, "-", "one of SPRING_KINDS")                                         \
  X(int32_t, limit_spring_kind, 0, "-", "one of SPRING_KINDS")                                   \
  X(int32_t, motor_kind, 0, "-", "one of MOTOR_KINDS")                                           \
  X(int32_t, motor_side, 0, "-", "one of MOTOR_SIDES")                                           \
  X(int32_t, motor_spring_kind, 0, "-", "one of SPRING_KINDS")                                   \
  X(int32_t, linked_a, 0, "-", "slot of a joint that it goes with, and 1; 0: of none")           \
  X(int32_t, linked_b, 0, "-", "slot of a joint that it goes with, and 1; 0: of none")           \
  X(Flag, collide, 0, "-", "the two bodies touch")                                               \
  X(Flag, has_limits, 0, "-", "lower and upper hold")                                            \
  X(Flag, motor_stops, 0, "-", "it goes up to the limits, and presses on none")

// Acts while start <= time < until.
#define RIGID_FORCE_FIELDS(X)                                                            \
  X(double, at_x, nan_value, "length", "in body axes; NaN: at the centre of mass")       \
  X(double, at_y, nan_value, "length", "in body axes; NaN: at the centre of mass")       \
  X(double, x, 0, "force or impulse", "in the world's axes; a thruster's in the body's") \
  X(double, y, 0, "force or impulse", "in the world's axes; a thruster's in the body's") \
  X(double, torque, 0, "force*length", "")                                               \
  X(double, start, -infinity, "time", "")                                                \
  X(double, until, infinity, "time", "")                                                 \
  X(int32_t, kind, 0, "-", "one of FORCE_KINDS")                                         \
  X(int32_t, body, 0, "-", "index of a body")

// A slender body along which forces push and pull.
#define RIGID_BAR_FIELDS(X)                            \
  X(double, left_x, 0, "length", "end, in body axes")  \
  X(double, left_y, 0, "length", "end, in body axes")  \
  X(double, right_x, 0, "length", "end, in body axes") \
  X(double, right_y, 0, "length", "end, in body axes") \
  X(int32_t, body, 0, "-", "index of a body")

// A named point, for the channels body_point_*.
#define RIGID_POINT_FIELDS(X)               \
  X(double, x, 0, "length", "in body axes") \
  X(double, y, 0, "length", "in body axes") \
  X(int32_t, body, 0, "-", "index of a body")

// Readings of a joint after a step.
#define RIGID_JOINT_STATE_FIELDS(X)                                                                \
  X(double, force_x, 0, "force", "on body B")                                                      \
  X(double, force_y, 0, "force", "on body B")                                                      \
  X(double, torque, 0, "force*length", "on body B")                                                \
  X(double, angle, 0, "radian", "of B against A, 0 at the start")                                  \
  X(double, length, 0, "length", "between the anchors")                                            \
  X(double, translation, 0, "length", "along the axis, or beyond the length")                      \
  X(double, speed, 0, "radian/time or length/time", "of the angle, the length or the translation") \
  X(double, motor_force, 0, "force or force*length", "what the motor applies")                     \
  X(Flag, broken, 0, "-", "it broke, or went with a body")

// A touching point after a step.
#define RIGID_CONTACT_FIELDS(X)                                    \
  X(double, x, 0, "length", "the point")                           \
  X(double, y, 0, "length", "the point")                           \
  X(double, normal_x, 0, "-", "unit normal from A to B")           \
  X(double, normal_y, 0, "-", "unit normal from A to B")           \
  X(double, separation, 0, "length", "below 0 where they overlap") \
  X(double, normal_impulse, 0, "force*time", "of the last step")   \
  X(double, tangent_impulse, 0, "force*time", "of the last step")  \
  X(double, normal_force, 0, "force", "")                          \
  X(double, tangent_force, 0, "force", "")                         \
  X(int32_t, body_a, 0, "-", "")                                   \
  X(int32_t, body_b, 0, "-", "")                                   \
  X(int32_t, shape_a, 0, "-", "")                                  \
  X(int32_t, shape_b, 0, "-", "")

// Events of a step. A and B are ids; of joint_broken, A is the joint's; of those with one
// body, B is -1.
#define RIGID_EVENT_FIELDS(X)                    \
  X(int32_t, step, 0, "-", "")                   \
  X(int32_t, kind, 0, "-", "one of EVENT_KINDS") \
  X(int64_t, a, 0, "-", "")                      \
  X(int64_t, b, 0, "-", "")

struct RowField {
  const char *name, *format;
  std::size_t offset;
  double start;  // the default
  const char *unit, *meaning;
};

template <class T>
constexpr const char* numpy_format();
template <>
constexpr const char* numpy_format<double>() {
  return "=f8";
}
template <>
constexpr const char* numpy_format<int32_t>() {
  return "=i4";
}
template <>
constexpr const char* numpy_format<int64_t>() {
  return "=i8";
}
template <>
constexpr const char* numpy_format<Flag>() {
  return "?";
}

#define RIGID_MEMBER(type, name, start, unit, meaning) type name = static_cast<type>(start);
#define RIGID_FIELD(type, name, start, unit, meaning) \
  {#name, numpy_format<type>(), offsetof(Self, name), static_cast<double>(start), unit, meaning},
// Defines struct ROW with its own table of fields, named TITLE in Python.
#define RIGID_ROW(ROW, title, LIST)                          \
  struct ROW {                                               \
    LIST(RIGID_MEMBER)                                       \
    static constexpr const char* name_of_rows = title;       \
    using Self = ROW;                                        \
    static auto fields() {                                   \
      static constexpr RowField all[] = {LIST(RIGID_FIELD)}; \
      return std::span<const RowField>(all);                 \
    }                                                        \
  };

RIGID_ROW(BodyRow, "BODY", RIGID_BODY_FIELDS)
RIGID_ROW(ShapeRow, "SHAPE", RIGID_SHAPE_FIELDS)
RIGID_ROW(JointRow, "JOINT", RIGID_JOINT_FIELDS)
RIGID_ROW(ForceRow, "FORCE", RIGID_FORCE_FIELDS)
RIGID_ROW(BarRow, "BAR", RIGID_BAR_FIELDS)
RIGID_ROW(PointRow, "POINT", RIGID_POINT_FIELDS)
RIGID_ROW(JointStateRow, "JOINT_STATE", RIGID_JOINT_STATE_FIELDS)
RIGID_ROW(ContactRow, "CONTACT", RIGID_CONTACT_FIELDS)
RIGID_ROW(EventRow, "EVENT", RIGID_EVENT_FIELDS)

}  // namespace rigid

#endif
