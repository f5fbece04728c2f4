// SPDX-License-Identifier: MIT
// What contacts and impacts need to know of whoever bears what they give.
//
// Some bodies are held by others, which bear what pushes them: contacts see these with the masses
// that they show, and tell what they have given them instead of leaving it on the body. Who bears
// it, and how, is not theirs to know (mechanisms/heavy_loads.h).
#ifndef RIGID_ENGINE_CONTACTS_LOAD_BEARER_H
#define RIGID_ENGINE_CONTACTS_LOAD_BEARER_H

#include "engine/solvers/kernels.h"

namespace rigid {

// Which impulses of contacts a stage puts on the bodies: none, all that they hold, what these
// change by, or those of blows.
enum class Share { none, all, change, blows };

class LoadBearer {
 public:
  virtual ~LoadBearer() = default;
  // Whether no body is held so.
  virtual bool empty() const = 0;
  // What kernels of contacts see.
  virtual KernelContext contact_context() = 0;
  // Impulses that somebody adds, from `note` to `settle`.
  virtual void note(Share share) = 0;
  virtual void add(int body, double x, double y, double turn) = 0;
  virtual void settle() = 0;
};

}  // namespace rigid

#endif
