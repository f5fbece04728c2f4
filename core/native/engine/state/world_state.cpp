// Reading a world and setting its state between steps.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/channels.h"
#include "engine/constants.h"
#include "engine/world.h"

namespace rigid {

void World::set_pose(int index, double x, double y, double angle) {
  finish();
  wake_body(index);
  for (const Contact& contact : contacts_) {
    if (!contact.alive || (contact.body_a != index && contact.body_b != index)) continue;
    if (contact.touching) wake_body(contact.body_a == index ? contact.body_b : contact.body_a);
  }
  Body& body = bodies_[index];
  body.angle = angle;
  SineCosine sc = sine_cosine(angle);
  body.rotation = {static_cast<float>(sc.cosine), static_cast<float>(sc.sine)};
  double lx = body.local_center.x, ly = body.local_center.y;
  body.center_x = x + (sc.cosine * lx - sc.sine * ly);
  body.center_y = y + (sc.sine * lx + sc.cosine * ly);
  x_[index] = x;
  y_[index] = y;
  angle_[index] = angle;
  for (int shape : body_shapes_[index]) {
    destroy_proxy(shape);
    if (alive_[index]) create_proxy(shape);
  }
  apply_wakes();
}

void World::set_velocity(int index, float vx, float vy, float omega) {
  finish();
  if (bodies_[index].kind == BodyKind::fixed || !alive_[index]) return;
  wake_body(index);
  apply_wakes();
  BodyState& state = states_[index];
  state.vx = vx;
  state.vy = vy;
  state.omega = omega;
  refresh_proxies(index);
  if (bodies_[index].kind != BodyKind::kinematic) return;
  bool moves = vx != 0.0f || vy != 0.0f || omega != 0.0f;
  if (moves == (awake_[index] != 0)) return;
  awake_[index] = moves;
  awake_dirty_ = contacts_dirty_ = true;
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
    Contact& contact = contacts_[i];
    if (!contact.alive || (contact.body_a != index && contact.body_b != index)) continue;
    contact.active = is_active(contact);
    if (!contact.active) {
      remove_constraint(i);
    } else if (contact.count > 0 && !contact.sensor) {
      insert_constraint(i);
    }
  }
  for (const Joint& joint : joints_) {
    if (!joint.alive || joint.broken || (joint.body_a != index && joint.body_b != index)) continue;
    wake_body(joint.body_a);
    wake_body(joint.body_b);
  }
  apply_wakes();
}

void World::apply_force(int index, Vec2 force, double px, double py) {
  finish();
  if (bodies_[index].kind != BodyKind::dynamic || !alive_[index]) return;
  wake_body(index);
  apply_wakes();
  Body& body = bodies_[index];
  Vec2 r = {static_cast<float>(px - body.center_x), static_cast<float>(py - body.center_y)};
  body.force = body.force + force;
  body.torque += cross(r, force);
}

void World::apply_torque(int index, float torque) {
  finish();
  if (bodies_[index].kind != BodyKind::dynamic || !alive_[index]) return;
  wake_body(index);
  apply_wakes();
  bodies_[index].torque += torque;
}

void World::apply_impulse(int index, Vec2 impulse, double px, double py) {
  finish();
  if (bodies_[index].kind != BodyKind::dynamic || !alive_[index]) return;
  wake_body(index);
  apply_wakes();
  const Body& body = bodies_[index];
  BodyState& state = states_[index];
  Vec2 r = {static_cast<float>(px - body.center_x), static_cast<float>(py - body.center_y)};
  state.vx += masses_[index].mass * impulse.x;
  state.vy += masses_[index].mass * impulse.y;
  state.omega += masses_[index].inertia * cross(r, impulse);
  refresh_proxies(index);
}

void World::apply_angular_impulse(int index, float impulse) {
  finish();
  if (bodies_[index].kind != BodyKind::dynamic || !alive_[index]) return;
  wake_body(index);
  apply_wakes();
  states_[index].omega += masses_[index].inertia * impulse;
  refresh_proxies(index);
}

void World::set_awake(int index, bool awake) {
  finish();
  if (bodies_[index].kind != BodyKind::dynamic || !alive_[index]) return;
  if (awake) {
    wake_body(index);
    apply_wakes();
    return;
  }
  if (!awake_[index]) return;
  // The whole island must be ready; it goes to sleep at the next look.
  bodies_[index].sleep_time =
      constants::sleep_time * static_cast<float>(definition_.time_per_second);
}

void World::set_motor(int index, float target, float maximum) {
  finish();
  Joint& joint = joints_[index];
  joint.motor_target = target;
  joint.motor_maximum = maximum;
  if (joint.motor == MotorKind::none) joint.motor = MotorKind::speed;
  regroup_joint(index);
}

void World::set_spring(int index, const Spring& spring) {
  finish();
  Joint& joint = joints_[index];
  joint.spring = spring;
  regroup_joint(index);
}

void World::set_limits(int index, float lower, float upper) {
  finish();
  Joint& joint = joints_[index];
  joint.lower = joint.min_length = lower;
  joint.upper = joint.max_length = upper;
  joint.has_limits = true;
  regroup_joint(index);
}

// The mouse's anchor in the world, which is body A of its joint.
void World::set_joint_target(int index, double x, double y) {
  finish();
  Joint& joint = joints_[index];
  joint.local_a = joint.given_a = {static_cast<float>(x), static_cast<float>(y)};
  wake_body(joint.body_b);
  apply_wakes();
}

JointStateRow World::joint_state(int index) const {
  const Joint& joint = joints_[index];
  JointStateRow row = joint_reading(joint, bodies_[joint.body_a], bodies_[joint.body_b],
                                    states_[joint.body_a], states_[joint.body_b]);
  const bool loaded = acted(joint);
  const double per_dt = loaded ? 1.0 / definition_.dt : 0.0;
  row.force_x = joint.total_x * per_dt;
  row.force_y = joint.total_y * per_dt;
  row.torque = joint.total_angular * per_dt;
  row.motor_force = loaded ? joint.motor_total * per_dt : 0;
  return row;
}

void World::energy(double& kinetic, double& potential) const {
  kinetic = potential = 0;
  for (int i = 1; i < body_count(); ++i) {
    if (!alive_[i] || !movable(i)) continue;
    const BodyState& s = states_[i];
    const Body& body = bodies_[i];
    double vx = s.vx, vy = s.vy, w = s.omega;
    kinetic += 0.5 * body.mass * (vx * vx + vy * vy);
    if (!body.fixed_rotation) kinetic += 0.5 * body.inertia * w * w;
    potential -= static_cast<double>(body.mass) * body.gravity_scale *
                 (definition_.gravity_x * body.center_x + definition_.gravity_y * body.center_y);
  }
}

// A 64-bit mix of the exact bits (the finaliser of splitmix64, Steele et al. 2014).
uint64_t World::state_hash() const {
  uint64_t hash = 0x243f6a8885a308d3ull;
  auto mix = [&hash](uint64_t bits) {
    hash ^= bits;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9ull;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebull;
    hash ^= hash >> 31;
  };
  auto mix_double = [&mix](double value) {
    uint64_t bits;
    value += 0.0;  // -0 and 0 are one number
    std::memcpy(&bits, &value, sizeof bits);
    mix(bits);
  };
  for (int i = 0; i < body_count(); ++i) {
    const BodyState& s = states_[i];
    mix(alive_[i]);
    mix_double(x_[i]);
    mix_double(y_[i]);
    mix_double(angle_[i]);
    mix_double(s.vx);
    mix_double(s.vy);
    mix_double(s.omega);
  }
  return hash;
}

}  // namespace rigid
