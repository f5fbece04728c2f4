// SPDX-License-Identifier: MIT
// Forms of bodies as bytes (core/world/script/program/forms.py writes them).
#ifndef RIGID_SCRIPT_READING_READ_FORM_H
#define RIGID_SCRIPT_READING_READ_FORM_H

#include <cstddef>
#include <vector>

#include "script/program.h"
#include "script/reading/reader.h"

namespace rigid::script {

// Throws std::invalid_argument for what cannot be.
Form read_form(Reader& reader);
std::vector<std::byte> bytes_of(const Form& form);
// The forms of a program and those of its bodies.
void read_forms(Reader& reader, Program& program);

}  // namespace rigid::script

#endif
