// SPDX-License-Identifier: MIT
// Masses, centres and moments of inertia of bodies: given, or from their shapes.
#ifndef RIGID_ENGINE_BODIES_MASS_H
#define RIGID_ENGINE_BODIES_MASS_H

#include "engine/data/bodies.h"
#include "engine/data/shapes.h"

namespace rigid {

// Of one body; moves the points of its shapes so that its centre of mass is their origin.
void compute_mass(Bodies& bodies, Shapes& shapes, int body);

}  // namespace rigid

#endif
