// SPDX-License-Identifier: MIT
// They are lists of numbers: of each drag five, and its steps; its point, its force and its
// targets.
#include "script/reading/save_joints.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "script/forms.h"
#include "script/reading/read_form.h"

namespace rigid::script {

namespace {

void need(bool holds) {
  if (!holds) throw DamagedState();
}

}  // namespace

void put_joints(StateWriter& archive, State& state) {
  std::vector<std::vector<int64_t>> attached, pulls;
  for (const std::vector<Attached>& joints : state.attached) {
    std::vector<int64_t>& numbers = attached.emplace_back();
    for (const Attached& each : joints) numbers.insert(numbers.end(), {each.count, each.id});
  }
  std::vector<double> places;
  for (const Pull& each : state.pulls) {
    pulls.push_back({each.number, each.body, each.start, each.until, each.joint});
    pulls.back().insert(pulls.back().end(), each.steps.begin(), each.steps.end());
    places.insert(places.end(), {each.point[0], each.point[1], each.force});
    for (const Numbers& to : each.targets) places.insert(places.end(), to.begin(), to.end());
  }
  put(archive, attached, pulls, places);
}

void put_joints(StateReader& archive, State& state) {
  std::vector<std::vector<int64_t>> attached, pulls;
  std::vector<double> places;
  put(archive, attached, pulls, places);
  state.attached.clear();
  state.pulls.clear();
  for (const std::vector<int64_t>& numbers : attached) {
    need(numbers.size() % 2 == 0);
    std::vector<Attached>& joints = state.attached.emplace_back();
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
      joints.push_back({numbers[i], numbers[i + 1]});
    }
  }
  std::size_t at = 0;
  for (const std::vector<int64_t>& numbers : pulls) {
    need(numbers.size() > 5 && places.size() >= at + 3 + 2 * (numbers.size() - 5));
    Pull pull{static_cast<int>(numbers[0]),
              numbers[1],
              {places[at], places[at + 1]},
              places[at + 2],
              numbers[2],
              numbers[3],
              {numbers.begin() + 5, numbers.end()},
              {},
              numbers[4],
              {}};
    need(pull.force >= 0.0 && std::isfinite(pull.point[0]) && std::isfinite(pull.point[1]));
    at += 3;
    for (std::size_t i = 5; i < numbers.size(); ++i, at += 2) {
      need(std::isfinite(places[at]) && std::isfinite(places[at + 1]));
      pull.targets.push_back({places[at], places[at + 1]});
    }
    need(pull.is_sound());
    state.pulls.push_back(std::move(pull));
  }
  need(at == places.size());
}

void put_forms(StateWriter& archive, State& state) {
  std::vector<std::vector<uint8_t>> forms;
  std::vector<int> roots;
  bool has_some = false;
  for (const Born& each : state.born) {
    std::vector<uint8_t>& bytes = forms.emplace_back();
    roots.push_back(each.root);
    has_some |= each.root != none;
    if (state.forms == nullptr || state.forms->of.count(each.id) == 0) continue;
    has_some = true;
    for (std::byte byte : bytes_of(*state.forms->of[each.id]))
      bytes.push_back(static_cast<uint8_t>(byte));
  }
  if (has_some) put(archive, forms, roots);
}

void put_forms(StateReader& archive, State& state) {
  if (archive.at_end()) return;
  std::vector<std::vector<uint8_t>> forms;
  std::vector<int> roots;
  put(archive, forms, roots);
  state.forms = std::make_shared<FormTable>();
  need(forms.size() == state.born.size() && roots.size() == forms.size());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    need(roots[i] >= none);
    state.born[i].root = roots[i];
    if (forms[i].empty()) continue;
    Reader reader(std::as_bytes(std::span(forms[i])));
    state.forms->of[state.born[i].id] = std::make_shared<const Form>(read_form(reader));
  }
}

}  // namespace rigid::script
