// SPDX-License-Identifier: MIT
// The steps of resident worlds, reading them, and writing their state back.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/batch/resident_group.h"
#include "engine/bodies/motion.h"
#include "engine/channels.h"
#include "engine/data/constants.h"

namespace rigid {

namespace {

// The place of a channel among those of a body's motion, which a lane has; -1 for others.
int motion_of(int channel) {
  constexpr std::string_view motions[] = {"x", "y", "angle", "vx", "vy", "omega"};
  static const std::vector<int> places = [&] {
    std::vector<int> found;
    for (const Channel& each : channels()) {
      const auto* place = std::find(std::begin(motions), std::end(motions), each.quantity);
      const bool known = each.owner == Owner::body && place != std::end(motions);
      found.push_back(known ? static_cast<int>(place - motions) : -1);
    }
    return found;
  }();
  return places[channel];
}

}  // namespace

int ResidentGroup::step(LaneTask& task, int steps) {
  if (stale_) fill_empty();
  bool meet = false;
  task.holds_sweep = [](void* owner, int body, const Sweep& sweep) {
    const auto* lane = static_cast<const Lane*>(owner);
    return lane->meets && lane->parts->continuous.stays_in_boxes(body, sweep);
  };
  for (int i = 0; i < LaneTask::most_width; ++i) {
    const bool inside = i < size() && lanes_[i].inside;
    task.worlds[i].owner = inside ? &lanes_[i] : nullptr;
    if (!inside) continue;
    meet = meet || lanes_[i].meets;
    if (!lanes_[i].renews) continue;
    task.settled = false;
    for (BatchState::System& system : state_.systems) {
      system.balance.at[i] = system.reference.at[i] = 0;
    }
  }
  int done = 0;
  if (!meet) {
    done = model_->step(task, state_, steps);
    note_steps(done);
  }
  while (meet && done < steps && step_one(task)) ++done;
  if (done < steps) put_out_failed();
  return done;
}

void ResidentGroup::note_steps(int done) {
  for (Lane& lane : lanes_) {
    if (!lane.inside || done == 0) continue;
    lane.stayed += done;
    lane.ahead += done;
    if (lane.renews) lane.parts->mechanisms.note_renewed();
    lane.renews = false;
  }
}

// A step of worlds whose bodies may meet others; false, without a step, where some needs more.
bool ResidentGroup::step_one(LaneTask& task) {
  state_.failed = find_pairs();
  if (state_.failed != 0 || model_->step(task, state_, 1) == 0) return false;
  task.settled = true;
  note_steps(1);
  for (int i = 0; i < size(); ++i) {
    if (lanes_[i].inside && lanes_[i].meets) move_boxes(i);
  }
  return true;
}

// The lanes of worlds in which shapes have come near each other. Of these the contacts are created
// as at the beginning of their step, which they then take alone.
uint32_t ResidentGroup::find_pairs() {
  uint32_t near = 0;
  for (int i = 0; i < size(); ++i) {
    WorldParts& world = *lanes_[i].parts;
    if (!lanes_[i].inside || !world.broadphase.any_moved()) continue;
    pairs_.clear();
    const bool all = world.broadphase.find_pairs(pairs_);
    if (all && pairs_.empty()) continue;
    near |= 1u << i;
    write_back(i);
    for (const Broadphase::Pair& pair : pairs_) {
      if (all && world.broadphase.add_pair(pair.a, pair.b))
        world.contacts.create_contact(pair.a, pair.b);
    }
  }
  return near;
}

namespace {

// Copies the centre and the velocities of a body from a lane.
void take_motion(const BatchState::Body& from, int lane, Body& body, BodyState& state) {
  body.center_x = from.x.at[lane];
  body.center_y = from.y.at[lane];
  state.vx = from.vx.at[lane];
  state.vy = from.vy.at[lane];
  state.omega = from.omega.at[lane];
}

}  // namespace

// Updates the boxes of a world's shapes after a step.
void ResidentGroup::move_boxes(int lane) {
  WorldParts& world = *lanes_[lane].parts;
  Bodies& bodies = world.bodies;
  for (std::size_t place = 0; place < centers_.size(); ++place) {
    const int i = bodies.awake_list[place];
    Body& body = bodies[i];
    const BatchState::Body& from = state_.bodies[place];
    take_motion(from, lane, body, bodies.states[i]);
    body.rotation = {static_cast<float>(from.cosine.at[lane]),
                     static_cast<float>(from.sine.at[lane])};
    keep_motion(body, bodies.steps[i], from.dx.at[lane], from.dy.at[lane], from.turned.at[lane]);
  }
  world.broadphase.update_proxies();
}

// Worlds that failed leave; an empty lane that failed repeats another one.
void ResidentGroup::put_out_failed() {
  for (int i = 0; i < size(); ++i) {
    Lane& lane = lanes_[i];
    if (!lane.inside || (state_.failed >> i & 1) == 0) continue;
    const bool stayed = lane.stayed > constants::steps_between_stays;
    put_out(i);
    lane.ready = false;
    // One that left immediately is not tested again so soon.
    lane.waits = stayed ? 0 : constants::steps_between_stays;
  }
  fill_empty();
}

bool ResidentGroup::sample(int lane, std::span<const int32_t> codes, double* out) {
  if (!lanes_[lane].inside) return false;
  if (read_motion(lane, codes, out)) return true;
  const std::span<const Channel> known = channels();
  for (std::size_t i = 0; 2 * i < codes.size(); ++i) {
    if (!known[codes[2 * i]].in_lanes) return false;
  }
  WorldParts& world = *lanes_[lane].parts;
  write_places(lane, world);
  rigid::sample(world, codes, out);
  return true;
}

// Reads from the lane itself; false where a channel is not of a body's motion.
bool ResidentGroup::read_motion(int lane, std::span<const int32_t> codes, double* out) const {
  for (std::size_t i = 0; 2 * i < codes.size(); ++i) {
    const int motion = motion_of(codes[2 * i]), body = codes[2 * i + 1];
    const int place = motion < 0 ? -1 : places_[body];
    if (place < 0) return false;
    const BatchState::Body& own = state_.bodies[place];
    if (motion == 2) out[i] = own.angle.at[lane];
    if (motion == 3) out[i] = own.vx.at[lane];
    if (motion == 4) out[i] = own.vy.at[lane];
    if (motion == 5) out[i] = own.omega.at[lane];
    if (motion > 1) continue;
    const double c = own.cosine.at[lane], s = own.sine.at[lane];
    const double x = centers_[place].at[lane].x, y = centers_[place].at[lane].y;
    out[i] = motion == 0 ? own.x.at[lane] - (c * x - s * y) : own.y.at[lane] - (s * x + c * y);
  }
  return true;
}

void ResidentGroup::write_back() {
  for (int i = 0; i < size(); ++i) write_back(i);
}

void ResidentGroup::write_back(int index) {
  Lane& lane = lanes_[index];
  if (!lane.inside) return;
  WorldParts& world = *lane.parts;
  for (const BatchState::Source& source : state_.sources) {
    if (!lane.forced) break;
    world.forces.set(source.index, source.x.at[index], source.y.at[index], source.torque.at[index],
                     source.enabled.at[index] != 0);
  }
  lane.forced = false;
  if (lane.ahead == 0) return;
  write_bodies(index, world);
  for (std::size_t i = 0; i < state_.systems.size(); ++i) {
    world.mechanisms.for_lanes()[i].copy_from(state_.systems[i], index, world.joints);
  }
  world.clock.steps += lane.ahead;
  lane.ahead = 0;
}

void ResidentGroup::write_places(int lane, WorldParts& world) const {
  Bodies& bodies = world.bodies;
  for (std::size_t place = 0; place < centers_.size(); ++place) {
    const int i = bodies.awake_list[place];
    Body& body = bodies[i];
    const BatchState::Body& from = state_.bodies[place];
    take_motion(from, lane, body, bodies.states[i]);
    body.angle = from.angle.at[lane];
    place_origin(bodies, i, {from.sine.at[lane], from.cosine.at[lane]});
  }
}

// Writes the bodies of a lane, as finish_bodies leaves them.
void ResidentGroup::write_bodies(int lane, WorldParts& world) const {
  write_places(lane, world);
  Bodies& bodies = world.bodies;
  for (std::size_t place = 0; place < centers_.size(); ++place) {
    const int i = bodies.awake_list[place];
    Body& body = bodies[i];
    const BatchState::Body& from = state_.bodies[place];
    BodyStep& step = bodies.steps[i];
    push_body(step, body, bodies.stiffened_inverse_masses[i], bodies.inverse_masses[i].mass,
              world.parameters);
    step.ax = from.ax.at[lane];
    step.ay = from.ay.at[lane];
    step.alpha = from.alpha.at[lane];
    step.after_x = from.after_x.at[lane];
    step.after_y = from.after_y.at[lane];
    step.correction_x = from.correction_x.at[lane];
    step.correction_y = from.correction_y.at[lane];
    step.looked_at = from.looked_at.at[lane];
    keep_motion(body, step, from.dx.at[lane], from.dy.at[lane], from.turned.at[lane]);
    const BodyState& state = bodies.states[i];
    body.expected_velocity = {state.vx, state.vy};
    body.expected_spin = state.omega;
    world.separations.place(i, body);
  }
}

}  // namespace rigid
