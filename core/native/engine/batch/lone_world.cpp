// SPDX-License-Identifier: MIT
// The steps of a single world: in stages, or many together in the lanes while it has no contacts.
#include <algorithm>

#include "engine/batch/resident_group.h"
#include "engine/channels.h"
#include "engine/data/constants.h"
#include "engine/step.h"

namespace rigid {

namespace {

// Steps a world alone, for the duration of a call.
class LoneStepper {
 public:
  explicit LoneStepper(World& world) : world_(world), resident_(world), task_{} {}
  ~LoneStepper() { resident_.leave(); }
  // Takes up to `most` of the remaining `left` steps; returns their number, 0 if the world stopped.
  int step(int most, int left) {
    if (const int ahead = step_in_lanes(most, left); ahead > 0) return ahead;
    if (!Step(world_).run()) return 0;
    resident_.note_step(true);
    return 1;
  }
  void write_back() { resident_.write_back(); }

 private:
  int step_in_lanes(int most, int left) {
    if (world_.parts().stage_clock.measures()) return 0;
    const bool held = resident_.holds();
    if (!held && (left < constants::shortest_stay || !resident_.enter(model_))) return 0;
    if (task_.memory == nullptr) task_.memory = memory_.reserve(find_kernels(1)->lane_memory);
    task_.settled = held;
    const int now = std::min(most, constants::steps_at_once);
    const int done = resident_.step(task_, now);
    if (done < now) resident_.leave();
    return done;
  }

  World& world_;
  ResidentGroup resident_;
  LaneScratch memory_;
  LaneTask task_;
  std::shared_ptr<const LaneModel> model_;
};

}  // namespace

int World::step(int steps, InterruptPoller* poller) {
  return run(steps, 1, {}, nullptr, 0, poller);
}

int World::run(int steps, int every, std::span<const int32_t> codes, double* out, int rows,
               InterruptPoller* poller) {
  StepSession session(parts_.pool, poller);
  LoneStepper stepper(*this);
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
