// Python bindings of the engine module.
#include <nanobind/nanobind.h>

namespace rigid {

void bind_engine(nanobind::module_& module) { (void)module; }

}  // namespace rigid
