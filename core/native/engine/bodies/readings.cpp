// SPDX-License-Identifier: MIT
// Energies and the hash of all bodies.
#include "engine/bodies/readings.h"

#include <cstring>

namespace rigid {

void find_energy(const Bodies& bodies, double gravity_x, double gravity_y, double& kinetic,
                 double& potential) {
  kinetic = potential = 0;
  for (int i = 1; i < bodies.count(); ++i) {
    if (!bodies.alive[i] || !bodies.is_dynamic(i)) continue;
    const BodyState& s = bodies.states[i];
    const Body& body = bodies[i];
    double vx = s.vx, vy = s.vy, w = s.omega;
    kinetic += 0.5 * body.mass * (vx * vx + vy * vy);
    if (!body.fixed_rotation) kinetic += 0.5 * body.inertia * w * w;
    potential += weight_energy(body, gravity_x, gravity_y);
  }
}

double weight_energy(const Body& body, double gravity_x, double gravity_y) {
  return -(static_cast<double>(body.mass) * body.gravity_scale *
           (gravity_x * body.center_x + gravity_y * body.center_y));
}

// A 64-bit mix of the exact bits (the finaliser of splitmix64, Steele et al. 2014).
uint64_t hash_bodies(const Bodies& bodies) {
  uint64_t hash = 0x243f6a8885a308d3ull;
  auto mix = [&hash](uint64_t bits) {
    hash ^= bits;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9ull;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebull;
    hash ^= hash >> 31;
  };
  auto mix_double = [&mix](double value) {
    uint64_t bits;
    value += 0.0;  // -0 and 0 hash alike
    std::memcpy(&bits, &value, sizeof bits);
    mix(bits);
  };
  for (int i = 0; i < bodies.count(); ++i) {
    const BodyState& s = bodies.states[i];
    mix(bodies.alive[i]);
    mix_double(bodies.x[i]);
    mix_double(bodies.y[i]);
    mix_double(bodies.angle[i]);
    mix_double(s.vx);
    mix_double(s.vy);
    mix_double(s.omega);
  }
  return hash;
}

}  // namespace rigid
