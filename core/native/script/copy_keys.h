// SPDX-License-Identifier: MIT
// The keys of copies with scripts, as core/world/script/script.py and copy.py have them.
#ifndef RIGID_SCRIPT_COPY_KEYS_H
#define RIGID_SCRIPT_COPY_KEYS_H

#include <vector>

#include "script/runner.h"

namespace rigid::script {

class CopyKeys {
 public:
  explicit CopyKeys(Runner& runner) : runner_(runner) {}

  // Does what the copies have for a key of the program that is pressed or released. After a failure
  // the runner acts as the copy of which it was.
  void take(World& world, int key, bool is_pressed);
  // Asks again for the repeated actions of a held key; returns whether there are any.
  bool act_again(World& world, int64_t step, const HeldKey& held);
  // What a key of a copy has asked for, as which the runner acts; nothing if no copy has it.
  const Actions* asked(const Found& found, const Exact& exact);
#ifndef RIGID_SMALL
  // The direction in which held keys move each animation of a copy; 0 if both are held.
  std::vector<int> ways(const Copy& copy) const;
  // Lets the actuators of a new copy act that held keys hold, and no others that keys hold.
  void hold_all(const Scene& scene) const;

#endif

 private:
#ifndef RIGID_SMALL
  void hold(const Scene& scene, const Key& key) const;
  bool ask(World& world, Copy& copy, int what);
#endif
  [[maybe_unused]] Runner& runner_;
};

}  // namespace rigid::script

#endif
