// SPDX-License-Identifier: MIT
// Reads the originals of a program's births (core/world/script/program_births.py writes them).
#ifndef RIGID_SCRIPT_READ_ORIGINAL_H
#define RIGID_SCRIPT_READ_ORIGINAL_H

#include "script/program.h"
#include "script/reader.h"

namespace rigid::script {

// Throws std::invalid_argument for rows that the engine does not take.
Original read_original(Reader& reader);

}  // namespace rigid::script

#endif
