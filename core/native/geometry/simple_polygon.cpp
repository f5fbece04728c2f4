// SPDX-License-Identifier: MIT
// Checks of polygons: finite and distinct points, and edges that do not cross.
#include "geometry/simple_polygon.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "sorting.h"

namespace rigid {

namespace {

constexpr double straight_sine = 1e-10;

std::string point_name(std::size_t i) { return "point " + std::to_string(i + 1); }

// The sign of turn(a, b, c), 0 within the rounding error.
int side(PlanePoint a, PlanePoint b, PlanePoint c) {
  double left = (b.x - a.x) * (c.y - a.y);
  double right = (b.y - a.y) * (c.x - a.x);
  double error = 4.5e-16 * (std::fabs(left) + std::fabs(right));
  double d = left - right;
  return d > error ? 1 : (d < -error ? -1 : 0);
}

bool within_box(PlanePoint a, PlanePoint b, PlanePoint p) {
  return std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= p.y &&
         p.y <= std::max(a.y, b.y);
}

void check_numbers(const PlanePolygon& points) {
  std::size_t n = points.size();
  if (n < 3) refuse("a polygon needs at least 3 points, this one has " + std::to_string(n));
  if (n > static_cast<std::size_t>(max_polygon_points)) {
    refuse("a polygon may have at most " + std::to_string(max_polygon_points) +
           " points, this one has " + std::to_string(n));
  }
  for (std::size_t i = 0; i < n; ++i) {
    // Squares of coordinates must not overflow.
    if (!(std::fabs(points[i].x) <= 1e100 && std::fabs(points[i].y) <= 1e100)) {
      refuse(point_name(i) + " of the polygon is not a finite number within 1e100");
    }
  }
}

// The indices of the points, from left to right.
std::vector<std::size_t> sorted_points(const PlanePolygon& points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  rigid::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    PlanePoint a = points[i];
    PlanePoint b = points[j];
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : i < j;
  });
  return order;
}

void check_points(const PlanePolygon& points) {
  check_numbers(points);
  std::size_t n = points.size();
  std::vector<std::size_t> order = sorted_points(points);
  for (std::size_t k = 1; k < n; ++k) {
    std::size_t i = order[k - 1];
    std::size_t j = order[k];
    if (points[i].x == points[j].x && points[i].y == points[j].y) {
      refuse(point_name(j) + " of the polygon repeats " + point_name(i));
    }
  }
}

using Edges = std::pair<std::size_t, std::size_t>;  // or points

// The first two edges that clash, in a sweep from left to right; pairs whose boxes are apart are
// not tested.
template <class Clash>
std::optional<Edges> find_edges(const PlanePolygon& points, Clash&& clash) {
  std::size_t n = points.size();
  auto from = [&](std::size_t i) { return points[i]; };
  auto to = [&](std::size_t i) { return points[i + 1 < n ? i + 1 : 0]; };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  rigid::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    double a = std::min(from(i).x, to(i).x);
    double b = std::min(from(j).x, to(j).x);
    return a != b ? a < b : i < j;
  });
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t i = order[k];
    double end = std::max(from(i).x, to(i).x);
    double low = std::min(from(i).y, to(i).y), high = std::max(from(i).y, to(i).y);
    for (std::size_t l = k + 1; l < n; ++l) {
      std::size_t j = order[l];
      if (std::min(from(j).x, to(j).x) > end) break;
      if (std::max(from(j).y, to(j).y) < low || std::min(from(j).y, to(j).y) > high) continue;
      if (clash(i, j)) return Edges(std::min(i, j), std::max(i, j));
    }
  }
  return std::nullopt;
}

void check_crossings(const PlanePolygon& points) {
  std::size_t n = points.size();
  auto meet = [&](std::size_t i, std::size_t j) {
    if (j == (i + 1) % n || i == (j + 1) % n) return false;
    return segments_meet(points[i], points[(i + 1) % n], points[j], points[(j + 1) % n]);
  };
  if (auto edges = find_edges(points, meet)) {
    refuse("the polygon crosses or touches itself: its edges after " + point_name(edges->first) +
           " and after " + point_name(edges->second) + " meet");
  }
}

// Twice the area of the triangle o a b; positive if b is to the left of o -> a.
double cross(PlanePoint o, PlanePoint a, PlanePoint b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

int sign(double x) { return (x > 0.0) - (x < 0.0); }

}  // namespace

void refuse(const std::string& why) { throw std::invalid_argument(why); }

bool segments_meet(PlanePoint a, PlanePoint b, PlanePoint c, PlanePoint d) {
  int abc = side(a, b, c);
  int abd = side(a, b, d);
  int cda = side(c, d, a);
  int cdb = side(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && within_box(a, b, c)) || (abd == 0 && within_box(a, b, d)) ||
         (cda == 0 && within_box(c, d, a)) || (cdb == 0 && within_box(c, d, b));
}

bool is_straight(PlanePoint a, PlanePoint b, PlanePoint c) {
  double first = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
  double second = std::sqrt((c.x - b.x) * (c.x - b.x) + (c.y - b.y) * (c.y - b.y));
  return std::fabs(turn(a, b, c)) <= straight_sine * first * second;
}

double doubled_area(const PlanePolygon& points) {
  double area = 0.0;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    area += turn(points[0], points[i], points[i + 1]);
  }
  return area;
}

std::optional<Edges> near_points(const PlanePolygon& points, double near) {
  check_numbers(points);
  std::vector<std::size_t> order = sorted_points(points);
  for (std::size_t k = 0; k < order.size(); ++k) {
    PlanePoint p = points[order[k]];
    for (std::size_t l = k + 1; l < order.size(); ++l) {
      PlanePoint q = points[order[l]];
      if (q.x - p.x > near) break;
      if (std::fabs(q.y - p.y) > near) continue;
      return Edges(std::min(order[k], order[l]), std::max(order[k], order[l]));
    }
  }
  return std::nullopt;
}

std::optional<Edges> clashing_edges(const PlanePolygon& points) {
  check_numbers(points);
  std::size_t n = points.size();
  auto clash = [&](std::size_t i, std::size_t j) {
    if ((i + 1) % n == j || (j + 1) % n == i) {
      std::size_t first = (i + 1) % n == j ? i : j;
      PlanePoint a = points[first], b = points[(first + 1) % n], c = points[(first + 2) % n];
      bool back = (a.x - b.x) * (c.x - b.x) + (a.y - b.y) * (c.y - b.y) > 0.0;
      return back && cross(a, b, c) == 0.0;
    }
    PlanePoint a = points[i], b = points[(i + 1) % n], c = points[j], d = points[(j + 1) % n];
    return sign(cross(a, b, c)) * sign(cross(a, b, d)) <= 0 &&
           sign(cross(c, d, a)) * sign(cross(c, d, b)) <= 0;
  };
  return find_edges(points, clash);
}

bool is_inside(const PlanePolygon& polygon, PlanePoint p) {
  bool inside = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PlanePoint a = polygon[i], b = polygon[i + 1 < polygon.size() ? i + 1 : 0];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    if ((cross(a, b, p) > 0.0) == (b.y > a.y)) inside = !inside;
  }
  return inside;
}

PlanePolygon checked_corners(const PlanePolygon& points) {
  check_points(points);
  std::size_t n = points.size();
  PlanePolygon corners;
  std::size_t fold = n;
  for (std::size_t i = 0; i < n; ++i) {
    PlanePoint before = points[i > 0 ? i - 1 : n - 1];
    PlanePoint after = points[i + 1 < n ? i + 1 : 0];
    PlanePoint p = points[i];
    if (!is_straight(before, p, after)) {
      corners.push_back(p);
      continue;
    }
    double ahead = (p.x - before.x) * (after.x - p.x) + (p.y - before.y) * (after.y - p.y);
    if (ahead < 0.0) fold = i;
  }
  if (corners.size() < 3) refuse("the points of the polygon lie on a line");
  if (fold < n) refuse("the polygon folds back on itself at " + point_name(fold));
  check_crossings(points);

  double area = doubled_area(corners);
  double width = 0.0;
  for (PlanePoint p : corners) {
    width = std::max({width, std::fabs(p.x - corners[0].x), std::fabs(p.y - corners[0].y)});
  }
  if (!(std::fabs(area) > 1e-12 * width * width)) refuse("the polygon has no area");
  if (area < 0.0) std::reverse(corners.begin(), corners.end());
  return corners;
}

std::optional<std::pair<std::size_t, std::string>> misplaced_hole(
    const PlanePolygon& points, const std::vector<PlanePolygon>& holes) {
  auto meet = [](const PlanePolygon& one, const PlanePolygon& two) {
    for (std::size_t i = 0; i < one.size(); ++i) {
      const PlanePoint a = one[i], b = one[i + 1 < one.size() ? i + 1 : 0];
      for (std::size_t j = 0; j < two.size(); ++j) {
        const PlanePoint c = two[j], d = two[j + 1 < two.size() ? j + 1 : 0];
        if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x)) {
          continue;
        }
        if (segments_meet(a, b, c, d)) return true;
      }
    }
    return false;
  };
  for (std::size_t k = 0; k < holes.size(); ++k) {
    const PlanePolygon& hole = holes[k];
    if (meet(hole, points)) return std::pair(k, std::string("crosses or touches the outline"));
    if (!is_inside(points, hole[0])) return std::pair(k, std::string("is outside the polygon"));
    for (std::size_t other = 0; other < k; ++other) {
      const std::string name = "hole " + std::to_string(other + 1);
      if (meet(hole, holes[other])) return std::pair(k, "crosses or touches " + name);
      if (is_inside(holes[other], hole[0])) return std::pair(k, "is inside " + name);
      if (is_inside(hole, holes[other][0])) return std::pair(k, "is around " + name);
    }
  }
  return std::nullopt;
}

}  // namespace rigid
