// How long a body has been at rest.
#ifndef RIGID_ENGINE_ISLANDS_REST_H
#define RIGID_ENGINE_ISLANDS_REST_H

#include "engine/settings.h"
#include "engine/state.h"

namespace rigid {

// After a step, whose motion is in `step`.
void count_rest(Body& body, const BodyState& state, const BodyStep& step,
                const WorldDefinition& definition);

}  // namespace rigid

#endif
