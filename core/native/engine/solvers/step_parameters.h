// SPDX-License-Identifier: MIT
// The numbers of a step, made from a world's settings and the tuned constants.
#ifndef RIGID_ENGINE_SOLVERS_STEP_PARAMETERS_H
#define RIGID_ENGINE_SOLVERS_STEP_PARAMETERS_H

#include "engine/data/kernels.h"
#include "engine/data/settings.h"

namespace rigid {

// Parameters common to all solvers; `h` is the duration of one solution.
StepParameters common_parameters(const WorldDefinition& definition, double h);

// Whether nothing pulls bodies to their rest, which ends slow bounces.
bool is_weightless(const WorldDefinition& definition);

}  // namespace rigid

#endif
