// SPDX-License-Identifier: MIT
// The bindings of expressions over rows.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "aligned.h"
#include "expressions/program.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace rigid {

namespace {

using Rows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Results = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Singles = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Bounds = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using SingleBounds = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<const int32_t, nb::shape<-1, 5>, nb::c_contig, nb::device::cpu>;

// As numpy.clip, also of NaN and of the zeros.
float clipped(float number, float low, float high) {
  if (std::isnan(number)) return number;
  const float above = number > low ? number : low;
  return above < high ? above : high;
}

// A program, and Python's functions for what it is not sure of, by their operation.
class RowProgram {
 public:
  RowProgram(const Codes& codes, std::vector<double> constants, nb::dict exact)
      : program_(read(codes), std::move(constants)), exact_(std::move(exact)) {}

  // Returns the place of the first result that is not finite, -1 where all are.
  std::ptrdiff_t run(const Rows& first, const Rows& second, const Results& results,
                     const Singles& singles, const std::optional<SingleBounds>& low,
                     const std::optional<SingleBounds>& high) const {
    require_aligned(first, second, results, singles);
    if (low) require_aligned(*low);
    if (high) require_aligned(*high);
    const std::size_t rows = results.shape(0);
    if (first.shape(0) != rows || second.shape(0) != rows || singles.shape(0) != rows) {
      throw std::invalid_argument("the tables must have as many rows as the results");
    }
    if (static_cast<int>(first.shape(1)) < program_.columns(0) ||
        static_cast<int>(second.shape(1)) < program_.columns(1) ||
        static_cast<int>(results.shape(1)) != program_.results() ||
        singles.shape(1) > results.shape(1) || (low && low->shape(0) != singles.shape(1)) ||
        (high && high->shape(0) != singles.shape(1))) {
      throw std::invalid_argument("a table has other columns than the program");
    }
    program_.run(rows, {first.data(), first.shape(1)}, {second.data(), second.shape(1)},
                 results.data(), [this](Operation operation, std::span<const double> numbers) {
                   return ask(operation, numbers);
                 });
    const std::size_t width = results.shape(1), kept = singles.shape(1);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t column = 0; column < kept; ++column) {
        const float number = static_cast<float>(results.data()[row * width + column]);
        singles.data()[row * kept + column] =
            low && high ? clipped(number, low->data()[column], high->data()[column]) : number;
      }
    }
    const double *begin = results.data(), *end = begin + rows * width;
    const double* lost = std::find_if(begin, end, [](double x) { return !std::isfinite(x); });
    return lost == end ? -1 : lost - begin;
  }

 private:
  static std::vector<Instruction> read(const Codes& codes) {
    require_aligned(codes);
    std::vector<Instruction> found;
    for (std::size_t row = 0; row < codes.shape(0); ++row) {
      const int32_t* code = codes.data() + 5 * row;
      if (code[0] < 0 || code[0] >= operation_count) {
        throw std::invalid_argument("there is no such operation");
      }
      found.push_back({static_cast<Operation>(code[0]), code[1], code[2], code[3], code[4]});
    }
    return found;
  }

  std::optional<double> ask(Operation operation, std::span<const double> numbers) const {
    nb::list given;
    for (double number : numbers) given.append(number);
    const nb::object result = exact_[nb::int_(static_cast<int>(operation))](*given);
    if (result.is_none()) return std::nullopt;
    return nb::cast<double>(result);
  }

  Program program_;
  nb::dict exact_;
};

// Whether the numbers of each column lie between its bounds; NaN does not.
bool are_within(const Rows& rows, const Bounds& low, const Bounds& high) {
  require_aligned(rows, low, high);
  const std::size_t columns = rows.shape(1);
  if (low.shape(0) != columns || high.shape(0) != columns) {
    throw std::invalid_argument("each column needs its bounds");
  }
  bool within = true;
  for (std::size_t row = 0; row < rows.shape(0); ++row) {
    const double* numbers = rows.data() + row * columns;
    for (std::size_t i = 0; i < columns; ++i) {
      within &= numbers[i] >= low.data()[i] && numbers[i] <= high.data()[i];
    }
  }
  return within;
}

}  // namespace

void bind_expressions(nb::module_& module) {
  nb::dict operations;
  for (int i = 0; i < operation_count; ++i) operations[operation_names[i]] = i;
  module.attr("OPERATIONS") = operations;
  nb::class_<RowProgram>(module, "RowProgram")
      .def(nb::init<const Codes&, std::vector<double>, nb::dict>(), "codes"_a, "constants"_a,
           "exact"_a)
      .def("run", &RowProgram::run, "first"_a, "second"_a, "results"_a, "singles"_a,
           "low"_a = nb::none(), "high"_a = nb::none());
  module.def("are_within", are_within, "rows"_a, "low"_a, "high"_a);
}

}  // namespace rigid
