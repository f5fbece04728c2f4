// SPDX-License-Identifier: MIT
// Phases and tracks, with the formulas of core/world/script/animations.py and
// tracks.py.
#include "script/animations.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "script/turning.h"

namespace rigid::script {

namespace {

double phase_of(Playing kind, double passed) {
  if (kind == Playing::loop) return passed - std::floor(passed);
  if (kind == Playing::ping_pong) {
    const double turn = passed - 2.0 * std::floor(0.5 * passed);
    return turn <= 1.0 ? turn : 2.0 - turn;
  }
  return std::min(passed, 1.0);
}

double between(double first, double second, double part) { return first + (second - first) * part; }

// ------------------------------------------------------------ values of tracks

// One coordinate of a track at its key i.
struct Curve {
  const Track& track;
  int coordinate;
  double operator()(int i) const { return track.values[i * track.width + coordinate]; }
};

// The slope of a monotone cubic spline at a key (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5,
// 1984). At the ends of a repeated loop it follows from both, otherwise it is 0.
double slope(const Curve& at, int i, Playing kind) {
  const std::vector<double>& times = at.track.times;
  const int last = static_cast<int>(times.size()) - 1;
  int before = i - 1, after = i;
  if (i == 0 || i == last) {
    if (kind != Playing::loop || times[0] > 0.0 || times[last] < 1.0) return 0.0;
    before = last - 1;
    after = 0;
  }
  const double spans[] = {times[before + 1] - times[before], times[after + 1] - times[after]};
  const double rises[] = {(at(before + 1) - at(before)) / spans[0],
                          (at(after + 1) - at(after)) / spans[1]};
  if (rises[0] * rises[1] <= 0.0) return 0.0;
  const double first = 2.0 * spans[1] + spans[0], second = spans[1] + 2.0 * spans[0];
  return (first + second) / (first / rises[0] + second / rises[1]);
}

double cubic(const Curve& at, int i, double part, Playing kind) {
  const double length = at.track.times[i + 1] - at.track.times[i];
  const double ends[] = {length * part * (1.0 - part) * (1.0 - part),
                         length * part * part * (part - 1.0)};
  const double share = part * part * (3.0 - 2.0 * part);
  const double slopes[] = {slope(at, i, kind), slope(at, i + 1, kind)};
  double value = between(at(i), at(i + 1), share);
  value += slopes[0] * ends[0] + slopes[1] * ends[1];
  const double low = std::min(at(i), at(i + 1)), high = std::max(at(i), at(i + 1));
  return std::min(std::max(value, low), high);  // of which rounding alone leads out
}

double eased(double part, uint8_t easing) {
  if (easing == 2) return 0.0;
  return easing == 1 ? part * part * (3.0 - 2.0 * part) : part;
}

Numbers value_at(const Track& track, double phase, Playing kind) {
  const std::vector<double>& times = track.times;
  const auto after =
      static_cast<int>(std::upper_bound(times.begin(), times.end(), phase) - times.begin());
  const int last = static_cast<int>(times.size()) - 1;
  Numbers found{};
  for (int k = 0; k < track.width; ++k) {
    const Curve at{track, k};
    if (after == 0 || after > last) {
      found[k] = at(after == 0 ? 0 : last);
      continue;
    }
    const double since = phase - times[after - 1], length = times[after] - times[after - 1];
    if (!track.interpolates) {
      found[k] = at(after - 1);
    } else if (track.easing == 3) {
      found[k] = cubic(at, after - 1, since / length, kind);
    } else {
      found[k] = between(at(after - 1), at(after), eased(since / length, track.easing));
    }
  }
  return found;
}

// ------------------------------------------------------------ bodies that are moved

// The velocity of the centre of mass that takes the origin along in a step.
Numbers of_center(const Scene& scene, int slot, Numbers velocity, const Exact& exact) {
  const Bodies& bodies = scene.world.parts().bodies;
  const double cx = bodies[slot].local_center.x, cy = bodies[slot].local_center.y;
  const double omega = bodies.states[slot].omega, dt = scene.program.dt;
  if ((cx == 0.0 && cy == 0.0) || omega == 0.0) return velocity;
  const double angle = bodies.angle[slot];
  const Turn now = turn_of(angle, exact), then = turn_of(angle + omega * dt, exact);
  const double dx = (then.cosine - now.cosine) * cx - (then.sine - now.sine) * cy;
  const double dy = (then.sine - now.sine) * cx + (then.cosine - now.cosine) * cy;
  return {velocity[0] + dx / dt, velocity[1] + dy / dt};
}

// Sets the velocity that moves a kinematic body to a value; returns whether it moves.
bool send(const Scene& scene, const Place& place, const Numbers& value, const Exact& exact) {
  scene.world.finish();
  const Bodies& bodies = scene.world.parts().bodies;
  const int slot = place.owner;
  if (bodies[slot].kind != BodyKind::kinematic) return false;
  const BodyState state = bodies.states[slot];
  const double dt = scene.program.dt;
  if (place.target == Target::angle) {
    const double omega = (value[0] - bodies.angle[slot]) / dt;
    if (omega == 0.0 && state.omega == 0.0f) return false;
    scene.world.set_velocity(slot, state.vx, state.vy, static_cast<float>(omega));
    return tell(scene, Change::moved, bodies.slots.id(slot));
  }
  Numbers velocity{(value[0] - bodies.x[slot]) / dt, (value[1] - bodies.y[slot]) / dt};
  velocity = of_center(scene, slot, velocity, exact);
  if (velocity == Numbers{} && state.vx == 0.0f && state.vy == 0.0f) return false;
  scene.world.set_velocity(slot, static_cast<float>(velocity[0]), static_cast<float>(velocity[1]),
                           state.omega);
  return tell(scene, Change::moved, bodies.slots.id(slot));
}

// ------------------------------------------------------------ phases

void move(const Animation& plan, PlayingState& state, int way, double by) {
  if (way != 0) {
    state.phase = std::min(1.0, std::max(0.0, state.phase + way * by));
  } else if (!std::isnan(plan.back_to) && state.phase != plan.back_to) {
    const double left = plan.back_to - state.phase;
    if (std::fabs(left) <= by) {
      state.phase = plan.back_to;
    } else {
      state.phase += left > 0.0 ? by : -by;
    }
  }
}

void advance(const Animation& plan, PlayingState& state, int64_t step, double dt, int way) {
  const double before = state.phase;
  if (plan.kind == Playing::manual) {
    move(plan, state, way, dt / plan.duration);
  } else if (state.begun >= 0) {
    const double passed =
        plan.start + static_cast<double>(step + 1 - state.begun) * dt / plan.duration;
    state.phase = phase_of(plan.kind, passed);
  }
  if (state.phase != before) state.settled = false;
}

void apply(const Scene& scene, const Animation& plan, PlayingState& state, const Exact& exact) {
  if (state.settled) return;
  bool done = true;
  for (std::size_t i = 0; i < plan.tracks.size(); ++i) {
    const Track& track = plan.tracks[i];
    const Numbers value = value_at(track, state.phase, plan.kind);
    const Place place = own_place(scene, track.place);
    state.moved[i] = 0;
    if (place.owner == none) continue;
    if (!track.moves_body) {
      set(scene, place, place.owner, value);
    } else if (is_there(scene, place, place.owner)) {
      state.moved[i] = send(scene, place, value, exact) ? 1 : 0;
    }
    done = done && state.moved[i] == 0;
  }
  state.settled = done;
}

bool rests(const Animation& plan, const PlayingState& state, int way) {
  if (!state.settled) return false;
  if (plan.kind == Playing::manual) {
    if (way != 0) return state.phase == (way > 0 ? 1.0 : 0.0);
    return std::isnan(plan.back_to) || state.phase == plan.back_to;
  }
  return state.begun < 0 || (plan.kind == Playing::once && state.phase == 1.0);
}

}  // namespace

bool go_on(const Scene& scene, const Animation& plan, PlayingState& state, int way,
           const Exact& exact) {
  advance(plan, state, scene.step, scene.program.dt, way);
  apply(scene, plan, state, exact);
  return !rests(plan, state, way);
}

bool animate(const Scene& scene, const std::vector<int>& ways, const Exact& exact) {
  bool busy = false;
  for (std::size_t i = 0; i < scene.program.animations.size(); ++i) {
    busy |= go_on(scene, scene.program.animations[i], scene.state.animations[i], ways[i], exact);
  }
  return busy;
}

void place_animation(const Scene& scene, const Animation& plan, const PlayingState& state) {
  if (plan.kind != Playing::manual && state.begun < 0) return;
  for (const Track& track : plan.tracks) {
    const Place place = own_place(scene, track.place);
    if (!track.moves_body || place.owner < 0) continue;
    set(scene, place, place.owner, value_at(track, state.phase, plan.kind));
  }
}

void place_animations(const Scene& scene) {
  for (std::size_t i = 0; i < scene.program.animations.size(); ++i) {
    place_animation(scene, scene.program.animations[i], scene.state.animations[i]);
  }
}

void play(const Animation& plan, PlayingState& state, int64_t step) {
  state.begun = step;
  state.phase = plan.kind == Playing::ping_pong ? phase_of(plan.kind, plan.start) : plan.start;
  state.settled = false;
}

void stop(PlayingState& state) {
  if (state.begun < 0) return;
  state.begun = none;
  state.settled = false;
}

}  // namespace rigid::script
