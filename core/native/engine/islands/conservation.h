// SPDX-License-Identifier: MIT
// The law of energy and momentum that holds for every island, whatever its constraints are and
// however they were solved.
//
// An island is a set of bodies that contacts and joints hold together in a step. Its motion is the
// sum of two: that of one rigid body with its momentum P and angular momentum L about its centre of
// mass, and the rest,
//   V = P / M,  Omega = L / I,  I = sum(I_i + m_i r_i^2),  r from the centre of mass,
//   K = (M V^2 + I Omega^2) / 2 + K_rest.
// Constraints between its bodies decide the rest alone. So where nothing outside holds an island,
// its rigid motion is that of its momentum before, and of the forces; what a solver has made of it
// otherwise is put right.
//
// The rest may lose energy and gain none: over a step
//   K + springs - work of forces - work of drives
// must not rise. What constraints gained is summed up for each island over all of its time, and
// where the sum exceeds a share of the motion there is, it is taken from the rest by scaling it,
// which leaves P and L as they are. The sum is split among the bodies, so that islands may join and
// part. What scaling cannot take lies in places, of springs above all: then bodies are projected
// onto their joints, and if that does not do, go only a part of the step's way.
//
// The velocities of what constraints hold are half a substep behind the places. What such steps
// keep is K + U + h F v / 2 (Hairer, Lubich and Wanner, "Geometric Numerical Integration", IX.3),
// and what bounces exactly keeps K + U. Only what exceeds in both counts was gained.
#ifndef RIGID_ENGINE_ISLANDS_CONSERVATION_H
#define RIGID_ENGINE_ISLANDS_CONSERVATION_H

#include <span>
#include <vector>

#include "engine/collision/continuous.h"
#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/settings.h"
#include "engine/forces/attraction.h"
#include "engine/joints/joints.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/mechanisms.h"

namespace rigid {

inline double kinetic_energy(double mass, double inertia, const BodyState& s) {
  const double vx = s.vx, vy = s.vy, omega = s.omega;
  return 0.5 * (mass * (vx * vx + vy * vy) + inertia * omega * omega);
}

class Conservation {
 public:
  Conservation(const WorldDefinition& definition, const StepParameters& parameters, Bodies& bodies,
               Contacts& contacts, Joints& joints, Mechanisms& mechanisms, Attraction& attraction,
               Continuous& continuous, ConstraintLanes& lanes)
      : definition_(definition),
        parameters_(parameters),
        bodies_(bodies),
        contacts_(contacts),
        joints_(joints),
        mechanisms_(mechanisms),
        attraction_(attraction),
        continuous_(continuous),
        lanes_(lanes) {}
  Conservation(const Conservation&) = delete;

  // Where the solver begins with a step, and where it has done it.
  void open();
  void close();

 private:
  // What of a body counts.
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
    bool held = false;     // by something that does not move, which takes momentum
    bool turns = true;     // all of its bodies can turn
    bool moved = false;    // by something that moves at its own will
    bool damped = false;
    bool self_kept = true;       // its mechanism counts for itself, in every substep
    double stored_before = 0;    // in springs, where the step began
    double stored = 0, lag = 0;  // that springs gained
    double drives = 0;           // that motors may have given
  };
  struct Place {
    Double2 center;
    const BodyState* state;
  };
  // The motion of an island as one rigid body.
  struct Drift {
    Double2 center{0, 0}, velocity{0, 0};
    double omega = 0, spin = 0, mass = 0, inertia = 0;
  };
  // Energies that an island had and has, and what its constraints gave it: as it is (`plain`), with
  // velocities half a substep behind the places (`lagged`), and by velocities alone (`kinetic`).
  struct Gains {
    double had = 0, has = 0, plain = 0, lagged = 0, kinetic = 0, weight = 0, work = 0;
  };
  // `allowed`: what may have been gained; `excess`: what was gained beyond that.
  struct Balance {
    Gains gains;
    EnergyLedger sum;
    double allowed = 0, excess = 0;
  };

  std::span<const Part> parts_in(const Island& island) const {
    return std::span<const Part>(parts_).subspan(island.first, island.count);
  }
  bool is_lively(const BodyState& state, const Body& body) const;
  bool any_lively(const BodyState* states) const;
  bool any_shifted() const;
  Double2 place_of(int body) const;

  void find_islands();
  void group_bodies();
  void weigh_parts();
  void note_contact(const Contact& contact);
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
  double rest_energy(const Island& island, const Drift& drift) const;
  Gains find_gains(const Island& island) const;
  void scale_rest(const Island& island, const Drift& now, double share);
  void project(Island& island, double excess);
  bool strays(const Island& island) const;
  bool makes_sense(const Island& island) const;
  bool reject(const Island& island);
  double likely_share(const Island& island, const Balance& balance);
  Drift go_part_of_way(const Island& island, const Drift& before, const Drift& now,
                       const std::vector<BodyState>& ends, double share);
  Drift shorten(Island& island, const Drift& before, const Drift& now, double likely,
                Balance& balance);
  Drift place_joints(Island& island, const Drift& before, Drift now, Balance& balance);
  bool owes(const Island& island, const Drift& now, const Balance& balance) const;
  void brake(Island& island, const Drift& now, Balance& balance);
  Balance balance_of(const Island& island) const;
  void keep(Island& island);
  EnergyLedger sum_ledgers(const Island& island, const Gains& gains) const;
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
  bool open_ = false, lively_ = false;
  std::vector<BodyState> begun_;  // the states where the step began
  std::vector<int> parents_, island_of_;
  std::vector<Part> parts_;
  std::vector<Island> islands_;
  std::vector<BodyState> moved_;                 // before bodies are projected
  std::vector<int> sorted_joints_, joint_ends_;  // by islands; empty before one asks for its own
};

}  // namespace rigid

#endif
