// SPDX-License-Identifier: MIT
#include "cutting/cells.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sorting.h"

namespace rigid::cutting {

namespace {

constexpr int tries = 64;  // of places for each site until one is inside of the body

Cell all_of(std::span<const PlanePolygon> outlines) {
  Cell parts;
  for (const PlanePolygon& points : outlines) {
    parts.push_back({static_cast<int>(parts.size()), points});
  }
  return parts;
}

Cell kept(const Cell& parts, const CutLine& line, double size, const Exact& exact) {
  Cell found;
  for (const Part& part : parts) {
    for (PlanePolygon& piece : cut(part.points, line, size, exact)) {
      found.push_back({part.number, std::move(piece)});
    }
  }
  return found;
}

// The square of the largest distance of a cell from its site.
double reach_of(const Cell& parts, PlanePoint site) {
  double most = 0.0;
  for (const Part& part : parts) {
    for (const PlanePoint point : part.points) {
      most = std::max(most, squared_distance(point, site));
    }
  }
  return most;
}

}  // namespace

double Part::area() const {
  double sum = 0.0;
  for (const PlanePolygon& hole : holes) sum += signed_area(hole);
  return signed_area(points) + sum;
}

std::vector<Cell> box_cells(std::span<const PlanePolygon> outlines, int count, double size,
                            const Box& box, const Exact& exact) {
  std::vector<Cell> cells;
  Cell rest = all_of(outlines);
  for (int column = 1; column <= count; ++column) {
    Cell slab;
    const double x = box.low.x + (box.high.x - box.low.x) * column / count;
    const CutLine left{1.0, 0.0, x};
    if (column < count) {
      slab = kept(rest, left, size, exact);
      rest = kept(rest, left.back(), size, exact);
    } else {
      slab = std::move(rest);
    }
    for (int row = 1; row <= count; ++row) {
      const double y = box.low.y + (box.high.y - box.low.y) * row / count;
      const CutLine below{0.0, 1.0, y};
      if (row < count) {
        cells.push_back(kept(slab, below, size, exact));
        slab = kept(slab, below.back(), size, exact);
      } else {
        cells.push_back(std::move(slab));
      }
    }
  }
  return cells;
}

std::vector<Cell> voronoi_cells(std::span<const PlanePolygon> outlines,
                                std::span<const PlanePoint> sites, double size,
                                const Exact& exact) {
  std::vector<Cell> cells;
  for (const PlanePoint site : sites) {
    std::vector<std::tuple<double, double, double>> others;
    for (const PlanePoint other : sites) {
      if (other.x == site.x && other.y == site.y) continue;
      others.emplace_back(squared_distance(other, site), other.x, other.y);
    }
    rigid::sort(others.begin(), others.end());
    Cell parts = all_of(outlines);
    double reach = reach_of(parts, site);
    for (const auto& [squared, x, y] : others) {
      if (squared >= 4.0 * reach) break;  // nor do those that are farther away
      parts = kept(parts, between(site, {x, y}), size, exact);
      reach = reach_of(parts, site);
    }
    cells.push_back(std::move(parts));
  }
  return cells;
}

CutLine between(PlanePoint site, PlanePoint other) {
  double x = other.x - site.x, y = other.y - site.y;
  const double length = std::sqrt(x * x + y * y);
  x = x / length;
  y = y / length;
  return {x, y, 0.5 * ((site.x + other.x) * x + (site.y + other.y) * y)};
}

double uniform(int64_t seed, std::string_view path, int call, double low, double high) {
  return low + (high - low) * unit_of({seed, path}, call, 0);
}

std::vector<PlanePoint> seeded_sites(std::span<const PlanePolygon> outlines, int count,
                                     int64_t seed, std::string_view path) {
  const auto [low, high] = bounds(outlines);
  std::vector<PlanePoint> sites;
  for (int number = 0; number < count; ++number) {
    PlanePoint site{};
    for (int attempt = 0; attempt < tries; ++attempt) {
      const int call = 2 * (number * tries + attempt);
      site = {uniform(seed, path, call, low.x, high.x),
              uniform(seed, path, call + 1, low.y, high.y)};
      if (std::any_of(outlines.begin(), outlines.end(),
                      [site](const PlanePolygon& points) { return contains(points, site); })) {
        break;
      }
    }
    const auto is_same = [site](PlanePoint each) { return each.x == site.x && each.y == site.y; };
    if (std::none_of(sites.begin(), sites.end(), is_same)) sites.push_back(site);
  }
  return sites;
}

}  // namespace rigid::cutting
