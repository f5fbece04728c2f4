// SPDX-License-Identifier: MIT
// Mass, centre of mass and inertia of a shape, exact, in double precision.
#ifndef RIGID_GEOMETRY_MASS_H
#define RIGID_GEOMETRY_MASS_H

#include "geometry/shape.h"

namespace rigid {

struct MassData {
  double mass;
  double cx, cy;   // the centre of mass, in the coordinates of the points
  double inertia;  // about that centre
};

// `points` holds x and y of `count` points, alternately: the core of the shape, which `radius`
// rounds on the outside. A polygon is counter-clockwise, and convex unless its radius is 0.
// Segments and chain segments have no area: mass 0, the centre midway. A core without area and
// without radius has mass 0 too, and its centre is the mean of its points.
MassData shape_mass(ShapeKind kind, const double* points, int count, double radius, double density);

}  // namespace rigid

#endif
