// SPDX-License-Identifier: MIT
// The steps of one world: in stages, or many at once in the lanes while nothing else happens in it.
#include <algorithm>

#include "engine/batch/lane_stay.h"
#include "engine/channels.h"
#include "engine/world.h"

namespace rigid {

int World::step(int steps, Watch* watch) {
  Shift shift(pool_, watch);
  LoneStay stay(*this);
  int done = 0;
  while (done < steps) {
    shift.before_step();
    const int left = steps - done;
    const int ahead = stage_clock_.measures() ? 0 : stay.step(left, left);
    done += ahead;
    if (ahead > 0) continue;
    if (!step_once()) break;
    stay.note_step();
    ++done;
  }
  shift.done();
  return done;
}

int World::run(int steps, int every, std::span<const int32_t> codes, double* out, int rows,
               Watch* watch) {
  Shift shift(pool_, watch);
  LoneStay stay(*this);
  const int begun = clock_.steps;
  int done = 0, row = 0;
  while (done < steps) {
    shift.before_step();
    const int left = steps - done, due = every - (begun + done) % every;
    const int next = row < rows ? std::min(left, due) : left;
    int ahead = stage_clock_.measures() ? 0 : stay.step(next, left);
    if (ahead == 0) {
      if (!step_once()) break;
      stay.note_step();
      ahead = 1;
    }
    done += ahead;
    if ((begun + done) % every != 0 || row >= rows) continue;
    stay.write_back();
    sample(*this, codes, out + static_cast<std::size_t>(row) * (codes.size() / 2));
    ++row;
  }
  shift.done();
  return done;
}

}  // namespace rigid
