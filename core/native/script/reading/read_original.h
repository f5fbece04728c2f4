// SPDX-License-Identifier: MIT
// Reads the originals of a program's births (core/world/script/program_births.py writes them).
#ifndef RIGID_SCRIPT_READING_READ_ORIGINAL_H
#define RIGID_SCRIPT_READING_READ_ORIGINAL_H

#include "script/program.h"
#include "script/reading/reader.h"

namespace rigid::script {

// Throws std::invalid_argument for rows that the engine does not take. The numbers are those of
// the program's texts and breakables.
Original read_original(Reader& reader, std::size_t texts, std::size_t breakables);

}  // namespace rigid::script

#endif
