// SPDX-License-Identifier: MIT
// Reads the originals of a program's births (core/world/script/program_births.py writes them).
#ifndef RIGID_SCRIPT_READING_READ_ORIGINAL_H
#define RIGID_SCRIPT_READING_READ_ORIGINAL_H

#include <cstddef>
#include <span>

#include "script/program.h"
#include "script/reading/reader.h"
#include "script/runner.h"

namespace rigid::script {

// Throws std::invalid_argument for rows that the engine does not take. The program has all tables
// of which an original speaks, but for the scripts of copies, of which there are `plans`.
Original read_original(Reader& reader, const Program& program, int plans);
// One that the host makes for a birth, with the tables of which it speaks, and its pivot.
Given read_given(std::span<const std::byte> bytes);

}  // namespace rigid::script

#endif
