// SPDX-License-Identifier: MIT
// The program of a scene's script: all that it does between steps, by numbers.
//
// Objects are called by their places: bodies and joints by the engine's slots, variables, motors,
// actuators, keys, animations and events by their places in the program's tables.
#ifndef RIGID_SCRIPT_PROGRAM_H
#define RIGID_SCRIPT_PROGRAM_H

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cutting/pieces.h"
#include "engine/building/read_rows.h"
#include "engine/data/rows.h"
#include "expressions/program.h"
#include "script/values.h"

namespace rigid::script {

// ------------------------------------------------------------ what is set

// A motor as it begins. A relative one goes from the lower to the upper end by 0 to 1.
struct Motor {
  int joint;
  double target, strength;
  bool enabled, relative;
  double lower, upper;
};

// The initial spring and lengths of a joint. A spring has either a frequency and a damping ratio or
// a stiffness and a damping; the others are NaN.
struct JointSpring {
  int joint, kind;
  bool by_frequency;
  double first, second, shortest, longest;
};

// A mouse as it begins.
struct Mouse {
  int joint;
  Numbers target;
};

// The numbers of an actuator, not a number where it has none.
enum class Quantity : uint8_t { speed, max_torque, friction, max_force, torque, force_x, force_y };
constexpr int quantity_count = 7;

// One of a motor or a tyre acts by a joint of each body, another one by a force.
struct Actuator {
  bool by_joint, turns, enabled;
  int64_t start, until;  // the steps between which a joint acts
  std::array<double, quantity_count> numbers;
  std::vector<std::pair<int, int>> parts;  // the slot of a force or a joint, and of a body
  std::vector<rigid::Program> field;       // the force along x and along y, or nothing
  std::vector<rigid::Program> potential;   // its energy, or nothing
  Tags tags;                               // also those of bodies with one of these, when born
  bool turns_force, blows;                 // a force in the world's axes; an impulse
  JointRow joint{};                        // of one body, as it begins, or the force
  ForceRow force{};

  bool acts_at(int64_t step) const { return start <= step && !(until <= step); }
  bool switches_at(int64_t step) const { return step > 0 && (start == step || until == step); }
};
// Inputs of the expressions of a field: time, and pose and motion of a body, in mid-step.
enum class FieldInput : uint8_t { x, y, t, vx, vy, mass };
constexpr int field_inputs = 6, potential_inputs = 3;

struct Variable {
  int name;  // a text
  double start;
};

enum class InputKind : uint8_t { press, release, ask, set };
constexpr int input_kind_count = 4;

struct TimedInput {
  int64_t step;
  InputKind kind;
  int what;  // a key, or a place in the table of what is asked for, or of settings
};

// A body that is dragged between two steps; the targets are moved before steps, in their order.
struct Pull {
  int number;
  int64_t body;
  Numbers point;
  double force;
  int64_t start, until;
  std::vector<int64_t> steps;
  std::vector<Numbers> targets;
  int64_t joint = none;  // that pulls, if there is one
  std::string name;      // of a body that may come later

  bool is_sound() const {
    return !steps.empty() && steps.size() == targets.size() &&
           std::is_sorted(steps.begin(), steps.end());
  }
};

// ------------------------------------------------------------ what is done

enum class Deed : uint8_t {
  set,
  add,
  impulse,
  play,
  stop,
  log,
  sound,
  end,
  spawn,
  remove,
  destroy,
  attach,
  move,
  reach,
  explode,
  copy,
};
constexpr int deed_count = 16;

// What has a name: bodies by their owners, or those with a tag, or born of one of some names.
struct Members {
  std::vector<int> bodies, joints, actuators, names;
  int tag = none, attached = none;  // attached: joints, as a name of what is born
  bool pieces = false;              // also those of its bodies
};

// A place in the world: a point, that of the event, the origin or a point (x, y) of a body, or
// where a player pulls a body.
enum class Where : uint8_t { point, event, body, mouse, nowhere };
constexpr int where_count = 5;

struct Spot {
  Where where = Where::nowhere;
  int owner = none;
  bool is_origin = true;
  double x = 0.0, y = 0.0;
  Value at;
};

// The new pose and motion of a set of bodies, about the origin of the first one. Without a place
// it is `by` further.
struct Move {
  Value by, velocity;
  Number angle;
  bool has_velocity;
};

// A hinge of a chain that reaches for a place: a joint, and which of its two bodies is nearer to
// the tip. From `first_own` down the joint and the motor are those of a copy.
struct ChainHinge {
  int joint, motor, channel;  // that of the joint's angle
  int end;
  double x, y;  // in the coordinates of that body
  double lower, upper;
  bool relative;
};
struct Reach {
  int by;  // the original of whose copies it is an action, or none
  Spot tip;
  std::vector<ChainHinge> hinges;
};

struct Action {
  Deed deed;
  int what = none;  // a body's owner, or a place in the table that the deed has
  // The bodies of the event, 1 for the first and 2 for the second, that it changes and reads;
  // whether later actions read those that it may remove.
  uint8_t changes = 0, reads = 0;
  bool keeps = false;
  Spot spot;
  Value amount;  // an impulse, the volume of a sound, or strength and radius of an explosion
  Setting setting{};
  Members members;
};
using Actions = std::vector<Action>;

struct Track {
  Place place;
  bool moves_body, interpolates;
  uint8_t easing;  // linear, smooth, hold, cubic
  int width;
  std::vector<double> times, values;
};

enum class Playing : uint8_t { once, loop, ping_pong, manual };

struct Animation {
  Playing kind;
  bool enabled;
  double duration, start, back_to;  // back_to is not a number where it stays
  std::vector<Track> tracks;
};

struct Key {
  std::vector<int> forward, backward, holds;  // animations, animations, actuators
  std::vector<Setting> sets, releases;
  int pressed = none, released = none;  // places in the table of what is asked for
  double every = no_number;
};

// ------------------------------------------------------------ events

enum class Kind : uint8_t {
  collision,
  touch_end,
  sensor_enter,
  sensor_leave,
  joint_broken,
  actuator_start,
  actuator_stop,
  time,
  leave,
  deleted,
  condition,
};
constexpr int kind_count = 11;
inline bool is_told(Kind kind) { return kind <= Kind::actuator_stop; }
inline bool is_of_pair(Kind kind) { return kind <= Kind::sensor_leave; }

struct Selector {
  int tag = none;           // a bit of the masks of bodies
  std::vector<int> bodies;  // sorted
};

enum class Once : uint8_t { never, run, pair };

struct Rule {
  Kind kind;
  Once once;
  bool per_pair, asks;  // asks: for the place and the strength of a collision
  std::vector<Selector> who;
  int subject;  // a joint or an actuator; none for any
  // Of `deleted`: these joints, and those of this name of what is born. Of a copy the names of
  // attached joints are behind its joints.
  std::vector<int> joints;
  int attached;
  double at, every, after, min_impulse, cooldown;
  std::array<double, 4> region;  // left, bottom, right, top
  int condition, guard, unless;
  Actions actions;
};

// ------------------------------------------------------------ pieces

// A body that may break, in its coordinates: its settings, those of its shapes that have an area,
// with their outlines and the holes of each, and where its picture is seen.
struct Breakable {
  BodyRow row{};
  std::vector<ShapeRow> shapes;
  std::vector<PlanePolygon> outlines;
  std::vector<std::vector<PlanePolygon>> holes;
  std::vector<PlanePolygon> picture;
};

// A body of the scene that may break: what it is, its name, and the slots of the bodies with which
// its picture is aligned.
struct BreakingBody {
  int breakable, name;
  std::array<int, 2> along;
};

// The breaking of a body.
struct Destruction {
  bool boxes, collide, has_seed, has_tags;
  int count;
  int64_t seed;
  double radial, random, spin, lifetime;  // of the kick; not a number for what stays
  Tags tags;
};

// ------------------------------------------------------------ attached joints

// The place of an end of an attached joint: in the coordinates of its body, in the world, at the
// point of the event, or at a point or the origin of one of the two bodies.
enum class Hold : uint8_t { own, world, event, of_first, of_second, first, second };
constexpr int hold_count = 7;

struct JointEnd {
  int body;  // an owner; 0 is the world
  Hold hold;
  double x, y;
  // Points of the bodies that it may be, where it is at a point by its name.
  std::vector<std::pair<int, Numbers>> points;
};

// A joint that an action attaches, in all that does not depend on the poses of its bodies.
struct Attachment {
  int by;        // the original of whose copies it is an action, or none
  int name;      // of what is born; from `first_own` down one of a copy
  bool by_host;  // which alone knows how it depends on the poses; it has nothing else then
  std::array<JointEnd, 2> ends;
  bool refused;     // by the solver of the scene
  bool turns_axis;  // the axis is given in the world
  // Its length is the distance of its ends, between `least` and `most`, and 0 below `shortest`.
  bool measures, least_is_length, most_is_length, may_be_pin;
  double least, most, shortest;
  JointRow row{};
};

// ------------------------------------------------------------ births

// A body of a prototype, in the coordinates of that.
struct Part {
  double x, y, angle, vx, vy;
  bool moves, turns;
  Tags tags;
  std::string name;
  std::shared_ptr<const Breakable> breakable;  // if it may break
  std::shared_ptr<const Form> form;            // if it is measured
  std::array<int, 2> along{none, none};        // the parts with which its picture is aligned
};

// A convex shape that is in the way of others, in the coordinates of its body.
struct Solid {
  int part;
  double radius;
  std::vector<double> corners;
};

// An actuator of a prototype, and the bodies on which it acts.
struct OwnActuator {
  std::shared_ptr<const Actuator> what;
  std::vector<int> parts;
};

// A joint with the world: its anchors, its axis and its wheels in the coordinates of the prototype,
// as far as they are the world's.
struct Grounded {
  int joint;
  bool first, second, has_axis, has_wheels;
  Numbers anchor, axis;
  std::array<Numbers, 2> wheels;
};

// A prototype of one size and handedness.
struct Original {
  double scale;
  uint8_t mirror;  // along x: 1, along y: 2
  bool emits;      // particles
  int plan;        // the script of its copies, or none
  std::shared_ptr<const Mould> mould;
  std::vector<Part> parts;
  std::vector<JointRow> joints;  // their bodies are parts, the joints that they link are of it
  std::vector<Solid> solids;
  std::vector<OwnActuator> actuators;
  std::vector<Grounded> grounded;
  // As they begin in each of its copies; their joints are of these.
  std::vector<Motor> motors;
  std::vector<JointSpring> springs;
  int attached;  // names of joints that actions attach
};

// The birth of a copy of a prototype: where and how; `by` is the original of whose copies it is an
// action, or none. Without an original the host makes one of the vars that are worked out.
struct Spawn {
  int name, by, original;
  std::vector<Number> vars;
  Spot spot;
  bool turns;  // by half a turn: a mirrored copy of a copy that is mirrored along the other axis
  bool has_frame;
  int frame;
  double pivot_x, pivot_y;
  Number angle;
  Value velocity;
  bool ends;
  Number lifetime;
  bool if_free;
  int tries;
};

struct Spawner {
  double start, every, until;
  int64_t most, alive;  // -1 without a limit
  int spawn, guard;
  bool together;  // none of its births depends on the one before it
};

// A key of copies, by its place among the program's keys or none: it moves the animations and holds
// the actuators of their original, and asks for what their script has.
struct OwnKey {
  int key;
  Key does;
};

// The script of the copies of an original, in the coordinates of the prototype: owners from
// `first_own` down are its bodies, subjects its joints.
struct CopyPlan {
  std::vector<Rule> rules;
  std::vector<Animation> animations;
  std::vector<Spawner> spawners;
  std::vector<OwnKey> keys;
  std::vector<Actions> asked;                   // by keys as they are pressed, then released
  std::vector<int> times, leaving, conditions;  // rules
};

struct Limits {
  int bodies, births, births_at_once, tries_at_once, joints;
  int emitting;  // bodies that were born, beside which others with particles may be
};

struct Condition {
  int word;  // a text
  int expression;
};

struct Program {
  double dt = 0.0, actuator_gravity = 0.0;
  int bodies = 0, joints = 0, points = 0, pools = 0;
  std::vector<std::string> texts;
  int64_t seed = 0;
  std::vector<Variable> variables;
  std::vector<Tags> tags;  // of each of the scene's bodies
  Tags materials;          // tags of materials, which pieces keep
  std::vector<Motor> motors;
  std::vector<JointSpring> springs;
  std::vector<Mouse> mice;
  std::vector<std::shared_ptr<const Actuator>> actuators;
  std::vector<std::shared_ptr<const Form>> forms;
  std::vector<int> own_forms;  // of each of the scene's bodies, if bodies are measured
  std::vector<Aggregate> aggregates;
  std::vector<ProbeReading> readings;
  std::vector<Expression> expressions;
  std::vector<Probe> probes;
  std::vector<Animation> animations;
  std::vector<Key> keys;
  std::vector<Actions> asked;              // of keys and inputs
  std::vector<std::vector<Setting>> sets;  // of inputs
  std::vector<Rule> rules;
  std::vector<std::shared_ptr<const Breakable>> breakables;
  std::vector<BreakingBody> breaking;
  std::vector<Destruction> destructions;
  std::vector<Attachment> attachments;
  std::vector<Move> moves;
  std::vector<Reach> reaches;
  std::vector<int> names;  // texts: of what is born
  std::vector<Original> originals;
  std::vector<Spawn> spawns;
  std::vector<Spawner> spawners;
#ifndef RIGID_SMALL
  std::vector<CopyPlan> plans;
#endif
  Limits limits{};
  std::vector<Condition> outcome;
  std::vector<TimedInput> inputs;  // by step
  std::vector<Pull> pulls;
  JointRow hand{};  // the joint that pulls
  int uses = 0, most_events = 0;
  std::vector<int> of_bodies;  // the channels of an event's bodies that are read
  std::array<std::vector<int>, kind_count> by_kind;  // rules
  // Whether anything is done after steps; whether it matters when actuators begin and stop.
  bool reacts = false, switches = false, looks_at_each_step = false;
  bool is_whole = false;  // it needs no host

  // The number of things that an input of a kind may be about.
  std::size_t places_of(InputKind kind) const {
    if (kind == InputKind::set) return sets.size();
    return kind == InputKind::ask ? asked.size() : keys.size();
  }
};

}  // namespace rigid::script

#endif
