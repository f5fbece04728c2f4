// SPDX-License-Identifier: MIT
// The kinds of objects, each defined once: the enumeration, and the names in Python.
#ifndef RIGID_ENGINE_DATA_KINDS_H
#define RIGID_ENGINE_DATA_KINDS_H

#include <cstdint>

namespace rigid {

#define RIGID_ENUMERATOR(name) name,
#define RIGID_NAME(name) #name,
// Defines enum class KIND and its names in the same order.
#define RIGID_KINDS(KIND, names, LIST)                  \
  enum class KIND : uint8_t { LIST(RIGID_ENUMERATOR) }; \
  constexpr const char* names[] = {LIST(RIGID_NAME)};

// `static` is a keyword and cannot be an enumerator.
enum class BodyKind : uint8_t { fixed, kinematic, dynamic };
constexpr const char* body_kinds[] = {"static", "kinematic", "dynamic"};

enum class JointKind : uint8_t {
#define RIGID_JOINT_TYPE(name, Type) name,
#include "engine/data/joint_types.def"
};
constexpr const char* joint_kinds[] = {
#define RIGID_JOINT_TYPE(name, Type) #name,
#include "engine/data/joint_types.def"
};
constexpr int joint_kind_count = static_cast<int>(sizeof joint_kinds / sizeof joint_kinds[0]);

#define RIGID_MOTOR_KINDS(X) X(none) X(speed) X(position)
RIGID_KINDS(MotorKind, motor_kinds, RIGID_MOTOR_KINDS)

// The directions in which a motor may push: all, only towards its target speed, or only so that the
// coordinate falls, as a rope pulls.
#define RIGID_MOTOR_SIDES(X) X(both) X(forwards) X(pulling)
RIGID_KINDS(MotorSide, motor_sides, RIGID_MOTOR_SIDES)

// The input form of a soft constraint: none, frequency and damping ratio, or stiffness and damping.
#define RIGID_SPRING_KINDS(X) X(rigid) X(frequency) X(stiffness)
RIGID_KINDS(SpringKind, spring_kinds, RIGID_SPRING_KINDS)

// A thruster's force rotates with its body; an impulse acts once, at its start.
#define RIGID_FORCE_KINDS(X) X(thruster) X(force) X(impulse)
RIGID_KINDS(ForceKind, force_kinds, RIGID_FORCE_KINDS)

#define RIGID_EVENT_KINDS(X) \
  X(left_bounds)             \
  X(joint_broken)            \
  X(contact_begin)           \
  X(contact_end)             \
  X(sensor_begin)            \
  X(sensor_end)              \
  X(not_finite)              \
  X(runaway)                 \
  X(crowded)
RIGID_KINDS(EventKind, event_kinds, RIGID_EVENT_KINDS)

}  // namespace rigid

#endif
