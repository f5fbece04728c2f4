// SPDX-License-Identifier: MIT
// Expressions over rows: a list of instructions, which work out blocks of rows at a time.
//
// Each row has the bits that its expression has alone in Python (core/scene/values/expression.py):
// arithmetic is exact to the last bit everywhere, and the other functions are those of portable.h.
// A row that has no value, as after a division by zero, is marked, and its number is NaN in the
// end; a mark counts only where the row needs that part, as in `x if c else y`. A script works out
// one row at a time, which may draw random numbers (core/scene/values/seeded.py).
#ifndef RIGID_EXPRESSIONS_PROGRAM_H
#define RIGID_EXPRESSIONS_PROGRAM_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace rigid {

// Truth values are 1 and 0. Comments name the operands.
enum class Operation : uint8_t {
  load,      // column a of the first table
  load_two,  // column a of the second table
  constant,  // number a of the constants
  result,    // column a of the results, of b
  whole,     // a, without the sign of a zero: the value of a whole number
  negative,
  add,
  subtract,
  multiply,
  divide,
  floor_divide,
  modulo,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  unequal,
  negation,  // whether a is 0
  truth,     // whether a is not 0
  either,    // a where it is not 0, else b
  both,      // b where a is not 0, else a
  choice,    // a where b is not 0, else c
  absolute,
  root,
  floor,
  ceil,
  round,
  least,
  most,
  clamp,
  lerp,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  hypot,
  exp,
  log,
  copy,        // a
  hypot_many,  // of the b registers from a on
  uniform,     // a random number between a and b; c counts the draws of an expression
  normal,      // with the mean a and the deviation b
  randint,     // a whole number from a to b
  drawn,       // one of the b registers from a on
};
constexpr const char* operation_names[] = {
    "load",       "load_two", "constant",      "result",       "whole",   "negative", "add",
    "subtract",   "multiply", "divide",        "floor_divide", "modulo",  "power",    "less",
    "less_equal", "greater",  "greater_equal", "equal",        "unequal", "negation", "truth",
    "either",     "both",     "choice",        "absolute",     "root",    "floor",    "ceil",
    "round",      "least",    "most",          "clamp",        "lerp",    "sin",      "cos",
    "tan",        "asin",     "acos",          "atan",         "atan2",   "hypot",    "exp",
    "log",        "copy",     "hypot_many",    "uniform",      "normal",  "randint",  "drawn"};
constexpr int operation_count =
    static_cast<int>(sizeof operation_names / sizeof operation_names[0]);

struct Instruction {
  Operation operation;
  int out, a, b, c;  // registers, except where the operation says otherwise
};

// Seed and path of the random numbers of an expression.
struct Draws {
  int64_t seed = 0;
  std::string_view path;
};
// A number in (0, 1), from the upper 52 bits and a half, so that neither end is met.
double unit_of(const Draws& draws, int call, int draw);

// Rows of numbers, one after the other.
struct NumberRows {
  const double* numbers;
  std::size_t columns;
};

class Program {
 public:
  // The exact function, for what portable.h is not sure of; nothing where there is no value.
  using Exact = std::function<std::optional<double>(Operation, std::span<const double>)>;

  // Throws std::invalid_argument for instructions that do not fit together. A register is written
  // before it is read.
  Program(std::vector<Instruction> instructions, std::vector<double> constants);
  // The number of columns that the tables and the results must have.
  int columns(int table) const { return columns_[table]; }
  int results() const { return results_; }
  // Without draws, a random number has no value.
  void run(std::size_t rows, NumberRows first, NumberRows second, double* results,
           const Exact& exact) const;
  // The first result of one row; nothing where it has no finite value.
  std::optional<double> value(const double* first, const Draws& draws, const Exact& exact) const;

 private:
  template <int block>
  struct Block;

  std::vector<Instruction> instructions_;
  std::vector<double> constants_;
  int registers_ = 0, results_ = 0;
  int columns_[2] = {0, 0};
};

}  // namespace rigid

#endif
