// SPDX-License-Identifier: MIT
// The instructions of a program, for a block of rows.
#include "expressions/program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include "expressions/portable.h"
#include "seeded/blake2b.h"

namespace rigid {

namespace {

constexpr int rows_at_once = 64;
constexpr int most_registers = 2048;
constexpr int most_results = 1 << 20;

template <int block>
struct Register {
  double at[block];
  uint8_t lacks[block];  // 1 where there is no value
};

// The registers that an operation reads.
int operands_of(Operation operation) {
  switch (operation) {
    case Operation::load:
    case Operation::load_two:
    case Operation::constant:
      return 0;
    case Operation::whole:
    case Operation::negative:
    case Operation::negation:
    case Operation::truth:
    case Operation::absolute:
    case Operation::root:
    case Operation::floor:
    case Operation::ceil:
    case Operation::round:
    case Operation::sin:
    case Operation::cos:
    case Operation::tan:
    case Operation::asin:
    case Operation::acos:
    case Operation::atan:
    case Operation::exp:
    case Operation::log:
    case Operation::copy:
    case Operation::hypot_many:
    case Operation::drawn:
      return 1;
    case Operation::choice:
    case Operation::clamp:
    case Operation::lerp:
      return 3;
    default:
      return 2;
  }
}

// ------------------------------------------------------------ numbers

// Python's modulo and floor division of floats (PEP 238): of the sign of the divisor.
double modulo(double a, double b) {
  double rest = std::fmod(a, b);
  if (rest == 0.0) return std::copysign(0.0, b);
  if ((b < 0.0) != (rest < 0.0)) rest += b;
  return rest;
}

double floor_divide(double a, double b) {
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0.0 && (b < 0.0) != (rest < 0.0)) quotient -= 1.0;
  if (quotient == 0.0) return std::copysign(0.0, a / b);
  const double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

// As Python's min and max: the first number where they are equal or one is NaN.
double least(double a, double b) { return b < a ? b : a; }
double most(double a, double b) { return b > a ? b : a; }

// ------------------------------------------------------------ random numbers

uint64_t bits_of(const Draws& draws, int call, int draw) {
  std::string key = std::to_string(draws.seed);
  key.append("|").append(draws.path).append("|").append(std::to_string(call));
  return hash_of(key.append("|").append(std::to_string(draw)));
}

// A random index below `count`: the upper 64 bits of a product of 128.
uint64_t index_of(const Draws& draws, int call, uint64_t count) {
  const uint64_t bits = bits_of(draws, call, 0), low = 0xffffffff;
  const uint64_t a = bits >> 32, b = bits & low, c = count >> 32, d = count & low;
  const uint64_t middle = a * d + (b * d >> 32), other = b * c + (middle & low);
  return a * c + (middle >> 32) + (other >> 32);
}

}  // namespace

double unit_of(const Draws& draws, int call, int draw) {
  return (static_cast<double>(bits_of(draws, call, draw) >> 12) + 0.5) * 0x1p-52;
}

// ------------------------------------------------------------ blocks

template <int block>
struct Program::Block {
  using Registers = std::span<Register<block>>;
  Block(Registers registers, int count, const Program::Exact& exact, const Draws* draws)
      : registers_(registers), count_(count), exact_(exact), draws_(draws) {}

  void operate(const Instruction& instruction) {
    switch (instruction.operation) {
      case Operation::copy:
        return map(instruction, [](double x) { return x; });
      case Operation::whole:
        return map(instruction, [](double x) { return x + 0.0; });
      case Operation::negative:
        return map(instruction, [](double x) { return -x; });
      case Operation::add:
        return join(instruction, [](double x, double y) { return x + y; });
      case Operation::subtract:
        return join(instruction, [](double x, double y) { return x - y; });
      case Operation::multiply:
        return join(instruction, [](double x, double y) { return x * y; });
      case Operation::divide:
        return divide(instruction, [](double x, double y) { return x / y; });
      case Operation::floor_divide:
        return divide(instruction, floor_divide);
      case Operation::modulo:
        return divide(instruction, modulo);
      case Operation::less:
        return join(instruction, [](double x, double y) { return x < y ? 1.0 : 0.0; });
      case Operation::less_equal:
        return join(instruction, [](double x, double y) { return x <= y ? 1.0 : 0.0; });
      case Operation::greater:
        return join(instruction, [](double x, double y) { return x > y ? 1.0 : 0.0; });
      case Operation::greater_equal:
        return join(instruction, [](double x, double y) { return x >= y ? 1.0 : 0.0; });
      case Operation::equal:
        return join(instruction, [](double x, double y) { return x == y ? 1.0 : 0.0; });
      case Operation::unequal:
        return join(instruction, [](double x, double y) { return x != y ? 1.0 : 0.0; });
      case Operation::negation:
        return map(instruction, [](double x) { return x == 0.0 ? 1.0 : 0.0; });
      case Operation::truth:
        return map(instruction, [](double x) { return x != 0.0 ? 1.0 : 0.0; });
      case Operation::either:
        return choose(instruction, instruction.a, instruction.a, instruction.b);
      case Operation::both:
        return choose(instruction, instruction.a, instruction.b, instruction.a);
      case Operation::choice:
        return choose(instruction, instruction.b, instruction.a, instruction.c);
      case Operation::absolute:
        return map(instruction, [](double x) { return std::fabs(x); });
      case Operation::root:
        map(instruction, [](double x) { return std::sqrt(x); });
        return mark(instruction, [](double x, double, double) { return x < 0.0; });
      case Operation::floor:
        return map(instruction, [](double x) { return std::floor(x) + 0.0; });
      case Operation::ceil:
        return map(instruction, [](double x) { return std::ceil(x) + 0.0; });
      case Operation::round:
        return map(instruction, [](double x) { return std::rint(x) + 0.0; });
      case Operation::least:
        return join(instruction, least);
      case Operation::most:
        return join(instruction, most);
      case Operation::clamp:
        mark(instruction, [](double, double low, double high) { return low > high; });
        return join_three(instruction, [](double x, double low, double high) {
          return least(most(x, low), high);
        });
      case Operation::lerp:
        mark(instruction, [](double, double, double) { return false; });
        return join_three(instruction,
                          [](double x, double y, double t) { return x + (y - x) * t; });
      default:
        return approximate(instruction);
    }
  }

 private:
  const Register<block>& of(int index) const { return registers_[index]; }

  template <class Function>
  void map(const Instruction& i, Function function) {
    const Register<block>& a = of(i.a);
    Register<block>& out = registers_[i.out];
    for (int k = 0; k < count_; ++k) out.at[k] = function(a.at[k]);
    std::copy_n(a.lacks, count_, out.lacks);
  }

  template <class Function>
  void join(const Instruction& i, Function function) {
    const Register<block>&a = of(i.a), &b = of(i.b);
    Register<block>& out = registers_[i.out];
    for (int k = 0; k < count_; ++k) out.at[k] = function(a.at[k], b.at[k]);
    for (int k = 0; k < count_; ++k) out.lacks[k] = a.lacks[k] | b.lacks[k];
  }

  template <class Function>
  void divide(const Instruction& i, Function function) {
    join(i, function);
    mark(i, [](double, double y, double) { return y == 0.0; });
  }

  template <class Function>
  void join_three(const Instruction& i, Function function) {
    const Register<block>&a = of(i.a), &b = of(i.b), &c = of(i.c);
    Register<block>& out = registers_[i.out];
    for (int k = 0; k < count_; ++k) out.at[k] = function(a.at[k], b.at[k], c.at[k]);
  }

  // Marks the rows that have no value for these operands, or lack one of them.
  template <class Condition>
  void mark(const Instruction& i, Condition condition) {
    const int operands = operands_of(i.operation);
    const Register<block>&a = of(i.a), &b = of(operands > 1 ? i.b : i.a),
          &c = of(operands > 2 ? i.c : i.a);
    Register<block>& out = registers_[i.out];
    for (int k = 0; k < count_; ++k) {
      const bool fails = condition(a.at[k], b.at[k], c.at[k]);
      out.lacks[k] = static_cast<uint8_t>(a.lacks[k] | b.lacks[k] | c.lacks[k] | (fails ? 1 : 0));
    }
  }

  void choose(const Instruction& i, int by, int first, int second) {
    const Register<block>&condition = of(by), &one = of(first), &other = of(second);
    Register<block>& out = registers_[i.out];
    for (int k = 0; k < count_; ++k) {
      const bool holds = condition.at[k] != 0.0;
      const uint8_t lacks = condition.lacks[k] | (holds ? one.lacks[k] : other.lacks[k]);
      out.at[k] = holds ? one.at[k] : other.at[k];
      out.lacks[k] = lacks;
    }
  }

  void approximate(const Instruction& i) {
    switch (i.operation) {
      case Operation::sin:
        return try_each(i, [](double x, double) { return portable_sin(x); });
      case Operation::cos:
        return try_each(i, [](double x, double) { return portable_cos(x); });
      case Operation::tan:
        return try_each(i, [](double x, double) { return portable_tan(x); });
      case Operation::asin:
        return try_each(i, [](double x, double) { return portable_asin(x); });
      case Operation::acos:
        return try_each(i, [](double x, double) { return portable_acos(x); });
      case Operation::atan:
        return try_each(i, [](double x, double) { return portable_atan(x); });
      case Operation::atan2:
        return try_each(i, portable_atan2);
      case Operation::hypot:
        return try_each(i, [](double x, double y) { return portable_hypot(std::array{x, y}); });
      case Operation::exp:
        return try_each(i, [](double x, double) { return portable_exp(x); });
      case Operation::log:
        return try_each(i, [](double x, double) { return portable_log(x); });
      case Operation::hypot_many:
        return hypot_many(i);
      case Operation::uniform:
      case Operation::normal:
      case Operation::randint:
      case Operation::drawn:
        return draw(i);
      default:
        return try_each(i, [](double x, double y) {
          return y == 2.0 ? Rounded{x * x, true} : portable_power(x, y);
        });
    }
  }

  template <class Function>
  void try_each(const Instruction& i, Function function) {
    const int operands = operands_of(i.operation);
    const Register<block>&a = of(i.a), &b = of(operands > 1 ? i.b : i.a);
    for (int k = 0; k < count_; ++k) {
      const double numbers[] = {a.at[k], b.at[k]};
      const bool lacks = (a.lacks[k] | b.lacks[k]) != 0;
      put(i, k, lacks, function(numbers[0], numbers[1]), std::span(numbers, operands));
    }
  }

  void hypot_many(const Instruction& i) {
    std::vector<double> numbers(i.b);
    for (int k = 0; k < count_; ++k) {
      bool lacks = false;
      for (int n = 0; n < i.b; ++n) {
        numbers[n] = of(i.a + n).at[k];
        lacks = lacks || of(i.a + n).lacks[k] != 0;
      }
      put(i, k, lacks, portable_hypot(numbers), numbers);
    }
  }

  // The formulas of core/scene/values/seeded.py.
  void draw(const Instruction& i) {
    Register<block>& out = registers_[i.out];
    for (int k = 0; k < count_; ++k) {
      bool lacks = draws_ == nullptr;
      if (i.operation == Operation::drawn) {
        for (int n = 0; n < i.b; ++n) lacks = lacks || of(i.a + n).lacks[k] != 0;
        out.lacks[k] = lacks ? 1 : 0;
        if (!lacks) out.at[k] = of(i.a + static_cast<int>(index_of(*draws_, i.c, i.b))).at[k];
        continue;
      }
      const double a = of(i.a).at[k], b = of(i.b).at[k];
      lacks = lacks || of(i.a).lacks[k] != 0 || of(i.b).lacks[k] != 0;
      out.lacks[k] = lacks ? 1 : 0;
      if (lacks) continue;
      if (i.operation == Operation::uniform) {
        out.at[k] = a + (b - a) * unit_of(*draws_, i.c, 0);
      } else if (i.operation == Operation::randint) {
        const double first = std::ceil(a), last = std::floor(b);
        // Python counts beyond the whole numbers of a double; nobody draws among them.
        const bool few = std::fabs(first) <= 0x1p53 && std::fabs(last) <= 0x1p53;
        out.lacks[k] = few && first <= last ? 0 : 1;
        if (out.lacks[k] != 0) continue;
        const auto count = static_cast<uint64_t>(last - first) + 1;
        out.at[k] = static_cast<double>(static_cast<int64_t>(first) +
                                        static_cast<int64_t>(index_of(*draws_, i.c, count)));
      } else {
        const double u = unit_of(*draws_, i.c, 0);
        const double turn = 2.0 * std::numbers::pi * unit_of(*draws_, i.c, 1);
        const double radius = std::sqrt(-2.0 * sure(Operation::log, u, portable_log(u)));
        out.at[k] = a + b * radius * sure(Operation::cos, turn, portable_cos(turn));
      }
    }
  }

  double sure(Operation operation, double x, Rounded found) {
    if (found.sure) return found.value;
    return exact_(operation, std::span(&x, 1)).value_or(0.0);
  }

  // Stores what was found for a row, or asks for the exact value.
  void put(const Instruction& i, int k, bool lacks, Rounded found,
           std::span<const double> numbers) {
    Register<block>& out = registers_[i.out];
    out.at[k] = found.value;
    out.lacks[k] = lacks ? 1 : 0;
    if (found.sure || lacks) return;
    const std::optional<double> exact = exact_(i.operation, numbers);
    out.at[k] = exact.value_or(0.0);
    out.lacks[k] = exact ? 0 : 1;
  }

  Registers registers_;
  int count_;
  const Program::Exact& exact_;
  const Draws* draws_;
};

Program::Program(std::vector<Instruction> instructions, std::vector<double> constants)
    : instructions_(std::move(instructions)), constants_(std::move(constants)) {
  std::vector<bool> written(most_registers, false);
  auto require = [](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
  };
  auto require_read = [&](int index) {
    require(index >= 0 && index < most_registers && written[index], "a register is read too early");
  };
  for (Instruction& i : instructions_) {
    if (i.operation == Operation::result) {
      require_read(i.b);
      require(i.a >= 0 && i.a < most_results, "there is no such column of the results");
      results_ = std::max(results_, i.a + 1);
      continue;
    }
    const int operands = operands_of(i.operation);
    if (operands > 0) require_read(i.a);
    if (operands > 1) require_read(i.b);
    if (operands > 2) require_read(i.c);
    if (i.operation == Operation::constant) {
      require(i.a >= 0 && i.a < static_cast<int>(constants_.size()), "there is no such constant");
    } else if (operands == 0) {
      require(i.a >= 0 && i.a < std::numeric_limits<int>::max(), "there is no such column");
      int& columns = columns_[i.operation == Operation::load ? 0 : 1];
      columns = std::max(columns, i.a + 1);
    }
    require(i.out >= 0 && i.out < most_registers, "there are too many registers");
    const bool overwrites = (operands > 0 && i.out == i.a) || (operands > 1 && i.out == i.b) ||
                            (operands > 2 && i.out == i.c);
    require(!overwrites, "an operation writes what it reads");
    const bool takes_many = i.operation == Operation::hypot_many || i.operation == Operation::drawn;
    if (takes_many) {
      require(i.b > 0 && i.b <= most_registers, "a function takes no such number of numbers");
      for (int n = 0; n < i.b; ++n) require_read(i.a + n);
      require(i.out < i.a || i.out >= i.a + i.b, "an operation writes what it reads");
    }
    written[i.out] = true;
    registers_ = std::max(registers_, i.out + 1);
    if (operands < 3 && i.operation < Operation::uniform) i.c = 0;  // read, and of no effect
    if (operands < 2 && !takes_many) i.b = 0;
  }
}

void Program::run(std::size_t rows, NumberRows first, NumberRows second, double* results,
                  const Exact& exact) const {
  constexpr int block = rows_at_once;
  std::vector<Register<block>> registers(registers_);
  for (std::size_t begin = 0; begin < rows; begin += block) {
    const int count = static_cast<int>(std::min<std::size_t>(block, rows - begin));
    Block<block> rows_now(registers, count, exact, nullptr);
    for (const Instruction& i : instructions_) {
      if (i.operation == Operation::result) {
        const Register<block>& from = registers[i.b];
        double* to = results + begin * results_ + i.a;
        for (int k = 0; k < count; ++k) {
          to[static_cast<std::size_t>(k) * results_] =
              from.lacks[k] != 0 ? std::numeric_limits<double>::quiet_NaN() : from.at[k];
        }
        continue;
      }
      if (operands_of(i.operation) > 0) {
        rows_now.operate(i);
        continue;
      }
      Register<block>& to = registers[i.out];
      std::fill_n(to.lacks, count, 0);
      if (i.operation == Operation::constant) {
        std::fill_n(to.at, count, constants_[i.a]);
        continue;
      }
      const NumberRows& table = i.operation == Operation::load ? first : second;
      const double* from = table.numbers + begin * table.columns + i.a;
      for (int k = 0; k < count; ++k) to.at[k] = from[static_cast<std::size_t>(k) * table.columns];
    }
  }
}

std::optional<double> Program::value(const double* first, const Draws& draws,
                                     const Exact& exact) const {
  std::array<Register<1>, 32> few;
  std::vector<Register<1>> many;
  if (registers_ > static_cast<int>(few.size())) many.resize(registers_);
  const std::span<Register<1>> registers = many.empty() ? std::span(few) : std::span(many);
  Block<1> row(registers, 1, exact, &draws);
  for (const Instruction& i : instructions_) {
    if (i.operation == Operation::result) {
      const Register<1>& found = registers[i.b];
      if (found.lacks[0] != 0 || !std::isfinite(found.at[0])) return std::nullopt;
      return found.at[0];
    }
    if (operands_of(i.operation) > 0) {
      row.operate(i);
      continue;
    }
    const bool known = i.operation == Operation::constant;
    registers[i.out] = {{known ? constants_[i.a] : first[i.a]}, {0}};
  }
  return std::nullopt;
}

}  // namespace rigid
