// SPDX-License-Identifier: MIT
// The settings of a world, read from the arguments of Python's constructor.
#ifndef RIGID_ENGINE_BIND_READ_SETTINGS_H
#define RIGID_ENGINE_BIND_READ_SETTINGS_H

#include "engine/bind/python_world.h"

namespace rigid {

// Throws std::invalid_argument for a value that is invalid for a setting, nb::type_error for one of
// another type and for an unknown name.
WorldDefinition read_settings(const nb::kwargs& given);

// By name: the default, the least and largest value or the names of a choice, and the meaning.
nb::dict settings_table();

}  // namespace rigid

#endif
