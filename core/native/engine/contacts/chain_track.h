// SPDX-License-Identifier: MIT
// A chain track: a circle, corner or face of a shape that moves along a chain.
#ifndef RIGID_ENGINE_CONTACTS_CHAIN_TRACK_H
#define RIGID_ENGINE_CONTACTS_CHAIN_TRACK_H

#include "engine/data/kernels.h"
#include "geometry/track.h"

namespace rigid {

struct ChainTrack {
  int contact;           // represents all contacts with this line
  int shape, vertex;     // a circle, or a shape and the corner of it
  bool face;             // not the corner, but the face that begins there
  int chain;             // the chain's body
  int start_link, link;  // at the step's start, and now
  Rounding rounding;
  bool alone;     // the body has no other constraints
  double energy;  // kinetic, at the step's start
  double spare;   // energy that the chain has removed
  double range;   // distance along the chain without need of another contact in this step
  float normal_impulse, tangent_impulse, rolling_impulse;  // at the step's end
  TrackPlace place;
  template <class Archive>
  void list(Archive& a);
};

}  // namespace rigid

#endif
