// SPDX-License-Identifier: MIT
// NumPy dtypes made from lists of fields, and access to the memory of arrays of rows.
#include "engine/bind/row_arrays.h"

namespace rigid {

nb::object make_dtype(std::span<const RowField> fields, std::size_t size) {
  nb::list names, formats, offsets;
  for (const RowField& field : fields) {
    names.append(field.name);
    formats.append(field.format);
    offsets.append(field.offset);
  }
  nb::dict description;
  description["names"] = names;
  description["formats"] = formats;
  description["offsets"] = offsets;
  description["itemsize"] = size;
  return nb::module_::import_("numpy").attr("dtype")(description);
}

ArrayMemory::ArrayMemory(const nb::object& array, const nb::object& dtype, std::size_t row,
                         std::size_t align, const char* title, bool writable) {
  const std::string wrong =
      std::string("an array [n] of the dtype ") + title + " in one piece is needed";
  if (!nb::isinstance(array, nb::module_::import_("numpy").attr("ndarray")) ||
      !array.attr("dtype").equal(dtype)) {
    throw std::invalid_argument(wrong);
  }
  int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(array.ptr(), &view_, flags) != 0) {
    PyErr_Clear();
    throw std::invalid_argument(wrong);
  }
  const bool aligned = reinterpret_cast<std::uintptr_t>(view_.buf) % align == 0;
  if (view_.ndim != 1 || view_.itemsize != static_cast<Py_ssize_t>(row) || !aligned) {
    PyBuffer_Release(&view_);
    throw std::invalid_argument(wrong);
  }
  count_ = static_cast<std::size_t>(view_.len) / row;
}

}  // namespace rigid
