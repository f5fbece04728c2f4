// SPDX-License-Identifier: MIT
// The interface of a kind of constraints: joints in lanes, joints solved directly, chain tracks,
// contacts.
//
// A solver is a list of stages; each stage is one call of every kind, in the order in which the
// solver lists the kinds. A kind without constraints does nothing in any stage.
#ifndef RIGID_ENGINE_CONSTRAINTS_CONSTRAINT_H
#define RIGID_ENGINE_CONSTRAINTS_CONSTRAINT_H

namespace rigid {

class Constraint {
 public:
  Constraint() = default;
  Constraint(const Constraint&) = delete;
  virtual ~Constraint() = default;

  // Called when a step and a substep begin, and when forces have changed the velocities.
  virtual void begin_step() {}
  virtual void begin_substep() {}
  virtual void note_forces() {}
  virtual void warm_start() {}
  // soft_step: one pass with the soft correction of errors, then passes over kinds that share
  // bodies, and after the positions have moved one pass without the correction.
  virtual void solve() {}
  virtual void solve_with_tracks() {}
  virtual void relax() {}
  // sequential_impulse: blows, then the passes at rest, and those that push overlaps apart.
  virtual void begin_bounce() {}
  virtual void bounce() {}
  virtual void finish_bounce() {}
  virtual void rest(int /*pass*/) {}
  virtual void finish_rest() {}
  virtual void push() {}
  virtual void finish_push() {}
  // Called after the positions have moved, up to the time `time` of the step.
  virtual void correct_positions(float /*time*/) {}
  // Limits the energy of the constraints, at the end of a substep and of a step.
  virtual void limit_energy() {}
  virtual void end_step() {}
  // Stores the impulses in joints and contacts.
  virtual void store() {}
};

}  // namespace rigid

#endif
