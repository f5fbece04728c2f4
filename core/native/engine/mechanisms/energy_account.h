// SPDX-License-Identifier: MIT
// What a mechanism may gain of itself, counted over all of its time: nothing.
//
// Forces that are known when a substep begins act on velocities that are half a substep behind the
// places. What such a step keeps is m v^2 / 2 + U + h F v / 2, exactly where F = -dU/dx is linear
// (Hairer, Lubich and Wanner, "Geometric Numerical Integration", IX.3), and that is what is
// counted. Springs and motors are told by those who know them: the rows of a system
// (joint_system_energy.cpp), or the joints that are solved one by one (iterative_energy.h).
#ifndef RIGID_ENGINE_ENERGY_ACCOUNT_H
#define RIGID_ENGINE_ENERGY_ACCOUNT_H

#include <vector>

#include "engine/bodies/body.h"
#include "engine/joints/stored_energy.h"
#include "engine/solvers/kernels.h"
#include "engine/state/archive.h"

namespace rigid {

class EnergyAccount {
  template <int W>
  friend class SystemLanes;
  friend class LaneStay;

 public:
  struct Mass {
    double mass, inertia;
  };
  struct Velocity {
    float vx, vy, omega;
  };
  void keep_for(const std::vector<int>& bodies);
  // Begins to load what every substep looks at.
  void prefetch(const KernelContext& context) const {
    const auto *line = reinterpret_cast<const char*>(parts_.data()),
               *end = reinterpret_cast<const char*>(parts_.data() + parts_.size());
    for (; line < end; line += 64) __builtin_prefetch(line);
    if (!parts_.empty()) __builtin_prefetch(&context.states[parts_.front().body]);
  }
  // What is carried over from one step to the next.
  template <class Archive>
  void list(Archive& archive) {
    put(archive, sums_);
  }
  // Before a step, and before it is taken again.
  void begin_step() {
    sums_before_ = sums_;
    closed_ = false;
  }
  void rewind() {
    sums_ = sums_before_;
    closed_ = false;
  }
  // Whether any mass is another than when it was weighed last.
  bool weigh(const KernelContext& context);
  // The same where nothing but their own masses is asked for.
  bool weigh_own(const KernelContext& context);
  // Where a substep begins, and where forces have acted. Whether the bodies are still as they were
  // left when the account was closed in this step.
  bool open(const KernelContext& context);
  void note_forces(const KernelContext& context);
  double kinetic_energy(const KernelContext& context) const;
  // The kinetic energy that neither forces nor motors, which gave `of_motors`, account for. Where a
  // substep ends: what the bodies are now is what the next one may begin with.
  double gained(const KernelContext& context, double of_motors);
  // After that, where nothing was taken.
  void close() { closed_ = true; }
  // Puts down what was gained in a substep, and returns what goes beyond what may be.
  // `spare`: energy that may come and go besides, as joints give way to a weight and spring back.
  double excess_with(double gained, double spare = 0);
  void note_motion(double kinetic_before);
  // The size of the forces that acted in the substep.
  double weight() const;
  void take(double taken) { sums_.balance -= taken; }
  // Takes energy from the motion of the parts against each other and against what holds them, and
  // returns how much. All joints hold what is a multiple of that as they did.
  double slow_down(const KernelContext& context, double excess, bool held);

  // By the index of a body in the mechanism.
  const Mass& own(std::size_t i) const { return parts_[i].own; }
  const Velocity& forced(std::size_t i) const { return parts_[i].forced; }
  // Twice the kinetic energy, or the same of two velocities.
  static double product(const Mass& m, const BodyState& a, const BodyState& b);

 private:
  // A body, as far as the account looks at it.
  struct Part {
    BodyState began{};
    Mass own{0, 0}, effective{0, 0};  // effective: as the solver takes it in this step
    // What those are the inverses of: they hardly ever change.
    InverseMass own_inverse{0, 0}, effective_inverse{0, 0};
    Velocity forced{};
    int body = 0;
  };
  struct Drift {
    double x = 0, y = 0, vx = 0, vy = 0, omega = 0;
    bool turns = true;
  };
  struct Work {
    double moving, turning;
  };
  Work work_of_forces(const Part& part, const BodyState& now) const;
  bool has_axles() const;
  Drift find_drift(const KernelContext& context) const;

  // What has been gained since the mechanism was put together, less what was lost of that again,
  // and the motion that it is compared with.
  struct Sums {
    double balance = 0, reference = 0;
    template <class Archive>
    void list(Archive& archive) {
      put(archive, balance, reference);
    }
  };
  Sums sums_, sums_before_;
  double kinetic_before_ = 0, kinetic_after_ = 0, h_ = 1;
  bool closed_ = false;  // began_ is what the last substep has left for the next one
  std::vector<Part> parts_;
  std::vector<BodyState> drifting_;
};

}  // namespace rigid

#endif
