// SPDX-License-Identifier: MIT
// Values of a script: its expressions over the world, its variables and an event.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "script/runner.h"

namespace rigid::script {

namespace {

constexpr std::size_t few_inputs = 32;

}  // namespace

double Runner::read_channel(Reading& reading, int channel, int slot) const {
  const HostEngine* const own = engine();
  if (own != nullptr && own->has(channel)) return own->read(channel, slot);
  return channels()[channel].read(reading, slot);
}

// Nothing where there is no value, or none between its bounds.
std::optional<double> Runner::evaluate(World& world, const Expression& expression,
                                       const Found* found, const Exact& exact) {
  std::array<double, few_inputs> few;
  std::vector<double> many;
  const std::size_t count = expression.inputs.size();
  if (count > few.size()) many.resize(count);
  double* const values = many.empty() ? few.data() : many.data();
  world.finish();
  Reading reading(world.parts());
  for (std::size_t i = 0; i < count; ++i) {
    const Input& input = expression.inputs[i];
    switch (input.source) {
      case Source::channel:
        values[i] = read_channel(reading, input.a, input.b);
        break;
      case Source::variable:
        values[i] = state_.variables[input.a];
        break;
      case Source::actuator: {
        const Place place{Target::actuator_enabled, input.a, none};
        const int index = own_place(scene(world), place).owner;
        const bool acts = index != none && state_.actuators[index].enabled;
        values[i] = acts && !state_.actuators[index].gone ? 1.0 : 0.0;
        break;
      }
      case Source::value:
        if (input.a >= touch_values) {
          if (!at_) return std::nullopt;
          values[i] = (*at_)[input.a - touch_values];
          break;
        }
        if (found == nullptr || input.a >= found->given) return std::nullopt;
        values[i] = found->values[input.a];
        break;
      case Source::of_body: {
        const bool is_known =
            found != nullptr && (input.a == 0 ? found->has_first : found->has_second);
        const int slot = is_known ? world.parts().bodies.find(found->order[1 + input.a]) : -1;
        const std::optional<double> last =
            is_known && slot < 0 ? kept(input.a, input.b) : std::nullopt;
        const std::optional<double> now = slot < 0 ? last : of_body(reading, slot, input.b, exact);
        if (!now) return std::nullopt;
        values[i] = *now;
        break;
      }
      case Source::members: {
        const std::optional<double> all = aggregate(reading, program_->aggregates[input.a], exact);
        if (!all) return std::nullopt;
        values[i] = *all;
        break;
      }
      case Source::energy:
        values[i] = energy(reading, input.a, exact);
        break;
      case Source::solver: {
        const HostEngine* const own = engine();
        if (own == nullptr) return std::nullopt;
        values[i] = own->read(-1 - input.a, 0);
        break;
      }
      case Source::probe:
      case Source::camera: {
        const bool is_probe = input.source == Source::probe;
        const std::optional<double> seen =
            is_probe ? probe(world, program_->readings[input.a], exact) : ask_view(world, input.a);
        if (!seen) return std::nullopt;
        values[i] = *seen;
        break;
      }
#ifndef RIGID_SMALL
      case Source::own: {
        const std::optional<double> own = own_number(reading, input, exact);
        if (!own) return std::nullopt;
        values[i] = *own;
      }
#endif
    }
  }
  std::string path;
  if (expression.use != none) {
    const int64_t use = ++state_.uses[expression.use];
    path = program_->texts[expression.path] + "#" + std::to_string(use);
  }
  const std::optional<double> result = expression.program.value(values, {state_.seed, path}, exact);
  if (result && expression.low <= *result && *result <= expression.high) return result;
#ifndef RIGID_SMALL
  if (failure_.fault == Fault::none) {
    const auto place = static_cast<int>(&expression - program_->expressions.data());
    failure_ = {Fault::value, place, {values, values + count}};
    if (expression.use != none) {
      failure_.numbers.push_back(static_cast<double>(state_.uses[expression.use]));
    }
  }
#endif
  return std::nullopt;
}

std::vector<double> Runner::read(World& world, const Runner* other, const Exact& exact) {
  if (other != nullptr && other->state_.variables.size() == state_.variables.size() &&
      other->state_.actuators.size() == state_.actuators.size()) {
    state_.variables = other->state_.variables;
    state_.actuators = other->state_.actuators;
  }
  tagging_ = other != nullptr ? &other->state_ : &state_;
  std::vector<double> found;
  for (const Rule& rule : program_->rules) {
    const bool has = rule.kind == Kind::condition && rule.condition >= 0;
    const std::optional<double> value =
        has ? evaluate(world, program_->expressions[rule.condition], nullptr, exact) : std::nullopt;
    found.push_back(value.value_or(no_number));
  }
  tagging_ = nullptr;
  return found;
}

std::optional<double> Runner::number(World& world, const Number& number, const Found* found,
                                     const Exact& exact) {
  if (number.expression == none) return number.constant;
  return evaluate(world, program_->expressions[number.expression], found, exact);
}

std::optional<Numbers> Runner::value(World& world, const Value& value, const Found* found,
                                     const Exact& exact) {
  Numbers numbers{};
  for (int i = 0; i < value.width; ++i) {
    const std::optional<double> each = number(world, value.numbers[i], found, exact);
    if (!each) return std::nullopt;
    numbers[i] = *each;
  }
  return numbers;
}

}  // namespace rigid::script
