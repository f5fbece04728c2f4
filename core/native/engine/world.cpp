// SPDX-License-Identifier: MIT
// Building a world, taking things out of it, and setting its state between steps.
#include "engine/world.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/bodies/mass.h"
#include "engine/data/constants.h"
#include "engine/joints/joint.h"

namespace rigid {

World::World(const WorldDefinition& definition, const World* from)
    : definition_(definition),
      clock_(from ? from->clock_ : Clock{definition.dt, 0}),
      parameters_(definition.solver->parameters(definition)),
      pool_(definition.threads),
      bodies_(from ? from->bodies_ : Bodies{}),
      shapes_(from ? from->shapes_ : Shapes{}),
      points_(from ? from->points_ : Points{}),
      forces_(from ? from->forces_ : Forces{}),
      surroundings_(bodies_, shapes_, definition_, parameters_),
      attraction_(bodies_, definition_),
      bars_(from ? from->bars_ : Bars{}),
      events_(bodies_, from ? &from->events_ : nullptr),
      separations_(from ? from->separations_ : Separations{}),
      broadphase_(definition_, bodies_, shapes_, separations_, pool_,
                  from ? &from->broadphase_ : nullptr),
      touches_(shapes_, events_, from ? &from->touches_ : nullptr),
      contacts_(definition_, clock_, bodies_, shapes_, broadphase_, separations_, touches_,
                from ? &from->contacts_ : nullptr),
      joints_(bodies_, broadphase_, from ? &from->joints_ : nullptr),
      islands_(definition_, clock_, bodies_, contacts_, joints_, from ? &from->islands_ : nullptr),
      carriers_(definition_, clock_, bodies_, shapes_, broadphase_, contacts_, joints_),
      lanes_(definition.lanes, definition.solver->contacts, parameters_, bodies_, contacts_,
             joints_, pool_),
      iterative_(parameters_, bodies_, joints_, lanes_, pool_, from ? &from->iterative_ : nullptr),
      mechanisms_(definition_, parameters_, bodies_, contacts_, joints_, iterative_, lanes_, pool_,
                  from ? &from->mechanisms_ : nullptr),
      tension_(clock_, parameters_, bodies_, joints_, mechanisms_, lanes_,
               from ? &from->tension_ : nullptr),
      loads_(parameters_, bodies_, contacts_, joints_, mechanisms_, lanes_),
      chains_(definition_, shapes_, from ? &from->chains_ : nullptr),
      strands_(bodies_, shapes_, contacts_, joints_, chains_, from ? &from->strands_ : nullptr),
      tracks_(definition_, parameters_, bodies_, shapes_, contacts_, chains_, strands_, lanes_,
              loads_, pool_, from ? &from->tracks_ : nullptr),
      one_way_(bodies_, shapes_, contacts_),
      continuous_(parameters_, bodies_, shapes_, broadphase_, strands_, one_way_),
      footings_(parameters_, bodies_, contacts_, chains_, mechanisms_, loads_, lanes_),
      clusters_(parameters_, bodies_, shapes_, contacts_, chains_, lanes_),
      impacts_(parameters_, bodies_, shapes_, contacts_, chains_, clusters_, lanes_, loads_, pool_),
      narrow_phase_(parameters_, clock_, bodies_, shapes_, contacts_, separations_, touches_,
                    chains_, tracks_, continuous_, one_way_, lanes_.kernels(), pool_),
      piles_(parameters_, bodies_, shapes_, contacts_, joints_, tracks_, attraction_),
      conservation_(definition_, parameters_, bodies_, contacts_, joints_, mechanisms_, attraction_,
                    continuous_, lanes_),
      solver_(definition.solver->make(
          {definition_, parameters_, bodies_, lanes_, iterative_, mechanisms_, loads_, footings_,
           tracks_, continuous_, clusters_, impacts_, attraction_, piles_, pool_, stage_clock_})),
      unfinished_(from ? from->unfinished_ : std::vector<int>{}),
      error_(from ? from->error_ : std::nullopt),
      errors_(from ? from->errors_ : std::vector<StepError>{}) {
  separations_.set_step(parameters_.speculative, parameters_.dt);
  if (from) return;
  Body frame;
  frame.kind = BodyKind::fixed;
  frame.given_mass = frame.given_inertia = 0;
  add_body({frame});
}

int World::add_body(const NewBody& given, Place place) {
  // A body that starts asleep is an island of its own until it is touched.
  const bool sleeps = !given.awake && given.body.kind == BodyKind::dynamic;
  const int before = bodies_.count();
  const int index = bodies_.add(given, place, sleeps ? islands_.add() : -1);
  if (index == before) {
    shapes_.of_body.emplace_back();
    separations_.add_body();
  }
  mechanisms_.add_body(index);
  unfinished_.push_back(index);
  contacts_.expect_changes();
  return index;
}

int World::add_shape(const WorldShape& given, const double* points, Place place) {
  const int before = shapes_.count();
  const int index = shapes_.add(given, points, place);
  if (index == before) separations_.add_shape();
  Body& body = bodies_[given.body];
  shapes_[index].body_kind = body.kind;
  broadphase_.add_shape(index);
  if (body.finished) unfinished_.push_back(given.body);
  body.finished = false;
  return index;
}

int World::add_joint(const Joint& given, Place place) {
  const int index = joints_.add_joint(given, place);
  const Joint& joint = joints_[index];
  if (!joint.collide) contacts_.destroy_between(joint.body_a, joint.body_b);
  // Joints to bodies that are already in the world start here; others in finish().
  if (bodies_[joint.body_a].finished && bodies_[joint.body_b].finished) {
    joints_.place_joint(index);
    bodies_.wake(joint.body_a);
    bodies_.wake(joint.body_b);
    joints_.activate_joint(index);
  }
  return index;
}

void World::finish() {
  if (unfinished_.empty()) return;
  std::vector<int> fresh;
  fresh.swap(unfinished_);
  std::sort(fresh.begin(), fresh.end());
  std::vector<uint8_t> is_fresh(bodies_.size(), 0);
  for (int i : fresh) {
    bodies_[i].finished = true;
    is_fresh[i] = 1;
    compute_mass(bodies_, shapes_, i);
    forget_chains(i);
    chains_.link_chains(i);
    for (int shape : shapes_.of_body[i]) {
      broadphase_.destroy_proxy(shape);
      broadphase_.create_proxy(shape);
    }
  }
  for (int i = 0; i < joints_.count(); ++i) {
    Joint& joint = joints_[i];
    if (!joint.alive || !(is_fresh[joint.body_a] || is_fresh[joint.body_b])) continue;
    joints_.place_joint(i);
    // Sleeping bodies that a joint ties together wake together.
    Body &a = bodies_[joint.body_a], &b = bodies_[joint.body_b];
    if (a.island >= 0 && b.island >= 0 && a.island != b.island) {
      int from = b.island, to = a.island;
      for (Body& body : bodies_) {
        if (body.island == from) body.island = to;
      }
    } else if (a.island >= 0 && bodies_.awake[joint.body_b]) {
      bodies_.wake(joint.body_a);
    } else if (b.island >= 0 && bodies_.awake[joint.body_a]) {
      bodies_.wake(joint.body_b);
    }
    joints_.activate_joint(i);
  }
  bodies_.awake_changed = true;
  contacts_.expect_changes();
}

void World::remove_body(int index) {
  if (index <= 0 || !bodies_.alive[index]) return;
  finish();
  wake_touching(index);
  for (int i = 0; i < joints_.count(); ++i) {
    if (joints_[i].body_a == index || joints_[i].body_b == index) joints_.remove_joint(i);
  }
  forces_.remove_of(index);
  points_.remove_of(index);
  std::vector<uint8_t> gone(bodies_.size(), 0);
  gone[index] = 1;
  contacts_.destroy_contacts_of(gone);
  bars_.remove(index);
  forget_chains(index);
  for (int shape : shapes_.of_body[index]) {
    broadphase_.destroy_proxy(shape);
    shapes_.remove(shape);
  }
  shapes_.of_body[index].clear();
  broadphase_.forget_body(index);
  bodies_.remove(index);
}

// Nothing is led along a body's chains any more, nor is the body along others.
void World::forget_chains(int body) {
  tracks_.forget_body(body);
  strands_.forget_body(body);
  const std::vector<int> now = chains_.remove_links(body);
  if (now.empty()) return;
  strands_.renumber(now);
  tracks_.renumber(now);
}

void World::keep_slots() {
  bodies_.slots.keep();
  joints_.keep_slots();
  forces_.keep_slots();
  points_.slots.keep();
}

void World::wake(int body) {
  bodies_.wake(body);
  islands_.apply_wakes();
}

void World::set_pose(int index, double x, double y, double angle) {
  finish();
  bodies_.wake(index);
  contacts_.for_contacts_of(index, [this](const Contact& contact, int other) {
    if (contact.touching) bodies_.wake(other);
  });
  Body& body = bodies_[index];
  body.angle = angle;
  SineCosine sc = sine_cosine(angle);
  body.rotation = {static_cast<float>(sc.cosine), static_cast<float>(sc.sine)};
  double lx = body.local_center.x, ly = body.local_center.y;
  body.center_x = x + (sc.cosine * lx - sc.sine * ly);
  body.center_y = y + (sc.sine * lx + sc.cosine * ly);
  bodies_.x[index] = x;
  bodies_.y[index] = y;
  bodies_.angle[index] = angle;
  for (int shape : shapes_.of_body[index]) {
    broadphase_.destroy_proxy(shape);
    if (bodies_.alive[index]) broadphase_.create_proxy(shape);
  }
  islands_.apply_wakes();
}

void World::set_velocity(int index, float vx, float vy, float omega) {
  finish();
  if (bodies_[index].kind == BodyKind::fixed || !bodies_.alive[index]) return;
  bodies_.wake(index);
  islands_.apply_wakes();
  BodyState& state = bodies_.states[index];
  state.vx = vx;
  state.vy = vy;
  state.omega = omega;
  broadphase_.refresh_proxies(index);
  if (bodies_[index].kind != BodyKind::kinematic) return;
  bool moves = vx != 0.0f || vy != 0.0f || omega != 0.0f;
  if (moves == (bodies_.awake[index] != 0)) return;
  bodies_.awake[index] = moves;
  bodies_.awake_changed = true;
  contacts_.follow_body(index);
  for (const Joint& joint : joints_) {
    if (!joint.alive || joint.broken || (joint.body_a != index && joint.body_b != index)) continue;
    bodies_.wake(joint.body_a);
    bodies_.wake(joint.body_b);
  }
  islands_.apply_wakes();
}

bool World::can_be_pushed(int body) {
  finish();
  if (!bodies_.is_dynamic(body) || !bodies_.alive[body]) return false;
  wake(body);
  return true;
}

void World::apply(const Push& push) {
  const int index = push.body;
  if (!can_be_pushed(index)) return;
  Body& body = bodies_[index];
  BodyState& state = bodies_.states[index];
  const InverseMass inverse = bodies_.masses[index];
  const Vec2 r = {static_cast<float>(push.x - body.center_x),
                  static_cast<float>(push.y - body.center_y)};
  switch (push.kind) {
    case Push::Kind::force:
      body.force = body.force + push.along;
      body.torque += cross(r, push.along);
      return;
    case Push::Kind::torque:
      body.torque += push.turn;
      return;
    case Push::Kind::impulse:
      state.vx += inverse.mass * push.along.x;
      state.vy += inverse.mass * push.along.y;
      state.omega += inverse.inertia * cross(r, push.along);
      break;
    case Push::Kind::angular_impulse:
      state.omega += inverse.inertia * push.turn;
      break;
  }
  broadphase_.refresh_proxies(index);
}

void World::set_awake(int index, bool awake) {
  if (bodies_[index].kind != BodyKind::dynamic) return;
  if (awake) {
    bodies_.wake(index);
    islands_.apply_wakes();
    return;
  }
  if (!bodies_.awake[index]) return;
  // The whole island must be ready; it goes to sleep at the next look.
  bodies_[index].sleep_time =
      constants::sleep_time * static_cast<float>(definition_.time_per_second);
  bodies_.rests[index] = {.calm = constants::calm_looks};
}

void World::set_body(int index, const BodyChange& change) {
  finish();
  if (!bodies_.alive[index]) return;
  if (change.awake) set_awake(index, *change.awake);
  Body& body = bodies_[index];
  if (change.gravity_scale || change.linear_damping || change.angular_damping) {
    body.gravity_scale = change.gravity_scale.value_or(body.gravity_scale);
    body.linear_damping = change.linear_damping.value_or(body.linear_damping);
    body.angular_damping = change.angular_damping.value_or(body.angular_damping);
    bodies_.has_damping |= body.is_damped();
    wake(index);
  }
  if (change.of_surface()) {
    for (int i : shapes_.of_body[index]) {
      WorldShape& shape = shapes_[i];
      shape.friction = change.friction.value_or(shape.friction);
      shape.restitution = change.restitution.value_or(shape.restitution);
      shapes_.may_bounce |= shape.restitution != 0.0f;
      shape.rolling_resistance = change.rolling_resistance.value_or(shape.rolling_resistance);
      shape.tangent_speed = change.tangent_speed.value_or(shape.tangent_speed);
    }
    contacts_.mix_surfaces_of(index);
    wake_touching(index);
  }
  if (change.category) set_category(index, *change.category);
  if (change.kind) set_kind(index, *change.kind);
  if (change.collides) set_collides(index, *change.collides);
}

// A body's contacts, boxes, chains and joints as they are for its kind, out of all structures, with
// all that it touches or is tied to awake.
void World::take_out(int index) {
  wake_touching(index);
  for (const Joint& joint : joints_) {
    if (!joint.alive || joint.broken || (joint.body_a != index && joint.body_b != index)) continue;
    bodies_.wake(joint.body_a);
    bodies_.wake(joint.body_b);
  }
  islands_.apply_wakes();
  for (int i = 0; i < joints_.count(); ++i) {
    if (joints_[i].body_a == index || joints_[i].body_b == index) joints_.deactivate_joint(i);
  }
  std::vector<uint8_t> changed(bodies_.size(), 0);
  changed[index] = 1;
  contacts_.destroy_contacts_of(changed);
  forget_chains(index);
  for (int shape : shapes_.of_body[index]) broadphase_.destroy_proxy(shape);
}

// Its mass, boxes, chains and joints anew.
void World::put_back(int index) {
  Body& body = bodies_[index];
  body.origin_x = bodies_.x[index];
  body.origin_y = bodies_.y[index];
  body.finished = false;
  unfinished_.push_back(index);
  finish();
  // What it touches from now on, or not any more, may be asleep.
  for (int i : shapes_.of_body[index]) {
    const WorldShape& shape = shapes_[i];
    if (shape.proxy < 0) continue;
    broadphase_.query_moving(shape.fat, [&](int other) {
      if (broadphase_.should_collide(shape, shapes_[other])) bodies_.wake(shapes_[other].body);
      return true;
    });
  }
  islands_.apply_wakes();
}

// Its points go on as they moved, about another centre of mass; what is static has no motion.
void World::set_kind(int index, BodyKind kind) {
  Body& body = bodies_[index];
  if (index == 0 || body.kind == kind) return;
  take_out(index);
  body.kind = kind;
  for (int shape : shapes_.of_body[index]) shapes_[shape].body_kind = kind;
  body.sleep_time = 0;
  body.force = {0, 0};
  body.torque = body.drag = body.angular_drag = body.travel = 0;
  bodies_.rests[index] = {};
  bodies_.ledgers[index] = {};
  bodies_.steps[index] = {};
  bodies_.near_walls[index] = 0;
  bodies_.has_bullets |= body.bullet && kind == BodyKind::dynamic;
  BodyState& state = bodies_.states[index];
  if (kind == BodyKind::fixed) state.vx = state.vy = state.omega = 0.0f;
  const bool moves = state.vx != 0.0f || state.vy != 0.0f || state.omega != 0.0f;
  bodies_.awake[index] = kind == BodyKind::dynamic || (kind == BodyKind::kinematic && moves);
  bodies_.awake_changed = true;
  const double x = body.center_x, y = body.center_y;
  put_back(index);
  state.vx -= state.omega * static_cast<float>(body.center_y - y);
  state.vy += state.omega * static_cast<float>(body.center_x - x);
  if (kind != BodyKind::fixed) broadphase_.refresh_proxies(index);
}

void World::set_collides(int index, bool collides) {
  Body& body = bodies_[index];
  if (index == 0 || body.collides == collides) return;
  take_out(index);
  body.collides = collides;
  put_back(index);
}

// What touched it under its old category is found anew under the other, or not.
void World::set_category(int index, int category) {
  wake_touching(index);
  std::vector<uint8_t> changed(bodies_.size(), 0);
  changed[index] = 1;
  contacts_.destroy_contacts_of(changed);
  for (int shape : shapes_.of_body[index]) {
    broadphase_.destroy_proxy(shape);
    shapes_[shape].category = category;
    broadphase_.add_shape(shape);
    broadphase_.create_proxy(shape);
  }
}

void World::wake_touching(int index) {
  bodies_.wake(index);
  contacts_.for_contacts_of(index, [this](const Contact&, int other) { bodies_.wake(other); });
  islands_.apply_wakes();
}

void World::set_gravity(const Double2& gravity) {
  finish();
  definition_.gravity_x = gravity.x;
  definition_.gravity_y = gravity.y;
  parameters_ = definition_.solver->parameters(definition_);
  wake_all();
}

void World::wake_all() {
  for (int i = 1; i < bodies_.count(); ++i) {
    if (bodies_.alive[i]) bodies_.wake(i);
  }
  islands_.apply_wakes();
}

void World::set_pool(int index, const Pool& pool) {
  finish();
  definition_.pools[index] = pool;
  wake_all();
}

void World::set_joint(int index, const JointChange& change) {
  finish();
  Joint& joint = joints_[index];
  if (change.target) {
    // The mouse's anchor in the world, which is body A of its joint.
    joint.local_a = joint.given_a = {static_cast<float>(change.target->x),
                                     static_cast<float>(change.target->y)};
    wake(joint.body_b);
  }
  if (change.motor) {
    joint.motor_target = change.motor->target;
    joint.motor_maximum = change.motor->maximum;
    if (joint.motor == MotorKind::none) joint.motor = MotorKind::speed;
  }
  if (change.spring) joint.spring = *change.spring;
  if (change.limits) {
    joint.lower = joint.min_length = change.limits->lower;
    joint.upper = joint.max_length = change.limits->upper;
    joint.has_limits = true;
  }
  if (!change.motor && !change.spring && !change.limits) return;
  joints_.regroup_joint(index);
  islands_.apply_wakes();
}

void World::set_world(const WorldChange& change) {
  if (change.gravity) set_gravity(*change.gravity);
  if (change.pool) set_pool(change.pool->index, change.pool->pool);
  if (change.measures_stages) stage_clock_.measure(*change.measures_stages);
  if (!change.tells_contacts) return;
  touches_.enable_contact_events(*change.tells_contacts, contacts_.all(), clock_.steps);
}

const Broadphase& World::refreshed_broadphase() {
  finish();
  broadphase_.refresh_stale();
  return broadphase_;
}

}  // namespace rigid
