// SPDX-License-Identifier: MIT
// Rows, checked and converted to objects of a world. std::invalid_argument names the row that is
// wrong, whose number is its index and `first`.
#ifndef RIGID_ENGINE_ROWS_READ_ROWS_H
#define RIGID_ENGINE_ROWS_READ_ROWS_H

#include <span>
#include <string>
#include <vector>

#include "engine/data/rows.h"
#include "engine/rows/known_bodies.h"
#include "engine/world.h"

namespace rigid {

std::vector<NewBody> read_bodies(std::span<const BodyRow> rows, int first);
// `points` are x and y in turns; those of a shape begin at its first_vertex.
std::vector<WorldShape> read_shapes(std::span<const ShapeRow> rows, std::span<const double> points,
                                    const KnownBodies& bodies, int first);
// `coming` are the slots of joints that are added with them.
std::vector<Joint> read_joints(std::span<const JointRow> rows, const KnownBodies& bodies,
                               const Joints& there, const std::vector<int>& coming, int first);
std::vector<ForceSource> read_forces(std::span<const ForceRow> rows, const KnownBodies& bodies,
                                     int first);
std::vector<Bar> read_bars(std::span<const BarRow> rows, const KnownBodies& bodies);
std::vector<BodyPoint> read_points(std::span<const PointRow> rows, const KnownBodies& bodies);

Spring read_spring(int kind, double one, double two, const std::string& at);

}  // namespace rigid

#endif
