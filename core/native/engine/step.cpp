// SPDX-License-Identifier: MIT
// The order of one step, from top to bottom in begin, solve and end: forces, pairs, contacts,
// mechanisms, the solver, motion, and the results.
#include "engine/step.h"

#include <algorithm>
#include <cmath>

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"

namespace rigid {

namespace {

// Reading the clock takes a tenth of a small world's step: of these only one in `timed_interval` is
// timed.
constexpr std::size_t small_world = 64;
constexpr int timed_interval = 16;

constexpr int contact_piece = 128;  // new contacts that are worth a poll

StepError error_of(const WorldParts& parts, EventKind kind, int body) {
  const Body& its = parts.bodies[body];
  const BodyState& state = parts.bodies.states[body];
  return {kind,         body,     parts.clock.steps, its.center_x,
          its.center_y, state.vx, state.vy,          state.omega};
}

}  // namespace

// Prepares all data of the step for the solver.
bool Step::begin(bool in_lanes) {
  if (parts_.error) return false;
  parts_.stopwatch.start(parts_.bodies.size() > small_world ||
                         parts_.clock.steps % timed_interval == 0);
  parts_.stage_clock.clear();
  world_.finish();
  parts_.parameters.servo_rate = parts_.parameters.inverse_h;
  parts_.joints.turn_ratchets(parts_.definition.dt);
  apply_forces();
  parts_.islands.apply_wakes();
  if (!update_pairs(parts_)) return false;
  parts_.stopwatch.lap(parts_.times.pairs);
  parts_.narrow_phase.update_contacts();
  parts_.islands.apply_wakes();
  parts_.bodies.collect_awake();
  parts_.carriers.take_along();
  parts_.stopwatch.lap(parts_.times.narrow);
  parts_.mechanisms.make_systems();
  parts_.lanes.make_spans(!parts_.mechanisms.empty());
  parts_.goes_in_lanes = in_lanes && why_not_in_lanes(parts_) == nullptr;
  parts_.solver->prepare(parts_.goes_in_lanes);
  parts_.stopwatch.lap(parts_.times.prepare);
  return true;
}

void Step::open() {
  if (!parts_.mechanisms.empty())
    parts_.states_before.assign(parts_.bodies.states.data(),
                                parts_.bodies.states.data() + parts_.bodies.states.size());
  parts_.effective_masses.keep_impulses(parts_.contact_joint_problems.any_firm());
  parts_.conservation.open();
}

bool Step::end() {
  parts_.stopwatch.lap(parts_.times.solve);
  parts_.tracks.finish_tracks();
  const bool all_valid =
      finish_bodies(parts_.bodies, parts_.separations, parts_.definition, parts_.pool);
  ++parts_.clock.steps;
  parts_.narrow_phase.report_touching();
  bool good = all_valid || check_errors();
  if (good) {
    break_joints();
    apply_bounds();
    parts_.islands.apply_wakes();
    parts_.bodies.collect_awake();
    parts_.broadphase.update_proxies();
  }
  parts_.stopwatch.lap(parts_.times.finish);
  if (good) parts_.islands.put_to_sleep();
  parts_.stopwatch.lap(parts_.times.sleep);
  return good;
}

void Step::apply_forces() {
  parts_.forces.apply(parts_.bodies, parts_.clock,
                      [this](const Push& push) { world_.apply(push); });
  if (parts_.attraction.acts() && parts_.parameters.pulls_in_substeps) {
    parts_.attraction.wake();
  } else if (parts_.attraction.acts()) {
    parts_.attraction.pull(parts_.contacts.all());
  }
  parts_.surroundings.apply();
}

bool update_pairs(WorldParts& parts) {
  std::vector<Broadphase::Pair> pairs;
  if (!parts.broadphase.find_pairs(pairs)) {
    parts.error = error_of(parts, EventKind::crowded, parts.broadphase.most_crowded());
    return false;
  }
  for (const Broadphase::Pair& pair : pairs) {
    parts.pool.charge(1, contact_piece);
    if (parts.broadphase.add_pair(pair.a, pair.b)) parts.contacts.create_contact(pair.a, pair.b);
  }
  return true;
}

void Step::solve(bool solved) {
  if (solved) {
    parts_.mechanisms.store_systems();
  } else {
    parts_.solver->solve();
  }
  // If the load of a jerk was too large for light bodies, or for a motor, the step is repeated with
  // the present knowledge.
  int& repeats = parts_.times.repeats;
  for (repeats = 0; repeats < constants::most_repeats; ++repeats) {
    const bool surprised = parts_.geometric_stiffness.stiffen(),
               overloaded = parts_.mechanisms.find_overloads();
    if (!surprised && !overloaded) break;
    if (overloaded) parts_.effective_masses.restore_impulses();
    std::copy(parts_.states_before.begin(), parts_.states_before.end(),
              parts_.bodies.states.data());
    parts_.mechanisms.rewind();
    parts_.solver->prepare();
    parts_.solver->solve();
  }
  parts_.mechanisms.forget_overloads();
  parts_.stage_clock.start();
  parts_.times.checked_islands = parts_.conservation.close();
  parts_.stage_clock.lap(Stage::conservation);
}

void Step::break_joints() {
  std::vector<double> pushes;  // by body
  if (!parts_.bars.empty() && parts_.joints.any_breaks_by_push()) {
    const std::vector<double> of_bars = parts_.bars.push_pulls(
        parts_.bodies, parts_.joints, parts_.contacts, parts_.forces, parts_.clock);
    pushes.assign(parts_.bodies.size(), 0.0);
    for (std::size_t i = 0; i < pushes.size(); ++i) {
      const int bar = parts_.bars.of_body(static_cast<int>(i));
      if (bar >= 0) pushes[i] = of_bars[bar];
    }
  }
  parts_.joints.break_joints(pushes, parts_.definition.dt, parts_.clock.steps, parts_.events);
}

// Called after finish_bodies: states are final, so an error describes the step's result.
bool Step::check_errors() {
  const ValidityLimits limits(parts_.definition);
  bool stop = false;
  for (int i : parts_.bodies.awake_list) {
    const BodyState& state = parts_.bodies.states[i];
    const Body& body = parts_.bodies[i];
    if (limits.hold(body, state)) continue;
    bool finite = std::isfinite(body.center_x) && std::isfinite(body.center_y) &&
                  std::isfinite(body.angle) && std::isfinite(state.vx) && std::isfinite(state.vy) &&
                  std::isfinite(state.omega);
    EventKind kind = finite ? EventKind::runaway : EventKind::not_finite;
    parts_.events.tell(parts_.clock.steps, kind, i);
    if (!parts_.definition.freeze_on_error) {
      parts_.error = error_of(parts_, kind, i);
      stop = true;
      break;
    }
    parts_.errors.push_back(error_of(parts_, kind, i));
    parts_.bodies[i].frozen = true;
  }
  if (stop || !parts_.definition.freeze_on_error) return !stop;
  for (int i = 1; i < parts_.bodies.count(); ++i) {
    if (parts_.bodies[i].frozen && parts_.bodies.alive[i]) world_.remove_body(i);
  }
  return true;
}

void Step::apply_bounds() {
  if (!parts_.definition.has_bounds) return;
  const double* b = parts_.definition.bounds;
  std::vector<int> left;
  for (int i : parts_.bodies.awake_list) {
    if (!parts_.bodies.is_dynamic(i)) continue;
    const Body& body = parts_.bodies[i];
    if (body.center_x < b[0] || body.center_y < b[1] || body.center_x > b[2] ||
        body.center_y > b[3]) {
      left.push_back(i);
    }
  }
  for (int i : left) {
    parts_.events.tell(parts_.clock.steps, EventKind::left_bounds, i);
    world_.remove_body(i);
  }
}

const char* why_not_in_lanes(const WorldParts& parts) {
  const Mechanisms& mechanisms = parts.mechanisms;
  if (parts.attraction.acts()) return "bodies attract each other";
  if (parts.lanes.contact_count() > 0 || !parts.tracks.empty()) return "bodies touch";
  if (parts.bodies.has_bullets) return "it has bullets";
  if (mechanisms.empty()) return "it has no joints that are solved directly";
  if (parts.lanes.has_joints() || !parts.iterative.empty() || mechanisms.has_drivers()) {
    return "it has joints that are solved one by one";
  }
  if (!mechanisms.are_for_lanes()) {
    return "its mechanisms are not held, have springs, or are too large or too many";
  }
  std::size_t members = parts.bodies.awake_list.size();
  for (const JointSystem& system : mechanisms.systems()) members += system.holders().size();
  return members > LaneTask::most_bodies ? "too many bodies move in it" : nullptr;
}

}  // namespace rigid
