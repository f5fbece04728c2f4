// SPDX-License-Identifier: MIT
// The list of forces, and their pushes in a step.
#include "engine/forces/forces.h"

namespace rigid {

int Forces::add(const ForceSource& source, Place place) {
  const int index = slots_.take(place);
  if (index == count()) forces_.emplace_back();
  forces_[index] = source;
  return index;
}

void Forces::remove(int index) {
  ForceSource& force = forces_[index];
  if (!force.alive) return;
  force.alive = force.enabled = false;
  slots_.give_back(index);
}

void Forces::remove_of(int body) {
  for (int i = 0; i < count(); ++i) {
    if (forces_[i].body == body) remove(i);
  }
}

void Forces::set(int index, float x, float y, float torque, bool enabled) {
  ForceSource& source = forces_[index];
  source.x = x;
  source.y = y;
  source.torque = torque;
  source.enabled = enabled;
}

Push Forces::push_of(const ForceSource& f, const Bodies& bodies, double dt) {
  bool once = f.kind == ForceKind::impulse;
  const Body& body = bodies[f.body];
  // A force is evaluated at the step's middle, which makes a rotating thruster second order.
  double turn = once ? 0.0 : 0.5 * dt * bodies.states[f.body].omega;
  SineCosine q = sine_cosine(body.angle + turn);
  double px = body.center_x, py = body.center_y;
  if (!f.at_center) {
    double ax = f.at_x - body.local_center.x, ay = f.at_y - body.local_center.y;
    px += q.cosine * ax - q.sine * ay;
    py += q.sine * ax + q.cosine * ay;
  }
  Vec2 force = {f.x, f.y};
  if (f.kind == ForceKind::thruster) {
    force = rotate({static_cast<float>(q.cosine), static_cast<float>(q.sine)}, force);
  }
  return {once ? Push::Kind::impulse : Push::Kind::force, f.body, force, px, py};
}

}  // namespace rigid
