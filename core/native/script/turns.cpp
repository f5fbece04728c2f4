// SPDX-License-Identifier: MIT
// The turns of events: whether each happens, and its actions; then the outcome.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "script/copy_keys.h"
#include "script/runner.h"
#include "script/times.h"

namespace rigid::script {

namespace {

constexpr double most_of_variable = 1e15;
constexpr int64_t few = 1024;  // remembered pairs that are not looked through

}  // namespace

// Does what follows a step; what is left for the host, if anything.
std::optional<Stop> Runner::finish(World& world, const Exact& exact) {
  const int64_t step = now(world);
  const Stop begun = resume_ ? *resume_ : Stop{Reason::turn, 0, none};
  if (!resume_) {
    if (!program_->reacts || state_.ending != none) return std::nullopt;
    if (!find(world, step, exact)) return Stop{Reason::find};
    happened_ = births_now_ = tries_now_ = 0;
  }
  resume_.reset();
  const bool is_after = begun.reason == Reason::after;
  if (!is_after) {
    if (const std::optional<Stop> left = take_turns(world, step, begun, exact)) return left;
  }
  const Stop first = is_after ? begun : Stop{Reason::after, 0, 0};
  if (const std::optional<Stop> left = do_after(world, step, first, exact)) return left;
  const bool goes_on = begin_copies(world, exact) && look_for_end(world, step, exact);
  if (!goes_on) return Stop{Reason::after, std::numeric_limits<int>::max(), 0};
  forget_copies();
  return std::nullopt;
}

// The turns of events from one on, of which the actions from one on.
std::optional<Stop> Runner::take_turns(World& world, int64_t step, const Stop& begun,
                                       const Exact& exact) {
  for (auto i = static_cast<std::size_t>(begun.turn); i < due_.size(); ++i) {
    const auto turn = static_cast<int>(i);
    const bool has_begun = turn == begun.turn && begun.action >= 0;
    const Stop first{Reason::turn, turn, has_begun ? begun.action : 0};
    act_as(nullptr, exact);
    const auto& [found, waited] = due_[i];
    if (found.is_asked()) {
      const auto count = static_cast<int64_t>(program_->asked.size());
      const int64_t what = found.order[0] + count + 1;
      const bool is_own = what >= 0 && what < count;
      const Actions* const asked =
          is_own ? &program_->asked[what] : CopyKeys(*this).asked(found, exact);
      if (asked == nullptr) return Stop{Reason::turn, turn, none};
      if (auto left = act_all(world, *asked, found, first, exact)) return left;
      continue;
    }
    const bool is_own = found.order[0] < static_cast<int64_t>(program_->rules.size());
    const Rule* const copied = is_own ? nullptr : act_as_owner(found, exact);
    if (!is_own && copied == nullptr) return Stop{Reason::turn, turn, none};
    const Rule& rule = is_own ? program_->rules[found.order[0]] : *copied;
    const auto stop = [&](int action) { return Stop{Reason::turn, turn, action}; };
    if (!waited && !has_begun) {
      const std::optional<bool> happens = takes(world, found, rule, step, exact);
      if (!happens) return stop(none);
      if (!*happens) continue;
      const bool many = ++happened_ > program_->most_events;
      if (many) fail(Fault::events);
      const int64_t after = ceil_step(rule.after, program_->dt);
      if (after != 0 && static_cast<int>(state_.waiting.size()) >= program_->most_events) {
        fail(Fault::waiting);
      }
      if (failure_.fault != Fault::none) return Stop{Reason::turn, turn, none};
      if (after != 0) {
        state_.waiting.push_back({step + after, found});
        continue;
      }
    }
    if (rule.unless != none && !has_begun) {
      const std::optional<bool> dropped = holds(world, found, rule.unless, exact);
      if (!dropped) return stop(0);
      if (*dropped) continue;
    }
    if (auto left = act_all(world, rule.actions, found, first, exact)) return left;
  }
  act_as(nullptr, exact);
  return std::nullopt;
}

std::optional<Stop> Runner::act_all(World& world, const Actions& actions, const Found& found,
                                    const Stop& begun, const Exact& exact) {
  if (begun.action == 0) forget_kept();
  for (auto k = static_cast<std::size_t>(begun.action); k < actions.size(); ++k) {
    if (actions[k].keeps) keep(world, found, exact);
    const std::vector<int64_t> uses = copy_ != nullptr ? state_.uses : std::vector<int64_t>();
    if (!act(world, actions[k], found, exact)) {
      const bool is_left = copy_ != nullptr && failure_.fault == Fault::none;
      if (is_left) state_.uses = uses;  // the host does it again
      return Stop{Reason::turn, begun.turn, static_cast<int>(k)};
    }
  }
  return std::nullopt;
}

// Whether a found event happens: its `if` holds and no cooldown applies. Nothing where the host has
// to say.
std::optional<bool> Runner::takes(World& world, const Found& found, const Rule& rule, int64_t step,
                                  const Exact& exact) {
  const auto [number, first, second] = found.order;
  std::set<int64_t>& fired = copy_ != nullptr ? copy_->fired : state_.fired;
  const int64_t place =
      copy_ != nullptr ? &rule - plan_of(*copy_).rules.data() : static_cast<std::ptrdiff_t>(number);
  if (rule.once == Once::run && fired.count(place) != 0) return false;
  if (rule.guard != none) {
    const std::optional<bool> may = holds(world, found, rule.guard, exact);
    if (!may || !*may) return may;
  }
  const PairKey pair{number, std::min(first, second), std::max(first, second)};
  if (rule.cooldown != 0.0) {
    const PairKey key = rule.per_pair ? pair : PairKey{number, 0, 0};
    const auto until = state_.cooling.find(key);
    if (until != state_.cooling.end() && step < until->second) return false;
    state_.cooling[key] = step + ceil_step(rule.cooldown, program_->dt);
    if (static_cast<int64_t>(state_.cooling.size()) > state_.cooling_pruned) {
      std::erase_if(state_.cooling, [step](const auto& each) { return each.second <= step; });
      state_.cooling_pruned = std::max(few, 2 * static_cast<int64_t>(state_.cooling.size()));
    }
  }
  if (rule.once == Once::pair) {
    if (!state_.pairs.insert(pair).second) return false;
    if (static_cast<int64_t>(state_.pairs.size()) > state_.pairs_pruned) {
      const Bodies& bodies = world.parts().bodies;
      std::erase_if(state_.pairs, [&bodies](const PairKey& each) {
        return bodies.find(each[1]) < 0 || bodies.find(each[2]) < 0;
      });
      state_.pairs_pruned = std::max(few, 2 * static_cast<int64_t>(state_.pairs.size()));
    }
  }
  if (rule.once == Once::run) fired.insert(place);
  return true;
}

// Whether an expression with the names of an event is true; false for removed bodies.
std::optional<bool> Runner::holds(World& world, const Found& found, int expression,
                                  const Exact& exact) {
  const Expression& source = program_->expressions[expression];
  const Bodies& bodies = world.parts().bodies;
  if ((source.bodies & 1) != 0 && bodies.find(found.order[1]) < 0) return false;
  if ((source.bodies & 2) != 0 && bodies.find(found.order[2]) < 0) return false;
  const std::optional<double> value = evaluate(world, source, &found, exact);
  if (!value) return std::nullopt;
  return *value != 0.0;
}

// ------------------------------------------------------------ actions

// Returns false where it fails, or asks the host, and nothing was done then.
bool Runner::act(World& world, const Action& action, const Found& found, const Exact& exact) {
  const Bodies& bodies = world.parts().bodies;
  for (const int which : {0, 1}) {
    const bool has = which == 0 ? found.has_first : found.has_second;
    if (!has || bodies.find(found.order[1 + which]) >= 0) continue;
    const int bit = 1 << which;
    const bool reads = (action.reads & bit) != 0 && !kept_at_[which];
    if ((action.changes & bit) != 0 || reads) return true;  // of a removed body
  }
  switch (action.deed) {
    case Deed::spawn:
      return spawn(world, program_->spawns[action.what], &found, exact).has_value();
    case Deed::destroy:
      return destroy(world, action, found, exact);
    case Deed::attach:
      return attach(world, action, found, exact);
    case Deed::move:
      return move(world, action, found, exact);
    case Deed::reach:
      return reach(world, action, found, exact);
    case Deed::explode:
      return explode(world, action, found, exact);
    case Deed::copy:
      return copy(world, action, found, exact);
    case Deed::remove:
      remove(world, action.members, found);
      return true;
    case Deed::set:
    case Deed::add:
      return set_or_add(world, action, found, exact);
    case Deed::impulse:
      return push(world, action, found, exact);
    case Deed::play:
    case Deed::stop:
      play_or_stop(action, now(world));
      return true;
    case Deed::log:
      say(world, Deed::log, action.what);
      return true;
    case Deed::sound: {
      const Number& volume = action.amount.numbers[0];
      const bool given = volume.expression != none || volume.constant != 0.0;
      const std::optional<double> loud = given ? number(world, volume, &found, exact) : 1.0;
      if (!loud) return false;
      if (*loud > 0.0) say(world, Deed::sound, action.what, *loud);
      return true;
    }
    case Deed::end:
      end(action.what, now(world));
      return true;
  }
  return false;
}

// Plays or stops an animation; those of a copy that has ended exist no more.
void Runner::play_or_stop(const Action& action, int64_t step) {
  const Animation* plan = nullptr;
  PlayingState* state = nullptr;
  if (action.what >= 0) {
    plan = &program_->animations[action.what];
    state = &state_.animations[action.what];
  }
#ifndef RIGID_SMALL
  if (action.what < 0 && state_.copies.all.count(copy_->serial) != 0) {
    plan = &copy_->animations[first_own - action.what];
    state = &copy_->playing[first_own - action.what];
  }
#endif
  if (state == nullptr) return;
  if (action.deed == Deed::play) play(*plan, *state, step);
  if (action.deed == Deed::stop) stop(*state);
  state_.busy = true;
}

bool Runner::set_or_add(World& world, const Action& action, const Found& found,
                        const Exact& exact) {
  Place place = action.setting.place;
  std::optional<Numbers> given = value(world, action.setting.value, &found, exact);
  if (!given) return false;
  const bool adds = action.deed == Deed::add;
  if (!place_setting(place, *given, adds)) return fail(Fault::axis);
  if (place.target == Target::variable) {
    double& variable = state_.variables[place.owner];
    const double total = adds ? variable + (*given)[0] : (*given)[0];
    if (adds && !(std::fabs(total) <= most_of_variable)) return fail(Fault::sum, {total});
    variable = total;
    return true;
  }
  const bool is_body = is_of_body(place.target);
  const Scene there = scene(world);
  if (is_of_actuator(place.target)) place = own_place(there, place);
  const int owner = is_body ? slot_of(world, place.owner, &found) : place.owner;
  if (owner == none || (is_body && owner < 0)) return true;
  const bool done =
      adds ? script::add(there, place, owner, *given) : script::set(there, place, owner, *given);
  note_looks(world);
  return done || fail(Fault::number, {(*given)[0], (*given)[1]});
}

bool Runner::push(World& world, const Action& action, const Found& found, const Exact& exact) {
  const int slot = slot_of(world, action.what, &found);
  const Bodies& bodies = world.parts().bodies;
  if (slot < 0 || !bodies.alive[slot]) return true;
  const bool has_place = action.spot.where != Where::nowhere;
  bool fails = false;
  std::optional<Numbers> where;
  world.finish();
  if (has_place) {
    where = place_of(world, action.spot, &found, exact, fails);
    if (!where) return !fails;
    where = of_copy(action.spot, *where);
  }
  if (bodies[slot].kind != BodyKind::dynamic) return true;
  std::optional<Numbers> along = value(world, action.amount, &found, exact);
  if (!along) return false;
  if (copy_ != nullptr) along = place_.direction(*along);
  if (!where) where = Numbers{bodies[slot].center_x, bodies[slot].center_y};
  const auto [x, y] = *along;
  for (double each : {x, y, (*where)[0], (*where)[1]}) {
    if (!(std::fabs(each) <= most_of_variable)) {
      return fail(Fault::number, {x, y, (*where)[0], (*where)[1]});
    }
  }
  const Vec2 impulse{static_cast<float>(x), static_cast<float>(y)};
  blow(world, {Push::Kind::impulse, slot, impulse, (*where)[0], (*where)[1]});
  return true;
}

void Runner::blow(World& world, const Push& push) {
  world.apply(push);
  tell(scene(world), Change::moved, world.parts().bodies.slots.id(push.body));
}

// Tells whoever gives names which bodies look different.
void Runner::note_looks(const World& world) {
  const int64_t step = now(world);
  for (const auto& [id, look] : state_.looks) note({step, static_cast<int>(News::look), id, look});
  state_.looks.clear();
}

void Runner::say(World& world, Deed deed, int text, double amount) {
  note({now(world), said + static_cast<int>(deed), text, -1, amount});
}

// ------------------------------------------------------------ the outcome

bool Runner::look_for_end(World& world, int64_t step, const Exact& exact) {
  std::vector<int> held;
  for (const Condition& each : program_->outcome) {
    const std::optional<double> value =
        evaluate(world, program_->expressions[each.expression], nullptr, exact);
    if (!value) return false;
    if (*value != 0.0) held.push_back(each.word);
  }
  for (int word : held) end(word, step);
  return true;
}

void Runner::end(int word, int64_t step) {
  if (state_.ending != none) return;
  state_.ending = word;
  state_.ended_at = step;
  note({step, said + static_cast<int>(Deed::end), word, -1});
}

}  // namespace rigid::script
