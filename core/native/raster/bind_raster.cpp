// Python bindings of the raster module.
#include <nanobind/nanobind.h>

namespace rigid {

void bind_raster(nanobind::module_& module) { (void)module; }

}  // namespace rigid
