// SPDX-License-Identifier: MIT
// Triangulation by ear clipping (Meisters, 1975), then flips of diagonals until every one is
// locally Delaunay (Lawson, 1977).
#include "geometry/triangulate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "geometry/simple_polygon.h"
#include "sorting.h"

namespace rigid {

namespace {

// A ring of the remaining corners, as linked indices of places on the outline.
struct Ring {
  PlanePolygon p;
  const std::vector<int>& corner;  // at each place; at the ends of a bridge, twice
  std::vector<int> before, after;
  std::vector<bool> reflex;

  Ring(const PlanePolygon& corners, const std::vector<int>& outline)
      : corner(outline), before(outline.size()), after(outline.size()), reflex(outline.size()) {
    for (int i : outline) p.push_back(corners[i]);
    int n = static_cast<int>(outline.size());
    for (int i = 0; i < n; ++i) {
      before[i] = i > 0 ? i - 1 : n - 1;
      after[i] = i + 1 < n ? i + 1 : 0;
    }
    for (int i = 0; i < n; ++i) update(i);
  }

  void update(int i) { reflex[i] = !(turn(p[before[i]], p[i], p[after[i]]) > 0.0); }

  void remove(int i) {
    after[before[i]] = after[i];
    before[after[i]] = before[i];
    update(before[i]);
    update(after[i]);
  }
};

bool is_ear(const Ring& ring, int i) {
  if (ring.reflex[i]) return false;
  int a = ring.before[i];
  int c = ring.after[i];
  PlanePoint pa = ring.p[a];
  PlanePoint pb = ring.p[i];
  PlanePoint pc = ring.p[c];
  // The first corner inside the triangle can only be a reflex one.
  for (int j = ring.after[c]; j != a; j = ring.after[j]) {
    if (!ring.reflex[j]) continue;
    const int own = ring.corner[j];
    if (own == ring.corner[a] || own == ring.corner[i] || own == ring.corner[c]) continue;
    PlanePoint q = ring.p[j];
    if (turn(pa, pb, q) >= 0.0 && turn(pb, pc, q) >= 0.0 && turn(pc, pa, q) >= 0.0) return false;
  }
  return true;
}

std::vector<Triangle> clip_ears(const PlanePolygon& corners, const std::vector<int>& outline) {
  Ring ring(corners, outline);
  std::vector<Triangle> triangles;
  auto add = [&](int i) {
    triangles.push_back({outline[ring.before[i]], outline[i], outline[ring.after[i]]});
  };
  int left = static_cast<int>(outline.size());
  int i = 0;
  int tried = 0;
  while (left > 3) {
    if (is_ear(ring, i)) {
      add(i);
      ring.remove(i);
      --left;
      tried = 0;
      // Skipping one corner distributes the ears around the polygon, which saves flips.
      i = ring.after[ring.after[i]];
      continue;
    }
    i = ring.after[i];
    if (++tried > left) {
      throw std::invalid_argument(
          "the polygon is too thin somewhere to be cut: points almost touch an edge");
    }
  }
  add(i);
  return triangles;
}

// The corner of a triangle that is not on the edge a-b.
int opposite(const Triangle& t, int a, int b) {
  for (int v : t) {
    if (v != a && v != b) return v;
  }
  return t[0];
}

// Whether the two angles opposite to the edge a-b sum to more than half a turn: the sine of the sum
// is negative. A sum of half a turn up to rounding causes no flip.
bool should_flip(const PlanePolygon& p, int a, int b, int c, int d) {
  auto angle = [&](int apex) {
    double ux = p[a].x - p[apex].x, uy = p[a].y - p[apex].y;
    double vx = p[b].x - p[apex].x, vy = p[b].y - p[apex].y;
    return std::pair{std::fabs(ux * vy - uy * vx), ux * vx + uy * vy};
  };
  auto [sine_c, cosine_c] = angle(c);
  auto [sine_d, cosine_d] = angle(d);
  double size =
      std::sqrt((sine_c * sine_c + cosine_c * cosine_c) * (sine_d * sine_d + cosine_d * cosine_d));
  return sine_c * cosine_d + cosine_c * sine_d < -1e-12 * size;
}

using Edge = std::pair<int, int>;

Edge edge_between(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

std::vector<int> joined_outline(const PlanePolygon& corners, const std::vector<int>& firsts) {
  const int total = static_cast<int>(corners.size());
  auto ring_from = [&](std::size_t k, int start) {
    const int first = firsts[k], end = k + 1 < firsts.size() ? firsts[k + 1] : total;
    std::vector<int> ring;
    for (int i = 0; i < end - first; ++i)
      ring.push_back(first + (start - first + i) % (end - first));
    return ring;
  };
  std::vector<int> joined = ring_from(0, firsts[0]);
  // Holes from the right: from its rightmost corner, each sees the outline so far.
  std::vector<std::vector<int>> holes;
  for (std::size_t k = 1; k < firsts.size(); ++k) {
    std::vector<int> ring = ring_from(k, firsts[k]);
    holes.push_back(ring_from(k, *std::max_element(ring.begin(), ring.end(), [&](int i, int j) {
                                return corners[i].x < corners[j].x;
                              })));
  }
  rigid::stable_sort(holes.begin(), holes.end(), [&](const auto& one, const auto& two) {
    return corners[one[0]].x > corners[two[0]].x;
  });
  for (std::size_t k = 0; k < holes.size(); ++k) {
    const int from = holes[k][0];
    auto is_free = [&](int to) {
      auto clashes = [&](const std::vector<int>& ring) {
        for (std::size_t i = 0; i < ring.size(); ++i) {
          const int a = ring[i], b = ring[i + 1 < ring.size() ? i + 1 : 0];
          if (a == from || b == from || a == to || b == to) continue;
          if (segments_meet(corners[from], corners[to], corners[a], corners[b])) return true;
        }
        return false;
      };
      return !clashes(joined) &&
             std::none_of(holes.begin() + static_cast<std::ptrdiff_t>(k), holes.end(), clashes);
    };
    // Whether the bridge leaves a place of the outline towards its inside.
    auto is_open = [&](std::size_t place) {
      const PlanePoint p = corners[joined[place]], m = corners[from];
      const PlanePoint before = corners[joined[place > 0 ? place - 1 : joined.size() - 1]];
      const PlanePoint after = corners[joined[place + 1 < joined.size() ? place + 1 : 0]];
      const bool left = turn(before, p, m) > 0.0, right = turn(m, p, after) > 0.0;
      return turn(before, p, after) > 0.0 ? left && right : left || right;
    };
    std::vector<std::size_t> order(joined.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto away = [&](std::size_t place) {
      const PlanePoint p = corners[joined[place]];
      const double x = p.x - corners[from].x, y = p.y - corners[from].y;
      return x * x + y * y;
    };
    rigid::stable_sort(order.begin(), order.end(),
                       [&](std::size_t i, std::size_t j) { return away(i) < away(j); });
    const auto found = std::find_if(order.begin(), order.end(), [&](std::size_t place) {
      return is_open(place) && is_free(joined[place]);
    });
    if (found == order.end()) {
      throw std::invalid_argument(
          "the polygon is too thin somewhere to be cut: holes almost touch");
    }
    std::vector<int> detour = holes[k];
    detour.push_back(from);
    detour.push_back(joined[*found]);
    joined.insert(joined.begin() + static_cast<std::ptrdiff_t>(*found) + 1, detour.begin(),
                  detour.end());
  }
  return joined;
}

std::vector<Triangle> triangulate(const PlanePolygon& corners, const std::vector<int>& outline) {
  std::vector<Triangle> triangles = clip_ears(corners, outline);
  // The triangles on both sides of every edge; the second is -1 at the border.
  std::map<Edge, std::array<int, 2>> sides;
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      Edge e = edge_between(triangles[t][k], triangles[t][(k + 1) % 3]);
      auto [it, fresh] = sides.try_emplace(e, std::array<int, 2>{t, -1});
      if (!fresh) it->second[1] = t;
    }
  }
  std::vector<Edge> queue;
  for (const auto& [edge, pair] : sides) {
    if (pair[1] >= 0) queue.push_back(edge);
  }
  // Lawson's flips end after at most n^2; the bound only guards against rounding.
  std::size_t flips = corners.size() * corners.size();
  while (!queue.empty() && flips > 0) {
    Edge edge = queue.back();
    queue.pop_back();
    auto found = sides.find(edge);
    if (found == sides.end() || found->second[1] < 0) continue;
    auto [t0, t1] = found->second;
    auto [a, b] = edge;
    int c = opposite(triangles[t0], a, b);
    int d = opposite(triangles[t1], a, b);
    if (!should_flip(corners, a, b, c, d)) continue;
    --flips;
    // c-d replaces a-b: the triangles become c, a, d and c, d, b, both counter-clockwise.
    if (turn(corners[c], corners[a], corners[d]) < 0.0) std::swap(a, b);
    triangles[t0] = {c, a, d};
    triangles[t1] = {c, d, b};
    sides.erase(found);
    sides[edge_between(c, d)] = {t0, t1};
    for (auto& t : sides[edge_between(a, d)]) t = t == t1 ? t0 : t;
    for (auto& t : sides[edge_between(b, c)]) t = t == t0 ? t1 : t;
    for (Edge e :
         {edge_between(a, c), edge_between(a, d), edge_between(b, c), edge_between(b, d)}) {
      if (sides[e][1] >= 0) queue.push_back(e);
    }
  }
  return triangles;
}

}  // namespace rigid
