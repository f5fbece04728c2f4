// SPDX-License-Identifier: MIT
// Building a world, removing objects from it, and setting its state between steps.
#include "engine/world.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/bodies/mass.h"
#include "engine/data/constants.h"
#include "engine/joints/joint.h"
#include "engine/joints/springs.h"
#include "sorting.h"

namespace rigid {

World::World(const WorldDefinition& definition) : parts_(definition, nullptr) {
  Body frame;
  frame.kind = BodyKind::fixed;
  frame.given_mass = frame.given_inertia = 0;
  add_body({frame});
}

int World::add_body(const NewBody& given, Place place) {
  leave_lanes();
  // A body that starts asleep is an island of its own until it is touched.
  const bool sleeps = !given.awake && given.body.kind == BodyKind::dynamic;
  const int before = parts_.bodies.count();
  const int index = parts_.bodies.add(given, place, sleeps ? parts_.islands.add() : -1);
  if (index == before) {
    parts_.shapes.of_body.emplace_back();
    parts_.separations.add_body();
  }
  parts_.mechanisms.add_body(index);
  parts_.unfinished.push_back(index);
  parts_.contacts.expect_changes();
  return index;
}

int World::add_shape(const WorldShape& given, const double* points, Place place) {
  leave_lanes();
  const int before = parts_.shapes.count();
  const int index = parts_.shapes.add(given, points, place);
  if (index == before) parts_.separations.add_shape();
  Body& body = parts_.bodies[given.body];
  parts_.shapes[index].body_kind = body.kind;
  parts_.broadphase.add_shape(index);
  if (body.finished) parts_.unfinished.push_back(given.body);
  body.finished = false;
  return index;
}

int World::add_joint(const Joint& given, Place place) {
  leave_lanes();
  const int index = parts_.joints.add_joint(given, place);
  const Joint& joint = parts_.joints[index];
  if (!joint.collide) parts_.contacts.destroy_between(joint.body_a, joint.body_b);
  // Joints to bodies that are already in the world start here; others in finish().
  if (parts_.bodies[joint.body_a].finished && parts_.bodies[joint.body_b].finished) {
    parts_.joints.place_joint(index);
    parts_.bodies.wake(joint.body_a);
    parts_.bodies.wake(joint.body_b);
    parts_.joints.activate_joint(index);
  }
  return index;
}

void World::finish() {
  if (parts_.unfinished.empty()) return;
  std::vector<int> fresh;
  fresh.swap(parts_.unfinished);
  rigid::sort(fresh.begin(), fresh.end());
  std::vector<uint8_t> is_fresh(parts_.bodies.size(), 0);
  for (int i : fresh) {
    parts_.bodies[i].finished = true;
    is_fresh[i] = 1;
    compute_mass(parts_.bodies, parts_.shapes, i);
    forget_chains(i);
    parts_.chains.link_chains(i);
    for (int shape : parts_.shapes.of_body[i]) {
      parts_.broadphase.destroy_proxy(shape);
      parts_.broadphase.create_proxy(shape);
    }
  }
  for (int i = 0; i < parts_.joints.count(); ++i) {
    Joint& joint = parts_.joints[i];
    if (!joint.alive || !(is_fresh[joint.body_a] || is_fresh[joint.body_b])) continue;
    parts_.joints.place_joint(i);
    // Sleeping bodies connected by a joint wake together.
    Body &a = parts_.bodies[joint.body_a], &b = parts_.bodies[joint.body_b];
    if (a.island >= 0 && b.island >= 0 && a.island != b.island) {
      int from = b.island, to = a.island;
      for (Body& body : parts_.bodies) {
        if (body.island == from) body.island = to;
      }
    } else if (a.island >= 0 && parts_.bodies.awake[joint.body_b]) {
      parts_.bodies.wake(joint.body_a);
    } else if (b.island >= 0 && parts_.bodies.awake[joint.body_a]) {
      parts_.bodies.wake(joint.body_b);
    }
    parts_.joints.activate_joint(i);
  }
  parts_.bodies.awake_changed = true;
  parts_.contacts.expect_changes();
}

void World::remove_body(int index) {
  if (index <= 0 || !parts_.bodies.alive[index]) return;
  leave_lanes();
  finish();
  wake_touching(index);
  for (int i : parts_.joints.of(index)) parts_.joints.remove_joint(i);
  parts_.forces.remove_of(index);
  parts_.points.remove_of(index);
  parts_.contacts.destroy_contacts_of(index);
  parts_.bars.remove(index);
  forget_chains(index);
  for (int shape : parts_.shapes.of_body[index]) {
    parts_.broadphase.destroy_proxy(shape);
    parts_.shapes.remove(shape);
  }
  parts_.shapes.of_body[index].clear();
  parts_.broadphase.forget_body(index);
  parts_.bodies.remove(index);
}

// Removes all tracks along a body's chains, and the body's tracks along others.
void World::forget_chains(int body) {
  parts_.tracks.forget_body(body);
  parts_.chain_branches.forget_body(body);
  const std::vector<int> now = parts_.chains.remove_links(body);
  if (now.empty()) return;
  parts_.chain_branches.renumber(now);
  parts_.tracks.renumber(now);
}

void World::keep_slots() {
  parts_.bodies.slots.keep();
  parts_.joints.keep_slots();
  parts_.forces.keep_slots();
  parts_.points.slots.keep();
}

void World::wake(int body) {
  parts_.bodies.wake(body);
  parts_.islands.apply_wakes();
}

void World::set_pose(int index, double x, double y, double angle) {
  leave_lanes();
  finish();
  parts_.bodies.wake(index);
  parts_.contacts.for_contacts_of(index, [this](const Contact& contact, int other) {
    if (contact.touching) parts_.bodies.wake(other);
  });
  Body& body = parts_.bodies[index];
  body.angle = angle;
  SineCosine sc = sine_cosine(angle);
  body.rotation = {static_cast<float>(sc.cosine), static_cast<float>(sc.sine)};
  double lx = body.local_center.x, ly = body.local_center.y;
  body.center_x = x + (sc.cosine * lx - sc.sine * ly);
  body.center_y = y + (sc.sine * lx + sc.cosine * ly);
  parts_.bodies.x[index] = x;
  parts_.bodies.y[index] = y;
  parts_.bodies.angle[index] = angle;
  parts_.contacts.forget_manifolds_of(index);
  for (int shape : parts_.shapes.of_body[index]) {
    parts_.broadphase.destroy_proxy(shape);
    if (parts_.bodies.alive[index]) parts_.broadphase.create_proxy(shape);
  }
  parts_.islands.apply_wakes();
}

void World::set_velocity(int index, float vx, float vy, float omega) {
  leave_lanes();
  finish();
  if (parts_.bodies[index].kind == BodyKind::fixed || !parts_.bodies.alive[index]) return;
  parts_.bodies.wake(index);
  parts_.islands.apply_wakes();
  BodyState& state = parts_.bodies.states[index];
  state.vx = vx;
  state.vy = vy;
  state.omega = omega;
  parts_.broadphase.refresh_proxies(index);
  if (parts_.bodies[index].kind != BodyKind::kinematic) return;
  bool moves = vx != 0.0f || vy != 0.0f || omega != 0.0f;
  if (moves == (parts_.bodies.awake[index] != 0)) return;
  parts_.bodies.awake[index] = moves;
  parts_.bodies.awake_changed = true;
  parts_.contacts.follow_body(index);
  for (int i : parts_.joints.of(index)) {
    const Joint& joint = parts_.joints[i];
    if (!joint.alive || joint.broken) continue;
    parts_.bodies.wake(joint.body_a);
    parts_.bodies.wake(joint.body_b);
  }
  parts_.islands.apply_wakes();
}

bool World::can_be_pushed(int body) {
  finish();
  if (!parts_.bodies.is_dynamic(body) || !parts_.bodies.alive[body]) return false;
  wake(body);
  return true;
}

void World::apply(const Push& push) {
  leave_lanes();
  const int index = push.body;
  if (!can_be_pushed(index)) return;
  Body& body = parts_.bodies[index];
  BodyState& state = parts_.bodies.states[index];
  const InverseMass inverse = parts_.bodies.inverse_masses[index];
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
  parts_.broadphase.refresh_proxies(index);
}

void World::set_awake(int index, bool awake) {
  if (parts_.bodies[index].kind != BodyKind::dynamic) return;
  if (awake) {
    parts_.bodies.wake(index);
    parts_.islands.apply_wakes();
    return;
  }
  if (!parts_.bodies.awake[index]) return;
  // The whole island must be ready; it falls asleep at the next check.
  parts_.bodies[index].sleep_time =
      constants::sleep_time * static_cast<float>(parts_.definition.time_per_second);
  parts_.bodies.rests[index] = {.calm = constants::calm_looks};
}

void World::set_body(int index, const BodyChange& change) {
  leave_lanes();
  finish();
  if (!parts_.bodies.alive[index]) return;
  if (change.awake) set_awake(index, *change.awake);
  Body& body = parts_.bodies[index];
  if (change.gravity_scale || change.linear_damping || change.angular_damping) {
    body.gravity_scale = change.gravity_scale.value_or(body.gravity_scale);
    body.linear_damping = change.linear_damping.value_or(body.linear_damping);
    body.angular_damping = change.angular_damping.value_or(body.angular_damping);
    parts_.bodies.has_damping |= body.is_damped();
    wake(index);
  }
  if (change.of_surface()) {
    for (int i : parts_.shapes.of_body[index]) {
      WorldShape& shape = parts_.shapes[i];
      shape.friction = change.friction.value_or(shape.friction);
      shape.restitution = change.restitution.value_or(shape.restitution);
      parts_.shapes.may_bounce |= shape.restitution != 0.0f;
      shape.rolling_resistance = change.rolling_resistance.value_or(shape.rolling_resistance);
      shape.tangent_speed = change.tangent_speed.value_or(shape.tangent_speed);
    }
    parts_.contacts.mix_surfaces_of(index);
    wake_touching(index);
  }
  if (change.category) set_category(index, *change.category);
  if (change.kind) set_kind(index, *change.kind);
  if (change.collides) set_collides(index, *change.collides);
}

// Removes a body's contacts, boxes, chains and joints from all structures, and wakes all that it
// touches or is joined to.
void World::take_out(int index) {
  wake_touching(index);
  for (int i : parts_.joints.of(index)) {
    const Joint& joint = parts_.joints[i];
    if (!joint.alive || joint.broken) continue;
    parts_.bodies.wake(joint.body_a);
    parts_.bodies.wake(joint.body_b);
  }
  parts_.islands.apply_wakes();
  for (int i : parts_.joints.of(index)) parts_.joints.deactivate_joint(i);
  parts_.contacts.destroy_contacts_of(index);
  forget_chains(index);
  for (int shape : parts_.shapes.of_body[index]) parts_.broadphase.destroy_proxy(shape);
}

// Computes its mass, boxes, chains and joints anew.
void World::put_back(int index) {
  Body& body = parts_.bodies[index];
  body.origin_x = parts_.bodies.x[index];
  body.origin_y = parts_.bodies.y[index];
  body.finished = false;
  parts_.unfinished.push_back(index);
  finish();
  // Bodies that it begins or ceases to touch may be asleep.
  for (int i : parts_.shapes.of_body[index]) {
    const WorldShape& shape = parts_.shapes[i];
    if (shape.proxy < 0) continue;
    parts_.broadphase.query_moving(shape.fat, [&](int other) {
      if (parts_.broadphase.should_collide(shape, parts_.shapes[other]))
        parts_.bodies.wake(parts_.shapes[other].body);
      return true;
    });
  }
  parts_.islands.apply_wakes();
}

// Its points keep their motion, about another centre of mass; a static body has no motion.
void World::set_kind(int index, BodyKind kind) {
  Body& body = parts_.bodies[index];
  if (index == 0 || body.kind == kind) return;
  take_out(index);
  body.kind = kind;
  for (int shape : parts_.shapes.of_body[index]) parts_.shapes[shape].body_kind = kind;
  body.sleep_time = 0;
  body.force = {0, 0};
  body.torque = body.drag = body.angular_drag = body.travel = 0;
  parts_.bodies.rests[index] = {};
  parts_.bodies.ledgers[index] = {};
  parts_.bodies.steps[index] = {};
  parts_.bodies.near_walls[index] = 0;
  parts_.bodies.has_bullets |= body.bullet && kind == BodyKind::dynamic;
  BodyState& state = parts_.bodies.states[index];
  if (kind == BodyKind::fixed) state.vx = state.vy = state.omega = 0.0f;
  const bool moves = state.vx != 0.0f || state.vy != 0.0f || state.omega != 0.0f;
  parts_.bodies.awake[index] = kind == BodyKind::dynamic || (kind == BodyKind::kinematic && moves);
  parts_.bodies.awake_changed = true;
  const double x = body.center_x, y = body.center_y;
  put_back(index);
  state.vx -= state.omega * static_cast<float>(body.center_y - y);
  state.vy += state.omega * static_cast<float>(body.center_x - x);
  if (kind != BodyKind::fixed) parts_.broadphase.refresh_proxies(index);
}

void World::set_collides(int index, bool collides) {
  Body& body = parts_.bodies[index];
  if (index == 0 || body.collides == collides) return;
  take_out(index);
  body.collides = collides;
  put_back(index);
}

// Contacts under the old category are found anew under the new one, or not.
void World::set_category(int index, int category) {
  wake_touching(index);
  parts_.contacts.destroy_contacts_of(index);
  for (int shape : parts_.shapes.of_body[index]) {
    parts_.broadphase.destroy_proxy(shape);
    parts_.shapes[shape].category = category;
    parts_.broadphase.add_shape(shape);
    parts_.broadphase.create_proxy(shape);
  }
}

void World::wake_touching(int index) {
  parts_.bodies.wake(index);
  parts_.contacts.for_contacts_of(index,
                                  [this](const Contact&, int other) { parts_.bodies.wake(other); });
  parts_.islands.apply_wakes();
}

void World::set_gravity(const Double2& gravity) {
  finish();
  parts_.definition.gravity_x = gravity.x;
  parts_.definition.gravity_y = gravity.y;
  parts_.parameters = parts_.definition.solver->parameters(parts_.definition);
  wake_all();
}

void World::wake_all() {
  for (int i = 1; i < parts_.bodies.count(); ++i) {
    if (parts_.bodies.alive[i]) parts_.bodies.wake(i);
  }
  parts_.islands.apply_wakes();
}

void World::set_pool(int index, const Pool& pool) {
  finish();
  parts_.definition.pools[index] = pool;
  wake_all();
}

void World::set_joint(int index, const JointChange& change) {
  const bool sets_motor = change.motor && !change.target && !change.spring && !change.limits;
  if (sets_motor && set_resident_motor(index, *change.motor)) return;
  leave_lanes();
  finish();
  Joint& joint = parts_.joints[index];
  if (change.breaks) {
    joint.broken = true;
    joint.broken_at = static_cast<int>(parts_.clock.steps);
    parts_.joints.unlink_joint(index);
    wake(joint.body_a);
    wake(joint.body_b);
    return;
  }
  const RowKinds kinds = row_kinds(joint);
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
  const bool same = !change.spring && !change.limits && row_kinds(joint) == kinds;
  if (same && parts_.mechanisms.renew()) {
    parts_.bodies.wake(joint.body_a);
    parts_.bodies.wake(joint.body_b);
  } else {
    parts_.joints.regroup_joint(index);
  }
  parts_.islands.apply_wakes();
}

void World::set_world(const WorldChange& change) {
  leave_lanes();
  if (change.gravity) set_gravity(*change.gravity);
  if (change.pool) set_pool(change.pool->index, change.pool->pool);
  if (change.measures_stages) parts_.stage_clock.measure(*change.measures_stages);
  if (!change.tells_contacts) return;
  parts_.touches.enable_contact_events(*change.tells_contacts, parts_.contacts.all(),
                                       parts_.clock.steps);
}

const Broadphase& World::refreshed_broadphase() {
  leave_lanes();
  finish();
  parts_.broadphase.refresh_stale();
  return parts_.broadphase;
}

}  // namespace rigid
