// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "script/copy_keys.h"
#include "script/times.h"

namespace rigid::script {

void CopyKeys::take(World& world, int key, bool is_pressed) {
  if (runner_.failure_.fault != Fault::none) return;
  for (auto& [serial, copy] : runner_.state_.copies.all) {
    for (std::size_t i = 0; i < copy.keys.size(); ++i) {
      const auto& [own, does] = copy.keys[i];
      if (own != key) continue;
      runner_.copy_ = &copy;
      const std::vector<Setting>& settings = is_pressed ? does.sets : does.releases;
      const int of = is_pressed ? 3 : 4;
      if (!runner_.set_all(world, settings, of, static_cast<int>(i))) return;
      hold(runner_.scene(world), does);
      const int what = is_pressed ? does.pressed : does.released;
      if (what != none && !ask(world, copy, what)) return;
    }
  }
  runner_.copy_ = nullptr;
}

bool CopyKeys::act_again(World& world, int64_t step, const HeldKey& held) {
  bool repeats = false;
  for (auto& [serial, copy] : runner_.state_.copies.all) {
    for (const auto& [own, does] : copy.keys) {
      if (own != held.key || std::isnan(does.every) || does.pressed == none) continue;
      repeats = true;
      if (step <= copy.born || runner_.failure_.fault != Fault::none) continue;
      const double dt = runner_.program_->dt;
      const int64_t due = repeats_due(step, held.since, does.every, dt);
      for (int64_t i = 0; i < due && ask(world, copy, does.pressed);) ++i;
    }
  }
  return repeats;
}

const Actions* CopyKeys::asked(const Found& found, const Exact& exact) {
  Copy* const copy =
      found.order[0] == asked_of_copy ? runner_.state_.copies.find(found.order[1]) : nullptr;
  if (copy == nullptr) return nullptr;
  const std::vector<Actions>& asked = runner_.plan_of(*copy).asked;
  const int64_t place = found.order[2];
  if (place < 0 || place >= static_cast<int64_t>(asked.size())) return nullptr;
  runner_.act_as(copy, exact);
  return &asked[place];
}

std::vector<int> CopyKeys::ways(const Copy& copy) const {
  std::vector<int> found(copy.animations.size(), 0);
  if (copy.keys.empty()) return found;
  for (const HeldKey& held : runner_.state_.held) {
    for (const auto& [own, does] : copy.keys) {
      if (own != held.key) continue;
      for (int i : does.forward) found[i] = std::clamp(found[i] + 1, -1, 1);
      for (int i : does.backward) found[i] = std::clamp(found[i] - 1, -1, 1);
    }
  }
  return found;
}

void CopyKeys::hold_all(const Scene& scene) const {
  for (const OwnKey& each : scene.copy->keys) hold(scene, each.does);
}

// Lets the actuators that a key of a copy holds act while one that holds them is held.
void CopyKeys::hold(const Scene& scene, const Key& key) const {
  for (int actuator : key.holds) {
    bool acts = false;
    for (const HeldKey& held : scene.state.held) {
      for (const auto& [own, does] : scene.copy->keys) {
        const bool holds =
            std::find(does.holds.begin(), does.holds.end(), actuator) != does.holds.end();
        acts |= own == held.key && holds;
      }
    }
    const Place place{Target::actuator_enabled, scene.copy->actuators[actuator], none};
    if (place.owner != none) set(scene, place, place.owner, {acts ? 1.0 : 0.0, 0.0});
  }
}

// Schedules what a key of a copy asks for until after the next step; returns false where too much
// waits.
bool CopyKeys::ask(World& world, Copy& copy, int what) {
  if (static_cast<int>(runner_.state_.waiting.size()) >= runner_.program_->most_events) {
    runner_.copy_ = &copy;
    return runner_.fail(Fault::waiting, {static_cast<double>(what)});
  }
  Found found{};
  found.order = {asked_of_copy, copy.serial, what};
  runner_.state_.waiting.push_back({runner_.now(world) + 1, found});
  return true;
}

}  // namespace rigid::script
