// SPDX-License-Identifier: MIT
// The parts on one side of a line are simple polygons again: their outlines leave the side and come
// back where sides of the polygon cross the line. Along the line exits and entries alternate, so
// the first exit is joined with the first entry, and so on.
#include "cutting/cutting.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "expressions/portable.h"
#include "sorting.h"

namespace rigid::cutting {

namespace {

constexpr double on_line = 1e-13;       // a corner this near, as a part of the size, is on a line
constexpr double smallest_area = 1e-9;  // of the square of a size

using Chain = std::vector<PlanePoint>;

// The intersection of a side with the line: the same bits in both directions.
PlanePoint crossing(const PlanePolygon& points, const std::vector<double>& beyond, int i, int j) {
  if (beyond[i] == 0.0 || beyond[j] == 0.0) return beyond[i] == 0.0 ? points[i] : points[j];
  if (is_before(points[j], points[i])) std::swap(i, j);
  const PlanePoint a = points[i], b = points[j];
  const double part = beyond[i] / (beyond[i] - beyond[j]);
  return {a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)};
}

// The parts of an outline that are on the side, each from the line to the line.
std::vector<Chain> chains_of(const PlanePolygon& points, const std::vector<double>& beyond) {
  const int count = static_cast<int>(points.size());
  const auto before = [count](int i) { return i == 0 ? count - 1 : i - 1; };
  std::vector<Chain> chains;
  for (int first = 0; first < count; ++first) {
    if (beyond[before(first)] < 0.0 || !(beyond[first] < 0.0)) continue;
    int i = first;
    Chain chain{crossing(points, beyond, before(i), i)};
    while (beyond[i] < 0.0) {
      chain.push_back(points[i]);
      i = (i + 1) % count;
    }
    chain.push_back(crossing(points, beyond, before(i), i));
    chains.push_back(std::move(chain));
  }
  return chains;
}

// The outlines that chains make, joined along the line, which has the kept side at its left.
std::vector<Chain> joined(const std::vector<Chain>& chains, const CutLine& line) {
  const auto along = [&line](PlanePoint point) { return point.y * line.dx - point.x * line.dy; };
  std::vector<int> left(chains.size());
  std::iota(left.begin(), left.end(), 0);
  std::vector<int> met = left;
  rigid::stable_sort(left.begin(), left.end(), [&](int a, int b) {
    return along(chains[a].back()) < along(chains[b].back());
  });
  rigid::stable_sort(met.begin(), met.end(), [&](int a, int b) {
    return along(chains[a].front()) < along(chains[b].front());
  });
  std::map<int, int> after;
  for (std::size_t i = 0; i < left.size(); ++i) after[left[i]] = met[i];
  std::vector<Chain> outlines;
  while (!after.empty()) {
    Chain outline;
    for (auto next = after.begin(); next != after.end();) {
      const auto [number, follower] = *next;
      outline.insert(outline.end(), chains[number].begin(), chains[number].end());
      after.erase(next);
      next = after.find(follower);
    }
    outlines.push_back(std::move(outline));
  }
  return outlines;
}

// The corners that make a difference; none where no area is left.
PlanePolygon cleaned(const Chain& points, double size, const Exact& exact) {
  const double near = same_point * size;
  PlanePolygon kept;
  const auto is_near = [near](PlanePoint a, PlanePoint b) {
    return std::fabs(a.x - b.x) <= near && std::fabs(a.y - b.y) <= near;
  };
  for (const PlanePoint point : points) {
    if (kept.empty() || !is_near(point, kept.back())) kept.push_back(point);
  }
  while (kept.size() > 2 && is_near(kept.front(), kept.back())) kept.pop_back();
  std::size_t i = 0;
  while (kept.size() > 2 && i < kept.size()) {
    const PlanePoint a = kept[i == 0 ? kept.size() - 1 : i - 1], b = kept[i];
    const PlanePoint c = kept[(i + 1) % kept.size()];
    const PlanePoint ends[] = {a, c};
    if (std::fabs(cross(a, b, c)) <= near * size_of(ends, exact)) {
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i));
      i = i == 0 ? 0 : i - 1;
    } else {
      ++i;
    }
  }
  if (kept.size() < 3) return {};
  const double own = size_of(kept, exact);
  if (signed_area(kept) <= smallest_area * own * own) return {};
  return kept;
}

// From a point to the segment a b.
double squared_distance_to(PlanePoint a, PlanePoint b, PlanePoint point) {
  const double x = b.x - a.x, y = b.y - a.y;
  double px = point.x - a.x, py = point.y - a.y;
  const double length = x * x + y * y;
  const double part = length > 0.0 ? std::min(1.0, std::max(0.0, (px * x + py * y) / length)) : 0.0;
  px = px - part * x;
  py = py - part * y;
  return px * px + py * py;
}

// Whether two sides cross, or an end of one is near the other.
bool meet(PlanePoint a, PlanePoint b, PlanePoint c, PlanePoint d, double near) {
  if (cross(a, b, c) * cross(a, b, d) < 0.0 && cross(c, d, a) * cross(c, d, b) < 0.0) return true;
  const double least = near * near;
  return squared_distance_to(a, b, c) <= least || squared_distance_to(a, b, d) <= least ||
         squared_distance_to(c, d, a) <= least || squared_distance_to(c, d, b) <= least;
}

}  // namespace

double hypot_of(double x, double y, const Exact& exact) {
  const double given[] = {x, y};
  const Rounded found = portable_hypot(given);
  return found.sure ? found.value : exact(Operation::hypot, given).value_or(0.0);
}

Box bounds(std::span<const PlanePolygon> polygons) {
  Box box{};
  bool has = false;
  for (const PlanePolygon& polygon : polygons) {
    for (const PlanePoint point : polygon) {
      if (!has || point.x < box.low.x) box.low.x = point.x;
      if (!has || point.y < box.low.y) box.low.y = point.y;
      if (!has || point.x > box.high.x) box.high.x = point.x;
      if (!has || point.y > box.high.y) box.high.y = point.y;
      has = true;
    }
  }
  return box;
}

double size_of(std::span<const PlanePoint> points, const Exact& exact) {
  double left = points[0].x, right = left, bottom = points[0].y, top = bottom;
  for (const PlanePoint point : points) {
    left = std::min(left, point.x);
    right = std::max(right, point.x);
    bottom = std::min(bottom, point.y);
    top = std::max(top, point.y);
  }
  return hypot_of(right - left, top - bottom, exact);
}

double cross(PlanePoint o, PlanePoint a, PlanePoint b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

double signed_area(std::span<const PlanePoint> points) {
  const double ox = points[0].x, oy = points[0].y;
  double sum = 0.0, ax = points.back().x - ox, ay = points.back().y - oy;
  for (const PlanePoint point : points) {
    const double bx = point.x - ox, by = point.y - oy;
    sum += ax * by - bx * ay;
    ax = bx;
    ay = by;
  }
  return 0.5 * sum;
}

double squared_distance(PlanePoint a, PlanePoint b) {
  const double x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y;
}

PlanePoint centroid(const PlanePolygon& points) {
  const double ox = points[0].x, oy = points[0].y;
  double sx = 0.0, sy = 0.0, sum = 0.0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const double ax = points[i].x - ox, ay = points[i].y - oy;
    const double bx = points[i + 1].x - ox, by = points[i + 1].y - oy;
    const double twice = ax * by - bx * ay;
    sum += twice;
    sx += twice * (ax + bx);
    sy += twice * (ay + by);
  }
  return {ox + sx / (3.0 * sum), oy + sy / (3.0 * sum)};
}

bool contains(const PlanePolygon& points, PlanePoint point) {
  bool inside = false;
  PlanePoint a = points.back();
  for (const PlanePoint b : points) {
    if ((a.y > point.y) != (b.y > point.y) &&
        point.x < a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y)) {
      inside = !inside;
    }
    a = b;
  }
  return inside;
}

bool touch(const PlanePolygon& first, const PlanePolygon& second, double near) {
  const Box one = bounds({&first, 1}), other = bounds({&second, 1});
  if (other.low.x > one.high.x + near || other.high.x < one.low.x - near) return false;
  if (other.low.y > one.high.y + near || other.high.y < one.low.y - near) return false;
  if (contains(first, second[0]) || contains(second, first[0])) return true;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const PlanePoint a = i == 0 ? first.back() : first[i - 1];
    for (std::size_t j = 0; j < second.size(); ++j) {
      const PlanePoint c = j == 0 ? second.back() : second[j - 1];
      if (meet(a, first[i], c, second[j], near)) return true;
    }
  }
  return false;
}

std::vector<PlanePolygon> cut(const PlanePolygon& points, const CutLine& line, double size,
                              const Exact& exact) {
  const double near = on_line * size;
  std::vector<double> beyond;
  for (const PlanePoint point : points) {
    const double far = point.x * line.dx + point.y * line.dy - line.at;
    beyond.push_back(std::fabs(far) <= near ? 0.0 : far);
  }
  if (std::all_of(beyond.begin(), beyond.end(), [](double far) { return far <= 0.0; })) {
    return {points};
  }
  std::vector<PlanePolygon> found;
  for (const Chain& outline : joined(chains_of(points, beyond), line)) {
    PlanePolygon polygon = cleaned(outline, size, exact);
    if (!polygon.empty()) found.push_back(std::move(polygon));
  }
  return found;
}

}  // namespace rigid::cutting
