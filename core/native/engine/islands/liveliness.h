// SPDX-License-Identifier: MIT
// Whether anything moves faster than bodies at rest do, as far as their energy is concerned.
#ifndef RIGID_ENGINE_ISLANDS_LIVELINESS_H
#define RIGID_ENGINE_ISLANDS_LIVELINESS_H

#include "engine/data/bodies.h"
#include "engine/data/kernels.h"
#include "engine/data/settings.h"

namespace rigid {

// Reads of most bodies only their masses, which are close together.
inline bool is_dynamic(const Bodies& bodies, int body) {
  return can_move(bodies.inverse_masses[body]) || bodies.is_dynamic(body);
}

class Liveliness {
 public:
  Liveliness(const WorldDefinition& definition, const StepParameters& parameters,
             const Bodies& bodies)
      : definition_(definition), parameters_(parameters), bodies_(bodies) {}

  // Whether a dynamic body that is awake moves, with these states.
  bool any_lively(const BodyState* states);
  // Whether one was shifted in this step: corrections move bodies that have no speed.
  bool any_shifted() const;

 private:
  bool is_lively(const BodyState& state, const Body& body) const;

  const WorldDefinition& definition_;
  const StepParameters& parameters_;
  const Bodies& bodies_;
  int last_found_ = 0;
};

}  // namespace rigid

#endif
