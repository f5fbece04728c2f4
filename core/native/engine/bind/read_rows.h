// SPDX-License-Identifier: MIT
// Rows from Python, checked and added to a world: all of them, or none if one is wrong.
#ifndef RIGID_ENGINE_BIND_READ_ROWS_H
#define RIGID_ENGINE_BIND_READ_ROWS_H

#include <tuple>
#include <vector>

#include "engine/bind/python_world.h"
#include "engine/data/rows.h"

namespace rigid {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using BoolTable = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Each returns the index of the first object added. std::invalid_argument names the row.
int add_bodies(PyWorld& self, const nb::object& array);
int add_shapes(PyWorld& self, const nb::object& array, const Table& points);
int add_joints(PyWorld& self, const nb::object& array);
int add_forces(PyWorld& self, const nb::object& array);
int add_points(PyWorld& self, const nb::object& array);
void set_bars(PyWorld& self, const nb::object& array);
// Adds everything or, if a row is wrong, nothing, in free slots. Rows refer to new bodies by the
// slots that `next_bodies` returns. Returns the ids of bodies and joints, and the slots of forces
// and points.
nb::dict add_fragment(PyWorld& self, const nb::object& bodies, const nb::object& shapes,
                      const Table& corners, const nb::object& joints, const nb::object& forces,
                      const nb::object& bars, const nb::object& points);

// One copy of objects that are added repeatedly, read and checked once: its bodies are 0, 1 and so
// on. Joints and forces have rows of their own.
struct Mould {
  Mould(const nb::object& body_rows, const nb::object& shape_rows, const Table& corner_rows,
        const nb::object& bar_rows, const nb::object& point_rows);
  std::vector<BodyRow> bodies;
  std::vector<WorldShape> shapes;
  std::vector<double> corners;
  std::vector<Bar> bars;
  std::vector<BodyPoint> points;
};
using Motion = std::tuple<double, double, double, double, double>;  // x, y, angle, vx, vy
// Adds copies of a mould, like `add_fragment`: `motions` are those of the bodies of one copy after
// another, `joints` and `forces` rows, or both None.
nb::dict add_copies(PyWorld& self, const Mould& mould, const std::vector<Motion>& motions,
                    const nb::object& joints, const nb::object& forces);

Spring read_spring(int kind, double one, double two, const std::string& at);

}  // namespace rigid

#endif
