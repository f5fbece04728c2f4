// SPDX-License-Identifier: MIT
// The binding of cuts.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cutting/pieces.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace rigid {

namespace {

using Ring = std::vector<std::pair<double, double>>;
using Rings = std::vector<Ring>;
using PartTuple = std::tuple<int, Ring, Rings>;
using PieceTuple =
    std::tuple<std::vector<PartTuple>, double, std::pair<double, double>, double, Rings>;

std::vector<PlanePolygon> polygons_of(const Rings& rings) {
  std::vector<PlanePolygon> found;
  for (const Ring& ring : rings) {
    if (ring.size() < 3) throw std::invalid_argument("a polygon has at least 3 points");
    PlanePolygon& polygon = found.emplace_back();
    for (const auto& [x, y] : ring) polygon.push_back({x, y});
  }
  return found;
}

Ring ring_of(const PlanePolygon& polygon) {
  Ring found;
  for (const PlanePoint point : polygon) found.emplace_back(point.x, point.y);
  return found;
}

std::pair<std::vector<PieceTuple>, int> cut_shapes(const Rings& outlines,
                                                   const std::vector<double>& densities,
                                                   const Rings& picture, bool boxes, int count,
                                                   int64_t seed, const std::string& path,
                                                   const nb::dict& exact,
                                                   const std::vector<Rings>& holes) {
  const std::vector<PlanePolygon> shapes = polygons_of(outlines), seen = polygons_of(picture);
  std::vector<std::vector<PlanePolygon>> hollows;
  for (const Rings& each : holes) hollows.push_back(polygons_of(each));
  if (shapes.empty() || densities.size() != shapes.size()) {
    throw std::invalid_argument("there must be a density for each of some outlines");
  }
  if (count < 1 || count > 10000) throw std::invalid_argument("count must be 1 to 10000");
  const auto ask = [&](Operation operation, std::span<const double> numbers) {
    nb::list given;
    for (double number : numbers) given.append(number);
    const nb::object result = exact[nb::int_(static_cast<int>(operation))](*given);
    return result.is_none() ? std::optional<double>() : nb::cast<double>(result);
  };
  const cutting::Pieces pieces =
      cutting::cut_shapes({shapes, densities, seen, hollows}, {boxes, count, seed}, path, ask);
  std::vector<PieceTuple> found;
  for (const cutting::Piece& piece : pieces.all) {
    std::vector<PartTuple> parts;
    for (const cutting::Part& part : piece.parts) {
      Rings inner;
      for (const PlanePolygon& each : part.holes) inner.push_back(ring_of(each));
      parts.emplace_back(part.number, ring_of(part.points), std::move(inner));
    }
    Rings shown;
    for (const PlanePolygon& each : piece.seen) shown.push_back(ring_of(each));
    found.emplace_back(std::move(parts), piece.weight, std::pair(piece.center.x, piece.center.y),
                       piece.inertia, std::move(shown));
  }
  return {std::move(found), pieces.slivers};
}

}  // namespace

void bind_cutting(nb::module_& module) {
  module.def("cut_shapes", &cut_shapes, "outlines"_a, "densities"_a, "picture"_a, "boxes"_a,
             "count"_a, "seed"_a, "path"_a, "exact"_a, "holes"_a = std::vector<Rings>());
}

}  // namespace rigid
