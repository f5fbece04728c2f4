// SPDX-License-Identifier: MIT
// Reads the joints that actions attach and the drags of a program (core/world/script/program/).
#ifndef RIGID_SCRIPT_READING_READ_ATTACHMENT_H
#define RIGID_SCRIPT_READING_READ_ATTACHMENT_H

#include <cstddef>

#include "script/program.h"
#include "script/reading/reader.h"

namespace rigid::script {

// In a program with so many names of what is born, and so many bodies.
Attachment read_attachment(Reader& reader, std::size_t names, int bodies);
Pull read_pull(Reader& reader, int bodies);

}  // namespace rigid::script

#endif
