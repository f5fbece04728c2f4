// SPDX-License-Identifier: MIT
// The conservation of energy and momentum in every island, for all constraints and all solvers.
//
// An island is a set of bodies connected by contacts and joints in a step. Its motion is the sum of
// two parts: the motion of one rigid body with momentum P and angular momentum L about its centre
// of
// mass, and the rest,
//   V = P / M,  Omega = L / I,  I = sum(I_i + m_i r_i^2),  r from the centre of mass,
//   K = (M V^2 + I Omega^2) / 2 + K_rest.
// Constraints between its bodies change only the rest. So if nothing outside holds an island, its
// rigid motion follows from its momentum before and the forces; any deviation by the solver is
// corrected.
//
// The rest may lose energy but not gain any: over a step
//   K + springs - work of forces - work of drives
// must not rise. The gain by constraints is summed for each island over its whole life; where the
// sum exceeds a share of the present motion, it is removed by scaling the rest, which leaves P and
// L unchanged. The sum is divided among the bodies, so that islands may merge and split. An excess
// that scaling cannot remove is potential energy, above all of springs: then bodies are projected
// onto their joints and, if this is not enough, move only a part of the step's way.
//
// The velocities of constrained bodies are half a substep behind the positions. Such steps conserve
// K + U + h F v / 2 (Hairer, Lubich and Wanner, "Geometric Numerical Integration", IX.3), and an
// exact bounce conserves K + U. Only an excess in both sums counts as a gain.
#ifndef RIGID_ENGINE_ISLANDS_CONSERVATION_H
#define RIGID_ENGINE_ISLANDS_CONSERVATION_H

#include <span>
#include <vector>

#include "engine/collision/continuous.h"
#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/settings.h"
#include "engine/forces/attraction.h"
#include "engine/islands/liveliness.h"
#include "engine/joints/joints.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/mechanisms.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

inline double kinetic_energy(double mass, double inertia, const BodyState& s) {
  const double vx = s.vx, vy = s.vy, omega = s.omega;
  return 0.5 * (mass * (vx * vx + vy * vy) + inertia * omega * omega);
}

class Conservation {
 public:
  Conservation(const WorldDefinition& definition, const StepParameters& parameters, Bodies& bodies,
               Contacts& contacts, Joints& joints, Mechanisms& mechanisms, Attraction& attraction,
               Continuous& continuous, ConstraintLanes& lanes, ThreadPool& pool)
      : definition_(definition),
        parameters_(parameters),
        bodies_(bodies),
        contacts_(contacts),
        joints_(joints),
        mechanisms_(mechanisms),
        attraction_(attraction),
        continuous_(continuous),
        lanes_(lanes),
        pool_(pool),
        liveliness_(definition, parameters, bodies) {}
  Conservation(const Conservation&) = delete;

  // Called before the solver begins a step, and after it.
  void open();
  // Returns the number of checked islands: those with constraints in which something moves, except
  // mechanisms with an account of their own.
  int close();

 private:
  static constexpr int part_piece = 512;  // bodies that are worth a piece of work
  // The data of a body.
  struct Part {
    int body = 0, island = 0;
    double mass = 0, inertia = 0;
    Double2 force{0, 0};
    double torque = 0;
  };
  struct Island {
    int first = 0, count = 0;  // of parts_
    bool constrained = false, jointed = false;
    bool touched = false;  // by contacts
    bool held = false;     // by a body that does not move, which takes momentum
    bool tied = false;     // by a joint to such a body, and not by contacts alone
    bool turns = true;     // all of its bodies can turn
    bool moved = false;    // by a body with a prescribed motion
    bool damped = false;
    bool thrown = false;         // in this step, by a burst of energy that was taken back
    bool self_kept = true;       // its mechanism has an account of its own in every substep
    double stored_before = 0;    // in springs, at the step's start
    double stored = 0, lag = 0;  // gained by springs
    double drives = 0;           // upper bound of the work of motors
  };
  struct Place {
    Double2 center;
    const BodyState* state;
  };
  // The motion of an island as one rigid body.
  struct Drift {
    Double2 center{0, 0}, velocity{0, 0};
    double omega = 0, spin = 0, mass = 0, inertia = 0;
    bool corrected = false;  // the bodies were given it
  };
  // The energies of an island before and after, and the gain by its constraints: from present
  // values (`plain`), with velocities half a substep behind the positions (`lagged`), and of
  // velocities alone (`kinetic`).
  struct Gains {
    double had = 0, has = 0, plain = 0, lagged = 0, kinetic = 0, weight = 0, work = 0;
  };
  // The values of a body, or their sums over an island. `most`: the energy that it may have had
  // together with what the forces give in a step.
  struct Totals {
    Gains gains;
    EnergyLedger ledger;
    double most = 0;
    bool finite = true;
    void add(const Totals& other);
  };
  // `allowed`: the allowance of gain; `excess`: the gain beyond it.
  struct Balance {
    Gains gains;
    EnergyLedger sum;
    double allowed = 0, excess = 0;
  };

  std::span<const Part> parts_in(const Island& island) const {
    return std::span<const Part>(parts_).subspan(island.first, island.count);
  }
  Double2 place_of(int body) const;

  void find_islands();
  void group_bodies();
  void weigh_parts();
  void note_joint(const Joint& joint);
  void weigh_joint(const Joint& joint, Island& island);
  void weigh_joints(Island& island);
  int island_of(const Joint& joint) const;
  std::span<const int> joints_in(const Island& island);

  template <class PlaceOf>
  Drift find_drift(const Island& island, PlaceOf&& place_of) const;
  Drift drift_before(const Island& island) const;
  Drift drift_after(const Island& island) const;
  void add_motion(const Island& island, Double2 velocity, double turn, Double2 center, bool spins);
  Drift settle(const Island& island, const Drift& before);
  double rest_energy(const Island& island, const Drift& drift, const Gains& gains) const;
  template <bool with_gains>
  Totals terms_of(const Part& part) const;
  Totals limits_of(const Island& island) const;
  Totals totals_of(const Island& island);
  double overlap_of(const Island& island);
  void scale_rest(const Island& island, const Drift& now, double share);
  void project(Island& island, double excess);
  bool strays(const Island& island) const;
  static bool makes_sense(const Totals& totals);
  void reject(const Island& island);
  double likely_share(const Island& island, const Balance& balance);
  Drift go_part_of_way(const Island& island, const Drift& before, const Drift& now,
                       const std::vector<BodyState>& ends, double share);
  Drift shorten(Island& island, const Drift& before, const Drift& now, double likely,
                Balance& balance);
  Drift place_joints(Island& island, const Drift& before, Drift now, Balance& balance);
  bool owes(const Island& island, const Drift& now, const Balance& balance);
  void brake(Island& island, const Drift& now, Balance& balance);
  Balance balance_of(const Island& island);
  Balance balance_of(const Island& island, const Totals& totals);
  void keep(Island& island);
  EnergyLedger sum_ledgers(const Island& island, const Totals& totals);
  void split_ledger(const Island& island, const EnergyLedger& sum, double kinetic);

  const WorldDefinition& definition_;
  const StepParameters& parameters_;
  Bodies& bodies_;
  Contacts& contacts_;
  Joints& joints_;
  Mechanisms& mechanisms_;
  Attraction& attraction_;
  Continuous& continuous_;
  ConstraintLanes& lanes_;
  ThreadPool& pool_;
  Liveliness liveliness_;
  int checked_ = 0;
  bool open_ = false, lively_ = false;
  std::vector<BodyState> begun_;  // the states at the step's start
  std::vector<int> parents_, island_of_;
  std::vector<uint8_t> marks_;  // of each body: what its contacts say of its island
  std::vector<Part> parts_;
  std::vector<Totals> terms_;     // of each body of an island
  std::vector<double> overlaps_;  // by island; empty until one is needed
  std::vector<Island> islands_;
  std::vector<BodyState> moved_;                 // before bodies are projected
  std::vector<int> sorted_joints_, joint_ends_;  // by island; empty until one is needed
};

}  // namespace rigid

#endif
