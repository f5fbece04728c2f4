// SPDX-License-Identifier: MIT
// Rows, checked and added to a world: all of them, or none if one is wrong, which
// std::invalid_argument names.
#ifndef RIGID_ENGINE_ROWS_ADD_ROWS_H
#define RIGID_ENGINE_ROWS_ADD_ROWS_H

#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "engine/data/rows.h"
#include "engine/world.h"

namespace rigid {

// Each returns the index of the first object added.
int add_bodies(World& world, std::span<const BodyRow> rows);
int add_shapes(World& world, std::span<const ShapeRow> rows, std::span<const double> points);
int add_joints(World& world, std::span<const JointRow> rows);
int add_forces(World& world, std::span<const ForceRow> rows);
int add_points(World& world, std::span<const PointRow> rows);
void set_bars(World& world, std::span<const BarRow> rows);

// Joints and forces added with new bodies.
struct LinkRows {
  std::span<const JointRow> joints;
  std::span<const ForceRow> forces;
};
struct FragmentRows {
  std::span<const BodyRow> bodies;
  std::span<const ShapeRow> shapes;
  std::span<const double> corners;  // x and y in turns
  LinkRows links;
  std::span<const BarRow> bars;
  std::span<const PointRow> points;
};
// The ids of bodies and joints, and the slots of forces and points.
struct AddedObjects {
  std::vector<int64_t> bodies, joints;
  std::vector<int> forces, points;
};
// Adds everything in free slots. Rows refer to new bodies by the slots that come next.
AddedObjects add_fragment(World& world, const FragmentRows& rows);

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
// Adds copies of a mould: `motions` are those of the bodies of one copy after another.
AddedObjects add_copies(World& world, const Mould& mould, std::span<const Motion> motions,
                        const LinkRows& links);

}  // namespace rigid

#endif
