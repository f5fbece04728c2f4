// SPDX-License-Identifier: MIT
#include "script/reading/read_breakable.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "script/reading/read_values.h"

namespace rigid::script {

namespace {

constexpr double farthest = 1e9;  // of a corner

PlanePolygon polygon_of(Reader& reader) {
  PlanePolygon found = reader.list<PlanePoint>(16, [&] {
    const double x = reader.finite();
    return PlanePoint{x, reader.finite()};
  });
  require(found.size() >= 3, "a polygon has no area");
  for (const PlanePoint point : found) {
    require(std::fabs(point.x) <= farthest && std::fabs(point.y) <= farthest,
            "a corner is too far away");
  }
  return found;
}

// Rows with zeros between their fields, so that equal ones have equal bytes.
#define RIGID_COPY_FIELD(type, name, ...) \
  std::memcpy(bytes.data() + at + offsetof(Row, name), &row.name, sizeof row.name);
void add_row(std::vector<std::byte>& bytes, const BodyRow& row) {
  using Row = BodyRow;
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof row);
  RIGID_BODY_FIELDS(RIGID_COPY_FIELD)
}
void add_row(std::vector<std::byte>& bytes, const ShapeRow& row) {
  using Row = ShapeRow;
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof row);
  RIGID_SHAPE_FIELDS(RIGID_COPY_FIELD)
}
#undef RIGID_COPY_FIELD

void add(std::vector<std::byte>& bytes, const std::vector<PlanePolygon>& polygons) {
  add_bytes(bytes, static_cast<uint32_t>(polygons.size()));
  for (const PlanePolygon& polygon : polygons) {
    add_bytes(bytes, static_cast<uint32_t>(polygon.size()));
    for (const PlanePoint point : polygon) {
      add_bytes(bytes, point.x);
      add_bytes(bytes, point.y);
    }
  }
}

}  // namespace

Breakable read_breakable(Reader& reader) {
  Breakable found;
  found.row = reader.number<BodyRow>();
  found.shapes = reader.list<ShapeRow>(sizeof(ShapeRow), [&] { return reader.number<ShapeRow>(); });
  found.outlines = reader.list<PlanePolygon>(4, [&] { return polygon_of(reader); });
  using Polygons = std::vector<PlanePolygon>;
  found.holes = reader.list<Polygons>(
      4, [&] { return reader.list<PlanePolygon>(4, [&] { return polygon_of(reader); }); });
  found.picture = reader.list<PlanePolygon>(4, [&] { return polygon_of(reader); });
  require(!found.shapes.empty() && found.shapes.size() == found.outlines.size() &&
              found.shapes.size() == found.holes.size(),
          "a body has other outlines than shapes");
  for (const ShapeRow& row : found.shapes) {
    require(std::isfinite(row.density) && row.density >= 0.0, "a density is below 0");
  }
  return found;
}

std::vector<std::byte> bytes_of(const Breakable& breakable) {
  std::vector<std::byte> bytes;
  add_row(bytes, breakable.row);
  add_bytes(bytes, static_cast<uint32_t>(breakable.shapes.size()));
  for (const ShapeRow& row : breakable.shapes) add_row(bytes, row);
  add(bytes, breakable.outlines);
  add_bytes(bytes, static_cast<uint32_t>(breakable.holes.size()));
  for (const auto& holes : breakable.holes) add(bytes, holes);
  add(bytes, breakable.picture);
  return bytes;
}

Destruction read_destruction(Reader& reader) {
  constexpr int most_pieces = 1000;
  Destruction found{};
  for (bool* flag : {&found.boxes, &found.collide, &found.has_seed, &found.has_tags}) {
    *flag = reader.flag();
  }
  found.count = reader.number<int32_t>();
  require(found.count >= 1 && found.count <= most_pieces, "a body has too many pieces");
  found.seed = reader.number<int64_t>();
  for (double* number : {&found.radial, &found.random, &found.spin}) *number = reader.finite();
  found.lifetime = reader.real();
  found.tags = read_tags(reader);
  return found;
}

}  // namespace rigid::script
