// SPDX-License-Identifier: MIT
// Entering, stepping and leaving of resident worlds.
#include "engine/batch/resident_group.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "engine/bodies/motion.h"
#include "engine/channels.h"
#include "engine/data/constants.h"
#include "engine/step.h"
#include "sorting.h"

namespace rigid {

namespace {

// The rotation of a body that does not move, as in SystemRows::prepare_node.
SineCosine still_turn(double angle) {
  const bool level = angle == 0 && !std::signbit(angle);
  return level ? SineCosine{0, 1} : sine_cosine(angle);
}

// Whether a body keeps the masses of the last step in the next one: mechanisms are copied with
// those masses. A body that was stiffened for that step only (geometric_stiffness.h) does not.
bool keeps_masses(const Bodies& bodies, int i, const StepParameters& parameters) {
  BodyStep step;
  const InverseMass had = bodies.step_inverse_masses[i];
  const InverseMass has = push_body(step, bodies[i], bodies.stiffened_inverse_masses[i],
                                    bodies.inverse_masses[i].mass, parameters);
  return has.mass == had.mass && has.inertia == had.inertia;
}

// The smallest number of lanes that holds a number of worlds.
int width_for(int worlds) {
  constexpr int widths[] = {1, 4, 8, LaneTask::most_width};
  int widest = 1;
  for (int width : widths) {
    if (find_kernels(width) == nullptr) continue;
    widest = width;
    if (width >= worlds) break;
  }
  return widest;
}

// Calls take for each array with a place for each lane.
template <class Take>
void for_each_value(BatchState::Body& b, Take take) {
  for (auto* each : {&b.x, &b.y, &b.angle, &b.cosine, &b.sine}) take(*each);
  for (auto* each : {&b.vx,
                     &b.vy,
                     &b.omega,
                     &b.dx,
                     &b.dy,
                     &b.turned,
                     &b.after_x,
                     &b.after_y,
                     &b.correction_x,
                     &b.correction_y,
                     &b.ax,
                     &b.ay,
                     &b.alpha,
                     &b.linear_factor,
                     &b.angular_factor,
                     &b.sweep_margin,
                     &b.core_extent,
                     &b.weight_x,
                     &b.weight_y,
                     &b.inverse_mass,
                     &b.inverse_inertia,
                     &b.linear_gained,
                     &b.angular_gained}) {
    take(*each);
  }
}
template <class Take>
void for_each_value(BatchState::System& system, Take take) {
  for (BatchState::Node& n : system.nodes) {
    for (auto* each : {&n.mass_a, &n.inertia_a, &n.mass_b, &n.inertia_b, &n.anchor_ax, &n.anchor_ay,
                       &n.anchor_bx, &n.anchor_by, &n.axis_x, &n.axis_y, &n.reference, &n.length,
                       &n.own_a, &n.own_b, &n.own_mass, &n.total[0], &n.total[1], &n.total[2]}) {
      take(*each);
    }
  }
  for (BatchState::Row& r : system.rows) {
    for (auto* each : {&r.target, &r.lower_at, &r.upper_at, &r.maximum, &r.lowest, &r.highest,
                       &r.approach, &r.fastest, &r.motor}) {
      take(*each);
    }
  }
  for (BatchState::Account& a : system.accounts) {
    for (auto* each : {&a.own_mass, &a.own_inertia, &a.effective_mass, &a.effective_inertia})
      take(*each);
  }
  for (auto* each : {&system.least_mass, &system.least_inertia, &system.thrice, &system.balance,
                     &system.reference}) {
    take(*each);
  }
}
template <class Take>
void for_each_value(BatchState::Source& s, Take take) {
  for (auto* each : {&s.at_x, &s.at_y}) take(*each);
  for (auto* each : {&s.x, &s.y, &s.torque, &s.enabled}) take(*each);
}

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

// Whether a source acts, if it is enabled, in every step from now on.
bool acts_always(const ForceSource& source, const Clock& clock) {
  return source.kind != ForceKind::impulse && source.until > std::numeric_limits<double>::max() &&
         source.acts(clock.time(), clock.dt);
}

}  // namespace

ResidentGroup::ResidentGroup(std::span<const std::unique_ptr<World>> worlds)
    : width_(width_for(static_cast<int>(worlds.size()))) {
  for (const std::unique_ptr<World>& world : worlds) {
    lanes_.push_back({world.get(), &world->parts_to_step()});
    world->residence() = {this, size() - 1};
  }
}

ResidentGroup::ResidentGroup(World& alone) : width_(1), lanes_{{&alone, &alone.parts_to_step()}} {
  alone.residence() = {this, 0};
}

ResidentGroup::~ResidentGroup() {
  for (Lane& lane : lanes_) {
    write_back(static_cast<int>(&lane - lanes_.data()));
    lane.world->residence() = {};
  }
}

// Whether the coming steps, by present knowledge, consist only of forces and the motion of
// mechanisms.
bool ResidentGroup::may_enter(const WorldParts& world) {
  const WorldDefinition& d = world.definition;
  const Bodies& bodies = world.bodies;
  if (bodies.count() > LaneTask::most_bodies || !world.parameters.explicit_springs) return false;
  if (world.error || why_not_in_lanes(world) != nullptr || !world.unfinished.empty()) return false;
  if (d.sleep || d.has_bounds || !d.pools.empty() || (d.air_density > 0 && d.air_drag > 0))
    return false;
  if (world.joints.regrouped() || world.joints.any_watched() ||
      world.geometric_stiffness.stiffened() || world.stage_clock.measures())
    return false;
  if (bodies.awake_changed || !bodies.waking.empty() || world.broadphase.any_moved()) return false;
  const auto& contacts = world.contacts.all();
  if (std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.alive; }))
    return false;
  return std::all_of(bodies.awake_list.begin(), bodies.awake_list.end(), [&](int i) {
    return bodies.is_dynamic(i) && can_move(bodies.inverse_masses[i]) &&
           world.broadphase.leaves_out(i) && keeps_masses(bodies, i, world.parameters);
  });
}

// Lists the forces that act in each step, or will if they are enabled, by body; false where another
// one acts.
bool ResidentGroup::find_sources(const WorldParts& world,
                                 std::vector<BatchState::Source>& found) const {
  found.clear();
  const Bodies& bodies = world.bodies;
  const auto& forces = world.forces.all();
  for (int i = 0; i < world.forces.count(); ++i) {
    const ForceSource& source = forces[i];
    if (!source.alive || !bodies.alive[source.body] || !bodies.is_dynamic(source.body)) continue;
    if (!bodies.awake[source.body] || !acts_always(source, world.clock)) {
      if (source.enabled) return false;
      continue;
    }
    BatchState::Source& own = found.emplace_back();
    own.index = i;
    own.body = source.body;
    own.at_center = source.at_center;
    own.turns = source.kind == ForceKind::thruster;
  }
  rigid::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.body < b.body; });
  return true;
}

// Takes the structure of the first world that enters.
void ResidentGroup::found_home(const WorldParts& world) {
  state_.limits = ValidityLimits(world.definition);
  state_.dt = world.clock.dt;
  state_.bodies.resize(world.bodies.size());
  centers_.resize(world.bodies.size());
  state_.systems.resize(world.mechanisms.systems().size());
  for (BatchState::System& system : state_.systems) {
    for (BatchState::Node& node : system.nodes) node.swings = false;
  }
  state_.sources.swap(found_);
}

bool ResidentGroup::enter(int index, std::shared_ptr<const LaneModel>& model) {
  Lane& lane = lanes_[index];
  const WorldParts& world = *lane.parts;
  if (!may_enter(world) || !find_sources(world, found_)) return false;
  if (inside_ == 0) {
    if (!model || model->width() != width_ || model->kind() != LaneKind::of(world))
      model = std::make_shared<const LaneModel>(world, width_);
    model_ = model;
    found_home(world);
  } else {
    const bool same =
        std::equal(found_.begin(), found_.end(), state_.sources.begin(), state_.sources.end(),
                   [](const auto& a, const auto& b) {
                     return a.index == b.index && a.at_center == b.at_center && a.turns == b.turns;
                   });
    if (!same || world.clock.dt != state_.dt || model_->kind() != LaneKind::of(world)) return false;
  }
  take_bodies(index, world);
  for (BatchState::Source& source : state_.sources) take_source(index, world, source);
  for (std::size_t i = 0; i < state_.systems.size(); ++i) {
    world.mechanisms.systems()[i].copy_to(state_.systems[i], index, world.joints,
                                          world.bodies.inverse_masses);
  }
  lane.inside = true;
  lane.stayed = lane.ahead = 0;
  ++inside_;
  return true;
}

void ResidentGroup::admit(std::shared_ptr<const LaneModel>& model) {
  const int before = inside_;
  for (int i = 0; i < size(); ++i) {
    Lane& lane = lanes_[i];
    if (lane.inside || !lane.ready) continue;
    if (lane.waits > 0) {
      --lane.waits;
    } else if (!enter(i, model)) {
      lane.waits = constants::steps_between_stays;
    }
  }
  if (before == 0 && inside_ > 0) fill_empty();
}

void ResidentGroup::take_bodies(int lane, const WorldParts& world) {
  const Bodies& bodies = world.bodies;
  const StepParameters& p = world.parameters;
  for (int i = 0; i < bodies.count(); ++i) {
    const Body& body = bodies[i];
    BatchState::Body& to = state_.bodies[i];
    to.x.at[lane] = body.center_x;
    to.y.at[lane] = body.center_y;
    to.angle.at[lane] = body.angle;
    const bool moves = bodies.awake[i] && bodies.alive[i];
    centers_[i].moves = moves;
    centers_[i].at[lane] = body.local_center;
    const SineCosine turn = moves ? sine_cosine(body.angle) : still_turn(body.angle);
    to.sine.at[lane] = turn.sine;
    to.cosine.at[lane] = turn.cosine;
    if (!moves) continue;
    const BodyState& state = bodies.states[i];
    to.vx.at[lane] = state.vx;
    to.vy.at[lane] = state.vy;
    to.omega.at[lane] = state.omega;
    const InverseMass inverse = bodies.stiffened_inverse_masses[i];
    BodyStep step;
    push_body(step, body, inverse, bodies.inverse_masses[i].mass, p);
    to.ax.at[lane] = step.ax;
    to.ay.at[lane] = step.ay;
    to.alpha.at[lane] = step.alpha;
    to.linear_factor.at[lane] = step.linear_factor;
    to.angular_factor.at[lane] = step.angular_factor;
    to.sweep_margin.at[lane] = step.sweep_margin;
    to.core_extent.at[lane] = step.core_extent;
    const float gravity = weight_of(inverse, bodies.inverse_masses[i].mass) * body.gravity_scale;
    to.weight_x.at[lane] = p.gravity_x * gravity;
    to.weight_y.at[lane] = p.gravity_y * gravity;
    to.inverse_mass.at[lane] = inverse.mass;
    to.inverse_inertia.at[lane] = inverse.inertia;
    to.linear_gained.at[lane] = damping_of(body.linear_damping, body.drag, p.h).gained;
    to.angular_gained.at[lane] = damping_of(body.angular_damping, body.angular_drag, p.h).gained;
  }
}

void ResidentGroup::take_source(int lane, const WorldParts& world,
                                BatchState::Source& source) const {
  const ForceSource& from = world.forces.all()[source.index];
  const Vec2 center = world.bodies[source.body].local_center;
  source.at_x.at[lane] = from.at_x - center.x;
  source.at_y.at[lane] = from.at_y - center.y;
  source.x.at[lane] = from.x;
  source.y.at[lane] = from.y;
  source.torque.at[lane] = from.torque;
  source.enabled.at[lane] = from.enabled ? 1.0f : 0.0f;
}

void ResidentGroup::take_force(int lane, int index) {
  if (!lanes_[lane].inside) return;
  for (BatchState::Source& source : state_.sources) {
    if (source.index == index) return take_source(lane, *lanes_[lane].parts, source);
  }
  leave(lane);
}

BatchState::Source* ResidentGroup::source_of(int lane, int index) {
  if (!lanes_[lane].inside) return nullptr;
  const auto found = std::find_if(state_.sources.begin(), state_.sources.end(),
                                  [index](const auto& source) { return source.index == index; });
  if (found == state_.sources.end()) return nullptr;
  lanes_[lane].forced = true;
  return &*found;
}

bool ResidentGroup::sample(int lane, std::span<const int32_t> codes, double* out) const {
  if (!lanes_[lane].inside) return false;
  for (std::size_t i = 0; 2 * i < codes.size(); ++i) {
    const int motion = motion_of(codes[2 * i]), body = codes[2 * i + 1];
    if (motion < 0 || !centers_[body].moves) return false;
    const BatchState::Body& own = state_.bodies[body];
    if (motion == 2) out[i] = own.angle.at[lane];
    if (motion == 3) out[i] = own.vx.at[lane];
    if (motion == 4) out[i] = own.vy.at[lane];
    if (motion == 5) out[i] = own.omega.at[lane];
    if (motion > 1) continue;
    const double c = own.cosine.at[lane], s = own.sine.at[lane];
    const double x = centers_[body].at[lane].x, y = centers_[body].at[lane].y;
    out[i] = motion == 0 ? own.x.at[lane] - (c * x - s * y) : own.y.at[lane] - (s * x + c * y);
  }
  return true;
}

int ResidentGroup::step(LaneTask& task, int steps) {
  const int done = model_->step(task, state_, steps);
  for (Lane& lane : lanes_) {
    lane.stayed += lane.inside ? done : 0;
    lane.ahead += lane.inside ? done : 0;
  }
  if (done == steps) return done;
  // Worlds that failed leave; an empty lane that failed repeats another one.
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
  return done;
}

void ResidentGroup::put_out(int index) {
  write_back(index);
  lanes_[index].inside = false;
  --inside_;
}

void ResidentGroup::leave(int index) {
  Lane& lane = lanes_[index];
  lane.ready = false;
  if (!lane.inside) return;
  put_out(index);
  repeat_other(index);
}

void ResidentGroup::discard(int index) {
  Lane& lane = lanes_[index];
  lane.ready = lane.forced = false;
  lane.ahead = 0;
  if (!lane.inside) return;
  lane.inside = false;
  --inside_;
  repeat_other(index);
}

// Lets the lane of a world that has left repeat a present one.
void ResidentGroup::repeat_other(int index) {
  lanes_[index].waits = 0;
  if (inside_ == 0) return;
  const auto present =
      std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& each) { return each.inside; });
  copy_lane(static_cast<int>(present - lanes_.begin()), index);
}

void ResidentGroup::note_step() {
  for (Lane& lane : lanes_) lane.ready = lane.ready || !lane.inside;
}

// Lets all lanes without a world repeat a present one.
void ResidentGroup::fill_empty() {
  const auto present =
      std::find_if(lanes_.begin(), lanes_.end(), [](const Lane& each) { return each.inside; });
  if (present == lanes_.end()) return;
  for (int i = 0; i < width_; ++i) {
    if (i >= size() || !lanes_[i].inside) copy_lane(static_cast<int>(present - lanes_.begin()), i);
  }
}

void ResidentGroup::copy_lane(int from, int to) {
  const auto copy = [from, to](auto& values) { values.at[to] = values.at[from]; };
  for (BatchState::Body& body : state_.bodies) for_each_value(body, copy);
  for (BatchState::System& system : state_.systems) for_each_value(system, copy);
  for (BatchState::Source& source : state_.sources) for_each_value(source, copy);
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

// Writes the bodies of a lane, as finish_bodies leaves them.
void ResidentGroup::write_bodies(int lane, WorldParts& world) const {
  Bodies& bodies = world.bodies;
  for (int i : bodies.awake_list) {
    Body& body = bodies[i];
    const BatchState::Body& from = state_.bodies[i];
    body.center_x = from.x.at[lane];
    body.center_y = from.y.at[lane];
    body.angle = from.angle.at[lane];
    place_origin(bodies, i, {from.sine.at[lane], from.cosine.at[lane]});
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
    keep_motion(body, step, from.dx.at[lane], from.dy.at[lane], from.turned.at[lane]);
    BodyState& state = bodies.states[i];
    state.vx = from.vx.at[lane];
    state.vy = from.vy.at[lane];
    state.omega = from.omega.at[lane];
    body.expected_velocity = {state.vx, state.vy};
    body.expected_spin = state.omega;
    world.separations.place(i, body);
  }
}

}  // namespace rigid
