// SPDX-License-Identifier: MIT
// Actuators as bytes (core/world/script/program/actuators.py writes them).
#ifndef RIGID_SCRIPT_READING_READ_ACTUATOR_H
#define RIGID_SCRIPT_READING_READ_ACTUATOR_H

#include <memory>

#include "script/program.h"
#include "script/reading/reader.h"

namespace rigid::script {

constexpr int least_of_actuator = 93;  // bytes

// Reads an actuator whose bodies have slots below `bodies`. Throws std::invalid_argument for
// damaged bytes.
std::shared_ptr<const Actuator> read_actuator(Reader& reader, int bodies);

}  // namespace rigid::script

#endif
