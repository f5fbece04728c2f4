// SPDX-License-Identifier: MIT
// Chain tracks as constraints: the target velocities of their contacts.
#ifndef RIGID_ENGINE_CONSTRAINTS_TRACK_CONSTRAINTS_H
#define RIGID_ENGINE_CONSTRAINTS_TRACK_CONSTRAINTS_H

#include "engine/collision/chain_tracks.h"
#include "engine/constraints/constraint.h"

namespace rigid {

class TrackConstraints : public Constraint {
 public:
  explicit TrackConstraints(ChainTracks& tracks) : tracks_(tracks) {}

  void solve() override { tracks_.aim_tracks(); }
  void solve_with_tracks() override { tracks_.aim_tracks(); }
  void relax() override { tracks_.follow_tracks(); }
  void rest(int) override { tracks_.aim_tracks(); }

 private:
  ChainTracks& tracks_;
};

}  // namespace rigid

#endif
