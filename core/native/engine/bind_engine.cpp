// The tables of names that Python needs to fill the engine's arrays, and the World itself.
#include <nanobind/nanobind.h>

#include "engine/channels.h"
#include "engine/columns.h"
#include "engine/constants.h"
#include "engine/kernels.h"

namespace nb = nanobind;

namespace rigid {

void bind_world(nb::module_& module);

void bind_engine(nb::module_& module) {
  auto names = [](const auto& list) {
    nb::list result;
    for (const char* name : list) result.append(name);
    return nb::tuple(result);
  };
  module.attr("BODY_COLUMNS") = names(body_columns);
  module.attr("SHAPE_COLUMNS") = names(shape_columns);
  module.attr("JOINT_COLUMNS") = names(joint_columns);
  module.attr("FORCE_COLUMNS") = names(force_columns);
  module.attr("EVENT_KINDS") = names(event_kinds);
  nb::dict channels;
  for (int i = 0; i < channel_total; ++i) channels[channel_names[i]] = i;
  module.attr("CHANNELS") = channels;
  module.attr("RUNAWAY_DISTANCE") = constants::runaway_distance;
  module.attr("RUNAWAY_SPEED") = constants::runaway_speed;
  module.def("lanes_supported", [] {
    nb::list widths;
    for (int width : {1, 4, 8, 16}) {
      if (find_kernels(width)) widths.append(width);
    }
    return widths;
  });
  bind_world(module);
}

}  // namespace rigid
