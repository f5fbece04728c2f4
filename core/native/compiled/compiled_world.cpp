// SPDX-License-Identifier: MIT
// The world of a compiled scene: its building, its steps and the hand of a player.
#include "compiled/compiled_world.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "compiled/layout.h"
#include "engine/building/checked_numbers.h"
#include "engine/building/read_rows.h"
#include "engine/data/archive.h"
#include "engine/data/kernels.h"
#include "engine/queries/queries.h"
#include "geometry/shape.h"
#include "script/reading/read_program.h"
#include "script/reading/saving.h"

namespace rigid {

namespace {

constexpr double most_steps = 2e9;

void check_layout(const Container& container) {
  const auto layout = container.rows<uint64_t>("layout");
  if (layout.size() != 1 || layout[0] != compiled_layout()) {
    throw DamagedScene("this scene was compiled by another version of rigid: compile it again");
  }
}

void read_pools(const Container& container, WorldDefinition& d) {
  const auto numbers = container.rows<double>("pools");
  if (numbers.size() % 7 != 0) throw DamagedScene("the compiled scene is damaged: pools");
  for (std::size_t i = 0; i < numbers.size(); i += 7) {
    const double* n = numbers.data() + i;
    for (int side = 0; side < 4; ++side) finite(n[side], "a side of a pool");
    d.pools.push_back({n[0], n[1], n[2], n[3], not_negative(n[4], "density"),
                       not_negative(n[5], "damping"), not_negative(n[6], "drag")});
  }
}

// A category to a row of bits, of which there are none or 64.
void read_matrix(const Container& container, World& world) {
  const auto rows = container.rows<uint64_t>("matrix");
  if (rows.empty()) return;
  if (rows.size() != 64) throw DamagedScene("the compiled scene is damaged: matrix");
  for (int i = 0; i < 64; ++i) {
    for (int j = 0; j < i; ++j) {
      if ((rows[i] >> j & 1) != (rows[j] >> i & 1)) {
        throw std::invalid_argument("the collision matrix must be symmetric");
      }
    }
  }
  world.set_collision_matrix({rows.begin(), rows.end()});
}

void read_ignored(const Container& container, World& world) {
  const auto pairs = container.rows<int32_t>("ignored");
  if (pairs.size() % 2 != 0) throw DamagedScene("the compiled scene is damaged: ignored");
  for (const int32_t body : pairs) check_index(body, world.parts().bodies.count(), "body");
  for (std::size_t i = 0; i < pairs.size(); i += 2) world.ignore_pair(pairs[i], pairs[i + 1]);
}

void check_switches(std::span<const SwitchRow> switches, const World& world) {
  double before = 0;
  for (const SwitchRow& row : switches) {
    if (!(row.step >= before && row.step <= most_steps) || row.step != std::floor(row.step)) {
      throw DamagedScene("the compiled scene is damaged: switches");
    }
    before = row.step;
    finite(row.x, "x");
    limit(row.y, "y");
    finite(row.torque, "torque");
    const int kind = whole(row.kind, 0, 1, "kind");
    if (kind == 0) {
      finite(row.y, "y");
      check_index(row.slot, world.parts().forces.count(), "force");
    } else {
      check_index(row.slot, world.parts().joints.count(), "joint");
      check_index(row.body, world.parts().bodies.count(), "body");
    }
  }
}

}  // namespace

std::unique_ptr<World> build_world(const Container& container, int lanes) {
  check_layout(container);
  WorldDefinition d = read_setting_numbers(container.rows<double>("settings"));
  read_pools(container, d);
  d.lanes = lanes;
  if (lanes != 0 && !find_kernels(lanes)) throw std::invalid_argument("there are no such lanes");
  auto world = std::make_unique<World>(d);
  read_matrix(container, *world);
  const auto corners = container.rows<double>("corners");
  if (corners.size() % 2 != 0) throw DamagedScene("the compiled scene is damaged: corners");
  add_bodies(*world, container.rows<BodyRow>("bodies"));
  add_shapes(*world, container.rows<ShapeRow>("shapes"), corners);
  add_joints(*world, container.rows<JointRow>("joints"));
  set_bars(*world, container.rows<BarRow>("bars"));
  add_points(*world, container.rows<PointRow>("points"));
  read_ignored(container, *world);
  add_joints(*world, container.rows<JointRow>("actuator_joints"));
  add_forces(*world, container.rows<ForceRow>("forces"));
  world->finish();
  world->keep_slots();
  return world;
}

CompiledWorld::CompiledWorld(std::span<const std::byte> bytes, int lanes, script::Exact exact)
    : container_(bytes),
      world_(build_world(container_, lanes)),
      exact_(std::move(exact)),
      switches_(container_.rows<SwitchRow>("switches")) {
  check_switches(switches_, *world_);
  do_switches(0);
  begin_script();
}

int CompiledWorld::step(int steps) {
  int done = 0;
  while (done < steps) {
    const int now = world_->parts().clock.steps;
    if (now > 0) do_switches(now);
    const int until = next_switch(now, now + (steps - done));
    if (!runner_) do_pulls();
    const int stepped = runner_ ? run_script(until) : world_->step(until - now);
    done += stepped;
    if (stepped < until - now) break;
  }
  return done;
}

// ------------------------------------------------------------ script

void CompiledWorld::begin_script() {
  const std::span<const std::byte> readings = container_.bytes("readings");
  if (!readings.empty()) {
    readings_.emplace(script::read_program(readings));
    readings_->check_is_only_read();
    readings_->begin(*world_, exact_);
  }
  const std::span<const std::byte> program = container_.bytes("script");
  if (program.empty()) return;
  runner_.emplace(script::read_program(program));
  runner_->begin(*world_, exact_);
  runner_->set_hand([this] { do_pulls(); });
}

std::vector<double> CompiledWorld::read() {
  if (!readings_) return {};
  return readings_->read(*world_, runner(), exact_);
}

// Steps up to a step; returns the number of steps done.
int CompiledWorld::run_script(int end) {
  const int begin = world_->parts().clock.steps;
  script::Sampling nothing;
  while (world_->parts().clock.steps < end) {
    const auto [reason, turn, action] = is_stuck_
                                            ? script::Stop{script::Reason::after}
                                            : runner_->run(*world_, end, nullptr, nothing, exact_);
    if (reason == script::Reason::engine) break;
    if (reason == script::Reason::done) continue;
    is_stuck_ = true;
    const auto& due = runner_->due();
    std::string place = "the script";
    if (reason == script::Reason::turn && turn < static_cast<int>(due.size())) {
      const int64_t rule = due[turn].first.order[0];
      if (rule >= 0) place = "events[" + std::to_string(rule) + "]";
    }
    throw std::runtime_error(place + ": a value is no finite number or out of its range, or too " +
                             "much happens in a step; rigid run says which");
  }
  return world_->parts().clock.steps - begin;
}

void CompiledWorld::set_inputs(std::vector<script::TimedInput> inputs) {
  if (!runner_) throw std::invalid_argument("this scene has no inputs");
  const script::Program& program = runner_->program();
  int64_t before = 0;
  for (const script::TimedInput& each : inputs) {
    if (static_cast<int>(each.kind) >= script::input_kind_count || each.step < before) {
      throw std::invalid_argument("inputs: a kind or a step that cannot be");
    }
    check_index(each.what, static_cast<int>(program.places_of(each.kind)), "input");
    before = each.step;
  }
  runner_->state().inputs = std::move(inputs);
}

// ------------------------------------------------------------ states

std::vector<std::byte> CompiledWorld::save() {
#ifndef RIGID_SMALL  // pages have no such copies
  if (runner_ && (!runner_->state().copies.empty() ||
                  runner_->state().actuators.size() != runner_->program().actuators.size())) {
    throw std::invalid_argument("a state with copies that have scripts cannot be saved here");
  }
#endif
  std::vector<std::byte> engine = world_->save(), script;
  if (runner_) script = script::save(runner_->state());
  StateWriter archive;
  put(archive, engine, held_, pulled_, script);
  return archive.take();
}

void CompiledWorld::restore(std::span<const std::byte> bytes) {
  std::vector<std::byte> engine, script;
  std::map<int, int64_t> held;
  StateReader archive(bytes);
  std::map<int, std::pair<double, double>> pulled;
  put(archive, engine, held, pulled, script);
  for (const auto& [number, target] : pulled) {
    if (!std::isfinite(target.first) || !std::isfinite(target.second)) throw DamagedState();
  }
  if (!archive.at_end() || script.empty() != !runner_) throw DamagedState();
  std::optional<script::State> state;
  if (runner_) state = script::restored(script, *runner_);
  world_->restore(engine);
  if (runner_) {
    runner_->state() = std::move(*state);
    runner_->clear_log();
  }
  is_stuck_ = false;
  pulls_.clear();
  held_ = std::move(held);
  pulled_ = std::move(pulled);
  tell_pulled();
}

void CompiledWorld::restore_engine(std::span<const std::byte> bytes) {
  if (runner_) throw std::invalid_argument("this scene has a script, whose state is not there");
  world_->restore(bytes);
  pulls_.clear();
  held_.clear();
  pulled_.clear();
}

// ------------------------------------------------------------ switches

void CompiledWorld::do_switches(int step) {
  const auto first = std::lower_bound(switches_.begin(), switches_.end(), step,
                                      [](const SwitchRow& row, int at) { return row.step < at; });
  for (auto row = first; row != switches_.end() && row->step == step; ++row) {
    if (row->kind == 0) {
      if (!world_->parts().forces.all()[row->slot].alive) continue;
      world_->set_force(row->slot, static_cast<float>(row->x), static_cast<float>(row->y),
                        static_cast<float>(row->torque), row->enabled != 0);
    } else if (world_->parts().bodies.alive[row->body] && world_->parts().joints[row->slot].alive) {
      const JointChange::Motor motor{static_cast<float>(row->x), static_cast<float>(row->y)};
      world_->set_joint(row->slot, {.motor = motor});
    }
  }
}

// The first step after this one, and at most `end`, before which something is switched.
int CompiledWorld::next_switch(int step, int end) const {
  const auto next = std::upper_bound(switches_.begin(), switches_.end(), step,
                                     [](int at, const SwitchRow& row) { return at < row.step; });
  return next == switches_.end() || next->step >= end ? end : static_cast<int>(next->step);
}

// ------------------------------------------------------------ the hand

void CompiledWorld::grab(int number, int body, Double2 point, Double2 target, double force) {
  check_index(body, world_->parts().bodies.count(), "body");
  for (double each : {point.x, point.y, target.x, target.y}) finite(each, "a place of a pull");
  if (!(force >= 0.0)) throw std::invalid_argument("force must be 0 or more");
  pulls_.push_back({Pull::take, number, body, point, target, force});
}

void CompiledWorld::drag(int number, Double2 target) {
  for (double each : {target.x, target.y}) finite(each, "a place of a pull");
  pulls_.push_back({Pull::move, number, 0, {}, target, 0.0});
}

void CompiledWorld::drop(int number) { pulls_.push_back({Pull::leave, number, 0, {}, {}, 0.0}); }

void CompiledWorld::do_pulls() {
  const std::vector<Pull> pulls = std::exchange(pulls_, {});
  for (const Pull& pull : pulls) {
    if (pull.what == Pull::leave) {
      pulled_.erase(pull.number);
    } else {
      pulled_[pull.number] = {pull.target.x, pull.target.y};
    }
    if (pull.what == Pull::take) {
      take(pull);
      continue;
    }
    const auto held = held_.find(pull.number);
    if (held == held_.end()) continue;
    const int slot = world_->parts().joints.find(held->second);
    if (pull.what == Pull::leave) held_.erase(held);
    if (slot < 0) continue;  // it broke, or went with the body
    if (pull.what == Pull::leave) {
      world_->remove_joint(slot);
    } else {
      world_->set_joint(slot, {.target = pull.target});
    }
  }
  if (!pulls.empty()) tell_pulled();
}

// Tells the script where the last pull goes to.
void CompiledWorld::tell_pulled() {
  if (!runner_) return;
  std::optional<script::Numbers> last;
  if (!pulled_.empty()) last = {pulled_.rbegin()->second.first, pulled_.rbegin()->second.second};
  runner_->set_pulled(last);
}

void CompiledWorld::take(const Pull& pull) {
  const auto hand = container_.rows<JointRow>("hand");
  const Bodies& bodies = world_->parts().bodies;
  if (!bodies.alive[pull.body] || bodies[pull.body].kind != BodyKind::dynamic) return;
  if (hand.size() != 1) throw std::invalid_argument("the bodies of this scene cannot be pulled");
  JointRow row = hand[0];
  row.body_b = pull.body;
  row.anchor_ax = row.target_x = pull.target.x;
  row.anchor_ay = row.target_y = pull.target.y;
  row.anchor_bx = pull.point.x;
  row.anchor_by = pull.point.y;
  row.motor_max = pull.force;
  const FragmentRows fragment{{}, {}, {}, {{&row, 1}, {}}, {}, {}};
  held_[pull.number] = add_fragment(*world_, fragment).joints.at(0);
}

std::vector<int> CompiledWorld::find_dynamic(double x, double y, double reach) {
  const float radius = static_cast<float>(not_negative(reach, "reach"));
  const Vec2 middle = {0, 0};
  Vec2 normal;
  compute_normals(ShapeKind::circle, &middle, 1, &normal);
  const Shape circle = {ShapeKind::circle, 1, radius, &middle, &normal, middle};
  const Broadphase& broadphase = world_->refreshed_broadphase();
  const WorldParts& parts = world_->parts();
  const auto found = overlap_shape(parts.bodies, parts.shapes, broadphase, circle, finite(x, "x"),
                                   finite(y, "y"), ~uint64_t{0});
  std::set<int> bodies;
  for (const auto& [body, shape] : found) {
    if (parts.bodies[body].kind == BodyKind::dynamic) bodies.insert(body);
  }
  return {bodies.begin(), bodies.end()};
}

}  // namespace rigid
