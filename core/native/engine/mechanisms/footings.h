// SPDX-License-Identifier: MIT
// Mechanisms that stand on their light parts.
//
// A pass over contacts takes the bodies it is between for free. The foot of a heavy machine is then
// stopped by what would stop the foot, and the joints bring it down again: each pass takes just the
// foot's share of the weight, what lands sinks in meanwhile and is thrown back by what pushes it
// out, and among several feet the load may go to and fro for ever, since passes over contacts and
// solutions of the joints in turn need not come to rest where those are stiff. So contacts of a
// mechanism that shows itself much heavier at them than its bodies there are solved as one problem
// with its joints: the impulses x between their bounds, for which the velocities
//   v + K x,   K = J_c (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1) J_c^T,
// are what the contacts want, with the rows J held that hold it for now (heavy_loads.h). They take
// the place of what the passes have made of them; the mechanism bears them at once.
#ifndef RIGID_ENGINE_MECHANISMS_FOOTINGS_H
#define RIGID_ENGINE_MECHANISMS_FOOTINGS_H

#include <vector>

#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/heavy_loads.h"
#include "engine/mechanisms/mechanisms.h"

namespace rigid {

class Footings {
 public:
  Footings(const StepParameters& parameters, Bodies& bodies, Contacts& contacts,
           const Chains& chains, Mechanisms& mechanisms, const HeavyLoads& loads,
           ConstraintLanes& lanes)
      : parameters_(parameters),
        bodies_(bodies),
        contacts_(contacts),
        chains_(chains),
        mechanisms_(mechanisms),
        loads_(loads),
        lanes_(lanes) {}
  Footings(const Footings&) = delete;

  // Those of a step, once it is known what contacts see.
  void find();
  void clear() { footings_.clear(); }
  bool empty() const { return footings_.empty(); }
  int count() const { return static_cast<int>(footings_.size()); }
  // Whether motors or limits are taken for walls by one of them.
  bool any_firm() const;
  // Before a pass over all contacts, ...
  void note();
  // ... and what replaces that pass. Of soft_step:
  void solve();
  void relax();
  // Of sequential_impulse:
  void rest();
  void push();

 private:
  struct Footing {
    JointSystem* system;
    std::vector<int> bodies;  // of the mechanism, that have contacts, by their indices
    int first_contact, last_contact;
  };
  struct Held {
    int contact, a, b;  // the bodies' places in the footing, or -1
    double load[2];     // what bears friction while it is pushed
  };
  struct Kept {
    double normal, tangent, total_normal, total_tangent;
  };
  // A direction of a point of a contact.
  struct Row {
    const Held* held;
    ContactSums sums;
    double x, y, arm_a, arm_b;
    double speed;          // of now, of B's point as seen from A's
    double wanted;         // at least, along normals
    double give = 0;       // what an impulse costs, as a share of its response
    double impulse, kept;  // kept: before the pass that is replaced
    double passed;         // what that made of it
    double kept_total;     // in the same way
    double friction = -1;  // of a tangent, whose normal is the row before it
    double load = -1;      // that bears it instead, where not below 0
    double response = 0;
    bool waits = false;  // it will bounce
  };
  enum class Stage { solve, relax, rest, push };

  bool is_light(int body, const JointSystem& system) const;
  bool may_stand(const Footing& footing) const;
  bool stands(const Footing& footing);
  void add(JointSystem& system);
  void run(Stage stage);
  void set_rows(const Footing& footing, Stage stage);
  void set_aim(Row& row, const Contact& contact, double gap, bool fixed, Stage stage) const;
  double gap_of(const Contact& contact, int point) const;
  void undo_pass(const Footing& footing);
  void set_matrix(const Footing& footing);
  void solve_rows();
  void give(const Footing& footing, Stage stage);

  const StepParameters& parameters_;
  Bodies& bodies_;
  Contacts& contacts_;
  const Chains& chains_;
  Mechanisms& mechanisms_;
  const HeavyLoads& loads_;
  ConstraintLanes& lanes_;
  std::vector<Footing> footings_;
  std::vector<Held> held_;         // by footing
  std::vector<uint8_t> taken_;     // of each contact
  std::vector<BodyState> before_;  // of the bodies of all footings, before a pass
  std::vector<Kept> kept_;         // of the points of held_, two each
  // Of the footing that is solved.
  std::vector<double> responses_, matrix_;
  std::vector<Row> rows_;
};

}  // namespace rigid

#endif
