// Rows from Python, checked, and put into a world: all of them, or none when one is wrong.
#ifndef RIGID_ENGINE_BIND_READ_ROWS_H
#define RIGID_ENGINE_BIND_READ_ROWS_H

#include "engine/bind/python_world.h"

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

Spring read_spring(int kind, double one, double two, const std::string& at);

}  // namespace rigid

#endif
