// Python bindings of the geometry module.
#include <nanobind/nanobind.h>

namespace rigid {

void bind_geometry(nanobind::module_& module) { (void)module; }

}  // namespace rigid
