// SPDX-License-Identifier: MIT
// The layout of the rows of a compiled scene, and its settings.
#include "compiled/layout.h"

#include <iterator>
#include <string>

#include "compiled/compiled_rows.h"
#include "compiled/container.h"
#include "engine/building/checked_numbers.h"
#include "engine/solvers/solver.h"
#include "seeded/blake2b.h"

namespace rigid {

namespace {

template <class R>
void describe(std::string& text) {
  text += std::string(R::name_of_rows) + " " + std::to_string(sizeof(R)) + "\n";
  for (const RowField& field : R::fields()) {
    text += std::string(field.name) + field.format + std::to_string(field.offset) + "\n";
  }
}

class Numbers {
 public:
  explicit Numbers(std::span<const double> numbers) : rest_(numbers) {}
  bool at_end() const { return rest_.empty(); }
  double next() {
    if (rest_.empty()) throw DamagedScene("the compiled scene is damaged: it lacks a setting");
    const double number = rest_.front();
    rest_ = rest_.subspan(1);
    return number;
  }
  double number(double least, double most, const char* name) {
    const double value = next();
    if (!(value >= least && value <= most)) {
      throw std::invalid_argument(std::string(name) + " is out of its range");
    }
    return value;
  }
  int count(int least, int most, const char* name) { return whole(next(), least, most, name); }

 private:
  std::span<const double> rest_;
};

}  // namespace

uint64_t compiled_layout() {
  std::string text;
  describe<BodyRow>(text);
  describe<ShapeRow>(text);
  describe<JointRow>(text);
  describe<ForceRow>(text);
  describe<BarRow>(text);
  describe<PointRow>(text);
  describe<SwitchRow>(text);
#define RIGID_NAME_RANGE(name, start, least, most, meaning) text += #name "\n";
#define RIGID_NAME_CHOICE(Kind, name, start, names, meaning) \
  text += #name;                                             \
  for (const char* each : names) text += each;
#define RIGID_NAME_FLAG(name, start, meaning) text += #name "\n";
#define RIGID_NAME_BOX(name, meaning) text += #name "\n";
  RIGID_SETTINGS(RIGID_NAME_RANGE, RIGID_NAME_RANGE, RIGID_NAME_CHOICE, RIGID_NAME_FLAG,
                 RIGID_NAME_BOX)
  RIGID_STEP_SETTINGS(RIGID_NAME_RANGE, RIGID_NAME_RANGE)
  return hash_of(text);
}

WorldDefinition read_setting_numbers(std::span<const double> given) {
  Numbers numbers(given);
  WorldDefinition d;
  d.solver = find_solver(compiled_solvers[numbers.count(0, 1, "solver")]);
  d.gravity_x = numbers.number(-1e9, 1e9, "gravity");
  d.gravity_y = numbers.number(-1e9, 1e9, "gravity");
#define RIGID_TAKE_NUMBER(name, start, least, most, meaning) \
  d.name = numbers.number(least, most, #name);
#define RIGID_TAKE_COUNT(name, start, least, most, meaning) \
  d.name = numbers.count(least, most, #name);
#define RIGID_TAKE_CHOICE(Kind, name, start, names, meaning) \
  d.name = static_cast<Kind>(numbers.count(0, static_cast<int>(std::size(names)) - 1, #name));
#define RIGID_TAKE_FLAG(name, start, meaning) d.name = numbers.count(0, 1, #name) != 0;
#define RIGID_TAKE_BOX(name, meaning)             \
  d.has_##name = numbers.count(0, 1, #name) != 0; \
  for (double& side : d.name) side = limit(numbers.next(), #name);
  RIGID_SETTINGS(RIGID_TAKE_NUMBER, RIGID_TAKE_COUNT, RIGID_TAKE_CHOICE, RIGID_TAKE_FLAG,
                 RIGID_TAKE_BOX)
  RIGID_STEP_SETTINGS(RIGID_TAKE_NUMBER, RIGID_TAKE_COUNT)
  if (!numbers.at_end()) throw DamagedScene("the compiled scene is damaged: it has more settings");
  return d;
}

}  // namespace rigid
