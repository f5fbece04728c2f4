// SPDX-License-Identifier: MIT
// A batch: many worlds of one scene, stepped side by side.
//
// Each has the bits of the same world alone: they share nothing that a step changes, small ones are
// solved side by side (batch/batch_stepper.h), and the assignment of worlds to threads has no
// effect.
#ifndef RIGID_ENGINE_BATCH_BATCH_H
#define RIGID_ENGINE_BATCH_BATCH_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/batch/batch_stepper.h"
#include "engine/parallel/interrupt_poller.h"
#include "engine/parallel/lock.h"
#include "engine/parallel/thread_pool.h"
#include "engine/world.h"

namespace rigid {

// The settings that can be written: a body's pose, velocity, the push of its next step, its kind
// and whether it collides, a joint's motor, the values of a thruster or a force, gravity, and those
// of a pool.
enum class Setting : uint8_t {
  x,
  y,
  angle,
  vx,
  vy,
  omega,
  force_x,
  force_y,
  torque,
  type,
  collide,
  motor_target,
  motor_maximum,
  source_x,
  source_y,
  source_torque,
  source_enabled,
  gravity_x,
  gravity_y,
  pool_left,
  pool_bottom,
  pool_right,
  pool_top,
  pool_density,
  pool_damping,
  pool_drag,
};
constexpr const char* setting_names[] = {"x",
                                         "y",
                                         "angle",
                                         "vx",
                                         "vy",
                                         "omega",
                                         "force_x",
                                         "force_y",
                                         "torque",
                                         "type",
                                         "collide",
                                         "motor_target",
                                         "motor_maximum",
                                         "source_x",
                                         "source_y",
                                         "source_torque",
                                         "source_enabled",
                                         "gravity_x",
                                         "gravity_y",
                                         "pool_left",
                                         "pool_bottom",
                                         "pool_right",
                                         "pool_top",
                                         "pool_density",
                                         "pool_damping",
                                         "pool_drag"};
constexpr int setting_count = static_cast<int>(sizeof setting_names / sizeof setting_names[0]);
inline bool is_of_joint(Setting setting) {
  return setting == Setting::motor_target || setting == Setting::motor_maximum;
}
inline bool is_of_source(Setting setting) {
  return setting >= Setting::source_x && setting <= Setting::source_enabled;
}
inline bool is_of_world(Setting setting) {
  return setting == Setting::gravity_x || setting == Setting::gravity_y;
}
inline bool is_of_pool(Setting setting) { return setting >= Setting::pool_left; }
// Throws std::invalid_argument for a value that is invalid for the setting.
void check_setting(Setting setting, double value);

class Batch {
 public:
  // Makes `count` worlds in the state of `first`, which becomes the state that `reset` restores.
  Batch(std::unique_ptr<World> first, int count, int threads);

  int size() const { return static_cast<int>(worlds_.size()); }
  // The error that has stopped a world.
  const std::optional<StepError>& error(int index) const { return worlds_[index]->parts().error; }
  // Whether a world may have stopped on an error, and all that have.
  bool has_stopped() const { return stopped_; }
  std::vector<int> stopped();
  const World& start() const { return *start_; }
  std::span<const int32_t> all() const { return all_; }
  std::unique_ptr<World> fork(int index) { return worlds_[index]->fork(); }

  // A world that has stopped on an error is not stepped.
  void step(int steps, InterruptPoller* poller);
  // Reads [worlds, channels] into `out`; see channels.h.
  void read(std::span<const int32_t> codes, double* out, InterruptPoller* poller);
  // Writes [worlds, settings] from `values`; `codes` are a setting, an index, and whether it is set
  // together with the one before it, which concerns the same object.
  void write(std::span<const int32_t> worlds, std::span<const int32_t> codes, const double* values);
  // Resets the marked worlds to their initial state.
  void reset(std::span<const int64_t> worlds);
  // Replaces one world by the state of another with equal numbers of all objects and of lanes.
  void replace(int index, World& by);

 private:
  void begin_as(int index, World& other);
  void step_piece(int first, int last, int steps);
  std::unique_ptr<BatchStepper> take_group();
  static void set(World& world, std::span<const int32_t> codes, const double* values);

  std::unique_ptr<World> start_;
  std::vector<std::unique_ptr<World>> worlds_;
  std::vector<std::unique_ptr<ResidentGroup>> residents_;  // by the first of their worlds
  std::vector<int32_t> all_;                               // their indices
  std::atomic<bool> stopped_{false};
  int threads_;
  ThreadPool pool_;
  Mutex groups_mutex_;
  std::vector<std::unique_ptr<BatchStepper>> groups_;
};

}  // namespace rigid

#endif
