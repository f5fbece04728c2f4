// SPDX-License-Identifier: MIT
// The state of a script without a host as bytes, to be saved beside the engine's.
#ifndef RIGID_SCRIPT_READING_SAVING_H
#define RIGID_SCRIPT_READING_SAVING_H

#include <cstddef>
#include <span>
#include <vector>

#include "script/runner.h"

namespace rigid::script {

// Equal states have equal bytes.
std::vector<std::byte> save(State state);
// The state of bytes for this runner. Throws std::invalid_argument for bytes that no script of its
// program has saved.
State restored(std::span<const std::byte> bytes, const Runner& runner);

}  // namespace rigid::script

#endif
