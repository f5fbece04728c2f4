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

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/channels.h"
#include "engine/parallel/interrupt_poller.h"
#include "script/animations.h"
#include "script/program.h"
#include "script/setting.h"
#include "script/state.h"

namespace rigid::script {

enum class Reason : uint8_t {
  done,
  engine,   // the engine has stopped on an error
  prepare,  // the host prepares the next step
  find,     // the host does all that follows the step
  turn,     // the host goes on at an action of one of the events of the step
  after,    // the host goes on behind the events of the step
};

struct Stop {
  Reason reason = Reason::done;
  int turn = 0;       // of the events of the step
  int action = none;  // the first that the host does; none before it is known whether it happens
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

class Runner {
 public:
  explicit Runner(std::shared_ptr<const Program> program);

  const Program& program() const { return *program_; }
  State& state() { return state_; }
  const State& state() const { return state_; }
  const std::vector<LogRow>& log() const { return log_; }
  void clear_log() {
    log_.clear();
    fresh_ = 0;
  }
  // The first row of the log that no event was found from yet.
  std::size_t fresh() const { return fresh_; }
  // The events of the step at which the host goes on, in order.
  const std::vector<std::pair<Found, bool>>& due() const { return due_; }
  int happened() const { return happened_; }

  // Throws std::invalid_argument if the program is of another world.
  void check_fits(const World& world) const;
  // Throws std::invalid_argument if its actuators are on something that the world has not.
  void check_parts(const World& world) const;
  // Begins a run without a host, of a program that needs none.
  void begin(World& world, const Exact& exact);
  // Runs up to the end of a step.
  Stop run(World& world, int64_t end, InterruptPoller* poller, Sampling& sampling,
           const Exact& exact);
  // Holds a key, or lets it go; false where the host has to.
  bool press(World& world, int key);
  bool release(World& world, int key);
  int64_t native_steps = 0, host_calls = 0;

 private:
  void read_row(World& world, Sampling& sampling) const;
  void fill_variables(const Sampling& sampling, double* row) const;

  // prepare
  bool prepare(World& world, int64_t step, const Exact& exact);
  bool is_for_host(int64_t step) const;
  bool set_all(World& world, const std::vector<Setting>& settings);
  bool hold(World& world, const Key& key);
  bool is_held(int key) const;
  bool ask(World& world, int what);
  bool act_again(World& world, int64_t step, bool& repeats);
  std::vector<int> ways() const;
  int64_t next_stop(int64_t step, int64_t end) const;

  // events.cpp
  bool find(World& world, int64_t step, const Exact& exact);
  void find_told(World& world, const LogRow& row, std::vector<Found>& found);
  bool find_times(int64_t step, std::vector<Found>& found) const;
  void find_leaving(World& world, int rule, std::vector<int64_t>& inside,
                    std::vector<Found>& found) const;
  std::optional<std::vector<uint8_t>> find_conditions(World& world, const Exact& exact);
  std::set<int> acting(int64_t step) const;
  bool fits(const Rule& rule, std::size_t place, int64_t body) const;
  bool find_touch(World& world, int64_t a, int64_t b, std::array<double, 5>& values);
  void add(int rule, std::vector<Found>& found) const;

  // turns.cpp
  std::optional<Stop> finish(World& world, const Exact& exact);
  std::optional<Stop> take_turns(World& world, int64_t step, const Exact& exact);
  std::optional<bool> takes(World& world, const Found& found, const Rule& rule, int64_t step,
                            const Exact& exact);
  std::optional<bool> holds(World& world, const Found& found, int expression, const Exact& exact);
  std::optional<Stop> act_all(World& world, const Actions& actions, const Found& found, int turn,
                              const Exact& exact);
  bool act(World& world, const Action& action, const Found& found, const Exact& exact);
  bool set_or_add(World& world, const Action& action, const Found& found, const Exact& exact);
  bool push(World& world, const Action& action, const Found& found, const Exact& exact);
  bool look_for_end(World& world, int64_t step, const Exact& exact);
  void end(int word, int64_t step);
  void say(World& world, Deed deed, int text, double amount = 0.0);

  // values
  std::optional<double> evaluate(World& world, const Expression& expression, const Found* found,
                                 const Exact& exact);
  std::optional<double> number(World& world, const Number& number, const Found* found,
                               const Exact& exact);
  std::optional<Numbers> value(World& world, const Value& value, const Found* found,
                               const Exact& exact);

  Scene scene(World& world) { return {world, *program_, state_}; }

  std::shared_ptr<const Program> program_;
  State state_;
  bool has_host_ = true;
  std::vector<LogRow> log_;
  std::size_t fresh_ = 0;
  std::vector<std::pair<Found, bool>> due_;  // and whether it has happened before
  int happened_ = 0;
  std::optional<std::vector<int>> touching_;  // the contacts of a step, where they are asked for
};

}  // namespace rigid::script

#endif
