// SPDX-License-Identifier: MIT
// The path of a circle's centre along a chain, as a smooth line.
//
// A chain represents a smooth line: a body that slides along it is turned and keeps its speed.
// Small corners are therefore rounded. Seen from a circle's centre the chain is moved outwards by
// the radius, and its lines meet in corners K there; arcs that touch both lines at the distance w
// from K take their place.
//
//        \        .         concave: the arc lies before the corner
//         \__.__,'          convex: round the chain's own corner, or a little inside it
//        w    K   w
//
// The caller chooses how far arcs reach: so far that a step can follow the turn.
#ifndef RIGID_GEOMETRY_TRACK_H
#define RIGID_GEOMETRY_TRACK_H

#include <vector>

#include "math.h"

namespace rigid {

// A line of a chain and its neighbours: at its beginning (0) and at its end (1).
struct ChainLink {
  Double2 start, along;  // the first point, and the unit vector to the second
  double length;
  int neighbour[2];  // links; -1 where the line ends, or where the corner is not a small one
  double bend[2];    // tangent of half the corner's angle, positive where it is concave; 0 without
  int chain;         // which chain it belongs to
  double position;   // of its middle along the chain
};

// Where a chain comes back to itself, as the track of a loop-the-loop does: the two places along
// it, and how far from them it still is the same meeting.
struct ChainCrossing {
  int chain;
  double first, second, reach, length;  // the chain's length where it is closed, else 0
};

// Adds where the links from `first` to `last`, which are one chain, meet. `tolerance` is a length.
void find_crossings(const std::vector<ChainLink>& links, int first, int last, bool closed,
                    double tolerance, std::vector<ChainCrossing>& crossings);

// Whether two links belong to the two branches that meet in a crossing: a body on one of them
// passes through the other.
bool cross_over(const std::vector<ChainCrossing>& crossings, const ChainLink& a,
                const ChainLink& b);

// A corner up to this (tangent of half of 20.4 degrees) is a smooth line's.
constexpr double smooth_bend = 0.18;

// How corners are rounded. Lengths.
struct Rounding {
  double reach;  // so far from the corner an arc should begin
  double above;  // an arc before a concave corner is nowhere farther from it than this
  double below;  // so much deeper than the circle itself goes may the arc at a convex one lie
};

struct TrackPoint {
  Double2 normal;  // away from the chain
  double gap;      // of the circle from the smooth line
  int link;
};

class Track {
 public:
  Track(const ChainLink* links, double radius, const Rounding& rounding)
      : links_(links), radius_(radius), rounding_(rounding) {}
  // Whether a circle can touch the line in one place only, so that it can be led along it.
  bool fits(int link) const { return outer_length(links_[link]) > 0.0; }
  // The neighbour that can be gone on to, or -1.
  int next(int link, int side) const {
    int other = links_[link].neighbour[side];
    return other >= 0 && fits(other) ? other : -1;
  }
  // The link beside a place, searched from a link near it.
  int nearest(Double2 place, int link) const;
  // The point of the line at the centre, searched from a link near it.
  TrackPoint locate(Double2 centre, int link) const;
  // Where a straight face lies on a chain that bends away: `up` is its inward normal, `at` a point
  // of it. False where the chain's lines there are no smooth hill.
  bool support(Double2 at, Double2 up, int link, TrackPoint& point, Double2& place) const;
  // Whether the centre is beside the link, or beside what goes on from it.
  bool is_beside(Double2 centre, int link) const;

 private:
  // The length of the line that the centre goes along.
  double outer_length(const ChainLink& link) const {
    return link.length - radius_ * (link.bend[0] + link.bend[1]);
  }
  // How far from K the arc begins at an end of a link; that of each side is kept, as it is asked
  // for again and again.
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
