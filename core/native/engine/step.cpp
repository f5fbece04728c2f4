// SPDX-License-Identifier: MIT
// The order of one step, from top to bottom in begin_step, solve_step and end_step: what pushes,
// which pairs are near, where they touch, what is solved at once, the solver, motion, and what
// follows from it.
#include <algorithm>
#include <cmath>

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"
#include "engine/world.h"

namespace rigid {

namespace {

// Looking at the clock takes a tenth of a small world's step: of these one in so many is timed.
constexpr std::size_t small_world = 64;
constexpr int timed_interval = 16;

constexpr int contact_piece = 128;  // new contacts that are worth a look at the watch

}  // namespace

// Up to where the solver knows all of the step.
bool World::begin_step(bool in_lanes) {
  if (error_) return false;
  watch_.start(bodies_.size() > small_world || clock_.steps % timed_interval == 0);
  stage_clock_.clear();
  finish();
  parameters_.servo_rate = parameters_.inverse_h;
  joints_.turn_ratchets(definition_.dt);
  apply_forces();
  islands_.apply_wakes();
  if (!update_pairs()) return false;
  watch_.lap(statistics_.pairs);
  narrow_phase_.update_contacts();
  islands_.apply_wakes();
  bodies_.collect_awake();
  carriers_.take_along();
  watch_.lap(statistics_.narrow);
  mechanisms_.make_systems();
  lanes_.make_spans(!mechanisms_.empty());
  goes_in_lanes_ = in_lanes && is_for_lanes();
  solver_->prepare(goes_in_lanes_);
  if (!mechanisms_.empty())
    before_.assign(bodies_.states.data(), bodies_.states.data() + bodies_.states.size());
  loads_.keep_impulses(footings_.any_firm());
  conservation_.open();
  watch_.lap(statistics_.prepare);
  return true;
}

bool World::end_step() {
  watch_.lap(statistics_.solve);
  tracks_.finish_tracks();
  const bool all_calm = finish_bodies(bodies_, separations_, definition_, pool_);
  ++clock_.steps;
  narrow_phase_.report_touching();
  bool good = all_calm || check_errors();
  if (good) {
    break_joints();
    apply_bounds();
    islands_.apply_wakes();
    bodies_.collect_awake();
    broadphase_.update_proxies();
  }
  watch_.lap(statistics_.finish);
  if (good) islands_.put_to_sleep();
  watch_.lap(statistics_.sleep);
  return good;
}

bool World::is_for_lanes() const {
  return !attraction_.acts() && lanes_.contact_count() == 0 && !lanes_.has_joints() &&
         iterative_.empty() && tracks_.empty() && !bodies_.has_bullets &&
         mechanisms_.are_for_lanes();
}

void World::apply_forces() {
  forces_.apply(bodies_, clock_, [this](const Push& push) { apply(push); });
  if (attraction_.acts() && parameters_.pulls_in_substeps) {
    attraction_.wake();
  } else if (attraction_.acts()) {
    attraction_.pull(contacts_.all());
  }
  surroundings_.apply();
}

// False where a world has more pairs than it may have: then nothing else has changed.
bool World::update_pairs() {
  std::vector<Broadphase::Pair> pairs;
  if (!broadphase_.find_pairs(pairs)) {
    error_ = error_of(EventKind::crowded, broadphase_.most_crowded());
    return false;
  }
  for (const Broadphase::Pair& pair : pairs) {
    pool_.spend(1, contact_piece);
    if (broadphase_.add_pair(pair.a, pair.b)) contacts_.create_contact(pair.a, pair.b);
  }
  return true;
}

// `solved`: the substeps are done, side by side with those of other worlds
// (batch/side_by_side.cpp).
void World::solve_step(bool solved) {
  if (solved) {
    mechanisms_.store_systems();
  } else {
    solver_->solve();
  }
  // A jerk that light bodies could not stand, or a load that a motor could not: once more, with
  // what is known now.
  for (int again = 0; again < constants::most_rehearsals; ++again) {
    const bool surprised = tension_.stiffen(), overloaded = mechanisms_.find_overloads();
    if (!surprised && !overloaded) break;
    if (overloaded) loads_.restore_impulses();
    std::copy(before_.begin(), before_.end(), bodies_.states.data());
    mechanisms_.rewind();
    solver_->prepare();
    solver_->solve();
  }
  mechanisms_.forget_overloads();
  stage_clock_.start();
  conservation_.close();
  stage_clock_.lap(Stage::conservation);
}

void World::break_joints() {
  std::vector<double> pushes;  // of each body
  if (!bars_.empty() && joints_.any_breaks_by_push()) {
    const std::vector<double> of_bars =
        bars_.push_pulls(bodies_, joints_, contacts_, forces_, clock_);
    pushes.assign(bodies_.size(), 0.0);
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      const int bar = bars_.of_body(static_cast<int>(i));
      if (bar >= 0) pushes[i] = of_bars[bar];
    }
  }
  joints_.break_joints(pushes, definition_.dt, clock_.steps, events_);
}

StepError World::error_of(EventKind kind, int body) const {
  const Body& its = bodies_[body];
  const BodyState& state = bodies_.states[body];
  return {kind, body, clock_.steps, its.center_x, its.center_y, state.vx, state.vy, state.omega};
}

// After finish_bodies: states are where they belong, so an error names the step's result.
bool World::check_errors() {
  const Calm calm(definition_);
  bool stop = false;
  for (int i : bodies_.awake_list) {
    const BodyState& state = bodies_.states[i];
    const Body& body = bodies_[i];
    if (calm(body, state)) continue;
    bool finite = std::isfinite(body.center_x) && std::isfinite(body.center_y) &&
                  std::isfinite(body.angle) && std::isfinite(state.vx) && std::isfinite(state.vy) &&
                  std::isfinite(state.omega);
    EventKind kind = finite ? EventKind::runaway : EventKind::not_finite;
    events_.tell(clock_.steps, kind, i);
    if (!definition_.freeze_on_error) {
      error_ = error_of(kind, i);
      stop = true;
      break;
    }
    errors_.push_back(error_of(kind, i));
    bodies_[i].frozen = true;
  }
  if (stop || !definition_.freeze_on_error) return !stop;
  for (int i = 1; i < bodies_.count(); ++i) {
    if (bodies_[i].frozen && bodies_.alive[i]) remove_body(i);
  }
  return true;
}

void World::apply_bounds() {
  if (!definition_.has_bounds) return;
  const double* b = definition_.bounds;
  std::vector<int> left;
  for (int i : bodies_.awake_list) {
    if (!bodies_.is_dynamic(i)) continue;
    const Body& body = bodies_[i];
    if (body.center_x < b[0] || body.center_y < b[1] || body.center_x > b[2] ||
        body.center_y > b[3]) {
      left.push_back(i);
    }
  }
  for (int i : left) {
    events_.tell(clock_.steps, EventKind::left_bounds, i);
    remove_body(i);
  }
}

}  // namespace rigid
