// SPDX-License-Identifier: MIT
// Bodies that may break as bytes (core/world/script/program_breaking.py writes them).
#ifndef RIGID_SCRIPT_READING_READ_BREAKABLE_H
#define RIGID_SCRIPT_READING_READ_BREAKABLE_H

#include <cstddef>
#include <vector>

#include "script/program.h"
#include "script/reading/reader.h"

namespace rigid::script {

// Throws std::invalid_argument for what cannot be.
Breakable read_breakable(Reader& reader);
Destruction read_destruction(Reader& reader);
std::vector<std::byte> bytes_of(const Breakable& breakable);

}  // namespace rigid::script

#endif
