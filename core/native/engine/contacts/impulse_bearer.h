// SPDX-License-Identifier: MIT
// The interface of contacts and impacts to effective masses.
//
// The loads of some bodies are borne by a mechanism: contacts use the effective masses of such
// bodies, and pass on their impulses instead of leaving them on the body. They do not depend on how
// the loads are borne (mechanisms/effective_masses.h).
#ifndef RIGID_ENGINE_CONTACTS_IMPULSE_BEARER_H
#define RIGID_ENGINE_CONTACTS_IMPULSE_BEARER_H

#include "engine/data/kernels.h"

namespace rigid {

// The contact impulses that a stage applies to bodies: none, all stored ones, their changes, or
// those of impacts.
enum class Share { none, all, change, blows };

class ImpulseBearer {
 public:
  virtual ~ImpulseBearer() = default;
  // Whether there is no such body.
  virtual bool empty() const = 0;
  // The context of contact kernels, with effective masses.
  virtual KernelContext contact_context() = 0;
  // Collects added impulses, from `note` to `apply_pushes`.
  virtual void note(Share share) = 0;
  virtual void add(int body, double x, double y, double turn) = 0;
  virtual void apply_pushes() = 0;
};

}  // namespace rigid

#endif
