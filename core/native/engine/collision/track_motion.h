// SPDX-License-Identifier: MIT
// A chain's body and a track on it, in the middle of a step.
#ifndef RIGID_ENGINE_COLLISION_TRACK_MOTION_H
#define RIGID_ENGINE_COLLISION_TRACK_MOTION_H
#include "engine/collision/chain_tracks.h"

namespace rigid {

struct DoubleRotation {
  double c, s;
};

// A chain's body and a circle in the middle of a step; world axes unless noted.
struct ChainTracks::Sight {
  DoubleRotation rotation;  // of the chain's body
  Double2 between;          // from its centre of mass to that of the circle's body
  Double2 lever;            // from there to the circle's centre
  Double2 centre;           // of the circle, in the chain's body
  Double2 up, along;        // of a face: its inward normal and its direction, in the chain's body
  double length;            // of a face
};

}  // namespace rigid

#endif
