// SPDX-License-Identifier: MIT
// Rows from Python, checked, and put into a world: all of them, or none when one is wrong.
#ifndef RIGID_ENGINE_BIND_READ_ROWS_H
#define RIGID_ENGINE_BIND_READ_ROWS_H

#include <tuple>
#include <vector>

#include "engine/bind/python_world.h"
#include "engine/data/rows.h"

namespace rigid {

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using BoolTable = nb::ndarray<const bool, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Each returns the index of the first that was added. std::invalid_argument names the row.
int add_bodies(PyWorld& self, const nb::object& array);
int add_shapes(PyWorld& self, const nb::object& array, const Table& points);
int add_joints(PyWorld& self, const nb::object& array);
int add_forces(PyWorld& self, const nb::object& array);
int add_points(PyWorld& self, const nb::object& array);
void set_bars(PyWorld& self, const nb::object& array);
// All of it or, where a row is wrong, nothing: into slots that are free. Rows speak of bodies that
// come with them by the slots that `next_bodies` gives. The ids of bodies and joints, and the slots
// of forces and points.
nb::dict add_fragment(PyWorld& self, const nb::object& bodies, const nb::object& shapes,
                      const Table& corners, const nb::object& joints, const nb::object& forces,
                      const nb::object& bars, const nb::object& points);

// One copy of what is put into a world again and again, read and checked once: its bodies are 0, 1
// and so on. Joints and forces have rows of their own.
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
// Copies of a mould, as `add_fragment` does it: `motions` are those of the bodies of one copy after
// another, `joints` and `forces` rows, or both None.
nb::dict add_copies(PyWorld& self, const Mould& mould, const std::vector<Motion>& motions,
                    const nb::object& joints, const nb::object& forces);

Spring read_spring(int kind, double one, double two, const std::string& at);

}  // namespace rigid

#endif
