// SPDX-License-Identifier: MIT
// The names of a joint's rows in an observed step (solvers/step_observer.h).
#ifndef RIGID_ENGINE_DATA_ROW_PARTS_H
#define RIGID_ENGINE_DATA_ROW_PARTS_H

#include <array>
#include <cstdint>

namespace rigid {

// `limit`: of either side. `across`: the pull of a spring turns with its direction.
enum class RowPart : uint8_t { hold, spring, motor, rod, lower, upper, limit, across };
constexpr std::array<const char*, 8> row_parts = {"hold",  "spring", "motor", "rod",
                                                  "lower", "upper",  "limit", "across"};
// By RowMode (mechanisms/direct_worlds.h).
constexpr std::array<const char*, 7> row_modes = {"idle", "push upper", "least", "drive",
                                                  "most", "push lower", "hold"};

}  // namespace rigid

#endif
