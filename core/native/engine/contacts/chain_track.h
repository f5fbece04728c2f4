// SPDX-License-Identifier: MIT
// A track: a circle, corner or face of a shape that moves along a chain.
#ifndef RIGID_ENGINE_CONTACTS_CHAIN_TRACK_H
#define RIGID_ENGINE_CONTACTS_CHAIN_TRACK_H

#include "engine/data/kernels.h"
#include "geometry/track.h"

namespace rigid {

struct ChainTrack {
  int contact;           // that represents all with this line
  int shape, vertex;     // a circle, or a shape and the corner of it
  bool face;             // not the corner, but the face that begins there
  int chain;             // the chain's body
  int start_link, link;  // where the step began, and now
  Rounding rounding;
  bool alone;     // nothing else holds the body
  double energy;  // of its motion where the step began
  double spare;   // that the chain has taken from it
  double range;   // so far along the chain no other contact is needed in this step
  float normal_impulse, tangent_impulse, rolling_impulse;  // at the step's end
  TrackPlace place;
  template <class Archive>
  void list(Archive& a);
};

}  // namespace rigid

#endif
