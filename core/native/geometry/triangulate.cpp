// SPDX-License-Identifier: MIT
// Triangulation by ear clipping (Meisters, 1975), then flips of diagonals until every one is
// locally Delaunay (Lawson, 1977).
#include "geometry/triangulate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "geometry/simple_polygon.h"

namespace rigid {

namespace {

// A ring of the remaining corners, as linked indices.
struct Ring {
  const PlanePolygon& p;
  std::vector<int> before, after;
  std::vector<bool> reflex;

  explicit Ring(const PlanePolygon& corners)
      : p(corners), before(corners.size()), after(corners.size()), reflex(corners.size()) {
    int n = static_cast<int>(corners.size());
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
    PlanePoint q = ring.p[j];
    if (turn(pa, pb, q) >= 0.0 && turn(pb, pc, q) >= 0.0 && turn(pc, pa, q) >= 0.0) return false;
  }
  return true;
}

std::vector<Triangle> clip_ears(const PlanePolygon& corners) {
  Ring ring(corners);
  std::vector<Triangle> triangles;
  int left = static_cast<int>(corners.size());
  int i = 0;
  int tried = 0;
  while (left > 3) {
    if (is_ear(ring, i)) {
      triangles.push_back({ring.before[i], i, ring.after[i]});
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
  triangles.push_back({ring.before[i], i, ring.after[i]});
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

std::vector<Triangle> triangulate(const PlanePolygon& corners) {
  std::vector<Triangle> triangles = clip_ears(corners);
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
