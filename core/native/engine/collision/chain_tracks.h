// SPDX-License-Identifier: MIT
// ChainTracks: shapes that slide or roll along a chain follow it smoothly instead of bumping into
// its lines.
//
//   chain_tracks.cpp   contacts with tracks, and the contacts that these replace
//   track_motion.cpp   their positions, and the velocities that keep them on the chain
//   track_corners.cpp  corners and faces
//
// chains.h contains the connections of lines, chain_branches.h the branches of loops.
#ifndef RIGID_ENGINE_COLLISION_CHAIN_TRACKS_H
#define RIGID_ENGINE_COLLISION_CHAIN_TRACKS_H

#include <utility>
#include <vector>

#include "engine/contacts/chain_branches.h"
#include "engine/contacts/chain_track.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/contacts/impulse_bearer.h"
#include "engine/data/bodies.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/parallel/thread_pool.h"
#include "geometry/track.h"

namespace rigid {

struct TrackData {
  std::vector<ChainTrack> tracks_;
};

class ChainTracks : TrackData {
 public:
  ChainTracks(const WorldDefinition& definition, const StepParameters& parameters, Bodies& bodies,
              const Shapes& shapes, Contacts& contacts, const Chains& chains,
              ChainBranches& chain_branches, ConstraintLanes& lanes, ImpulseBearer& bearer,
              ThreadPool& pool, const ChainTracks* from)
      : TrackData(from ? TrackData(*from) : TrackData{}),
        definition_(definition),
        parameters_(parameters),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        chains_(chains),
        chain_branches_(chain_branches),
        lanes_(lanes),
        bearer_(bearer),
        pool_(pool) {}
  ChainTracks(const ChainTracks&) = delete;
  void assign(const ChainTracks& other) { TrackData::operator=(other); }

  bool empty() const { return tracks_.empty(); }
  // Whether bodies with tracks have other constraints too, so that both have to agree.
  bool coupled() const { return coupled_tracks_; }

  // Called when a body is removed, and when links are renumbered (Chains::remove_links).
  void forget_body(int body);
  void renumber(const std::vector<int>& now);

  // Called in the narrow phase.
  void form_tracks();
  // Called at the beginning of a step, or when it is repeated, and at its end.
  void start_tracks();
  void finish_tracks();
  // Called in a substep: sets the velocities that keep to the chain, and updates the positions.
  void aim_tracks() { for_tracks(&ChainTracks::aim_track); }
  void follow_tracks() { for_tracks(&ChainTracks::locate_track); }
  void level_tracks() { for_tracks(&ChainTracks::level_track); }

  template <class Archive>
  void list(Archive& a) {
    put(a, tracks_);
  }
  // Throws DamagedState if the values read are invalid.
  void check() const;

 private:
  struct Sight;
  void lead_along(std::vector<int> contacts, const std::vector<ChainTrack>& before);
  void take_over(const ChainTrack& track, const ChainTrack& old);
  std::vector<int> passed_links(const ChainTrack& track) const;
  void drop_others(const std::vector<int>& contacts, const std::vector<int>& passed,
                   const ChainTrack& track);
  Sight sight(const ChainTrack& track) const;
  bool start_track(int contact, int vertex, int link, ChainTrack& track) const;
  void locate_track(ChainTrack& track) const;
  void aim_track(ChainTrack& track) const;
  void level_track(ChainTrack& track) const;
  void for_tracks(void (ChainTracks::*task)(ChainTrack&) const);
  double kinetic_energy(int body) const;
  void keep_energy(ChainTrack& track);
  void find_beside();
  void note_coupled_tracks();
  void lead_corners(std::vector<int> contacts, const std::vector<ChainTrack>& before);
  std::vector<ChainTrack> find_corners(const std::vector<int>& contacts) const;
  float corner_margin(const WorldShape& shape, int vertex, Vec2 into) const;
  bool find_between(const ChainTrack& first, const ChainTrack& second,
                    std::vector<int>& links) const;
  bool is_pierced(const std::vector<int>& contacts, const std::vector<ChainTrack>& corners) const;
  bool find_face(const std::vector<int>& contacts, ChainTrack& track) const;
  bool locate_face(ChainTrack& track) const;
  void aim_face(ChainTrack& track) const;
  bool face_at(const ChainTrack& track, const Sight& seen, TrackPoint& point, Double2& place) const;
  int find_stand_in(const ChainTrack& track, const std::vector<int>& contacts,
                    const std::vector<int>& taken);
  void stand_on_corner(ChainTrack& track, const std::vector<ChainTrack>& before,
                       std::vector<ContactPoint>& borne);

  const WorldDefinition& definition_;
  const StepParameters& parameters_;
  Bodies& bodies_;
  const Shapes& shapes_;
  Contacts& contacts_;
  const Chains& chains_;
  ChainBranches& chain_branches_;
  ConstraintLanes& lanes_;
  ImpulseBearer& bearer_;
  ThreadPool& pool_;
  // Spare contacts of shapes with corners next to chains, sorted.
  using IdleContact = std::pair<std::pair<int, int>, int>;  // shape and chain's body, contact
  std::vector<IdleContact> idle_contacts_;
  std::vector<int> beside_;    // contacts with lines
  std::vector<uint8_t> held_;  // bodies that have contacts other than tracks
  bool coupled_tracks_ = false;
};

}  // namespace rigid

#endif
