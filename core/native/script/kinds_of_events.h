// SPDX-License-Identifier: MIT
// The kinds of a script's events that the engine's events are.
#ifndef RIGID_SCRIPT_KINDS_OF_EVENTS_H
#define RIGID_SCRIPT_KINDS_OF_EVENTS_H

#include <optional>

#include "engine/data/kinds.h"
#include "script/program.h"

namespace rigid::script {

inline std::optional<Kind> kind_of(int event) {
  switch (static_cast<EventKind>(event)) {
    case EventKind::contact_begin:
      return Kind::collision;
    case EventKind::contact_end:
      return Kind::touch_end;
    case EventKind::sensor_begin:
      return Kind::sensor_enter;
    case EventKind::sensor_end:
      return Kind::sensor_leave;
    case EventKind::joint_broken:
      return Kind::joint_broken;
    default:
      return std::nullopt;
  }
}

}  // namespace rigid::script

#endif
