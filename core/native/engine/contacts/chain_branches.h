// SPDX-License-Identifier: MIT
// The branch that a body is on, of a chain that crosses itself.
//
// A loop-the-loop is one line: its entry and its exit cross at the lowest place, and a body on
// one branch passes through the other. The branch cannot be seen where both touch the body; so it
// is kept from step to step as long as the body is beside the chain, and followed along the line,
// whether the body has a track there, rests there or hops. Jointed bodies take the branch of their
// neighbours: a chassis that grazes the track stays with its wheels.
#ifndef RIGID_ENGINE_CONTACTS_CHAIN_BRANCHES_H
#define RIGID_ENGINE_CONTACTS_CHAIN_BRANCHES_H

#include <span>
#include <vector>

#include "engine/contacts/chain_track.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/shapes.h"
#include "engine/joints/joints.h"

namespace rigid {

struct ChainBranch {
  int body, link;  // the chain's link where it is
  bool inherited;  // that of a body to which it is jointed, for this step
  template <class Archive>
  void list(Archive& a);
};

struct ChainBranchData {
  std::vector<ChainBranch> chain_branches_;  // by body and chain, of chains that cross themselves
};

class ChainBranches : ChainBranchData {
 public:
  ChainBranches(const Bodies& bodies, const Shapes& shapes, Contacts& contacts,
                const Joints& joints, const Chains& chains, const ChainBranches* from)
      : ChainBranchData(from ? ChainBranchData(*from) : ChainBranchData{}),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        joints_(joints),
        chains_(chains) {}
  ChainBranches(const ChainBranches&) = delete;
  void assign(const ChainBranches& other) { ChainBranchData::operator=(other); }

  // Whether a body rides on a chain that crosses this line, which it goes through.
  bool goes_through(int body, const WorldShape& line) const;
  // Before anything is led: what is known from the last step.
  void enter_crossings();
  // After that: where it was led, or else what it touches first.
  void note_branches(std::span<const ChainTrack> tracks);

  // When a body goes, and when links are others (Chains::remove_links).
  void forget_body(int body);
  void renumber(const std::vector<int>& now);

  template <class Archive>
  void list(Archive& a) {
    put(a, chain_branches_);
  }
  // Throws DamagedState where what was read cannot be.
  void check() const;

 private:
  const ChainBranch* branch_of(std::span<const ChainBranch> among, int body, int chain) const;
  void sort_branches();
  void follow_branches();
  void hand_on_branches();
  void pass_crossings();

  const Bodies& bodies_;
  const Shapes& shapes_;
  Contacts& contacts_;
  const Joints& joints_;
  const Chains& chains_;
};

}  // namespace rigid

#endif
