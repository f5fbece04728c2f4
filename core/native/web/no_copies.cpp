// SPDX-License-Identifier: MIT
// In a page nothing is born with a script of its own: in place of the files of script/copies/.
#include "script/copy_keys.h"
#include "script/runner.h"

namespace rigid::script {

void Runner::begin_copy(World&, const Birth&, const Exact&) {}
bool Runner::animate_copies(World&, const Exact&) { return false; }
void Runner::forget_copies() {}
void Runner::act_as(Copy*, const Exact&) {}
bool Runner::find_of_copies(World&, int64_t, const std::set<int>&, std::vector<Found>&,
                            const Exact&) {
  return true;
}
bool Runner::begin_copies(World&, const Exact&) { return true; }
const Rule* Runner::act_as_owner(const Found&, const Exact&) { return nullptr; }
bool Runner::place_setting(Place&, Numbers&, bool) const { return true; }
Numbers Runner::of_copy(const Spot&, const Numbers& at) const { return at; }
Numbers Runner::scaled_way(const Numbers& way) const { return way; }
void Runner::place_birth(const Spawn&, std::optional<Numbers>&, double&, Numbers&) const {}
std::optional<Stop> Runner::spawn_of_copies(World&, int64_t, const Stop&, const Exact&) {
  return std::nullopt;
}

bool Runner::asks_for(World&, const Spawn&, const Found*, const Exact&) { return false; }
bool Runner::copy(World&, const Action&, const Found&, const Exact&) { return false; }

void CopyKeys::take(World&, int, bool) {}
bool CopyKeys::act_again(World&, int64_t, const HeldKey&) { return false; }
const Actions* CopyKeys::asked(const Found&, const Exact&) { return nullptr; }

Numbers Placement::direction(const Numbers& way) const { return way; }

}  // namespace rigid::script
