// SPDX-License-Identifier: MIT
// The layout of the rows and settings of a compiled scene.
#ifndef RIGID_COMPILED_LAYOUT_H
#define RIGID_COMPILED_LAYOUT_H

#include <cstdint>
#include <span>

#include "engine/data/settings.h"

namespace rigid {

// A hash of the fields of all rows and of the names of all settings: a file with another one was
// compiled by another version.
uint64_t compiled_layout();

constexpr const char* compiled_solvers[] = {"soft_step", "sequential_impulse"};

// The settings of a world from numbers: the solver, gravity's x and y, then all of RIGID_SETTINGS
// and RIGID_STEP_SETTINGS in their order; a choice is its index, a box whether it is there, and
// four. Throws std::invalid_argument.
WorldDefinition read_setting_numbers(std::span<const double> numbers);

}  // namespace rigid

#endif
