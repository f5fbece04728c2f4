// SPDX-License-Identifier: MIT
// The definition of a world, constant after its creation except for gravity and pools.
#ifndef RIGID_ENGINE_DATA_SETTINGS_H
#define RIGID_ENGINE_DATA_SETTINGS_H

#include <vector>

#include "engine/data/kinds.h"

namespace rigid {

struct SolverType;  // solvers/solver.h

// The solution of rigid joints: directly while the cost is low, always directly, or one by one.
enum class JointSolver { automatic, direct, iterative };
constexpr const char* joint_solvers[] = {"auto", "direct", "iterative"};

#define RIGID_CHOICES(KIND, names, LIST)      \
  enum class KIND { LIST(RIGID_ENUMERATOR) }; \
  constexpr const char* names[] = {LIST(RIGID_NAME)};

// The impulse that is clamped: the accumulated one, each single one, or none. The last two
// demonstrate errors.
#define RIGID_IMPULSE_CLAMPS(X) X(accumulated) X(each) X(none)
RIGID_CHOICES(ImpulseClamp, impulse_clamps, RIGID_IMPULSE_CLAMPS)
// The moment at which forces act in a step: before constraints are prepared, between that and the
// solution, or after it.
#define RIGID_FORCE_MOMENTS(X) X(before) X(between) X(after)
RIGID_CHOICES(ExternalForce, external_forces, RIGID_FORCE_MOMENTS)
// The bound of friction: the normal impulse, as Coulomb has it; at each point the weight of a unit
// mass; or the force that presses the two bodies together.
#define RIGID_FRICTION_LIMITS(X) X(normal_impulse) X(gravity) X(weight)
RIGID_CHOICES(FrictionLimit, friction_limits, RIGID_FRICTION_LIMITS)
#define RIGID_MIXINGS(X) X(min) X(max) X(mean) X(product) X(geometric_mean)
RIGID_CHOICES(Mixing, mixings, RIGID_MIXINGS)

// A rectangle of water, or of another medium that carries bodies in it.
struct Pool {
  double left = 0, bottom = 0, right = 0, top = 0;
  double density = 0;            // mass per area
  double damping = 0, drag = 0;  // 1/time of the submerged part; coefficient of drag
  bool operator==(const Pool&) const = default;
};

// The settings that a saved state must agree with, each defined once: this list generates the
// fields, the arguments of Python's constructor with their checks, the table
// _native.WORLD_SETTINGS, and the head of saved states, in this order.
//
//   NUMBER(name, default, least, most, meaning)        a double
//   COUNT(name, default, least, most, meaning)         an int
//   CHOICE(Kind, name, default, names, meaning)        an enumerator, by its name
//   FLAG(name, default, meaning)
//   BOX(name, meaning)                                 left, bottom, right, top; or none
#define RIGID_SETTINGS(NUMBER, COUNT, CHOICE, FLAG, BOX)                                          \
  COUNT(substeps, 4, 1, 1000, "of a step")                                                        \
  COUNT(iterations, 10, 1, 100000, "of the solver")                                               \
  CHOICE(JointSolver, joint_solver, JointSolver::automatic, joint_solvers, "of rigid joints")     \
  FLAG(warm_start, true, "impulses begin with those of the last step")                            \
  FLAG(position_correction, true, "overlaps are removed")                                         \
  NUMBER(correction_rate, 0.2, 0, 1, "share of an error that a step removes")                     \
  NUMBER(allowed_penetration, 0.01, 0, 1e9, "length; overlaps up to it stay")                     \
  CHOICE(FrictionLimit, friction_limit, FrictionLimit::normal_impulse, friction_limits, "bound")  \
  NUMBER(stop_below, 0, 0, 1e15, "velocity; a pass that changes no more ends the iterations")     \
  CHOICE(ImpulseClamp, clamp, ImpulseClamp::accumulated, impulse_clamps, "of normal impulses")    \
  CHOICE(ExternalForce, external_force, ExternalForce::between, external_forces, "when they act") \
  NUMBER(length_unit, 1, 1e-6, 1e6, "lengths in a metre")                                         \
  NUMBER(time_per_second, 1, 1e-6, 1e6, "times in a second")                                      \
  FLAG(sleep, true, "bodies at rest fall asleep")                                                 \
  CHOICE(Mixing, friction_mixing, Mixing::geometric_mean, mixings, "of two shapes")               \
  CHOICE(Mixing, restitution_mixing, Mixing::max, mixings, "of two shapes")                       \
  BOX(bounds, "bodies outside are removed")                                                       \
  FLAG(freeze_on_error, false, "a body with an error is removed, instead of stopping the world")  \
  NUMBER(air_drag, 0, 0, 1e15, "coefficient")                                                     \
  NUMBER(air_density, 0, 0, 1e15, "mass/length^2")                                                \
  NUMBER(attraction, 0, -1e15, 1e15, "of bodies, as gravitation's constant")                      \
  NUMBER(softening, 0, 0, 1e15, "length, of attraction")

// Settings that may differ when a state is restored.
#define RIGID_STEP_SETTINGS(NUMBER, COUNT)                             \
  NUMBER(dt, 1.0 / 60, 1e-9, 1e9, "time of a step")                    \
  COUNT(max_pairs, 1000000, 1, 1000000000, "that one shape may touch") \
  COUNT(threads, 1, 1, 256, "of a step")

#define RIGID_NUMBER_FIELD(name, start, least, most, meaning) double name = start;
#define RIGID_COUNT_FIELD(name, start, least, most, meaning) int name = start;
#define RIGID_CHOICE_FIELD(Kind, name, start, names, meaning) Kind name = start;
#define RIGID_FLAG_FIELD(name, start, meaning) bool name = start;
#define RIGID_BOX_FIELD(name, meaning) \
  bool has_##name = false;             \
  double name[4] = {0, 0, 0, 0};

struct WorldDefinition {
  const SolverType* solver = nullptr;
  double gravity_x = 0, gravity_y = -9.81;
  RIGID_SETTINGS(RIGID_NUMBER_FIELD, RIGID_COUNT_FIELD, RIGID_CHOICE_FIELD, RIGID_FLAG_FIELD,
                 RIGID_BOX_FIELD)
  RIGID_STEP_SETTINGS(RIGID_NUMBER_FIELD, RIGID_COUNT_FIELD)
  std::vector<Pool> pools;
  int lanes = 0;
  bool operator==(const WorldDefinition&) const = default;
};

// The time of a world.
struct Clock {
  double dt = 0;
  int steps = 0;
  double time() const { return steps * dt; }
};

}  // namespace rigid

#endif
