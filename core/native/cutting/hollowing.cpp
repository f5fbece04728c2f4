// SPDX-License-Identifier: MIT
// All sides are cut where they meet those of the others. Each piece borders on a place to its left
// and one to its right, and is kept where only one of them is in the result; what is kept forms
// rings.
#include "cutting/hollowing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "sorting.h"

namespace rigid::cutting {

namespace {

constexpr double same = 1e-9;     // points that are nearer, as a part of the size, are one
constexpr double sliver = 1e-12;  // rings with less area, as a part of its square, are none

bool is_same(PlanePoint a, PlanePoint b) { return a.x == b.x && a.y == b.y; }

struct Before {
  bool operator()(PlanePoint a, PlanePoint b) const { return a.x != b.x ? a.x < b.x : a.y < b.y; }
  using Side = std::pair<PlanePoint, PlanePoint>;
  bool operator()(const Side& one, const Side& two) const {
    if (!is_same(one.first, two.first)) return (*this)(one.first, two.first);
    return (*this)(one.second, two.second);
  }
};
using Side = std::pair<PlanePoint, PlanePoint>;
// The places to which each place is joined.
using Links = std::map<PlanePoint, std::vector<PlanePoint>, Before>;

// Parts of sides, in the order in which they came first.
struct SideParts {
  std::vector<Side> all;
  std::set<Side, Before> known;
  void add(const Side& side) {
    if (known.insert(side).second) all.push_back(side);
  }
  bool has(PlanePoint a, PlanePoint b) const { return known.count({a, b}) != 0; }
  // The sides whose opposites are not among them.
  SideParts one_way() const {
    SideParts found;
    for (const Side& side : all) {
      if (!has(side.second, side.first)) found.add(side);
    }
    return found;
  }
};

double along(PlanePoint a, PlanePoint b, PlanePoint p) {
  return (p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y);
}

double distance(PlanePoint a, PlanePoint b, const Exact& exact) {
  return hypot_of(b.x - a.x, b.y - a.y, exact);
}

PlanePoint middle(PlanePoint a, PlanePoint b) { return {0.5 * (a.x + b.x), 0.5 * (a.y + b.y)}; }

void add_sides(const PlanePolygon& ring, std::vector<Side>& sides) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const PlanePoint before = i == 0 ? ring.back() : ring[i - 1];
    if (!is_same(before, ring[i])) sides.emplace_back(before, ring[i]);
  }
}

bool is_on(PlanePoint p, const Side& side, double near, const Exact& exact) {
  const auto [a, b] = side;
  const double x = b.x - a.x, y = b.y - a.y;
  const double far = along(a, b, p), square = x * x + y * y;
  return 0.0 < far && far < square && std::fabs(cross(a, b, p)) <= near * hypot_of(x, y, exact);
}

bool has(const Side& side, PlanePoint p) {
  return is_same(side.first, p) || is_same(side.second, p);
}

// The places where two sides meet, on each those that are not its ends.
void add_meetings(const Side& one, const Side& two, double near, std::vector<PlanePoint>& on_one,
                  std::vector<PlanePoint>& on_two, const Exact& exact) {
  bool any = false;
  for (const PlanePoint p : {two.first, two.second}) {
    if (has(one, p) || !is_on(p, one, near, exact)) continue;
    on_one.push_back(p);
    any = true;
  }
  for (const PlanePoint p : {one.first, one.second}) {
    if (has(two, p) || !is_on(p, two, near, exact)) continue;
    on_two.push_back(p);
    any = true;
  }
  if (any || has(two, one.first) || has(two, one.second)) return;
  const auto [a, b] = one;
  const auto [c, d] = two;
  const double start = cross(c, d, a), end = cross(c, d, b);
  if ((start > 0.0) == (end > 0.0) || (cross(a, b, c) > 0.0) == (cross(a, b, d) > 0.0)) return;
  const double t = start / (start - end);
  const PlanePoint place{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
  on_one.push_back(place);
  on_two.push_back(place);
}

bool are_apart(const Side& one, const Side& two, double near) {
  const auto [a, b] = one;
  const auto [c, d] = two;
  return std::max(a.x, b.x) < std::min(c.x, d.x) - near ||
         std::max(c.x, d.x) < std::min(a.x, b.x) - near ||
         std::max(a.y, b.y) < std::min(c.y, d.y) - near ||
         std::max(c.y, d.y) < std::min(a.y, b.y) - near;
}

SideParts pieces_of(const std::vector<Side>& sides, std::vector<std::vector<PlanePoint>>& cuts) {
  SideParts found;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto [a, b] = sides[i];
    std::vector<PlanePoint>& places = cuts[i];
    rigid::stable_sort(places.begin(), places.end(), [a = a, b = b](PlanePoint p, PlanePoint q) {
      return along(a, b, p) < along(a, b, q);
    });
    places.push_back(b);
    PlanePoint last = a;
    for (const PlanePoint place : places) {
      if (!is_same(last, place)) found.add({last, place});
      last = place;
    }
  }
  return found.one_way();
}

// The sides of a polygon and of others, split where they meet.
std::pair<SideParts, SideParts> split(const PlanePolygon& points,
                                      const std::vector<PlanePolygon>& others, double near,
                                      const Exact& exact) {
  const auto snapped = [&](PlanePoint point) {
    for (const PlanePoint each : points) {
      if (is_same(each, point)) return point;
    }
    for (const PlanePoint each : points) {
      if (distance(each, point, exact) <= near) return each;
    }
    return point;
  };
  std::vector<Side> one, two;
  add_sides(points, one);
  for (const PlanePolygon& ring : others) {
    PlanePolygon moved;
    for (const PlanePoint point : ring) moved.push_back(snapped(point));
    add_sides(moved, two);
  }
  std::vector<std::vector<PlanePoint>> on_one(one.size()), on_two(two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t j = 0; j < two.size(); ++j) {
      if (!are_apart(one[i], two[j], near)) {
        add_meetings(one[i], two[j], near, on_one[i], on_two[j], exact);
      }
    }
  }
  return {pieces_of(one, on_one), pieces_of(two, on_two)};
}

bool is_inside(PlanePoint point, std::span<const PlanePolygon> rings) {
  std::vector<Side> sides;
  for (const PlanePolygon& ring : rings) add_sides(ring, sides);
  bool inside = false;
  for (const auto& [a, b] : sides) {
    if ((a.y > point.y) != (b.y > point.y) &&
        point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)) {
      inside = !inside;
    }
  }
  return inside;
}

// A measure of how far it turns to the left: from -2, back on the right, to 2, back on the left.
double leftness(PlanePoint before, PlanePoint at, PlanePoint after, const Exact& exact) {
  const double ax = at.x - before.x, ay = at.y - before.y, bx = after.x - at.x, by = after.y - at.y;
  const double size = hypot_of(ax, ay, exact) * hypot_of(bx, by, exact);
  const double sine = (ax * by - ay * bx) / size, cosine = (ax * bx + ay * by) / size;
  if (sine == 0.0) return cosine > 0.0 ? 0.0 : -2.0;
  return sine > 0.0 ? 1.0 - cosine : cosine - 1.0;
}

// Rings of the pieces, of which each place is in one at most once.
std::vector<PlanePolygon> linked(Links& links, const Exact& exact) {
  std::vector<PlanePolygon> rings;
  for (auto& [start, ends] : links) {
    while (!ends.empty()) {
      PlanePolygon way{start, ends.front()};
      ends.erase(ends.begin());
      std::map<PlanePoint, std::size_t, Before> at{{start, 0}};
      while (true) {
        PlanePoint last = way.back();
        if (const auto met = at.find(last); met != at.end()) {  // round once: the ring is done
          const std::size_t first = met->second;
          const auto from = way.begin() + static_cast<std::ptrdiff_t>(first);
          rings.emplace_back(from, way.end() - 1);
          for (auto each = from + 1; each + 1 < way.end(); ++each) at.erase(*each);
          way.erase(from + 1, way.end());
          if (first == 0) break;
          last = way.back();
        }
        at[last] = way.size() - 1;
        const auto following = links.find(last);
        if (following == links.end() || following->second.empty()) break;  // lost by rounding
        std::vector<PlanePoint>& next = following->second;
        std::size_t turn = 0;
        double most = 0.0;
        for (std::size_t i = 0; i < next.size(); ++i) {
          const double left = leftness(way[way.size() - 2], last, next[i], exact);
          if (i == 0 || left > most) {
            turn = i;
            most = left;
          }
        }
        const PlanePoint to = next[turn];
        next.erase(std::find_if(next.begin(), next.end(),
                                [to](PlanePoint each) { return is_same(each, to); }));
        way.push_back(to);
      }
    }
  }
  return rings;
}

// A ring without places between their neighbours.
PlanePolygon straightened(PlanePolygon ring, double near, const Exact& exact) {
  std::size_t i = 0;
  while (i < ring.size() && ring.size() > 3) {
    const PlanePoint a = i == 0 ? ring.back() : ring[i - 1], c = ring[(i + 1) % ring.size()];
    if (std::fabs(cross(a, ring[i], c)) <= near * distance(a, c, exact)) {
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return ring;
}

// Each hole with the smallest outline around it.
std::vector<Hollow> grouped(const std::vector<PlanePolygon>& rings) {
  std::vector<Hollow> found;
  for (const PlanePolygon& ring : rings) {
    if (signed_area(ring) > 0.0) found.push_back({ring, {}});
  }
  std::vector<std::size_t> order(found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  rigid::stable_sort(order.begin(), order.end(), [&found](std::size_t a, std::size_t b) {
    return signed_area(found[a].points) < signed_area(found[b].points);
  });
  for (const PlanePolygon& ring : rings) {
    if (signed_area(ring) > 0.0) continue;
    const PlanePoint place = middle(ring[0], ring[1]);
    for (std::size_t i : order) {
      if (!is_inside(place, {&found[i].points, 1})) continue;
      found[i].holes.push_back(ring);
      break;
    }
  }
  return found;
}

}  // namespace

std::vector<Hollow> without(const PlanePolygon& points, std::span<const PlanePolygon> holes,
                            const Exact& exact) {
  std::vector<PlanePolygon> full;
  PlanePolygon every = points;
  for (const PlanePolygon& hole : holes) {
    full.emplace_back(hole.rbegin(), hole.rend());
    every.insert(every.end(), hole.begin(), hole.end());
  }
  const double size = size_of(every, exact), near = same * size;
  const auto [one, two] = split(points, full, near, exact);
  Links links;
  for (const auto& [a, b] : one.all) {
    const bool shared = two.has(a, b), back = two.has(b, a);
    if (!(shared || back) && is_inside(middle(a, b), full)) continue;
    if (!shared) links[a].push_back(b);
  }
  for (const auto& [a, b] : two.all) {
    if (one.has(a, b) || one.has(b, a)) continue;
    if (is_inside(middle(a, b), {&points, 1})) links[b].push_back(a);
  }
  std::vector<PlanePolygon> rings;
  for (PlanePolygon& ring : linked(links, exact)) {
    ring = straightened(std::move(ring), near, exact);
    if (std::fabs(signed_area(ring)) > sliver * size * size) rings.push_back(std::move(ring));
  }
  return grouped(rings);
}

}  // namespace rigid::cutting
