// SPDX-License-Identifier: MIT
// The path of a circle's centre along a chain, as a smooth line.
//
// A chain represents a smooth line: a body that slides along it is deflected and keeps its speed.
// Small corners are therefore rounded. For a circle's centre the chain is moved outwards by the
// radius, and its lines meet in corners K there; they are replaced by arcs that touch both lines at
// the distance w from K.
//
//        \        .         concave: the arc is before the corner
//         \__.__,'          convex: around the chain's own corner, or slightly inside it
//        w    K   w
//
// The caller chooses the reach of arcs: far enough that a step can follow the turn.
#ifndef RIGID_GEOMETRY_TRACK_H
#define RIGID_GEOMETRY_TRACK_H

#include <vector>

#include "math.h"

namespace rigid {

// A line of a chain and its neighbours: at its beginning (0) and at its end (1).
struct ChainLink {
  Double2 start, along;  // the first point, and the unit vector to the second
  double length;
  int neighbour[2];  // links; -1 at an end of the line, or at a corner that is not small
  double bend[2];    // tangent of half the corner's angle, positive if it is concave; 0 without
  int chain;         // the chain that it belongs to
  double position;   // of its middle along the chain
};

// A crossing of a chain with itself, as in the track of a loop-the-loop: the two places along it,
// and the distance from them that still belongs to the crossing.
struct ChainCrossing {
  int chain;
  double first, second, reach, length;  // the chain's length if it is closed, else 0
};

// Adds the crossings of the links from `first` to `last`, which are one chain. `tolerance` is a
// length.
void find_crossings(const std::vector<ChainLink>& links, int first, int last, bool closed,
                    double tolerance, std::vector<ChainCrossing>& crossings);

// Whether two links belong to the two branches of a crossing: a body on one of them passes through
// the other.
bool cross_over(const std::vector<ChainCrossing>& crossings, const ChainLink& a,
                const ChainLink& b);

// A corner up to this (tangent of half of 20.4 degrees) belongs to a smooth line.
constexpr double smooth_bend = 0.18;

// The rounding of corners. Lengths.
struct Rounding {
  double reach;  // the preferred distance of an arc's begin from the corner
  double above;  // the largest distance of the arc from a concave corner
  double below;  // the largest depth of the arc below the circle's own path at a convex corner
};

struct TrackPoint {
  Double2 normal;  // away from the chain
  double gap;      // between the circle and the smooth line
  int link;
};

class Track {
 public:
  Track(const ChainLink* links, double radius, const Rounding& rounding)
      : links_(links), radius_(radius), rounding_(rounding) {}
  // Whether a circle can touch the line in only one place, so that it can follow it.
  bool fits(int link) const { return outer_length(links_[link]) > 0.0; }
  // The neighbour that the path continues on, or -1.
  int next(int link, int side) const {
    int other = links_[link].neighbour[side];
    return other >= 0 && fits(other) ? other : -1;
  }
  // The link nearest to a place, searched from a link near it.
  int nearest(Double2 place, int link) const;
  // The point of the line nearest to the centre, searched from a link near it.
  TrackPoint locate(Double2 centre, int link) const;
  // The place where a straight face rests on a chain that bends away: `up` is its inward normal,
  // `at` a point of it. Returns false if the chain's lines there are no smooth hill.
  bool support(Double2 at, Double2 up, int link, TrackPoint& point, Double2& place) const;
  // Whether the centre is beside the link, or beside its continuation.
  bool is_beside(Double2 centre, int link) const;

 private:
  // The length of the line of the centre.
  double outer_length(const ChainLink& link) const {
    return link.length - radius_ * (link.bend[0] + link.bend[1]);
  }
  // The distance from K at which the arc begins at an end of a link; the value of each side is
  // kept, since it is read repeatedly.
  double arc_reach(int link, int side) const {
    KnownReach& known = known_[side];
    if (known.link != link) known = {link, find_arc_reach(link, side)};
    return known.reach;
  }
  double find_arc_reach(int link, int side) const;
  struct KnownReach {
    int link = -1;
    double reach = 0.0;
  };
  mutable KnownReach known_[2];
  const ChainLink* links_;
  double radius_;
  Rounding rounding_;
};

}  // namespace rigid

#endif
