// SPDX-License-Identifier: MIT
// Thrusters, fields and impulses: timed forces on bodies.
#ifndef RIGID_ENGINE_FORCES_FORCES_H
#define RIGID_ENGINE_FORCES_FORCES_H

#include <vector>

#include "engine/data/bodies.h"
#include "engine/data/kinds.h"
#include "engine/data/settings.h"
#include "engine/data/slots.h"
#include "math.h"

namespace rigid {

struct ForceSource {
  ForceKind kind = ForceKind::thruster;
  int body = 0;
  bool at_center = false, enabled = true, alive = true;
  double at_x = 0, at_y = 0;  // body coordinates
  float x = 0, y = 0, torque = 0;
  double start = 0, until = 0;  // scene time

  // Whether it acts in a step of `dt` that begins at `now`; an impulse acts once, at its start.
  bool acts(double now, double dt) const {
    const double close = 1e-9 * dt;
    return now >= start - close && (kind == ForceKind::impulse || now < until - close);
  }
};

// A push on a body: over the coming step, or instantaneous.
struct Push {
  enum class Kind { force, torque, impulse, angular_impulse };
  Kind kind;
  int body;
  Vec2 along{0, 0};     // a force or impulse, ...
  double x = 0, y = 0;  // ... and the point where it acts, in the world
  float turn = 0;       // a torque or angular impulse
};

class Forces {
 public:
  int add(const ForceSource& source, Place place);
  void remove(int index);
  void remove_of(int body);
  const Slots& slots() const { return slots_; }
  void keep_slots() { slots_.keep(); }
  void set(int index, float x, float y, float torque, bool enabled);
  const std::vector<ForceSource>& all() const { return forces_; }
  int count() const { return static_cast<int>(forces_.size()); }
  // Calls push(Push) for each force that is active in the step that begins now, in order.
  template <class Apply>
  void apply(const Bodies& bodies, const Clock& clock, Apply&& apply) {
    for (ForceSource& force : forces_) {
      if (!force.enabled || !bodies.alive[force.body] || !bodies.is_dynamic(force.body)) continue;
      if (!force.acts(clock.time(), clock.dt)) continue;
      const bool once = force.kind == ForceKind::impulse;
      apply(push_of(force, bodies, clock.dt));
      apply({.kind = once ? Push::Kind::angular_impulse : Push::Kind::torque,
             .body = force.body,
             .turn = force.torque});
      if (once) force.enabled = false;
    }
  }
  template <class Archive>
  void list(Archive& a) {
    put(a, forces_, slots_);
  }

 private:
  static Push push_of(const ForceSource& force, const Bodies& bodies, double dt);
  std::vector<ForceSource> forces_;
  Slots slots_;
};

}  // namespace rigid

#endif
