// SPDX-License-Identifier: MIT
// The state of a script: with the program and the world's own state it determines all later steps.
#ifndef RIGID_SCRIPT_STATE_H
#define RIGID_SCRIPT_STATE_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/data/rows.h"
#include "script/program.h"

namespace rigid::script {

// An event that was found, until its actions are done.
struct Found {
  std::array<int64_t, 3> order;  // the place of its rule, below 0 of what is asked for; two ids
  uint8_t given = 0;             // how many of its values it has
  bool has_first = false, has_second = false;
  std::array<double, 5> values{};

  bool is_asked() const { return order[0] < 0; }
};

struct Waiting {
  int64_t step;
  Found found;
};

struct HeldKey {
  int key;
  int64_t since;
};

struct PlayingState {
  int64_t begun = none;
  double phase = 0.0;
  bool settled = false;
  std::vector<uint8_t> moved;  // by track
};

struct MotorState {
  double target = 0.0, strength = 0.0;
  bool enabled = false, changed = false;
};

struct SpringState {
  double first = 0.0, second = 0.0, shortest = 0.0, longest = 0.0;
  bool changed = false, lengths_changed = false;
};

struct MouseState {
  Numbers target{};
  bool changed = false;
};

struct ActuatorState {
  std::array<double, quantity_count> numbers{};
  bool enabled = false, gone = false;
  int64_t set_at = none;  // the step before which it was set last; none if nobody has to know
  std::vector<std::pair<int, int>> parts;  // the slot of a force or a joint, and of a body
  std::shared_ptr<const Actuator> plan;

  double& operator[](Quantity quantity) { return numbers[static_cast<int>(quantity)]; }
  double operator[](Quantity quantity) const { return numbers[static_cast<int>(quantity)]; }
};

// A body that was born, of which of the program's names, if any, and the scene's body of which it
// is a piece.
struct Born {
  int64_t id;
  int name;
  int root = none;
};
inline bool is_one_of(const std::vector<int>& names, int name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Bodies that are removed after a step; `order` is that of their births.
struct Lifetime {
  int64_t due, order;
  std::vector<int64_t> bodies;
};

// A body that was born and may break, and how it is called.
struct Breaking {
  std::string name;
  std::shared_ptr<const Breakable> what;
  PlanePoint origin{0.0, 0.0};               // of what it is a piece of, in its own coordinates
  std::array<int64_t, 2> along{none, none};  // the bodies with which its picture is aligned
};

// A joint that was attached, by the number of those of its name before it. It may be gone.
struct Attached {
  int64_t count, id;
};

// A joint whose removal an event asks for: one of the scene's, or one of a name of what is born.
struct Watched {
  int64_t id;
  int name;
};

// A copy with a script, from its birth to the removal of its last body.
struct Copy {
  int64_t serial, born;  // the copies before it; the step of its birth
  int spawn;
  int64_t count;               // of the births of its name
  std::array<double, 5> pose;  // x, y, angle, vx, vy
  std::vector<int64_t> bodies, joints;
  std::vector<int> points;
  std::vector<int> actuators;                // their places; none for one that is forgotten
  std::vector<uint8_t> there;                // by bodies
  std::vector<uint8_t> was;                  // by conditions; empty before they are looked at
  std::set<int64_t> fired;                   // rules
  std::vector<std::vector<uint8_t>> inside;  // by rules of `leave` and bodies
  std::vector<int64_t> spawned;              // by spawners
  std::vector<std::vector<std::vector<int64_t>>> living;
  std::vector<uint8_t> counted;
  std::vector<PlayingState> playing;
  std::vector<Animation> animations;  // at its place
  std::vector<OwnKey> keys;           // likewise
  std::vector<MotorState> motors;
  std::vector<SpringState> springs;
  std::vector<int64_t> counts;                  // of attached joints, by names
  std::vector<std::vector<Attached>> attached;  // likewise
  std::vector<Watched> watched;                 // by the places of `Rule::joints`
};

// The body or the joint of a copy.
struct CopyPart {
  int64_t serial;
  int part;
};

// Rules of copies come after those of the scene, this many to each copy.
constexpr int64_t rules_of_copy = int64_t{1} << 24;
// In place of a rule: what a copy asks for, by its serial number and a place in its script.
constexpr int64_t asked_of_copy = -1;

// The copies with scripts. Small builds have none.
#ifdef RIGID_SMALL
struct Copies {
  static constexpr bool empty() { return true; }
  static constexpr bool has_body(int64_t) { return false; }
};
#else
struct Copies {
  std::map<int64_t, Copy> all;                 // by serial numbers
  std::vector<Copy> gone;                      // without bodies, whose actions wait
  std::map<int64_t, CopyPart> bodies, joints;  // of all, by ids
  int64_t births = 0, begun = 0;

  bool empty() const { return all.empty(); }
  bool has_body(int64_t id) const { return bodies.count(id) != 0; }
  // A copy that is there or has waiting actions, if there is one.
  Copy* find(int64_t serial) {
    if (const auto found = all.find(serial); found != all.end()) return &found->second;
    for (Copy& each : gone) {
      if (each.serial == serial) return &each;
    }
    return nullptr;
  }
};
#endif

struct FormTable;  // forms.h

struct Death {
  int64_t id;
  Tags tags;
  double x, y;
};

using PairKey = std::array<int64_t, 3>;

struct State {
  int64_t seed = 0;
  std::vector<double> variables;
  std::vector<HeldKey> held;
  std::vector<PlayingState> animations;
  std::vector<MotorState> motors;
  std::vector<SpringState> springs;
  std::vector<MouseState> mice;
  std::vector<ActuatorState> actuators;
  std::vector<TimedInput> inputs;  // by step
  std::vector<Pull> pulls;         // in the order of their numbers
  std::vector<int64_t> by_host;    // steps before which the host has a part
  std::vector<Tags> tags;          // by slot
  int64_t prepared = none;         // the step that was prepared last
  bool busy = true;
  std::vector<uint8_t> was;                           // whether conditions held
  std::vector<std::vector<int64_t>> inside, members;  // by rules of `leave`
  std::set<int64_t> fired;
  std::set<PairKey> pairs;
  int64_t pairs_pruned = 1024;
  std::map<PairKey, int64_t> cooling;
  int64_t cooling_pruned = 1024;
  std::set<int> acted;  // actuators
  std::vector<Waiting> waiting;
  int64_t ended_at = none;
  int ending = none;          // a text
  std::vector<int64_t> uses;  // how often each random value was drawn, less one
  std::vector<int64_t> spawned;
  std::vector<std::vector<std::vector<int64_t>>> living;  // by spawners, birth by birth
  std::vector<uint8_t> counted;                           // whether these were counted yet
  std::vector<Born> born;                                 // in the order of births
  std::shared_ptr<FormTable> forms;                       // of these, if they are measured
  std::vector<int64_t> counts;                            // of births, by names
  std::map<int64_t, uint8_t> visible;          // by the ids of bodies for which that was set
  std::vector<std::pair<int64_t, int>> looks;  // of bodies, set since the last row of the log
  std::map<int64_t, Breaking> breaking;        // by the ids of bodies that were born
  int64_t births = 0, lifetimes_given = 0;
  std::vector<Lifetime> lifetimes;  // by `due` and `order`
  // From which no event was found yet.
  std::vector<EventRow> told;
  std::vector<Death> deaths;
  std::vector<Watched> watched;                 // the joints of rules of `deleted`
  std::vector<std::vector<Attached>> attached;  // by names
  Copies copies;
};

// Events of the engine, messages of actions, births and removals, in order.
constexpr int said = 1 << 16;
enum class News : int {
  birth = said + 64,  // the place of its row among births
  body_removed,       // by the script; and which copies may have events of it
  body_lost,          // by the engine; likewise
  joint_removed,      // likewise
  pieces,             // the place of its row among breaks
  actuator_removed,
  attached,  // the place of its row among attached joints
  pulled,    // by a joint: the number of the input
  look,      // a body was shown (1) or hidden (0), or has another type (-1)
};
struct LogRow {
  int64_t step;
  int kind;  // an EventKind, `said` and a Deed, or News
  int64_t a, b;
  double x = 0.0, y = 0.0;  // the volume of a sound, the last place of a removed body
};

// A copy that was born, for whoever gives names.
struct Birth {
  int spawn;
  int64_t count;
  std::array<double, 5> pose;  // x, y, angle, vx, vy
  std::vector<int64_t> bodies, joints;
  std::vector<int> points;
#ifndef RIGID_SMALL
  std::vector<int64_t> driven;  // ids of the joints of its actuators
  std::vector<int> forces;      // slots of the forces of its actuators
  std::vector<int> actuators;   // the places of these
  // Actuators that act on its bodies too: of which place, on which part, by a joint or a force.
  std::vector<std::array<int64_t, 3>> joined;
#endif
};

// A joint that was attached, for whoever gives names.
struct Joined {
  int attachment;
  int64_t count, id;
  std::array<int64_t, 2> bodies;
  // The anchors, the reference angle, the axis, the length and the wheels.
  std::array<double, 12> numbers;
  int spawn = none;  // of the copy that attached it, and the number of that
  int64_t of = 0;
};

// A body that was broken, as it was then, for whoever gives names to its pieces.
struct Broken {
  int destruction;
  int64_t body;
  int kind;
  bool collides;
  // x, y, angle, vx, vy, omega, mass, inertia, the centre of mass in its coordinates, and the way
  // along which its picture is, not numbers where that stays as it is in the body.
  std::array<double, 12> motion;
  std::vector<int64_t> pieces;
  std::vector<std::array<int64_t, 3>> joined;  // as of births
};

}  // namespace rigid::script

#endif
