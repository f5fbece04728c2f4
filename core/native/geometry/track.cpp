// SPDX-License-Identifier: MIT
// Crossings of chains, and the search for points of the smooth line.
#include "geometry/track.h"

#include <algorithm>
#include <cmath>

#include "sorting.h"

namespace rigid {

namespace {

// The largest number of links passed in one search; at 100 m/s a substep passes 400 of a
// millimetre.
constexpr int most_links = 4096;
// The share of a loop that its entry and its exit may have in common with the line that crosses
// them: a quarter turn, plus a margin for loops that are not circles.
constexpr double branch_share = 0.3;
constexpr std::size_t most_crossings = 64;  // of a chain

Double2 end_of(const ChainLink& link, int side) {
  return side == 0 ? link.start : link.start + link.length * link.along;
}

// The signed distance of a point from the line of a link, positive on its solid side.
double height_over(const ChainLink& link, Double2 point) {
  const Double2 d = point - link.start;
  return link.along.x * d.y - link.along.y * d.x;
}

bool lies_across(const ChainLink& line, const ChainLink& other, double tolerance) {
  const double p = height_over(line, other.start), q = height_over(line, end_of(other, 1));
  return std::min(p, q) <= tolerance && std::max(p, q) >= -tolerance;
}

bool meet(const ChainLink& a, const ChainLink& b, double tolerance) {
  const Double2 p = a.start, q = end_of(a, 1), r = b.start, s = end_of(b, 1);
  return std::max(r.x, s.x) >= std::min(p.x, q.x) - tolerance &&
         std::max(r.y, s.y) >= std::min(p.y, q.y) - tolerance &&
         std::min(r.x, s.x) <= std::max(p.x, q.x) + tolerance &&
         std::min(r.y, s.y) <= std::max(p.y, q.y) + tolerance && lies_across(a, b, tolerance) &&
         lies_across(b, a, tolerance);
}

// The distance along a chain, the shorter way round if it is closed.
double distance_along(double a, double b, double closed_length) {
  const double way = std::fabs(a - b);
  return closed_length > 0.0 ? std::min(way, closed_length - way) : way;
}

}  // namespace

void find_crossings(const std::vector<ChainLink>& links, int first, int last, bool closed,
                    double tolerance, std::vector<ChainCrossing>& crossings) {
  // Sorted along the axis in which the chain is longer: only links whose extents there overlap are
  // compared.
  struct Extent {
    double low, high;
    int link;
  };
  Double2 low = links[first].start, high = low;
  for (int i = first; i <= last; ++i) {
    const Double2 p = end_of(links[i], 1);
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  const bool wide = high.x - low.x >= high.y - low.y;
  std::vector<Extent> extents;
  for (int i = first; i <= last; ++i) {
    const Double2 start = links[i].start, end = end_of(links[i], 1);
    const double p = wide ? start.x : start.y, q = wide ? end.x : end.y;
    extents.push_back({std::min(p, q), std::max(p, q), i});
  }
  rigid::sort(extents.begin(), extents.end(), [](const Extent& l, const Extent& r) {
    return l.low != r.low ? l.low < r.low : l.link < r.link;
  });
  const double length = links[last].position + 0.5 * links[last].length;
  const double closed_length = closed ? length : 0.0;
  const std::size_t before = crossings.size();
  for (std::size_t i = 0; i < extents.size(); ++i) {
    for (std::size_t j = i + 1; j < extents.size(); ++j) {
      if (extents[j].low > extents[i].high + tolerance) break;
      const int a = std::min(extents[i].link, extents[j].link);
      const int b = std::max(extents[i].link, extents[j].link);
      if (b <= a + 1 || (closed && a == first && b == last)) continue;
      const ChainLink &l = links[a], &r = links[b];
      const double loop = distance_along(l.position, r.position, closed_length);
      // Links with one short link between them may meet.
      if (loop <= l.length + r.length || !meet(l, r, tolerance)) continue;
      const double reach = branch_share * loop;
      bool known = false;
      for (std::size_t k = before; k < crossings.size() && !known; ++k) {
        known = distance_along(l.position, crossings[k].first, closed_length) < 0.1 * reach &&
                distance_along(r.position, crossings[k].second, closed_length) < 0.1 * reach;
      }
      if (!known && crossings.size() - before < most_crossings) {
        crossings.push_back({l.chain, l.position, r.position, reach, closed_length});
      }
    }
  }
}

bool cross_over(const std::vector<ChainCrossing>& crossings, const ChainLink& a,
                const ChainLink& b) {
  if (a.chain != b.chain) return false;
  for (const ChainCrossing& c : crossings) {
    if (c.chain != a.chain) continue;
    auto near = [&c](const ChainLink& link, double place) {
      return distance_along(link.position, place, c.length) <= c.reach;
    };
    if ((near(a, c.first) && near(b, c.second)) || (near(a, c.second) && near(b, c.first))) {
      return true;
    }
  }
  return false;
}

double Track::find_arc_reach(int link, int side) const {
  const ChainLink& own = links_[link];
  if (own.neighbour[side] < 0) return 0.0;
  const double bend = std::fabs(own.bend[side]);
  double reach = rounding_.reach;
  if (own.bend[side] > 0.0) {
    // The arc's distance from K is w tan(angle / 4), nearly w bend / 2.
    reach = std::min(reach, 2.0 * rounding_.above / bend);
  } else {
    // Without rounding a circle follows the corner along the arc that begins at radius * bend.
    const double by_itself = radius_ * bend;
    reach = std::min(std::max(reach, by_itself), by_itself + 2.0 * rounding_.below / bend);
  }
  const ChainLink& other = links_[own.neighbour[side]];
  return std::min(reach, 0.5 * std::min(outer_length(own), outer_length(other)));
}

int Track::nearest(Double2 place, int link) const {
  // Beyond the bisector of a corner the neighbour is nearer.
  int came_from = -1;
  for (int passed = 0; passed < most_links; ++passed) {
    const ChainLink& own = links_[link];
    int other = -1;
    for (int side = 0; side < 2 && other < 0; ++side) {
      int candidate = next(link, side);
      if (candidate < 0) continue;
      double beyond = dot(place - end_of(own, side), own.along + links_[candidate].along);
      if (side == 0 ? beyond < 0.0 : beyond > 0.0) other = candidate;
    }
    if (other < 0 || other == came_from) break;
    came_from = link;
    link = other;
  }
  return link;
}

TrackPoint Track::locate(Double2 centre, int link) const {
  link = nearest(centre, link);
  const ChainLink& own = links_[link];
  const Double2 normal = {-own.along.y, own.along.x};
  const Double2 from_start = centre - own.start;
  const double height = dot(from_start, normal), at = dot(from_start, own.along);
  for (int side = 0; side < 2; ++side) {
    const double bend = own.bend[side];
    if (next(link, side) < 0 || std::fabs(bend) < 1e-9) continue;
    const double reach = arc_reach(link, side);
    // Along the line from K, away from the corner.
    const double corner = side == 0 ? radius_ * bend : own.length - radius_ * bend;
    const double from_corner = side == 0 ? at - corner : corner - at;
    if (from_corner >= reach) continue;
    // Positive: the arc's middle is on the circle's side.
    const double arc = reach / bend;
    const double across = (side == 0 ? 1.0 : -1.0) * (from_corner - reach);
    const double up = height - (radius_ + arc);
    const double distance = std::sqrt(across * across + up * up);
    if (!(distance > 0.0) || up * arc >= 0.0) break;  // beyond the arc's middle
    const double sign = arc > 0.0 ? -1.0 : 1.0;
    const double share = sign / distance;
    return {share * (across * own.along + up * normal), sign * (distance - std::fabs(arc)), link};
  }
  return {normal, height - radius_, link};
}

bool Track::support(Double2 at, Double2 up, int link, TrackPoint& point, Double2& place) const {
  // The corner whose lines are inclined to both sides of the face.
  const Double2 along = {up.y, -up.x};
  auto turned = [&](int i) {
    return height_over({{0, 0}, links_[i].along, 0, {}, {}, 0, 0}, along);
  };
  int side = turned(link) < 0.0 ? 1 : 0;
  for (int passed = 0;; ++passed) {
    const int other = next(link, side);
    if (other < 0 || passed == most_links || !(links_[link].bend[side] < 0.0)) return false;
    if (side == 1 ? turned(other) >= 0.0 : turned(other) <= 0.0) break;
    link = other;
  }
  const ChainLink& own = links_[link];
  const double reach = arc_reach(link, side), arc = -reach / own.bend[side];
  if (arc_reach(link, 1 - side) + reach < 0.9 * own.length) return false;
  const Double2 normal = {-own.along.y, own.along.x};
  const Double2 tangent = end_of(own, side) - (side == 0 ? -reach : reach) * own.along;
  place = tangent - arc * normal + arc * up;
  point = {up, dot(at - place, up), link};
  return true;
}

bool Track::is_beside(Double2 centre, int link) const {
  const ChainLink& own = links_[link];
  const double at = dot(centre - own.start, own.along);
  return (at >= 0.0 || next(link, 0) >= 0) && (at <= own.length || next(link, 1) >= 0);
}

}  // namespace rigid
