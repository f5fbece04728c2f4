// SPDX-License-Identifier: MIT
// Entering, changing and leaving of resident worlds.
#include "engine/batch/resident_group.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/bodies/motion.h"
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
                     &b.looked_at,
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
  if (!world.parameters.explicit_springs) return false;
  if (world.error || why_not_in_lanes(world) != nullptr || !world.unfinished.empty()) return false;
  if (d.sleep || d.has_bounds || !d.pools.empty() || (d.air_density > 0 && d.air_drag > 0))
    return false;
  if (world.joints.regrouped() || world.joints.any_watched() ||
      world.geometric_stiffness.stiffened() || world.stage_clock.measures())
    return false;
  if (bodies.awake_changed || !bodies.waking.empty()) return false;
  const auto& contacts = world.contacts.all();
  if (std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.alive; }))
    return false;
  return std::all_of(bodies.awake_list.begin(), bodies.awake_list.end(), [&](int i) {
    return bodies.is_dynamic(i) && can_move(bodies.inverse_masses[i]) &&
           bodies.near_walls[i] == 0 && keeps_masses(bodies, i, world.parameters);
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
  const std::vector<int>& awake = world.bodies.awake_list;
  state_.bodies.resize(model_->members().size());
  centers_.resize(awake.size());
  places_.assign(world.bodies.size(), -1);
  for (std::size_t k = 0; k < awake.size(); ++k) places_[awake[k]] = static_cast<int>(k);
  state_.systems.resize(world.mechanisms.systems().size());
  for (BatchState::System& system : state_.systems) {
    for (BatchState::Node& node : system.nodes) node.swings = false;
  }
  state_.sources.swap(found_);
  for (BatchState::Source& source : state_.sources) source.body = places_[source.body];
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
  // The pushes of sources, where its step has begun.
  for (int i : world.bodies.awake_list) {
    Body& body = lane.parts->bodies[i];
    body.force = {0, 0};
    body.torque = 0;
  }
  take_bodies(index, world);
  for (BatchState::Source& source : state_.sources) take_source(index, world, source);
  for (std::size_t i = 0; i < state_.systems.size(); ++i) {
    world.mechanisms.systems()[i].copy_to(state_.systems[i], index, world.joints,
                                          world.bodies.inverse_masses);
  }
  const std::vector<int>& awake = world.bodies.awake_list;
  lane.meets = !std::all_of(awake.begin(), awake.end(),
                            [&](int i) { return world.broadphase.leaves_out(i); });
  lane.inside = true;
  lane.renews = false;
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
      continue;
    }
    // As at the beginning of a step: contacts that the last one destroyed are listed still.
    lane.parts->contacts.collect_active();
    if (!enter(i, model)) lane.waits = constants::steps_between_stays;
  }
  if (before == 0 && inside_ > 0) fill_empty();
}

bool ResidentGroup::is_unpushed(int index) const {
  const Bodies& bodies = lanes_[index].parts->bodies;
  return lanes_[index].waits == 0 &&
         std::all_of(bodies.begin(), bodies.end(), [](const Body& body) {
           return body.force.x == 0.0f && body.force.y == 0.0f && body.torque == 0.0f;
         });
}

bool ResidentGroup::admit_begun(int index, std::shared_ptr<const LaneModel>& model) {
  Lane& lane = lanes_[index];
  WorldParts& world = *lane.parts;
  Bodies& bodies = world.bodies;
  const bool expected =
      std::all_of(bodies.awake_list.begin(), bodies.awake_list.end(), [&bodies](int i) {
        const BodyState& state = bodies.states[i];
        const Vec2 velocity = bodies[i].expected_velocity;
        return state.vx == velocity.x && state.vy == velocity.y &&
               state.omega == bodies[i].expected_spin;
      });
  // The contacts that this step has destroyed are listed until the next one begins.
  if (!world.goes_in_lanes || !expected || !world.contacts.active().empty()) return false;
  if (enter(index, model)) return true;
  lane.waits = constants::steps_between_stays;
  return false;
}

void ResidentGroup::take_bodies(int lane, const WorldParts& world) {
  const Bodies& bodies = world.bodies;
  const StepParameters& p = world.parameters;
  const std::vector<int>& members = model_->members();
  for (std::size_t place = 0; place < members.size(); ++place) {
    const int i = members[place];
    const Body& body = bodies[i];
    BatchState::Body& to = state_.bodies[place];
    to.x.at[lane] = body.center_x;
    to.y.at[lane] = body.center_y;
    to.angle.at[lane] = body.angle;
    const bool moves = place < centers_.size();
    if (moves) centers_[place].at[lane] = body.local_center;
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
  const Vec2 center = world.bodies[from.body].local_center;
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

bool ResidentGroup::set_motor(int index, int joint, float target, float maximum) {
  Lane& lane = lanes_[index];
  if (!lane.inside) return false;
  WorldParts& world = *lane.parts;
  Joint& its = world.joints[joint];
  const RowKinds kinds = row_kinds(its);
  const float target_before = its.motor_target, maximum_before = its.motor_maximum;
  its.motor_target = target;
  its.motor_maximum = maximum;
  const auto& systems = world.mechanisms.systems();
  auto takes = [&](const JointSystem& system) {
    return system.copy_motor(state_.systems[&system - systems.data()], index, joint, its);
  };
  lane.renews = its.motor != MotorKind::none && row_kinds(its) == kinds &&
                std::any_of(systems.begin(), systems.end(), takes) && world.mechanisms.renew();
  if (lane.renews) return true;
  its.motor_target = target_before;
  its.motor_maximum = maximum_before;
  return false;
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
  stale_ = true;  // most of these enter again before the next step
  lane.waits = 0;
  --inside_;
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
  stale_ = false;
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

}  // namespace rigid
