// SPDX-License-Identifier: MIT
// Values of a script's program: expressions over the world, probes and settings.
#ifndef RIGID_SCRIPT_VALUES_H
#define RIGID_SCRIPT_VALUES_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "expressions/program.h"

namespace rigid::script {

constexpr int none = -1;
constexpr int first_body = -1, second_body = -2;  // owners that are the bodies of an event
constexpr int first_own = -3;  // from here down the bodies of the copy whose script it is
constexpr int64_t never = int64_t{1} << 62;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// ------------------------------------------------------------ expressions

enum class Source : uint8_t {
  channel,   // the engine's channel a of the owner b
  variable,  // the variable a
  actuator,  // whether the actuator a is enabled
  value,     // the number a of an event: point x, y, normal x, y, impulse, place of a birth x, y
  of_body,  // the engine's channel b of the first (0) or the second (1) body of an event, or a side
  members,  // the aggregate a
  probe,    // the reading a of a probe
  camera,   // the number a of the camera's view, which the host has
  solver,   // the number a of a solver of the host's
  energy,   // of the world with that of fields: of these alone, what is stored, or all
  own,      // the engine's channel a of the body or the joint b of a copy, or a side of that body
};
#ifdef RIGID_SMALL
constexpr int source_count = 10;  // small builds have no copies with scripts
#else
constexpr int source_count = 11;
#endif
constexpr int camera_numbers = 8, solver_numbers = 3, energy_numbers = 3;
constexpr int touch_values = 5, event_values = 7;

using Numbers = std::array<double, 2>;

// A set of tags, by their bits.
struct Tags {
  uint64_t first = 0;          // of the first 64
  std::vector<uint64_t> rest;  // of 64 more each

  bool has(int tag) const {
    if (tag < 64) return tag >= 0 && (first >> tag & 1) != 0;
    const auto word = static_cast<std::size_t>(tag / 64 - 1);
    return word < rest.size() && (rest[word] >> (tag % 64) & 1) != 0;
  }
  void add(const Tags& other, const Tags& among) {
    first |= other.first & among.first;
    const std::size_t size = std::min(other.rest.size(), among.rest.size());
    if (rest.size() < size) rest.resize(size);
    for (std::size_t i = 0; i < size; ++i) rest[i] |= other.rest[i] & among.rest[i];
  }
  bool any() const {
    for (uint64_t word : rest) {
      if (word != 0) return true;
    }
    return first != 0;
  }
  bool meets(const Tags& other) const {
    if ((first & other.first) != 0) return true;
    for (std::size_t i = 0; i < rest.size() && i < other.rest.size(); ++i) {
      if ((rest[i] & other.rest[i]) != 0) return true;
    }
    return false;
  }
};
inline const Tags no_tags{};
constexpr int most_tags = 1 << 16;

struct Input {
  Source source;
  int a, b;
};

enum class Over : uint8_t {
  count,
  sum,
  least,
  most,
  mean,
  momentum_x,  // channels: mass, velocity
  momentum_y,
  center_x,  // channels: mass, place, angle
  center_y,
  momentum,  // its size
  area,
  low_x,  // the sides of the box round all shapes
  high_x,
  low_y,
  high_y,
};
constexpr int over_count = 15;
constexpr int side_count = 4;
constexpr int channels_of(Over over) {
  if (over == Over::count || over >= Over::momentum) return 0;
  if (over < Over::momentum_x) return 1;
  return over < Over::center_x ? 3 : 4;
}

// A number of many bodies: of those with a tag, or of some of the scene's.
struct Aggregate {
  Over over;
  std::vector<int> channels;  // of each body
  int tag = none;
  std::vector<int> bodies;
};

// A number that is worked out when it is needed.
struct Expression {
  int path;          // a text: the place in the file, which distinguishes random numbers
  int use;           // the place in the counts of its random numbers; none without any
  uint8_t bodies;    // 1: it mentions the first body of an event, 2: the second
  double low, high;  // the bounds of the result
  std::vector<Input> inputs;
  rigid::Program program;
};

struct Number {
  int expression = none;
  double constant = 0.0;
};

struct Value {
  int width = 1;
  std::array<Number, 2> numbers;
};

// ------------------------------------------------------------ probes

enum class ProbeKind : uint8_t { ray, shape, velocity };
constexpr int probe_kind_count = 3;

// Selects bodies of the scene by slots, and all bodies that have one of the tags.
struct BodyFilter {
  std::vector<int> bodies;
  Tags tags;
};

// A convex part of a shape that is asked about.
struct ConvexPart {
  double radius;
  std::vector<double> corners;
};

// The shapes of a body as they are measured, in its coordinates.
struct Form {
  double area;                                 // of shapes that are no sensors
  std::vector<ConvexPart> outlines;            // the corners and the radii of all shapes
  std::vector<ConvexPart> solids;              // the convex parts of those that are no sensors
  std::vector<std::array<double, 4>> borders;  // of half planes that are no sensors
};

// A question that is asked of the world: what a ray meets first, what a shape overlaps, how fast a
// point of a body is. Places are in the coordinates of a frame, or none.
struct Probe {
  ProbeKind kind;
  int frame, body;
  Value at, to;
  Number angle;
  std::vector<ConvexPart> parts;
  uint64_t categories;
  BodyFilter ignored, only;
  bool finds_all;
};

enum class ProbeQuantity : uint8_t {
  hit,
  count,
  x,
  y,
  normal_x,
  normal_y,
  distance,
  vx,
  vy,
  speed,
  matching,  // how many of the bodies found pass a filter
};
constexpr int probe_quantity_count = 11;

struct ProbeReading {
  int probe;
  ProbeQuantity quantity;
  BodyFilter filter;
  bool by_name;            // filters by names, also the pieces of bodies
  std::vector<int> names;  // then also what is born of these
};

// ------------------------------------------------------------ settings

enum class Target : uint8_t {
  none,
  variable,
  position,
  angle,
  velocity,
  angular_velocity,
  awake,
  gravity_scale,
  linear_damping,
  angular_damping,
  friction,
  restitution,
  rolling_resistance,
  tangent_speed,
  category,
  collide,
  type,
  visible,
  motor_target,
  motor_strength,
  motor_enabled,
  limits,
  mouse_target,
  spring_first,
  spring_second,
  min_length,
  max_length,
  actuator_enabled,
  actuator_force,
  actuator_torque,
  actuator_speed,
  actuator_max_torque,
  actuator_friction,
  actuator_max_force,
  gravity,
  pool_density,
  pool_damping,
  pool_drag,
  pool_level,
  material_friction,
  material_restitution,
  material_rolling_resistance,
  material_tangent_speed,
};
constexpr int target_count = static_cast<int>(Target::material_tangent_speed) + 1;
inline bool is_of_body(Target target) {
  return target >= Target::position && target <= Target::visible;
}
inline bool is_of_motor(Target target) {
  return target >= Target::motor_target && target <= Target::motor_enabled;
}
inline bool is_of_spring(Target target) {
  return target >= Target::spring_first && target <= Target::max_length;
}
inline bool is_of_actuator(Target target) {
  return target >= Target::actuator_enabled && target <= Target::actuator_max_force;
}
inline bool is_of_pool(Target target) {
  return target >= Target::pool_density && target <= Target::pool_level;
}
inline bool is_of_material(Target target) { return target >= Target::material_friction; }

// A setting: of which owner, and which coordinate of a point, or none. Of a pool's level the
// axis is its side; of a tangential speed 1 says that it is turned. A material's owner is the tag
// of its bodies. Of a joint of a copy it says
// how numbers of the prototype become those of the copy: times its scale (0), in the opposite sense
// (1), or from the other end (2).
struct Place {
  Target target;
  int owner, axis;
};

struct Setting {
  Place place;
  Value value;
};

}  // namespace rigid::script

#endif
