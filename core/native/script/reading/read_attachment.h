// SPDX-License-Identifier: MIT
// Reads the joints that actions attach and the drags of a program (core/world/script/program/).
#ifndef RIGID_SCRIPT_READING_READ_ATTACHMENT_H
#define RIGID_SCRIPT_READING_READ_ATTACHMENT_H

#include <cstddef>

#include "script/program.h"
#include "script/reading/reader.h"

namespace rigid::script {

// In a program with so many bodies, of which `least` is the least number.
Attachment read_attachment(Reader& reader, int bodies, int least);
Pull read_pull(Reader& reader, int bodies);

}  // namespace rigid::script

#endif
