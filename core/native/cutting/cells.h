// SPDX-License-Identifier: MIT
// Cells for breaking a body, with the formulas of core/world/destroying/cells.py: boxes, or the
// regions nearest to seeded sites.
#ifndef RIGID_CUTTING_CELLS_H
#define RIGID_CUTTING_CELLS_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cutting/cutting.h"

namespace rigid::cutting {

// A polygon, its holes, which are clockwise, and the number of the outline that it is of.
struct Part {
  int number;
  PlanePolygon points;
  std::vector<PlanePolygon> holes = {};

  double area() const;
};
using Cell = std::vector<Part>;

// The parts of outlines in each of count x count cells of a box; the outer ones go on beyond it.
std::vector<Cell> box_cells(std::span<const PlanePolygon> outlines, int count, double size,
                            const Box& box, const Exact& exact);
// The parts of outlines that are nearest to each site.
std::vector<Cell> voronoi_cells(std::span<const PlanePolygon> outlines,
                                std::span<const PlanePoint> sites, double size, const Exact& exact);
// Different places in outlines, each a function of the seed, the path and its number.
std::vector<PlanePoint> seeded_sites(std::span<const PlanePolygon> outlines, int count,
                                     int64_t seed, std::string_view path);
// The side of a bisector on which a site is; that of the other one differs in signs alone.
CutLine between(PlanePoint site, PlanePoint other);
double uniform(int64_t seed, std::string_view path, int call, double low, double high);

}  // namespace rigid::cutting

#endif
