// SPDX-License-Identifier: MIT
// A running world of a compiled scene, without Python: what a page steps.
//
// A scene with a script has the section `script`, a program that is whole (script/program.h).
#ifndef RIGID_COMPILED_COMPILED_WORLD_H
#define RIGID_COMPILED_COMPILED_WORLD_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "compiled/compiled_rows.h"
#include "compiled/container.h"
#include "engine/world.h"
#include "script/runner.h"

namespace rigid {

// The world of a scene before its first step. Throws std::invalid_argument with what is wrong.
std::unique_ptr<World> build_world(const Container& container, int lanes);

class CompiledWorld {
 public:
  // `lanes` as in WorldDefinition; `exact` works out what portable mathematics is not sure of.
  // Throws std::invalid_argument.
  explicit CompiledWorld(std::span<const std::byte> bytes, int lanes = 0,
                         script::Exact exact = no_value);
  CompiledWorld(const CompiledWorld&) = delete;
  CompiledWorld& operator=(const CompiledWorld&) = delete;

  // Executes the script, the switches of actuators and the pulls, and steps; returns the number of
  // steps done, fewer where the engine has stopped on an error. Throws std::runtime_error where the
  // script cannot go on.
  int step(int steps);
  // The state of engine, pulls and script, which determines all later steps.
  std::vector<std::byte> save();
  // Throws std::invalid_argument for other bytes; all is as it was then.
  void restore(std::span<const std::byte> bytes);
  // Restores the engine alone, from the bytes of its own `save`.
  void restore_engine(std::span<const std::byte> bytes);

  // Pulls a body by a point of it towards a place in the world, as a mouse does, from the next step
  // on; a body that is not there or not dynamic is left. `number` tells pulls apart.
  void grab(int number, int body, Double2 point, Double2 target, double force);
  void drag(int number, Double2 target);
  void drop(int number);
  // The dynamic bodies at a point, or at most `reach` from it, in the order of their shapes.
  std::vector<int> find_dynamic(double x, double y, double reach);

  // The script's runner; null for a scene without one.
  script::Runner* runner() { return runner_ ? &*runner_ : nullptr; }
  // The values of the scene's readings, by which its picture is drawn; not a number where there is
  // none.
  std::vector<double> read();
  // Inputs of the script from the next step on, instead of those that it had; sorted by steps.
  void set_inputs(std::vector<script::TimedInput> inputs);

  World& world() { return *world_; }
  const Container& container() const { return container_; }

 private:
  // One action of the player on a body, before the next step.
  struct Pull {
    enum { take, move, leave } what;
    int number, body;
    Double2 point, target;
    double force;
  };

  static std::optional<double> no_value(Operation, std::span<const double>) { return {}; }
  void begin_script();
  int run_script(int end);
  void do_pulls();
  void take(const Pull& pull);
  void do_switches(int step);
  int next_switch(int step, int end) const;
  void tell_pulled();

  Container container_;
  std::unique_ptr<World> world_;
  script::Exact exact_;
  std::optional<script::Runner> runner_;
  std::optional<script::Runner> readings_;  // a program whose conditions are read, never run
  bool is_stuck_ = false;                   // the script cannot go on
  std::vector<Pull> pulls_;
  std::map<int, int64_t> held_;                      // the joints of pulls
  std::map<int, std::pair<double, double>> pulled_;  // their targets, also those without a joint
  std::span<const SwitchRow> switches_;              // in the order of steps
};

}  // namespace rigid

#endif
