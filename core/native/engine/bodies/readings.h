// SPDX-License-Identifier: MIT
// Aggregate readings of all bodies.
#ifndef RIGID_ENGINE_BODIES_READINGS_H
#define RIGID_ENGINE_BODIES_READINGS_H

#include <cstdint>

#include "engine/data/bodies.h"

namespace rigid {

void find_energy(const Bodies& bodies, double gravity_x, double gravity_y, double& kinetic,
                 double& potential);

// The potential energy of a body's weight, 0 with the centre of mass at the origin.
double weight_energy(const Body& body, double gravity_x, double gravity_y);

// A hash of every exact position, angle and velocity.
uint64_t hash_bodies(const Bodies& bodies);

}  // namespace rigid

#endif
