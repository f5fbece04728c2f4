// SPDX-License-Identifier: MIT
// Reads the program of a script from bytes (core/world/script/program/program.py writes them).
#ifndef RIGID_SCRIPT_READING_READ_PROGRAM_H
#define RIGID_SCRIPT_READING_READ_PROGRAM_H

#include <cstddef>
#include <memory>
#include <span>

#include "script/program.h"

namespace rigid::script {

constexpr char magic[] = "rigid script 13\n";

// Throws std::invalid_argument for bytes that are no program: every place in a table is checked.
std::shared_ptr<const Program> read_program(std::span<const std::byte> bytes);

}  // namespace rigid::script

#endif
