// SPDX-License-Identifier: MIT
// Many worlds of one scene, stepped side by side.
//
// Each has the bits of the same world alone: they share nothing that a step changes, small ones are
// solved side by side (batch/batch_stepper.h), and which thread steps which is left to chance.
#ifndef RIGID_ENGINE_BATCH_BATCH_H
#define RIGID_ENGINE_BATCH_BATCH_H

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "engine/batch/batch_stepper.h"
#include "engine/parallel/interrupt_poller.h"
#include "engine/parallel/thread_pool.h"
#include "engine/world.h"

namespace rigid {

// What can be written: a body's pose, velocity, the push of its next step, its kind and whether it
// collides, a joint's motor, what a thruster or a force does, gravity, and what a pool is.
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
// Throws std::invalid_argument for a number that the setting cannot have.
void check_setting(Setting setting, double value);

class Batch {
 public:
  // `count` worlds in the state of `first`, which becomes what `reset` goes back to.
  Batch(std::unique_ptr<World> first, int count, int threads);

  int size() const { return static_cast<int>(worlds_.size()); }
  // What has stopped a world.
  const std::optional<StepError>& error(int index) const { return worlds_[index]->parts().error; }
  const World& start() const { return *start_; }
  std::unique_ptr<World> fork(int index);

  // A world that has stopped on an error is left as it is.
  void step(int steps, InterruptPoller* poller);
  // [worlds, channels] into `out`; see channels.h.
  void read(std::span<const int32_t> codes, double* out, InterruptPoller* poller);
  // [worlds, settings] from `values`; `codes` are a setting, an index, and whether it
  // is set at once with the one in front of it, which is of the same thing.
  void write(std::span<const int32_t> worlds, std::span<const int32_t> codes, const double* values);
  // The marked worlds as they began.
  void reset(std::span<const uint8_t> marked);
  // One world anew, in the state of another that has as many of everything, and as many lanes.
  void replace(int index, World& by);

 private:
  void begin_as(int index, World& other);
  std::unique_ptr<ResidentGroup>* residents_of(int index);
  World& take_out(int index);
  void step_piece(int first, int last, int steps);
  std::unique_ptr<BatchStepper> take_group();
  static void set(World& world, std::span<const int32_t> codes, const double* values);

  std::unique_ptr<World> start_;
  std::vector<std::unique_ptr<World>> worlds_;
  std::vector<std::unique_ptr<ResidentGroup>> residents_;  // by the first of their worlds
  int threads_;
  ThreadPool pool_;
  std::mutex groups_mutex_;
  std::vector<std::unique_ptr<BatchStepper>> groups_;
};

}  // namespace rigid

#endif
