// SPDX-License-Identifier: MIT
// Addition and removal of entries in the arrays of bodies.
#include "engine/data/bodies.h"

namespace rigid {

int Bodies::add(const NewBody& given, Place place, int island) {
  const int index = slots.take(place);
  if (index == count()) {
    all.emplace_back();
    states.push_back({});
    inverse_masses.push_back({0, 0});
    stiffened_inverse_masses.push_back({0, 0});
    step_inverse_masses.push_back({0, 0});
    steps.push_back({});
    rests.push_back({});
    ledgers.push_back({});
    near_walls.push_back(0);
    x.push_back(0);
    y.push_back(0);
    angle.push_back(0);
    mass.push_back(0);
    inertia.push_back(0);
    awake.push_back(0);
    alive.push_back(0);
  }
  Body& body = all[index] = given.body;
  body.rotation = make_rotation(body.angle);
  const bool fixed = body.kind == BodyKind::fixed, dynamic = body.kind == BodyKind::dynamic;
  const bool sleeps = island >= 0, still = fixed || sleeps;
  const bool moves = dynamic || given.vx != 0 || given.vy != 0 || given.omega != 0;
  if (sleeps) body.island = island;
  states[index] = {still ? 0.0f : static_cast<float>(given.vx),
                   still ? 0.0f : static_cast<float>(given.vy),
                   still ? 0.0f : static_cast<float>(given.omega),
                   0,
                   0,
                   0,
                   1,
                   0};
  inverse_masses[index] = stiffened_inverse_masses[index] = step_inverse_masses[index] = {0, 0};
  steps[index] = {};
  rests[index] = {};
  ledgers[index] = {};
  near_walls[index] = 0;
  has_bullets |= body.bullet && dynamic;
  has_damping |= body.is_damped();
  x[index] = body.origin_x;
  y[index] = body.origin_y;
  angle[index] = body.angle;
  mass[index] = inertia[index] = 0;
  awake[index] = !still && moves;
  alive[index] = 1;
  awake_changed = true;
  return index;
}

void Bodies::remove(int i) {
  alive[i] = awake[i] = 0;
  inverse_masses[i] = stiffened_inverse_masses[i] = step_inverse_masses[i] = {0, 0};
  states[i].vx = states[i].vy = states[i].omega = 0.0f;
  slots.give_back(i);
  ++removals;
  awake_changed = true;
}

void Bodies::collect_awake() {
  if (!awake_changed) return;
  awake_changed = false;
  ++awake_changes;
  awake_list.clear();
  for (int i = 1; i < count(); ++i) {
    if (awake[i] && alive[i]) awake_list.push_back(i);
  }
}

}  // namespace rigid
