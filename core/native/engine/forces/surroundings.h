// SPDX-License-Identifier: MIT
// Surroundings: drag of air, and buoyancy and drag of pools.
//
// Forces are those at the middle of a step, predicted from the velocities at its beginning. Drag is
// a damping with a constant rate for the step (bodies/motion.cpp), stable at any speed, and chosen
// for the effect of its substeps.
#ifndef RIGID_ENGINE_FORCES_SURROUNDINGS_H
#define RIGID_ENGINE_FORCES_SURROUNDINGS_H

#include <vector>

#include "engine/data/bodies.h"
#include "engine/data/kernels.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"

namespace rigid {

class Surroundings {
 public:
  Surroundings(Bodies& bodies, const Shapes& shapes, const WorldDefinition& definition,
               const StepParameters& parameters)
      : bodies_(bodies), shapes_(shapes), definition_(definition), parameters_(parameters) {}
  Surroundings(const Surroundings&) = delete;
  // Adds to the forces and drags of the step that begins now.
  void apply();

 private:
  // The area of a shape, its part in a pool, and the first moments of this part.
  struct Part {
    double whole = 0, area = 0, x = 0, y = 0;
  };
  // The place of a body at the step's middle.
  struct Pose {
    double x, y;
    SineCosine turn;
  };

  bool acts_on(int body) const {
    return bodies_.is_dynamic(body) && bodies_.alive[body] && bodies_.awake[body];
  }
  Pose middle_of(int body) const;
  void resist(int body);
  void brake(int body, double thickness, const Pose& pose);
  void bear(int body, const Pool& pool);
  double silhouette(int body, const Pose& pose, Double2 across) const;
  Part inside(const WorldShape& shape, const Pose& pose, const Pool& pool);
  Part circle_inside(Double2 center, double radius, const Pool& pool);
  Part outline_inside(const Pool& pool);
  void clip(Double2 normal, double offset);

  Bodies& bodies_;
  const Shapes& shapes_;
  const WorldDefinition& definition_;
  const StepParameters& parameters_;
  std::vector<Double2> outline_, clipped_;
};

}  // namespace rigid

#endif
