// SPDX-License-Identifier: MIT
// The steps of a single world: in stages, or in a lane of its own while it has no contacts.
#include <algorithm>

#include "engine/batch/resident_group.h"
#include "engine/channels.h"
#include "engine/data/constants.h"
#include "engine/step.h"

namespace rigid {

// Steps a world alone. It resides in the lane from call to call, and is written after each.
class LoneStepper {
 public:
  explicit LoneStepper(World& world) : world_(world), resident_(world), task_{} {}
  // Takes up to `most` of the remaining `left` steps; returns their number, 0 if the world stopped.
  int step(int most, int left) {
    if (const int ahead = step_in_lane(most, left); ahead > 0) return ahead;
    const bool unchanged = resident_.is_ready(0);
    if (!Step(world_).run()) return 0;
    resident_.note_step();
    since_change_ = unchanged ? since_change_ + 1 : 1;
    return 1;
  }
  void write_back() { resident_.write_back(); }

 private:
  int step_in_lane(int most, int left) {
#ifdef RIGID_SMALL
    return 0;  // small builds have no kernels for lanes of worlds
#endif
    task_.settled = resident_.holds();
    if (!task_.settled) {
      // Entering pays for a long call, or if nobody changes the world between calls.
      if (left < constants::shortest_stay && since_change_ < constants::calm_steps) return 0;
      resident_.admit(model_);
      if (!resident_.holds()) return 0;
      since_change_ = 0;
    }
    if (task_.memory == nullptr) task_.memory = memory_.reserve(find_kernels(1)->lane_memory);
    return resident_.step(task_, std::min(most, constants::steps_at_once));
  }

  World& world_;
  ResidentGroup resident_;
  LaneScratch memory_;
  LaneTask task_;
  std::shared_ptr<const LaneModel> model_;
  int since_change_ = 0;  // steps in stages since the world was changed, or left the lane
};

void World::Discard::operator()(LoneStepper* stepper) const { delete stepper; }

void World::leave_residence() { residence_.group->leave(residence_.lane); }

std::unique_ptr<World> World::fork() {
  if (residence_.group) residence_.group->write_back(residence_.lane);
  finish();
  return std::unique_ptr<World>(new World(parts_));
}

void World::set_force(int index, float x, float y, float torque, bool enabled) {
  parts_.forces.set(index, x, y, torque, enabled);
  if (residence_.group) residence_.group->take_force(residence_.lane, index);
}

bool World::set_resident_motor(int joint, const JointChange::Motor& motor) {
  return residence_.group &&
         residence_.group->set_motor(residence_.lane, joint, motor.target, motor.maximum);
}

int World::step(int steps, InterruptPoller* poller) {
  return run(steps, 1, {}, nullptr, 0, poller);
}

int World::run(int steps, int every, std::span<const int32_t> codes, double* out, int rows,
               InterruptPoller* poller) {
  StepSession session(parts_.pool, poller);
  if (!stepper_) stepper_.reset(new LoneStepper(*this));
  LoneStepper& stepper = *stepper_;
  // Also after an exception of the poller.
  struct Writing {
    LoneStepper& stepper;
    ~Writing() { stepper.write_back(); }
  } const writing{stepper};
  const int begun = parts_.clock.steps;
  int done = 0, row = 0;
  while (done < steps) {
    session.before_step();
    const int left = steps - done, due = every - (begun + done) % every;
    const int now = stepper.step(row < rows ? std::min(left, due) : left, left);
    if (now == 0) break;
    done += now;
    if (row >= rows || (begun + done) % every != 0) continue;
    stepper.write_back();
    sample(parts_, codes, out + static_cast<std::size_t>(row) * (codes.size() / 2));
    ++row;
  }
  session.done();
  return done;
}

}  // namespace rigid
