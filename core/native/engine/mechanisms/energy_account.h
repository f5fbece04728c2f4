// SPDX-License-Identifier: MIT
// The energy account of a mechanism, over its whole life: the energy it gained without work.
//
// Forces that are known when a substep begins act on velocities that are half a substep behind the
// positions. Such a step conserves m v^2 / 2 + U + h F v / 2, exactly if F = -dU/dx is linear
// (Hairer, Lubich and Wanner, "Geometric Numerical Integration", IX.3), and this is the energy
// counted. The shares of springs and motors come from the rows of a system (direct_energy.h) or
// from the joints that are solved one by one (iterative_energy.h).
#ifndef RIGID_ENGINE_MECHANISMS_ENERGY_ACCOUNT_H
#define RIGID_ENGINE_MECHANISMS_ENERGY_ACCOUNT_H

#include <vector>

#include "engine/data/archive.h"
#include "engine/data/body.h"
#include "engine/data/constants.h"
#include "engine/data/kernels.h"
#include "engine/joints/stored_energy.h"
#include "engine/mechanisms/direct_worlds.h"
#include "engine/mechanisms/lane_task.h"
#include "prefetch.h"

namespace rigid {

// Twice the kinetic energy, or the same product of two velocities.
template <class Mass, class A, class B>
RIGID_INLINE auto energy_product(const Mass& m, const A& a, const B& b) {
  const auto linear = in_double(a.vx) * in_double(b.vx) + in_double(a.vy) * in_double(b.vy);
  return m.mass * linear + m.inertia * (in_double(a.omega) * in_double(b.omega));
}

// The account of one world, or of W worlds side by side, each with few bodies and a joint to a body
// that does not move.
template <int W, bool fixed>
class AccountOf {
  template <int V>
  friend class SystemLanes;

 public:
  using Number = typename DirectWorlds<W>::Number;
  using Mask = typename DirectWorlds<W>::Mask;
  using State = typename DirectWorlds<W>::State;
  struct Mass {
    Number mass, inertia;
  };
  struct Velocity {
    single_number<W> vx, vy, omega;
  };

  // The gain since the mechanism was formed, less later losses of it, and the kinetic energy that
  // it is compared with.
  struct Sums {
    Number balance = 0, reference = 0;
    template <class Archive>
    void list(Archive& archive) {
      put(archive, balance, reference);
    }
  };
  const Sums& sums() const { return sums_; }
  void set_sums(const Sums& sums) { sums_ = sums; }

  // Called when a substep begins, and when forces have acted.
  void open(const State* states) {
    for (Part& part : parts_) part.began = states[part.body];
    kinetic_before_ = kinetic_energy(states);
    note_motion(kinetic_before_);
  }
  void note_forces(const State* states) {
    for (Part& part : parts_) {
      const State& s = states[part.body];
      part.forced = {s.vx, s.vy, s.omega};
    }
  }
  Number kinetic_energy(const State* states) const {
    Number sum = 0;
    for (const Part& part : parts_) {
      const State& s = states[part.body];
      sum += energy_product(part.own, s, s);
    }
    return 0.5 * sum;
  }
  // The kinetic energy that neither forces nor motors, with their work `of_motors`, account for.
  // Called when a substep ends: the states are kept as the start of the next one.
  Number gained(const State* states, Number of_motors) {
    Number work = 0, motion = 0;
    for (Part& part : parts_) {
      const State& now = states[part.body];
      add_work(part, now, work);
      motion += energy_product(part.own, now, now);
      if constexpr (!fixed) part.began = now;
    }
    kinetic_after_ = 0.5 * motion;
    return kinetic_after_ - kinetic_before_ - (work + of_motors);
  }
  // Adds the gain of a substep and returns the excess over the allowed balance. `spare`: energy
  // that may come and go in addition, as joints yield to a weight and spring back.
  Number excess_with(Number gained, Number spare = 0) {
    const Number least = -constants::most_regain * sums_.reference - spare;
    sums_.balance = greater(sums_.balance + gained, least);
    return sums_.balance - constants::most_gain * sums_.reference - spare;
  }
  void note_motion(Number kinetic_before) {
    sums_.reference = greater(kinetic_before, sums_.reference * (1 - constants::gain_memory));
  }
  void take(Number taken) { sums_.balance -= taken; }
  // Removes energy from the motion of the parts relative to drift(part), and returns how much.
  // Scaling this motion keeps the constraints of all joints.
  template <class Drift>
  Number slow_down(State* states, Number excess, Mask which, Drift&& drift) const;

  // By the index of a body in the mechanism.
  const Mass& own(std::size_t i) const { return parts_[i].own; }
  const Mass& effective(std::size_t i) const { return parts_[i].effective; }
  const Velocity& forced(std::size_t i) const { return parts_[i].forced; }

 protected:
  // The account's data of a body.
  struct Part {
    State began{};
    Mass own{0, 0}, effective{0, 0};  // effective: as the solver uses it in this step
    // The inverses of these, kept since they hardly ever change.
    InverseMass own_inverse{0, 0}, effective_inverse{0, 0};
    Velocity forced{};
    int body = 0;
  };
  void add_work(const Part& part, const State& now, Number& work) const;

  Sums sums_;
  Number kinetic_before_ = 0, kinetic_after_ = 0;
  double h_ = 1;
  DirectList<fixed, Part, LaneTask::most_bodies> parts_;
};

// The work of gravity and of all else that changed a body's velocity before the joints were solved,
// along its path and its turn.
template <int W, bool fixed>
RIGID_INLINE void AccountOf<W, fixed>::add_work(const Part& part, const State& now,
                                                Number& work) const {
  const State& a = part.began;
  const Velocity& b = part.forced;
  const Number none = 0, half = 0.5;
  // A free body has moved by the mean velocity (bodies/motion.h).
  const Number ahead = select((now.vx == b.vx) & (now.vy == b.vy), none, half);
  auto path = [this](Number moved, Number speed, Number speed_before, Number share) {
    return moved / h_ - share * (speed - speed_before);
  };
  const Number x = path(in_double(now.dx) - a.dx, now.vx, a.vx, ahead);
  const Number y = path(in_double(now.dy) - a.dy, now.vy, a.vy, ahead);
  const Number turn = path(in_double(now.delta_angle) - a.delta_angle, now.omega, a.omega,
                           select(now.omega == b.omega, none, half));
  work += part.effective.mass * ((in_double(b.vx) - a.vx) * x + (in_double(b.vy) - a.vy) * y);
  work += part.effective.inertia * (in_double(b.omega) - a.omega) * turn;
}

template <int W, bool fixed>
template <class Drift>
typename DirectWorlds<W>::Number AccountOf<W, fixed>::slow_down(State* states, Number excess,
                                                                Mask which, Drift&& drift) const {
  const Number none = 0, whole = 1, had = kinetic_energy(states);
  Number inner = 0;
  for (const Part& part : parts_) {
    const State& s = states[part.body];
    const Velocity free = drift(part);
    const Velocity own = {single(s.vx - free.vx), single(s.vy - free.vy),
                          single(s.omega - free.omega)};
    inner += 0.5 * energy_product(part.own, own, own);
  }
  const Number share = select(inner > excess, root(whole - excess / inner), none);
  for (const Part& part : parts_) {
    State& s = states[part.body];
    const Velocity free = drift(part);
    auto slow = [&](auto& speed, auto free_speed) {
      const auto slowed = single(free_speed + share * single(speed - free_speed));
      speed = select(which, slowed, speed);
    };
    slow(s.vx, free.vx);
    slow(s.vy, free.vy);
    slow(s.omega, free.omega);
  }
  return had - kinetic_energy(states);
}

class EnergyAccount : public AccountOf<1, false> {
 public:
  void keep_for(const std::vector<int>& bodies);
  // Prefetches the data that every substep reads.
  void prefetch(const KernelContext& context) const {
    const auto *line = reinterpret_cast<const char*>(parts_.data()),
               *end = reinterpret_cast<const char*>(parts_.data() + parts_.size());
    for (; line < end; line += 64) prefetch_to_read(line);
    if (!parts_.empty()) prefetch_to_read(&context.states[parts_.front().body]);
  }
  // The values carried over from one step to the next.
  template <class Archive>
  void list(Archive& archive) {
    put(archive, sums_);
  }
  // Forgets the steps before.
  void forget() { sums_ = {}; }
  // Called before a step, and before it is repeated.
  void begin_step() {
    sums_before_ = sums_;
    closed_ = false;
  }
  void rewind() {
    sums_ = sums_before_;
    closed_ = false;
  }
  // Reads the masses; returns whether any has changed since the last call.
  bool weigh(const KernelContext& context);
  // The same for the bodies' own masses only.
  bool weigh_own(const KernelContext& context);
  using AccountOf::open;
  // The same, where the bodies may still have the state at which the account was closed in this
  // step; returns whether they do.
  bool open(const KernelContext& context);
  // Called after that, if nothing was removed.
  void close() { closed_ = true; }
  // The size of the forces that acted in the substep.
  double weight() const;
  // Removes energy from the motion of the parts against each other and against a body that holds
  // them.
  double slow_down(BodyState* states, const Body* bodies, double excess, bool held) const;
  using AccountOf::slow_down;

 private:
  struct Drift {
    double x = 0, y = 0, vx = 0, vy = 0, omega = 0;
    bool turns = true;
  };
  bool has_axles() const;
  Drift find_drift(const BodyState* states, const Body* bodies) const;

  Sums sums_before_;
  bool closed_ = false;  // began_ is the state that the last substep left for the next one
};

}  // namespace rigid

#endif
