// SPDX-License-Identifier: MIT
// Convex decomposition after Hertel and Mehlhorn (1983): triangulate, then remove diagonals whose
// two parts form a convex one. This leaves at most four times the minimal number of parts; the
// number depends on the order. So several orders are tried, and the fewest parts win; among equal
// results, the one whose thinnest part is the widest. Where fewer parts might do, the least number
// is searched (geometry/fewest_parts.h); with holes that would take exponential time.
#include "geometry/decompose.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "geometry/fewest_parts.h"
#include "geometry/shape.h"
#include "geometry/simple_polygon.h"
#include "geometry/triangulate.h"
#include "sorting.h"

namespace rigid {

namespace {

using Part = std::vector<int>;  // corner indices, counter-clockwise

struct Diagonal {
  int a, b;           // corners
  int first, second;  // triangles on both sides
};

struct Cutting {
  const PlanePolygon& corners;
  std::vector<Triangle> triangles;
  std::vector<Diagonal> diagonals;
};

std::vector<Diagonal> find_diagonals(const std::vector<Triangle>& triangles) {
  std::map<std::pair<int, int>, int> open;
  std::vector<Diagonal> diagonals;
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      int a = triangles[t][k];
      int b = triangles[t][(k + 1) % 3];
      auto twin = open.find({b, a});
      if (twin == open.end()) {
        open[{a, b}] = t;
      } else {
        diagonals.push_back({b, a, twin->second, t});
      }
    }
  }
  return diagonals;
}

bool is_convex_corner(const PlanePolygon& p, int a, int b, int c) {
  return turn(p[a], p[b], p[c]) > 0.0 || is_straight(p[a], p[b], p[c]);
}

// The two parts on a-b merged, or an empty part if that would not be convex. Part one runs from a
// to b, part two from b to a.
Part joined(const PlanePolygon& p, const Part& one, const Part& two, int a, int b) {
  Part result;
  result.reserve(one.size() + two.size() - 2);
  auto append = [&result](const Part& part, int start) {
    std::size_t at = std::find(part.begin(), part.end(), start) - part.begin();
    for (std::size_t k = 0; k + 1 < part.size(); ++k) {
      result.push_back(part[(at + k) % part.size()]);
    }
  };
  append(one, b);  // b ... the one before a
  append(two, a);  // a ... the one before b
  std::size_t n = result.size();
  std::size_t at_a = one.size() - 1;
  if (!is_convex_corner(p, result[at_a - 1], a, result[(at_a + 1) % n])) return {};
  if (!is_convex_corner(p, result[n - 1], b, result[1])) return {};
  return result;
}

int root(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// Removes diagonals in the given order, as long as one can be removed.
std::vector<Part> merge(const Cutting& cutting, const std::vector<int>& order) {
  std::vector<Part> parts;
  for (const Triangle& t : cutting.triangles) parts.push_back({t[0], t[1], t[2]});
  std::vector<int> parent(parts.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (int k : order) {
    const Diagonal& d = cutting.diagonals[k];
    int one = root(parent, d.first);
    int two = root(parent, d.second);
    if (one == two) continue;
    Part whole = joined(cutting.corners, parts[one], parts[two], d.a, d.b);
    if (whole.empty()) continue;
    parts[one] = std::move(whole);
    parts[two].clear();
    parent[two] = one;
  }
  parts.erase(std::remove_if(parts.begin(), parts.end(), [](const Part& p) { return p.empty(); }),
              parts.end());
  return parts;
}

double squared_length(PlanePoint a, PlanePoint b) {
  return (b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y);
}

// The corners of a part without those on straight lines.
PlanePolygon outline(const PlanePolygon& corners, const Part& part) {
  PlanePolygon result;
  std::size_t n = part.size();
  for (std::size_t i = 0; i < n; ++i) {
    PlanePoint p = corners[part[i]];
    if (!is_straight(corners[part[(i + n - 1) % n]], p, corners[part[(i + 1) % n]])) {
      result.push_back(p);
    }
  }
  return result;
}

// A measure of how far a part is from a sliver: its area over the square of its largest side.
double fullness(const PlanePolygon& part) {
  double longest = 0.0;
  for (std::size_t i = 0; i < part.size(); ++i) {
    longest = std::max(longest, squared_length(part[i], part[(i + 1) % part.size()]));
  }
  return longest > 0.0 ? doubled_area(part) / longest : 0.0;
}

// Cuts a convex part across the middle until no piece has more corners than the engine accepts.
void add_pieces(std::vector<PlanePolygon>& parts, const PlanePolygon& part) {
  if (part.size() <= static_cast<std::size_t>(max_vertices)) {
    parts.push_back(part);
    return;
  }
  auto middle = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
  PlanePolygon rest(middle, part.end());
  rest.push_back(part.front());
  add_pieces(parts, PlanePolygon(part.begin(), middle + 1));
  add_pieces(parts, rest);
}

struct Result {
  std::vector<PlanePolygon> parts;
  double fullness;
};

Result finish(const Cutting& cutting, const std::vector<Part>& parts) {
  Result result{{}, 1e300};
  for (const Part& part : parts) {
    PlanePolygon polygon = outline(cutting.corners, part);
    // A part flattened onto a line covers nothing.
    if (polygon.size() >= 3) add_pieces(result.parts, polygon);
  }
  for (const PlanePolygon& part : result.parts) {
    result.fullness = std::min(result.fullness, fullness(part));
  }
  return result;
}

// A generator of its own (Numerical Recipes' constants), so that every machine gives the same
// parts.
void shuffle(std::vector<int>& order, uint64_t& state) {
  for (std::size_t i = order.size(); i > 1; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i - 1], order[(state >> 33) % i]);
  }
}

bool is_better(const Result& one, const Result& other) {
  if (one.parts.size() != other.parts.size()) return one.parts.size() < other.parts.size();
  return one.fullness > other.fullness;
}

// Whether the parts have the area of the whole together.
bool fills(const Result& result, double whole) {
  double sum = 0.0;
  for (const PlanePolygon& part : result.parts) sum += doubled_area(part);
  return std::fabs(sum - whole) <= 1e-9 * whole;
}

bool are_convex(const std::vector<PlanePolygon>& parts) {
  return std::all_of(parts.begin(), parts.end(), [](const PlanePolygon& p) {
    for (std::size_t i = 0, n = p.size(); i < n; ++i) {
      if (!(turn(p[i], p[(i + 1) % n], p[(i + 2) % n]) > 0.0)) return false;
    }
    return true;
  });
}

// A diagonal ends at two concave corners at most.
std::size_t fewest_possible(const PlanePolygon& p) {
  std::size_t concave = 0;
  for (std::size_t i = 0, n = p.size(); i < n; ++i) {
    concave += !(turn(p[i], p[(i + 1) % n], p[(i + 2) % n]) > 0.0);
  }
  return (concave + 1) / 2 + 1;
}

// The corners of a polygon, counter-clockwise, and of its holes, clockwise.
struct Rings {
  PlanePolygon corners;
  std::vector<int> firsts;  // where each ring begins
  double area;              // doubled, without the holes
};

Rings checked_rings(const PlanePolygon& points, const std::vector<PlanePolygon>& holes) {
  Rings rings{checked_corners(points), {0}, 0.0};
  rings.area = doubled_area(rings.corners);
  if (holes.empty()) return rings;
  std::vector<PlanePolygon> inner;
  for (const PlanePolygon& hole : holes) inner.push_back(checked_corners(hole));
  if (auto wrong = misplaced_hole(rings.corners, inner)) {
    throw std::invalid_argument("hole " + std::to_string(wrong->first + 1) + " of the polygon " +
                                wrong->second);
  }
  for (const PlanePolygon& hole : inner) {
    rings.firsts.push_back(static_cast<int>(rings.corners.size()));
    rings.corners.insert(rings.corners.end(), hole.rbegin(), hole.rend());
    rings.area -= doubled_area(hole);
  }
  if (rings.corners.size() > static_cast<std::size_t>(max_polygon_points)) {
    throw std::invalid_argument("a polygon may have at most " + std::to_string(max_polygon_points) +
                                " points with its holes");
  }
  return rings;
}

}  // namespace

std::vector<PlanePolygon> decompose_polygon(const PlanePolygon& points,
                                            const std::vector<PlanePolygon>& holes) {
  const Rings rings = checked_rings(points, holes);
  const PlanePolygon& corners = rings.corners;
  Cutting cutting{corners, triangulate(corners, joined_outline(corners, rings.firsts)), {}};
  cutting.diagonals = find_diagonals(cutting.triangles);

  // The longest diagonals first, then in random order, fewer times for large polygons.
  std::vector<int> order(cutting.diagonals.size());
  std::iota(order.begin(), order.end(), 0);
  rigid::sort(order.begin(), order.end(), [&](int i, int j) {
    const Diagonal& d = cutting.diagonals[i];
    const Diagonal& e = cutting.diagonals[j];
    double first = squared_length(corners[d.a], corners[d.b]);
    double second = squared_length(corners[e.a], corners[e.b]);
    return first != second ? first > second : i < j;
  });
  Result best = finish(cutting, merge(cutting, order));
  uint64_t state = 1;
  std::size_t tries = std::min<std::size_t>(200, 20000 / corners.size());
  for (std::size_t k = 0; k < tries && best.parts.size() > 1; ++k) {
    shuffle(order, state);
    Result other = finish(cutting, merge(cutting, order));
    if (is_better(other, best)) best = std::move(other);
  }

  if (holes.empty() && best.parts.size() > fewest_possible(corners)) {
    for (const std::vector<Part>& parts :
         fewest_parts(corners, cutting.triangles, best.parts.size())) {
      Result other = finish(cutting, parts);
      if (is_better(other, best) && fills(other, rings.area) && are_convex(other.parts)) {
        best = std::move(other);
      }
    }
  }
  if (!fills(best, rings.area)) {
    throw std::invalid_argument("the polygon is too thin somewhere to be cut");
  }
  return best.parts;
}

}  // namespace rigid
