// SPDX-License-Identifier: MIT
// The pieces of a body, with the formulas of core/world/destroying/pieces.py and pictures.py: its
// shapes, cut by cells, and the parts of its picture that go with each.
#ifndef RIGID_CUTTING_PIECES_H
#define RIGID_CUTTING_PIECES_H

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cutting/cells.h"

namespace rigid::cutting {

// A connected part of a body within one cell, in the coordinates of the body.
struct Piece {
  std::vector<Part> parts;
  double weight;      // the area, each part times the density of its shape, if all have one
  PlanePoint center;  // of that weight
  double inertia;     // about it
  std::vector<PlanePolygon> seen;  // of the picture on the body
};

struct Pieces {
  std::vector<Piece> all;
  int slivers = 0;  // that were dropped
};

struct Solids {
  std::span<const PlanePolygon> outlines;
  std::span<const double> densities;
  std::span<const PlanePolygon> picture;
  std::span<const std::vector<PlanePolygon>> holes = {};  // of each outline, clockwise
};

struct Cuts {
  bool boxes;
  int count;
  int64_t seed;
};

// Throws std::invalid_argument where a piece has no weight.
Pieces cut_shapes(const Solids& solids, const Cuts& cuts, std::string_view path,
                  const Exact& exact);

}  // namespace rigid::cutting

#endif
