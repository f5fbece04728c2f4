// SPDX-License-Identifier: MIT
// Arrays of rows between Python and the engine: NumPy's structured arrays, whose dtype is generated
// from the list of fields in data/rows.h.
#ifndef RIGID_ENGINE_BIND_ROW_ARRAYS_H
#define RIGID_ENGINE_BIND_ROW_ARRAYS_H

#include <nanobind/nanobind.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "engine/data/rows.h"

namespace rigid {

namespace nb = nanobind;

nb::object make_dtype(std::span<const RowField> fields, std::size_t size);

// The dtype stored in the module, which is made once.
template <class R>
nb::object dtype_of() {
  return nb::module_::import_("rigid2d.core._native").attr(R::name_of_rows);
}

// The memory of an array during its use.
class ArrayMemory {
 public:
  ArrayMemory(const nb::object& array, const nb::object& dtype, std::size_t row, std::size_t align,
              const char* title, bool writable);
  ~ArrayMemory() { PyBuffer_Release(&view_); }
  ArrayMemory(const ArrayMemory&) = delete;
  void* data() const { return view_.buf; }
  std::size_t count() const { return count_; }

 private:
  Py_buffer view_{};
  std::size_t count_ = 0;
};

// An argument from Python: a contiguous one-dimensional array of such rows. Throws
// std::invalid_argument for anything else.
template <class R>
class Rows {
 public:
  explicit Rows(const nb::object& array)
      : memory_(array, dtype_of<R>(), sizeof(R), alignof(R), R::name_of_rows, false) {}
  std::span<const R> get() const {
    return {static_cast<const R*>(memory_.data()), memory_.count()};
  }

 private:
  ArrayMemory memory_;
};

// A new array for Python, filled by `fill(span)`.
template <class R, class Fill>
nb::object new_rows(std::size_t count, Fill&& fill) {
  nb::object dtype = dtype_of<R>();
  nb::object array = nb::module_::import_("numpy").attr("zeros")(count, dtype);
  ArrayMemory memory(array, dtype, sizeof(R), alignof(R), R::name_of_rows, true);
  fill(std::span<R>(static_cast<R*>(memory.data()), memory.count()));
  return array;
}

}  // namespace rigid

#endif
