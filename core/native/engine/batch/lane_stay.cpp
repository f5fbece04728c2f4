// SPDX-License-Identifier: MIT
#include "engine/batch/lane_stay.h"

#include <algorithm>
#include <cmath>

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"
#include "engine/joints/joint.h"

namespace rigid {

namespace {

// As a mechanism sees what does not move (SystemRows::prepare_node).
SineCosine still_turn(double angle) {
  const bool level = angle == 0 && !std::signbit(angle);
  return level ? SineCosine{0, 1} : sine_cosine(angle);
}

// Whether a body goes into the next step with the masses of the last one: mechanisms are taken in
// as that left them. What was stiffened for it alone (tension.h) does not.
bool keeps_masses(const Bodies& bodies, int i, const StepParameters& parameters) {
  BodyStep step;
  const InverseMass had = bodies.step_masses[i];
  const InverseMass has =
      push_body(step, bodies[i], bodies.heavy_masses[i], bodies.masses[i].mass, parameters);
  return has.mass == had.mass && has.inertia == had.inertia;
}

}  // namespace

LaneModel::LaneModel(const World& world, int width)
    : systems(world.mechanisms_.systems()),
      awake(world.bodies_.awake_list),
      parameters(world.parameters_),
      substeps(world.definition_.substeps),
      body_count(world.bodies_.count()),
      step(find_kernels(width)->step_at_home) {}

bool LaneModel::fits(const World& world) const {
  const std::vector<JointSystem>& others = world.mechanisms_.systems();
  return world.bodies_.awake_list == awake && world.bodies_.count() == body_count &&
         world.parameters_ == parameters && world.definition_.substeps == substeps &&
         std::equal(systems.begin(), systems.end(), others.begin(), others.end(),
                    [](const JointSystem& a, const JointSystem& b) { return a.is_like(b); });
}

void LaneModel::describe(LaneTask& task) const {
  task.parameters = &parameters;
  task.substeps = substeps;
  task.body_count = body_count;
  task.system_count = static_cast<int>(systems.size());
  task.plans = systems.data();
  task.awake = awake.data();
  task.awake_count = static_cast<int>(awake.size());
}

// Whether the coming steps, as far as can be told, are nothing but the motion of mechanisms.
bool LaneStay::may_enter(const World& world) const {
  const WorldDefinition& d = world.definition_;
  const Bodies& bodies = world.bodies_;
  if (bodies.count() > LaneTask::most_bodies || !world.parameters_.explicit_springs) return false;
  if (world.error_ || !world.is_for_lanes() || !world.unfinished_.empty()) return false;
  if (d.sleep || d.has_bounds || !d.pools.empty() || (d.air_density > 0 && d.air_drag > 0))
    return false;
  if (world.joints_.regrouped() || world.joints_.any_watched() || world.tension_.stiffened())
    return false;
  if (bodies.awake_changed || !bodies.waking.empty() || world.broadphase_.any_moved()) return false;
  const auto& contacts = world.contacts_.all();
  const auto& forces = world.forces_.all();
  if (std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.alive; }) ||
      std::any_of(forces.begin(), forces.end(), [](const ForceSource& f) { return f.enabled; })) {
    return false;
  }
  return std::all_of(bodies.awake_list.begin(), bodies.awake_list.end(), [&](int i) {
    return bodies.is_dynamic(i) && can_move(bodies.masses[i]) && world.broadphase_.leaves_out(i) &&
           keeps_masses(bodies, i, world.parameters_);
  });
}

bool LaneStay::enter(std::shared_ptr<const LaneModel>& model) {
  if (!ready_) return false;
  if (waits_ > 0) {
    --waits_;
    return false;
  }
  ready_ = false;
  waits_ = constants::steps_between_stays;
  for (const World* world : worlds_) {
    if (!may_enter(*world)) return false;
  }
  const World& first = *worlds_.front();
  if (!model || !model->fits(first)) model = std::make_shared<const LaneModel>(first, size());
  model_ = model;
  const WorldDefinition& d = first.definition_;
  const Calm calm(d);
  home_.farthest = calm.farthest;
  home_.fastest = calm.fastest;
  home_.fastest_spin = calm.fastest_spin;
  home_.bodies.resize(first.bodies_.size());
  const int systems = static_cast<int>(first.mechanisms_.systems().size());
  home_.systems.resize(systems);
  for (std::size_t lane = 0; lane < worlds_.size(); ++lane) {
    const World& world = *worlds_[lane];
    take_bodies(static_cast<int>(lane), world);
    for (int i = 0; i < systems; ++i) take_system(static_cast<int>(lane), world, i);
  }
  holds_ = true;
  stayed_ = ahead_ = 0;
  return true;
}

void LaneStay::take_bodies(int lane, const World& world) {
  const Bodies& bodies = world.bodies_;
  for (int i = 0; i < bodies.count(); ++i) {
    const Body& body = bodies[i];
    LaneHome::Body& to = home_.bodies[i];
    to.x.at[lane] = body.center_x;
    to.y.at[lane] = body.center_y;
    to.angle.at[lane] = body.angle;
    const bool moves = bodies.awake[i] && bodies.alive[i];
    const SineCosine turn = moves ? sine_cosine(body.angle) : still_turn(body.angle);
    to.sine.at[lane] = turn.sine;
    to.cosine.at[lane] = turn.cosine;
    if (!moves) continue;
    const BodyState& state = bodies.states[i];
    to.vx.at[lane] = state.vx;
    to.vy.at[lane] = state.vy;
    to.omega.at[lane] = state.omega;
    BodyStep step;
    push_body(step, body, bodies.heavy_masses[i], bodies.masses[i].mass, world.parameters_);
    to.ax.at[lane] = step.ax;
    to.ay.at[lane] = step.ay;
    to.alpha.at[lane] = step.alpha;
    to.linear_factor.at[lane] = step.linear_factor;
    to.angular_factor.at[lane] = step.angular_factor;
    to.leeway.at[lane] = step.leeway;
    to.reach.at[lane] = step.reach;
  }
}

void LaneStay::take_system(int lane, const World& world, int index) {
  const JointSystem& system = world.mechanisms_.systems()[index];
  LaneHome::System& to = home_.systems[index];
  to.nodes.resize(system.nodes_.size());
  to.rows.resize(system.axial_.size());
  to.accounts.resize(system.bodies_.size());
  const std::vector<InverseMass>& own = world.bodies_.masses;
  for (std::size_t n = 0; n < system.nodes_.size(); ++n) {
    const SystemNode& node = system.nodes_[n];
    const Joint& joint = world.joints_[node.joint];
    LaneHome::Node& at = to.nodes[n];
    at.swings = (lane > 0 && at.swings) || turns_with_load(joint);
    at.mass_a.at[lane] = node.mass_a.mass;
    at.inertia_a.at[lane] = node.mass_a.inertia;
    at.mass_b.at[lane] = node.mass_b.mass;
    at.inertia_b.at[lane] = node.mass_b.inertia;
    at.anchor_ax.at[lane] = joint.local_a.x;
    at.anchor_ay.at[lane] = joint.local_a.y;
    at.anchor_bx.at[lane] = joint.local_b.x;
    at.anchor_by.at[lane] = joint.local_b.y;
    at.axis_x.at[lane] = joint.axis.x;
    at.axis_y.at[lane] = joint.axis.y;
    at.reference.at[lane] = joint.reference_angle;
    at.length.at[lane] = node.length;
    const InverseMass mass_a = own[node.body_a], mass_b = own[node.body_b];
    at.own_a.at[lane] = mass_a.inertia;
    at.own_b.at[lane] = mass_b.inertia;
    at.own_mass.at[lane] = static_cast<double>(mass_a.mass) + mass_b.mass;
  }
  for (std::size_t i = 0; i < system.axial_.size(); ++i) {
    const Axial& axial = system.axial_[i];
    LaneHome::Row& stair = to.rows[i];
    stair.target.at[lane] = axial.target;
    stair.lower_at.at[lane] = axial.lower_at;
    stair.upper_at.at[lane] = axial.upper_at;
    stair.maximum.at[lane] = axial.maximum;
    stair.lowest.at[lane] = axial.lowest;
    stair.highest.at[lane] = axial.highest;
    stair.approach.at[lane] = axial.approach;
    stair.fastest.at[lane] = axial.fastest;
  }
  to.least_mass.at[lane] = system.least_.mass;
  to.least_inertia.at[lane] = system.least_.inertia;
  to.thrice.at[lane] = 3 * system.least_.mass;
  const EnergyAccount& account = system.account_;
  to.balance.at[lane] = account.sums_.balance;
  to.reference.at[lane] = account.sums_.reference;
  for (std::size_t i = 0; i < system.bodies_.size(); ++i) {
    to.accounts[i].own_mass.at[lane] = account.parts_[i].own.mass;
    to.accounts[i].own_inertia.at[lane] = account.parts_[i].own.inertia;
    to.accounts[i].effective_mass.at[lane] = account.parts_[i].effective.mass;
    to.accounts[i].effective_inertia.at[lane] = account.parts_[i].effective.inertia;
  }
}

int LaneStay::step(LaneTask& task, int steps) {
  model_->describe(task);
  const int done = model_->step(task, home_, steps);
  stayed_ += done;
  ahead_ += done;
  return done;
}

void LaneStay::leave() {
  ready_ = false;
  if (!holds_) return;
  write_back();
  holds_ = false;
  // Who has to leave at once is not asked again so soon.
  if (stayed_ > constants::steps_between_stays) waits_ = 0;
}

void LaneStay::write_back() {
  if (!holds_ || ahead_ == 0) return;
  for (std::size_t lane = 0; lane < worlds_.size(); ++lane) {
    World& world = *worlds_[lane];
    write_bodies(static_cast<int>(lane), world);
    for (std::size_t i = 0; i < home_.systems.size(); ++i) {
      write_system(static_cast<int>(lane), world, static_cast<int>(i));
    }
    world.clock_.steps += ahead_;
  }
  ahead_ = 0;
}

// As finish_bodies leaves them.
void LaneStay::write_bodies(int lane, World& world) const {
  Bodies& bodies = world.bodies_;
  for (int i : bodies.awake_list) {
    Body& body = bodies[i];
    const LaneHome::Body& from = home_.bodies[i];
    body.center_x = from.x.at[lane];
    body.center_y = from.y.at[lane];
    body.angle = from.angle.at[lane];
    const double sine = from.sine.at[lane], cosine = from.cosine.at[lane];
    body.rotation = {static_cast<float>(cosine), static_cast<float>(sine)};
    const double lx = body.local_center.x, ly = body.local_center.y;
    bodies.x[i] = body.center_x - (cosine * lx - sine * ly);
    bodies.y[i] = body.center_y - (sine * lx + cosine * ly);
    bodies.angle[i] = body.angle;
    BodyStep& step = bodies.steps[i];
    push_body(step, body, bodies.heavy_masses[i], bodies.masses[i].mass, world.parameters_);
    step.after_x = from.after_x.at[lane];
    step.after_y = from.after_y.at[lane];
    step.correction_x = from.correction_x.at[lane];
    step.correction_y = from.correction_y.at[lane];
    step.moved_x = from.dx.at[lane];
    step.moved_y = from.dy.at[lane];
    step.turned = from.turned.at[lane];
    body.travel =
        std::fabs(step.moved_x) + std::fabs(step.moved_y) + std::fabs(step.turned) * body.extent;
    BodyState& state = bodies.states[i];
    state.vx = from.vx.at[lane];
    state.vy = from.vy.at[lane];
    state.omega = from.omega.at[lane];
    body.expected_velocity = {state.vx, state.vy};
    body.expected_spin = state.omega;
    world.separations_.place(i, body);
  }
}

// As JointSystem::store leaves joints.
void LaneStay::write_system(int lane, World& world, int index) const {
  JointSystem& system = world.mechanisms_.for_lanes()[index];
  const LaneHome::System& from = home_.systems[index];
  for (std::size_t n = 0; n < system.nodes_.size(); ++n) {
    const SystemNode& node = system.nodes_[n];
    Joint& joint = world.joints_[node.joint];
    const LaneHome::Node& at = from.nodes[n];
    joint.clear_impulses();
    joint.total_x += static_cast<float>(at.total[0].at[lane]);
    joint.total_y += static_cast<float>(at.total[1].at[lane]);
    joint.total_angular += static_cast<float>(at.total[2].at[lane]);
  }
  for (std::size_t i = 0; i < system.axial_.size(); ++i) {
    const Axial& axial = system.axial_[i];
    if (!axial.motor) continue;
    Joint& joint = world.joints_[system.nodes_[axial.node].joint];
    joint.motor_total += static_cast<float>(from.rows[i].motor.at[lane]);
  }
  system.account_.sums_.balance = from.balance.at[lane];
  system.account_.sums_.reference = from.reference.at[lane];
}

int LoneStay::step(int steps, int left) {
  const bool held = stay_.holds();
  if (!held && (left < constants::shortest_stay || !stay_.enter(model_))) return 0;
  if (task_.memory == nullptr) task_.memory = memory_.reserve(find_kernels(1)->lane_memory);
  task_.settled = held;
  const int now = std::min(steps, constants::steps_at_once);
  const int done = stay_.step(task_, now);
  if (done < now) stay_.leave();
  return done;
}

}  // namespace rigid
