// SPDX-License-Identifier: MIT
// Rows from outside, checked and added to a world: all of them, or none if one is wrong.
#ifndef RIGID_ENGINE_BUILDING_READ_ROWS_H
#define RIGID_ENGINE_BUILDING_READ_ROWS_H

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/data/rows.h"
#include "engine/world.h"

namespace rigid {

// x and y of one corner after the other.
using Corners = std::span<const double>;

// Each returns the index of the first object added. std::invalid_argument names the row.
int add_bodies(World& world, std::span<const BodyRow> rows);
int add_shapes(World& world, std::span<const ShapeRow> rows, Corners corners);
int add_joints(World& world, std::span<const JointRow> rows);
int add_forces(World& world, std::span<const ForceRow> rows);
int add_points(World& world, std::span<const PointRow> rows);
void set_bars(World& world, std::span<const BarRow> rows);

struct LinkRows {
  std::span<const JointRow> joints;
  std::span<const ForceRow> forces;
};
struct FragmentRows {
  std::span<const BodyRow> bodies;
  std::span<const ShapeRow> shapes;
  Corners corners;
  LinkRows links;
  std::span<const BarRow> bars;
  std::span<const PointRow> points;
};
// The ids of bodies and joints, and the slots of forces and points.
struct Added {
  std::vector<int64_t> bodies, joints;
  std::vector<int> forces, points;
};
// Adds everything or, if a row is wrong, nothing, in free slots. Rows refer to new bodies by the
// slots that are next.
Added add_fragment(World& world, const FragmentRows& rows);

// One copy of objects that are added repeatedly, read and checked once: its bodies are 0, 1 and so
// on. Joints and forces have rows of their own.
struct Mould {
  explicit Mould(const FragmentRows& rows);
  std::vector<BodyRow> bodies;
  std::vector<WorldShape> shapes;
  std::vector<double> corners;
  std::vector<Bar> bars;
  std::vector<BodyPoint> points;
};
using Motion = std::tuple<double, double, double, double, double>;  // x, y, angle, vx, vy
// Adds copies of a mould, like `add_fragment`: `motions` are those of the bodies of one copy after
// another.
Added add_copies(World& world, const Mould& mould, std::span<const Motion> motions,
                 const LinkRows& rows);

// The rows of a collision matrix of n categories, row after row. Throws std::invalid_argument.
std::vector<uint64_t> read_collision_matrix(std::span<const bool> matrix, std::size_t n);

Spring read_spring(int kind, double one, double two, const std::string& at);

}  // namespace rigid

#endif
