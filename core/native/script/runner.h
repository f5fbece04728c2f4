// SPDX-License-Identifier: MIT
// Runs the program of a script beside the steps of a world.
//
// One step has three stages, as in core/world/script/script.py:
//   prepare  due inputs, repeated actions of held keys, animations
//   (the engine's step)
//   find     events of the step, those whose actions are due, and conditions, in order
//   turns    of each of them in order: whether it happens, and its actions; then the outcome
// Stretches without anything to prepare or find are stepped in one call.
//
// A part that the program leaves to the host stops the runner between two parts, with the state as
// it is there: the host does that part and the rest of the stage, and calls `run` again.
#ifndef RIGID_SCRIPT_RUNNER_H
#define RIGID_SCRIPT_RUNNER_H

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/channels.h"
#include "engine/parallel/interrupt_poller.h"
#include "script/animations.h"
#include "script/host_engine.h"
#include "script/placement.h"
#include "script/program.h"
#include "script/setting.h"
#include "script/state.h"

namespace rigid::script {

// Pose and motion of the frame of a copy, and the angular velocity of what it is born on.
struct Pose {
  double x, y, angle, vx, vy, spin;
};

// The sum of numbers, rounded once, whatever their order; nothing where one of the sums is not
// finite.
std::optional<double> rounded_sum(std::span<const double> numbers);

// The result of a probe: the ends of a ray, the place of a shape or a point, and slots of bodies.
struct Sight {
  int ends = 0;
  Numbers first{}, last{};
  bool hits = false;
  Numbers hit{}, normal{}, velocity{};
  std::vector<int> bodies;
};

enum class Reason : uint8_t {
  done,
  engine,   // the engine has stopped on an error
  prepare,  // the host prepares the next step
  step,     // the host makes steps, and calls `run` again; `turn` is how many
  find,     // the events of the step are not found
  turn,     // the host goes on at an action of one of the events of the step
  after,    // the host goes on behind the events of the step
};

// The reason for which a script cannot go on, in numbers that its host words.
enum class Fault : uint8_t {
  none,
  value,    // the expression `which` has no value, or none in its range: the numbers it reads, and
            // how often it was worked out before where it draws random ones
  number,   // the numbers of the action, or of the birth, are not taken
  setting,  // of timed settings (0), of those of a key that is pressed (1) or released (2): which
            // of these, and the place of the setting
  sum,      // a variable comes to a number that is too large
  force,    // a field has no force, or one that is too large
  times,    // the event `which` comes too often in a step: how often
  events,   // too many events in a step
  waiting,  // too many events wait; `which` was asked for, `none` in the turn of an event
  births_at_once,
  tries_at_once,
  births,
  bodies,
  birth,  // the engine does not take what is born (`which`) at these poses
  axis,   // one coordinate of a copy that is turned is set, which becomes a part of both
};

struct Failure {
  Fault fault = Fault::none;
#ifndef RIGID_SMALL
  int which = none;
  std::vector<double> numbers;
#endif
};

struct Stop {
  Reason reason = Reason::done;
  int turn = 0;       // of the events of the step, or of the spawners
  int action = none;  // the first that the host does; none before it is known whether it happens
};

// A part of the host, after which the script goes on: copies of bodies (ids), whose new pose is in
// the values; an original of these vars for a birth; its consent to so many births with particles;
// an attached joint, the first value of its name. `place` is that of the birth or of the joint.
enum class Task : uint8_t { copies, original, consent, joint };
struct Request {
  Task task;
  int place;
  std::vector<double> values;
  std::vector<int64_t> bodies;
};

// The host's answer: an original that it has made, if it was asked for one, where `spawn` is a
// birth of the program with the script of its copy, or none, and whether it consents; or the id of
// a joint that it has attached, `none` where a body of that is not there.
struct Given {
  std::shared_ptr<const Original> original;
  Numbers pivot{};
  int spawn = none;
  bool consents = false;
  int64_t joint = none;
};

// Rows of channels that are read after every so many steps, into `out`. Columns of variables are
// filled as well.
struct Sampling {
  int every = 1;
  std::span<const int32_t> codes;
  double* out = nullptr;
  int rows = 0;
  std::span<const int32_t> variables;  // pairs: a column, a variable
  int taken = 0;
};

// The number of births of a spawner, and the births whose bodies may exist.
struct Brood {
  int64_t& spawned;
  std::vector<std::vector<int64_t>>& living;
  uint8_t& counted;
};

// The new pose of a set of bodies, about the origin of the first one.
struct Shift {
  Numbers about, to;
  double angle;
  Numbers velocity;
};

// A body of what is born on which an actuator acts: its own, whose first body (none) or a later one
// (0) it is, or an actuator that is there, by its place and 1.
struct Mount {
  int copy, joins, body;
  std::shared_ptr<const Actuator> what;
  std::array<double, quantity_count> numbers;
};

struct CopyNews;  // copies/finding.cpp
inline const std::vector<ForceRow> no_forces;

class Runner {
  friend class CopyKeys;  // copy_keys.h

 public:
  explicit Runner(std::shared_ptr<const Program> program);

  const Program& program() const { return *program_; }
  State& state() { return state_; }
  const State& state() const { return state_; }
  const std::vector<LogRow>& log() const { return log_; }
  const std::vector<Birth>& births() const { return births_; }
  const std::vector<Broken>& broken() const { return broken_; }
  const std::vector<Joined>& joined() const { return joined_; }
  void clear_log() {
    log_.clear();
    births_.clear();
    broken_.clear();
    joined_.clear();
  }
  // The number of rows since the beginning, and of those from which events were found.
  int64_t logged() const { return logged_; }
  int64_t found() const { return found_; }
  // Adds a row for earlier contacts and removals whose events have not been found yet.
  void begin_log() { found_ = logged_++; }
  // The events of the step at which the host goes on, in order.
  const std::vector<std::pair<Found, bool>>& due() const { return due_; }
  // Why the last `run` could not go on, if it was not for a part of the host.
  const Failure& failure() const { return failure_; }
  // The serial number of the copy for which something was done as it failed, or none.
  int64_t whose() const {
#ifndef RIGID_SMALL
    if (copy_ != nullptr) return copy_->serial;
#endif
    return none;
  }
  // The task of the host at a stop, after which the script goes on.
  const std::optional<Request>& request() const { return request_; }
  void give(Given given) { given_ = std::move(given); }
  // Takes a program that goes on behind the present one, and gives one of its births, if there is
  // one. Throws std::invalid_argument for the program of another scene.
  void extend(std::shared_ptr<const Program> program, int spawn);
  void consent() {
    if (!given_) given_.emplace();
    given_->consents = true;
  }
  // Takes notice of a copy of bodies by the host: their ids, their tags, and all bodies born so
  // far.
  void take_copies(const std::vector<std::pair<Born, Tags>>& bodies, int64_t births);
  void learn(int64_t id, std::shared_ptr<const Form> form);
  // Takes notice of the name of a body that was born, by which it may be dragged.
  void find_pulled(int64_t id, const std::string& name);
  // Forgets actuators of what was born that are gone; their places, the last one first.
  std::vector<int> drop_actuators();
  // Lets the next `run` go on with the rest of a step.
  void resume(const Stop& stop) { resume_ = stop; }
  // The births of a step so far, and the bodies for which a place was looked for.
  int births_now() const { return births_now_; }
  int tries_now() const { return tries_now_; }
  // The last numbers of a removed body of an event: those of the program's channels.
  const std::vector<double>& kept(int which) const { return kept_[which]; }
  // Whether `run` ends with a step in which something is born or removed, and whether it stops
  // before steps, which its caller makes.
  bool stops_at_changes = false, stops_at_steps = false;

  // Throws std::invalid_argument if the program is of another world.
  void check_fits(const World& world) const;
  // Throws std::invalid_argument if its actuators are on something that the world has not.
  void check_parts(const World& world) const;
  // Throws std::invalid_argument if there is more in its program than conditions of rules.
  void check_is_only_read() const;
  // Begins a run without a host, of a program that needs none.
  void begin(World& world, const Exact& exact);
  // Says where a player pulls a body, if it is whoever runs it that drags.
  void set_pulled(std::optional<Numbers> place) { pulled_ = place; }
  // For a world that its host steps: `run` stops for the steps.
  void set_engine(std::shared_ptr<HostEngine> engine) { engine_ = std::move(engine); }
  // Sets the number of steps of the host, and takes their events.
  void set_steps(int64_t steps, const std::vector<EventRow>& events) {
    host_step_ = steps;
    host_events_.insert(host_events_.end(), events.begin(), events.end());
  }
  // Lets the next `run` begin with what follows the last step, which its caller has made. In a
  // state from the host the removals of that step are taken in already.
  void finish_step(const World& world, bool is_from_host) {
    awaited_ = now(world);
    if (is_from_host) note_removals(world);
  }
  // The number of steps that are made.
  int64_t now(const World& world) const {
    return engine() == nullptr ? world.parts().clock.steps : host_step_;
  }
  // Called before each step of a run without a host, between the keys and the animations.
  void set_hand(std::function<void()> hand) { hand_ = std::move(hand); }
  // The host's view of the scene: a number of it, or `none` that moves it at the end of a step,
  // from x, y, the angle and 1 where it is there of each of the scene's bodies after a step.
  using View = std::function<std::optional<double>(int number, int64_t step,
                                                   std::span<const double> bodies)>;
  void set_view(View view, bool moves) {
    view_ = std::make_shared<const View>(std::move(view));
    view_moves_ = moves;
  }
  // Runs up to the end of a step.
  Stop run(World& world, int64_t end, InterruptPoller* poller, Sampling& sampling,
           const Exact& exact);
  // The values of the conditions of its rules, with the state of another runner of the same scene,
  // if there is one; not a number where there is none.
  std::vector<double> read(World& world, const Runner* other, const Exact& exact);
  // Takes a copy into the state, with what follows from its place and its bodies.
  void take_copy(Copy copy, const Exact& exact);
  // Executes the inputs before a step, some of which only the host can execute. The host calls
  // `begin_inputs`, executes all inputs in order, those of the program by `execute`, and calls
  // `end_inputs`, which returns whether the step can be made.
  void begin_inputs(const World& world);
  void execute(World& world, InputKind kind, int what);
  bool end_inputs(World& world, const Exact& exact);
  int64_t steps_made = 0;

 private:
  HostEngine* engine() const { return has_hosts ? engine_.get() : nullptr; }
  std::optional<Stop> end_step(World& world, const Exact& exact);
  void begin_breaking();
  void note_removals(const World& world) {
    removals_ = world.parts().bodies.removals;
    joint_removals_ = world.parts().joints.removals();
  }
  void read_row(World& world, Sampling& sampling) const;
  void fill_variables(const Sampling& sampling, double* row) const;

  // fields.cpp
  bool has_fields() const;
  bool push_fields(World& world, int64_t step, const Exact& exact);

  // prepare
  bool prepare(World& world, int64_t step, const Exact& exact);
  bool is_for_host(int64_t step) const;
  void press(World& world, int key);
  void release(World& world, int key);
  bool set_all(World& world, const std::vector<Setting>& settings, int of, int which);
  bool hold(World& world, const Key& key);
  bool is_held(int key) const;
  bool ask(World& world, int what);
  bool act_again(World& world, int64_t step, bool& repeats);
  std::vector<int> ways() const;
  int64_t next_stop(int64_t step, int64_t end) const;

  // events.cpp
  bool find(World& world, int64_t step, const Exact& exact);
  void find_told(World& world, const EventRow& row, std::vector<Found>& found);
  void find_deaths(std::vector<Found>& found);
  void find_joint_ends(const World& world, std::vector<Found>& found);
  bool find_times(int64_t step, std::vector<Found>& found);
  void find_leaving(World& world, int rule, std::vector<int64_t>& inside,
                    std::vector<Found>& found) const;
  std::optional<std::vector<uint8_t>> find_conditions(World& world, const Exact& exact);
  std::set<int> acting(int64_t step) const;
  bool is_lost(const World& world, int64_t body) const;
  bool fits(const World& world, const Rule& rule, std::size_t place, int64_t body) const;
  static bool fits(const Selector& selector, int64_t body, const Tags& tags);
  bool find_touch(World& world, int64_t a, int64_t b, std::array<double, 5>& values);
  void add(int rule, std::vector<Found>& found) const;

  // births.cpp
  int slot_of(const World& world, int owner, const Found* found) const;
  std::optional<Numbers> place_of(World& world, const Spot& spot, const Found* found,
                                  const Exact& exact, bool& fails);
  std::optional<Pose> placement(World& world, const Spawn& spawn, const Found* found,
                                const Exact& exact, bool& fails);
  std::vector<Motion> motions_of(const Spawn& spawn, const Pose& pose, const Exact& exact) const;
  bool is_free(World& world, const Spawn& spawn, std::span<const Motion> motions,
               const Exact& exact);
  std::optional<std::vector<int64_t>> spawn(World& world, const Spawn& spawn, const Found* found,
                                            const Exact& exact);
  std::optional<int> spawn_together(World& world, const Spawn& spawn, int count,
                                    const Exact& exact);
  std::optional<std::vector<Birth>> put(World& world, const Spawn& spawn,
                                        std::span<const Pose> poses,
                                        std::span<const double> lifetimes, const Exact& exact);
  void refuse_birth(const Spawn& spawn, std::span<const Pose> poses);
  std::vector<JointRow> joints_of(const World& world, const Original& original,
                                  std::span<const Motion> motions) const;
  // mounting.cpp
  std::vector<Mount> mounts_of(const World& world, const Original& original,
                               std::span<const Pose> poses, const Exact& exact) const;
  static void mount_rows(std::span<const Mount> mounts, std::span<const int> slots,
                         std::vector<JointRow>& joints, std::vector<ForceRow>& forces);
  Added with_forces(const std::vector<ForceRow>& forces, Added added) const;
  void join(const World& world, const Tags& tags, Mount mount, std::vector<Mount>& mounts) const;
  void mount(World& world, std::size_t parts, std::span<const Mount> mounts, const Added& added,
             std::size_t first, std::vector<Birth>& births);
  static int64_t there(const World& world);
  void take_in(const Born& born, const Tags& tags);
  void turn(World& world, int64_t id, const Part& part, const Pose& pose, const Exact& exact);
  const Original& original_of(const Spawn& spawn) const;
  bool asks_for(World& world, const Spawn& spawn, const Found* found, const Exact& exact);
  std::optional<Stop> do_after(World& world, int64_t step, const Stop& begun, const Exact& exact);
  std::optional<int> spawn_due(World& world, const Spawner& spawner, int first, int due,
                               const Brood& brood, const Exact& exact);

  // copies/living.cpp
  const CopyPlan& plan_of(const Copy& copy) const;
  Placement placement_of(const Copy& copy, const Exact& exact) const;
  void begin_copy(World& world, const Birth& birth, const Exact& exact);
  void end_copy(int64_t serial);
  bool animate_copies(World& world, const Exact& exact);
  void forget_copies();
  int64_t serial_of(const Found& found) const;
  const Rule* act_as_owner(const Found& found, const Exact& exact);
  void act_as(Copy* copy, const Exact& exact);
  std::optional<double> own_number(Reading& reading, const Input& input, const Exact& exact) const;
  void watch_own(Copy& copy, int place, int64_t joint) const;
  bool place_setting(Place& place, Numbers& given, bool adds) const;
  Numbers of_copy(const Spot& spot, const Numbers& at) const;
  Numbers scaled_way(const Numbers& way) const;
  void place_birth(const Spawn& spawn, std::optional<Numbers>& at, double& angle,
                   Numbers& moving) const;
  std::optional<Stop> spawn_of_copies(World& world, int64_t step, const Stop& begun,
                                      const Exact& exact);

  // copies/finding.cpp
  void add_of_copy(const Copy& copy, int rule, Found each, std::vector<Found>& found) const;
  bool is_other(const World& world, const Copy& copy, const Rule& rule, int64_t body) const;
  void find_told_of_copies(World& world, const EventRow& row, std::vector<Found>& found);
  void find_switches_of_copies(const std::set<int>& acted, std::vector<Found>& found) const;
  void find_deaths_of_copies(CopyNews& news, const Exact& exact) const;
  std::vector<uint8_t> inside_of(const World& world, const Copy& copy, int rule,
                                 const Exact& exact) const;
  std::optional<std::vector<uint8_t>> conditions_of(World& world, Copy& copy, const Exact& exact);
  bool find_of_copies(World& world, int64_t step, const std::set<int>& acted,
                      std::vector<Found>& found, const Exact& exact);
  bool begin_copies(World& world, const Exact& exact);

  // acting/dragging.cpp
  bool drag(World& world, int64_t step);
  void take(World& world, Pull& pull);
  bool awaits_bodies() const;
  std::optional<Numbers> pulled_to(const World& world) const;

  // acting/attaching.cpp
  std::optional<Numbers> local_end(const World& world, const Attachment& plan, int end,
                                   const Found& found, const std::array<int, 2>& slots,
                                   const Exact& exact) const;
  bool attach(World& world, const Action& action, const Found& found, const Exact& exact);
  bool take_joint(const Action& action);
  void detach(World& world, int name);
  void watch(int64_t joint, int name);
  int64_t& count_of(int name);
  std::vector<Attached>& attached_of(int name);

  // acting/destroying.cpp
  const Breaking* breaking_of(int slot, int64_t id) const;
  bool destroy(World& world, const Action& action, const Found& found, const Exact& exact);

  // acting/measuring.cpp
  void unlearn(int64_t id);
  bool is_piece(const Members& members, const Born& born) const;
  const Born* born_of(const Bodies& bodies, int slot) const;
  const Form* form_of(const WorldParts& parts, int slot) const;
  std::optional<double> measured(Reading& reading, Over over, std::span<const int> slots,
                                 const Exact& exact) const;
  std::optional<double> of_body(Reading& reading, int slot, int channel, const Exact& exact) const;
  bool explode(World& world, const Action& action, const Found& found, const Exact& exact);

  // acting/moving.cpp, acting/reaching.cpp
  std::optional<Shift> shift_of(World& world, const Action& action, const Found& found,
                                std::span<const int> slots, const Exact& exact, bool& fails);
  bool copy(World& world, const Action& action, const Found& found, const Exact& exact);
  bool move(World& world, const Action& action, const Found& found, const Exact& exact);
  bool reach(World& world, const Action& action, const Found& found, const Exact& exact);

  // removals.cpp
  std::vector<EventRow> take_rows(World& world);
  void take_events(World& world);
  void take_in_removals(World& world);
  void forget(World& world, int64_t id, int64_t step, News news);
  void remove_body(World& world, int slot);
  void remove_joint(World& world, int slot);
  void remove_actuator(World& world, int index);
  std::vector<int> slots_of(const World& world, const Members& members, const Found& found) const;
  void remove(World& world, const Members& members, const Found& found);
  void end_later(int64_t step, double time, const std::vector<int64_t>& born);
  void end_lives(World& world, int64_t step);
  void keep(World& world, const Found& found, const Exact& exact);
  void forget_kept();
  std::optional<Numbers> kept_place(int owner) const;
  std::optional<double> kept(int which, int channel) const;

  // turns.cpp
  std::optional<Stop> finish(World& world, const Exact& exact);
  std::optional<Stop> take_turns(World& world, int64_t step, const Stop& begun, const Exact& exact);
  std::optional<bool> takes(World& world, const Found& found, const Rule& rule, int64_t step,
                            const Exact& exact);
  std::optional<bool> holds(World& world, const Found& found, int expression, const Exact& exact);
  std::optional<Stop> act_all(World& world, const Actions& actions, const Found& found,
                              const Stop& begun, const Exact& exact);
  bool act(World& world, const Action& action, const Found& found, const Exact& exact);
  void play_or_stop(const Action& action, int64_t step);
  bool set_or_add(World& world, const Action& action, const Found& found, const Exact& exact);
  bool push(World& world, const Action& action, const Found& found, const Exact& exact);
  void blow(World& world, const Push& push);
  bool look_for_end(World& world, int64_t step, const Exact& exact);
  void end(int word, int64_t step);
  void note(const LogRow& row) {
    log_.push_back(row);
    ++logged_;
  }
  // Which copies may have an event of a removal: 1 of joints, 2 of the removed body.
  int64_t asked_for(bool is_copied) const {
    return (state_.copies.empty() ? 0 : 1) + (is_copied ? 2 : 0);
  }
  void note_looks(const World& world);
  void say(World& world, Deed deed, int text, double amount = 0.0);
  // Remembers the first failure; returns false. Small builds have no host that words it.
  bool fail(Fault fault, std::initializer_list<double> numbers = {}, int which = none) {
    if (failure_.fault != Fault::none) return false;
#ifdef RIGID_SMALL
    failure_.fault = fault;
#else
    failure_ = {fault, which, numbers};
#endif
    return false;
  }

  // fields.cpp
  double energy(Reading& reading, int which, const Exact& exact) const;

  // aggregates.cpp
  std::vector<int> members_of(const Bodies& bodies, const Aggregate& aggregate) const;
  std::optional<double> aggregate(Reading& reading, const Aggregate& aggregate,
                                  const Exact& exact) const;

  // probes.cpp
  std::optional<double> probe(World& world, const ProbeReading& reading, const Exact& exact);
  std::optional<Sight> look(World& world, const Probe& probe, const Exact& exact);
  bool passes(int slot, const BodyFilter& filter) const;
  bool is_found(int slot, const Probe& probe) const;

  // values
  double read_channel(Reading& reading, int channel, int slot) const;
  std::optional<double> evaluate(World& world, const Expression& expression, const Found* found,
                                 const Exact& exact);
  std::optional<double> number(World& world, const Number& number, const Found* found,
                               const Exact& exact);
  std::optional<Numbers> value(World& world, const Value& value, const Found* found,
                               const Exact& exact);

  std::optional<double> ask_view(World& world, int number) const;

  Scene scene(World& world) {
    Scene found{world, *program_, state_, now(world), engine()};
#ifndef RIGID_SMALL
    found.copy = copy_;
#endif
    return found;
  }

  std::shared_ptr<const Program> program_;
  State state_;
  bool has_host_ = true;
  std::shared_ptr<HostEngine> engine_;
  int64_t host_step_ = 0, awaited_ = none;  // the step up to which the host steps
  std::vector<EventRow> host_events_;
  int64_t removals_ = 0, joint_removals_ = 0;  // before the present steps
  std::function<void()> hand_;
  std::shared_ptr<const View> view_;
  bool view_moves_ = false;
  std::vector<LogRow> log_;
  std::vector<Birth> births_;  // of the log
  std::vector<Broken> broken_;
  std::vector<Joined> joined_;
  int64_t logged_ = 0, found_ = 0;
  std::optional<Numbers> pulled_;            // where a player pulls a body
  std::vector<std::pair<Found, bool>> due_;  // and whether it has happened before
  int happened_ = 0;
  int births_now_ = 0, tries_now_ = 0;
  Failure failure_;
  std::optional<Request> request_;
  std::optional<Given> given_;
  std::optional<Stop> resume_;
  bool changed_ = false;            // something was born or removed
  const State* tagging_ = nullptr;  // of whose bodies the tags count, while another's are read
  std::optional<Numbers> at_;       // the place of a birth that is worked out
#ifdef RIGID_SMALL
  static constexpr Copy* copy_ = nullptr;
#else
  Copy* copy_ = nullptr;  // of whose script something is done
#endif
  Placement place_{};  // of it
  std::array<std::vector<double>, 2> kept_;
  std::array<std::optional<Numbers>, 2> kept_at_;
  std::vector<Breaking> own_breaking_;        // of the scene's bodies
  std::optional<std::vector<int>> touching_;  // the contacts of a step, where they are asked for
};

}  // namespace rigid::script

#endif
