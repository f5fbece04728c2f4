// SPDX-License-Identifier: MIT
#include "cutting/pieces.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cutting/hollowing.h"
#include "geometry/mass.h"

namespace rigid::cutting {

namespace {

constexpr double slivers = 1e-6;  // all that are dropped have at most this part of the area

using Group = std::vector<Part>;

// The connected groups of parts, in the order of their first parts.
std::vector<Group> connected(const Cell& cell, double near) {
  std::vector<Group> groups;
  for (const Part& part : cell) {
    std::vector<std::size_t> touched;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (std::any_of(groups[i].begin(), groups[i].end(),
                      [&](const Part& each) { return touch(each.points, part.points, near); })) {
        touched.push_back(i);
      }
    }
    if (touched.empty()) {
      groups.push_back({part});
      continue;
    }
    Group& first = groups[touched[0]];
    for (std::size_t k = 1; k < touched.size(); ++k) {
      const Group& other = groups[touched[k]];
      first.insert(first.end(), other.begin(), other.end());
    }
    first.push_back(part);
    for (std::size_t k = touched.size(); k-- > 1;) {
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(touched[k]));
    }
  }
  return groups;
}

double area_of(const Group& group) {
  double sum = 0.0;
  for (const Part& part : group) sum += part.area();
  return sum;
}

MassData mass_of(const PlanePolygon& points, double density) {
  std::vector<double> numbers;
  for (const PlanePoint point : points) {
    numbers.push_back(point.x);
    numbers.push_back(point.y);
  }
  const MassData found =
      shape_mass(ShapeKind::polygon, numbers.data(), static_cast<int>(points.size()), 0.0, density);
  if (!(found.mass > 0.0)) throw std::invalid_argument("a piece has no weight");
  return found;
}

PlanePoint center_of(const Part& part) {
  if (part.holes.empty()) return centroid(part.points);
  double x = 0.0, y = 0.0;
  const auto add = [&x, &y](const PlanePolygon& ring) {
    const double area = signed_area(ring);
    const PlanePoint center = centroid(ring);
    x += area * center.x;
    y += area * center.y;
  };
  add(part.points);
  for (const PlanePolygon& hole : part.holes) add(hole);
  const double area = part.area();
  return {x / area, y / area};
}

// About the centre: that of the outline's inside without that of the holes.
double inertia_of(const Part& part, PlanePoint center, double density) {
  double own = mass_of(part.points, density).inertia;
  if (part.holes.empty()) return own;
  own += signed_area(part.points) * density * squared_distance(centroid(part.points), center);
  for (const PlanePolygon& hole : part.holes) {
    const MassData found = mass_of({hole.rbegin(), hole.rend()}, density);
    own -= found.inertia + found.mass * squared_distance({found.cx, found.cy}, center);
  }
  return own;
}

// A part without the holes of its outline. In small builds nothing with holes breaks.
#ifdef RIGID_SMALL
void add_hollowed(Part&& part, const Solids&, const Exact&, Cell& parts) {
  parts.push_back(std::move(part));
}
#else
void add_hollowed(Part&& part, const Solids& solids, const Exact& exact, Cell& parts) {
  const auto number = static_cast<std::size_t>(part.number);
  if (number >= solids.holes.size() || solids.holes[number].empty()) {
    parts.push_back(std::move(part));
    return;
  }
  for (Hollow& left : without(part.points, solids.holes[number], exact)) {
    parts.push_back({part.number, std::move(left.points), std::move(left.holes)});
  }
}
#endif

Piece weighed(Group group, std::span<const double> densities) {
  std::vector<double> weights;
  std::vector<PlanePoint> centers;
  double weight = 0.0, x = 0.0, y = 0.0, inertia = 0.0;
  for (const Part& part : group) {
    weights.push_back(part.area() * densities[part.number]);
    centers.push_back(center_of(part));
    weight += weights.back();
  }
  for (std::size_t i = 0; i < group.size(); ++i) x += weights[i] * centers[i].x;
  for (std::size_t i = 0; i < group.size(); ++i) y += weights[i] * centers[i].y;
  const PlanePoint center{x / weight, y / weight};
  for (std::size_t i = 0; i < group.size(); ++i) {
    const double own = inertia_of(group[i], centers[i], densities[group[i].number]);
    inertia += own + weights[i] * squared_distance(centers[i], center);
  }
  return {std::move(group), weight, center, inertia, {}};
}

// ------------------------------------------------------------ the picture

int nearest(std::span<const Piece> pieces, PlanePoint place) {
  int found = 0;
  double least = 0.0;
  for (int i = 0; i < static_cast<int>(pieces.size()); ++i) {
    const double far = squared_distance(pieces[i].center, place);
    if (i == 0 || far < least) {
      found = i;
      least = far;
    }
  }
  return found;
}

// The part of a polygon that is nearer to the middle of a piece than to those of others.
std::vector<PlanePolygon> nearest_part(const PlanePolygon& part, int number,
                                       std::span<const int> owners, std::span<const Piece> pieces,
                                       double size, const Exact& exact) {
  std::vector<PlanePolygon> parts{part};
  const PlanePoint own = pieces[number].center;
  for (int other : owners) {
    if (other == number) continue;
    const PlanePoint middle = pieces[other].center;
    if (squared_distance(own, middle) <= same_point * same_point * size * size) {
      if (number >= other) parts.clear();  // round each other: the first has it
      continue;
    }
    std::vector<PlanePolygon> left;
    for (const PlanePolygon& each : parts) {
      for (PlanePolygon& piece : cut(each, between(own, middle), size, exact)) {
        left.push_back(std::move(piece));
      }
    }
    parts = std::move(left);
  }
  return parts;
}

}  // namespace

Pieces cut_shapes(const Solids& solids, const Cuts& cuts, std::string_view path,
                  const Exact& exact) {
  const Box box = bounds(solids.outlines);
  const PlanePoint corners[] = {box.low, box.high};
  const double size = size_of(corners, exact);
  std::vector<PlanePolygon> all(solids.outlines.begin(), solids.outlines.end());
  all.insert(all.end(), solids.picture.begin(), solids.picture.end());
  const std::vector<Cell> cells =
      cuts.boxes ? box_cells(all, cuts.count, size, box, exact)
                 : voronoi_cells(all, seeded_sites(solids.outlines, cuts.count, cuts.seed, path),
                                 size, exact);
  const auto shapes = static_cast<int>(solids.outlines.size());
  std::vector<Group> found;
  std::vector<std::vector<int>> groups_of;  // by cells
  std::vector<std::vector<PlanePolygon>> shown;
  for (Cell cell : cells) {
    Cell solid;
    std::vector<PlanePolygon> seen;
    for (Part& part : cell) {
      if (part.number < shapes) {
        add_hollowed(std::move(part), solids, exact, solid);
      } else {
        seen.push_back(part.points);
      }
    }
    std::vector<int> own;
    for (Group& group : connected(solid, same_point * size)) {
      own.push_back(static_cast<int>(found.size()));
      found.push_back(std::move(group));
    }
    groups_of.push_back(std::move(own));
    shown.push_back(std::move(seen));
  }
  std::vector<double> areas;
  double sum = 0.0;
  for (const Group& group : found) areas.push_back(area_of(group));
  for (double area : areas) sum += area;
  const double least = slivers * sum / static_cast<double>(std::max<std::size_t>(1, areas.size()));
  std::vector<double> densities(solids.densities.begin(), solids.densities.end());
  if (std::any_of(densities.begin(), densities.end(), [](double each) { return !(each > 0.0); })) {
    densities.assign(densities.size(), 1.0);
  }
  Pieces pieces;
  std::vector<int> places(found.size(), -1);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!(areas[i] > least)) continue;
    places[i] = static_cast<int>(pieces.all.size());
    pieces.all.push_back(weighed(std::move(found[i]), densities));
  }
  pieces.slivers = static_cast<int>(found.size() - pieces.all.size());
  if (solids.picture.empty() || pieces.all.empty()) return pieces;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::vector<int> owners;
    for (int group : groups_of[i]) {
      if (places[group] >= 0) owners.push_back(places[group]);
    }
    for (const PlanePolygon& part : shown[i]) {
      std::vector<int> takers = owners;
      if (takers.empty()) takers.push_back(nearest(pieces.all, centroid(part)));
      for (int number : takers) {
        for (PlanePolygon& each : nearest_part(part, number, owners, pieces.all, size, exact)) {
          pieces.all[number].seen.push_back(std::move(each));
        }
      }
    }
  }
  return pieces;
}

}  // namespace rigid::cutting
