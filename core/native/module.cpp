// SPDX-License-Identifier: MIT
// The extension module rigid2d.core._native: geometry, the engine, the rasterizer, random numbers,
// expressions over rows, scripts and cuts.
#include <nanobind/nanobind.h>

namespace rigid {
extern const char* const source_digest;
void bind_geometry(nanobind::module_& module);
void bind_engine(nanobind::module_& module);
void bind_raster(nanobind::module_& module);
void bind_seeded(nanobind::module_& module);
void bind_expressions(nanobind::module_& module);
void bind_script(nanobind::module_& module);
void bind_cutting(nanobind::module_& module);
}  // namespace rigid

NB_MODULE(_native, module) {
  // At exit a program leaves its memory to the system: this is no leak to report to its user.
  nanobind::set_leak_warnings(false);
  module.doc() = "The engine and the rasterizer of rigid, in C++.";
  module.attr("source_digest") = rigid::source_digest;
  rigid::bind_geometry(module);
  rigid::bind_engine(module);
  rigid::bind_raster(module);
  rigid::bind_seeded(module);
  rigid::bind_expressions(module);
  rigid::bind_script(module);
  rigid::bind_cutting(module);
}
