// SPDX-License-Identifier: MIT
// The definition of a world, fixed when the world is made.
#ifndef RIGID_ENGINE_DATA_SETTINGS_H
#define RIGID_ENGINE_DATA_SETTINGS_H

#include <vector>

namespace rigid {

struct SolverType;  // solvers/solver.h

// How rigid joints are solved: mechanisms at once while they are cheap, always, or one by one.
enum class JointSolver { automatic, direct, iterative };
// The impulse that is clamped: the accumulated one, each single one, or none. The last two
// demonstrate mistakes.
enum class ImpulseClamp { accumulated, each, none };
// When forces act in a step: before constraints are made, between that and solving, or after it.
enum class ExternalForce { before, between, after };
enum class Mixing { min, max, mean, product, geometric_mean };

// A rectangle of water, or of what else bears bodies that lie in it.
struct Pool {
  double left = 0, bottom = 0, right = 0, top = 0;
  double density = 0;            // mass per area
  double damping = 0, drag = 0;  // 1/time of what is under; coefficient of what is fast
  bool operator==(const Pool&) const = default;
};

struct WorldDefinition {
  double gravity_x = 0, gravity_y = -9.81, dt = 1.0 / 60;
  const SolverType* solver = nullptr;
  int substeps = 4, iterations = 10;
  JointSolver joints = JointSolver::automatic;
  bool warm_start = true, position_correction = true;
  double correction_rate = 0.2, allowed_penetration = 0.01;
  bool gravity_friction = false;
  ImpulseClamp clamp = ImpulseClamp::accumulated;
  ExternalForce external_force = ExternalForce::between;
  double length_unit = 1, time_per_second = 1;
  bool sleep = true;
  Mixing friction_mixing = Mixing::geometric_mean, restitution_mixing = Mixing::max;
  bool has_bounds = false;
  double bounds[4] = {0, 0, 0, 0};
  bool freeze_on_error = false;
  double air_drag = 0, air_density = 0;
  double attraction = 0, softening = 0;
  std::vector<Pool> pools;
  int max_pairs = 1000000;
  int threads = 1, lanes = 0;
  bool operator==(const WorldDefinition&) const = default;
};

// How far a world is.
struct Clock {
  double dt = 0;
  int steps = 0;
  double time() const { return steps * dt; }
};

}  // namespace rigid

#endif
