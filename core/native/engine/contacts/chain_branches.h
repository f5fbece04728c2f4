// SPDX-License-Identifier: MIT
// Chain branches: the branch that a body follows on a chain that crosses itself.
//
// A loop-the-loop is one line: its entry and its exit cross at the lowest place, and a body on one
// branch passes through the other. The branch is not visible where both touch the body; so it is
// kept from step to step as long as the body is near the chain, and followed along the line,
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
  int body, link;  // link: that of the chain at the body's place
  bool inherited;  // from a body to which it is jointed, for this step
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

  // Whether a body is on a branch that crosses this line, so that it passes through the line.
  bool goes_through(int body, const WorldShape& line) const;
  // Called before tracks are formed: applies the branches known from the last step.
  void enter_crossings();
  // Called after that: notes the branch of each track, or else of the first contact.
  void note_branches(std::span<const ChainTrack> tracks);

  // Called when a body is removed, and when links are renumbered (Chains::remove_links).
  void forget_body(int body);
  void renumber(const std::vector<int>& now);

  template <class Archive>
  void list(Archive& a) {
    put(a, chain_branches_);
  }
  // Throws DamagedState if the values read are invalid.
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
