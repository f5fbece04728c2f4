// SPDX-License-Identifier: MIT
// The forms of bodies that were born, for readings of their areas and sides.
#ifndef RIGID_SCRIPT_FORMS_H
#define RIGID_SCRIPT_FORMS_H

#include <cstdint>
#include <map>
#include <memory>

#include "script/program.h"

namespace rigid::script {

// The forms of bodies by their ids.
struct FormTable {
  std::map<int64_t, std::shared_ptr<const Form>> of;
};

}  // namespace rigid::script

#endif
