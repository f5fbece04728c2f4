// SPDX-License-Identifier: MIT
// Masses, centres and moments of inertia of bodies: given, or from their shapes.
#ifndef RIGID_ENGINE_BODIES_MASS_H
#define RIGID_ENGINE_BODIES_MASS_H

#include "engine/data/bodies.h"
#include "engine/data/shapes.h"

namespace rigid {

// Computes the mass of one body; moves the points of its shapes so that their origin is its centre
// of mass.
void compute_mass(Bodies& bodies, Shapes& shapes, int body);

}  // namespace rigid

#endif
