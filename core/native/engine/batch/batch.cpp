// SPDX-License-Identifier: MIT
// Stepping, reading, writing and resetting the worlds of a batch.
#include "engine/batch/batch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "engine/channels.h"

namespace rigid {

namespace {

// Finds the mechanisms of the next step, once for all worlds that are copied from it.
void foresee_mechanisms(World& world) {
  world.finish();
  WorldParts& parts = world.parts_to_step();
  if (!parts.joints.regrouped() || parts.mechanisms.foresees()) return;
  const std::unique_ptr<World> other = world.fork();
  other->parts_to_step().mechanisms.make_systems();
  parts.mechanisms.foresee(other->parts().mechanisms);
}

// Calls take for each setting of a row that is joined to the one before it, with its value.
template <class Take>
void for_each_setting(std::span<const int32_t> codes, const double* values, Take take) {
  for (std::size_t k = 0; 3 * k < codes.size(); ++k) {
    take(static_cast<Setting>(codes[3 * k]), values[k]);
  }
}

void set_resident_source(BatchState::Source& source, int lane, std::span<const int32_t> codes,
                         const double* values) {
  for_each_setting(codes, values, [&source, lane](Setting setting, double value) {
    const float number = static_cast<float>(value);
    if (setting == Setting::source_x) source.x.at[lane] = number;
    if (setting == Setting::source_y) source.y.at[lane] = number;
    if (setting == Setting::source_torque) source.torque.at[lane] = number;
    if (setting == Setting::source_enabled) source.enabled.at[lane] = value != 0.0 ? 1.0f : 0.0f;
  });
}

}  // namespace

Batch::Batch(std::unique_ptr<World> first, int count, int threads)
    : start_(std::move(first)), threads_(threads), pool_(threads) {
  foresee_mechanisms(*start_);
  worlds_.reserve(count);
  for (int i = 0; i < count; ++i) worlds_.push_back(start_->fork());
  residents_.resize(count);
  all_.resize(count);
  std::iota(all_.begin(), all_.end(), 0);
  stopped_ = start_->parts().error.has_value();
}

std::vector<int> Batch::stopped() {
  std::vector<int> found;
  for (int i = 0; stopped_ && i < size(); ++i) {
    if (error(i)) found.push_back(i);
  }
  stopped_ = !found.empty();
  return found;
}

void Batch::step(int steps, InterruptPoller* poller) {
  StepSession session(pool_, poller);
  // A world takes several steps while it is in the cache. Larger pieces leave fewer worlds without
  // others to be stepped with.
  constexpr int most_at_once = 32, least_piece = 64, most_piece = 256;
  const int piece = std::clamp(size() / (4 * threads_), least_piece, most_piece);
  for (int done = 0; done < steps; done += most_at_once) {
    const int now = std::min(most_at_once, steps - done);
    session.before_step();
    pool_.run(size(), piece, [&](int first, int last) { step_piece(first, last, now); });
  }
  session.done();
}

void Batch::step_piece(int first, int last, int steps) {
  const int width = BatchStepper::width_for(*worlds_[first]);
  if (width > 1 && last - first > 1) {
    std::unique_ptr<BatchStepper> group = take_group();
    const int count = last - first;
    const bool all_go_on = group->step(std::span(worlds_).subspan(first, count),
                                       std::span(residents_).subspan(first, count), steps);
    if (!all_go_on) stopped_ = true;
    const Lock lock(groups_mutex_);
    groups_.push_back(std::move(group));
    return;
  }
  for (; first < last; ++first) {
    if (worlds_[first]->step(steps) < steps) stopped_ = true;
  }
}

// Returns a group that no thread uses; its memory has been used before.
std::unique_ptr<BatchStepper> Batch::take_group() {
  const Lock lock(groups_mutex_);
  if (groups_.empty()) return std::make_unique<BatchStepper>(*start_);
  std::unique_ptr<BatchStepper> group = std::move(groups_.back());
  groups_.pop_back();
  return group;
}

void Batch::read(std::span<const int32_t> codes, double* out, InterruptPoller* poller) {
  StepSession session(pool_, poller);
  const std::size_t width = codes.size() / 2;
  pool_.run(size(), 64, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      const auto [group, lane] = worlds_[i]->residence();
      double* row = out + width * i;
      if (group && group->sample(lane, codes, row)) continue;
      if (group) group->write_back(lane);
      sample(worlds_[i]->parts(), codes, row);
    }
  });
  session.done();
}

void Batch::write(std::span<const int32_t> worlds, std::span<const int32_t> codes,
                  const double* values) {
  const std::size_t width = codes.size() / 3;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const auto [group, lane] = worlds_[worlds[i]]->residence();
    for (std::size_t first = 0, end = 0; first < width; first = end) {
      for (end = first + 1; end < width && codes[3 * end + 2] != 0;) ++end;
      const std::span<const int32_t> joined = codes.subspan(3 * first, 3 * (end - first));
      const double* numbers = values + width * i + first;
      const bool pushes = is_of_source(static_cast<Setting>(joined[0]));
      BatchState::Source* resident = group && pushes ? group->source_of(lane, joined[1]) : nullptr;
      if (resident) {
        set_resident_source(*resident, lane, joined, numbers);
      } else {
        const bool moves = pushes || is_of_joint(static_cast<Setting>(joined[0]));
        if (group && !moves) group->leave(lane);  // what is set may depend on the present state
        set(*worlds_[worlds[i]], joined, numbers);
      }
    }
  }
}

void Batch::reset(std::span<const int64_t> worlds) {
  for (int64_t i : worlds) begin_as(static_cast<int>(i), *start_);
}

void Batch::begin_as(int index, World& other) {
  other.finish();
  if (const auto [group, lane] = worlds_[index]->residence(); group) group->discard(lane);
  if (worlds_[index]->parts_to_step().assign(other.parts())) return;
  for (std::unique_ptr<ResidentGroup>& group : residents_) {
    if (group.get() == worlds_[index]->residence().group) group.reset();
  }
  worlds_[index] = other.fork();
}

// Reading and writing use the indices of the start, which must be those of every world.
void Batch::replace(int index, World& by) {
  const bool fits = by.parts().bodies.count() == start_->parts().bodies.count() &&
                    by.parts().joints.count() == start_->parts().joints.count() &&
                    by.parts().forces.count() == start_->parts().forces.count() &&
                    by.parts().points.count() == start_->parts().points.count();
  if (!fits) throw std::invalid_argument("the world has not as many of everything as the others");
  if (BatchStepper::width_for(by) != BatchStepper::width_for(*start_)) {
    throw std::invalid_argument("the world has other lanes or another solver than the others");
  }
  foresee_mechanisms(by);
  begin_as(index, by);
  if (error(index)) stopped_ = true;
}

namespace {

void set_source(World& world, int index, std::span<const int32_t> codes, const double* values) {
  ForceSource source = world.parts().forces.all()[index];
  if (!source.alive) return;  // its body was removed
  for_each_setting(codes, values, [&source](Setting setting, double value) {
    const float number = static_cast<float>(value);
    if (setting == Setting::source_x) source.x = number;
    if (setting == Setting::source_y) source.y = number;
    if (setting == Setting::source_torque) source.torque = number;
    if (setting == Setting::source_enabled) source.enabled = value != 0.0;
  });
  world.set_force(index, source.x, source.y, source.torque, source.enabled);
}

// NaN leaves the motor as it is.
void set_motor(World& world, int index, std::span<const int32_t> codes, const double* values) {
  const Joint& joint = world.parts().joints[index];
  if (!joint.alive || joint.broken) return;
  JointChange::Motor motor{joint.motor_target, joint.motor_maximum};
  bool leaves = false;
  for_each_setting(codes, values, [&](Setting setting, double value) {
    leaves |= std::isnan(value);
    const float number = static_cast<float>(value);
    (setting == Setting::motor_target ? motor.target : motor.maximum) = number;
  });
  if (!leaves) world.set_joint(index, {.motor = motor});
}

void set_gravity(World& world, std::span<const int32_t> codes, const double* values) {
  Double2 gravity = {world.parts().definition.gravity_x, world.parts().definition.gravity_y};
  for_each_setting(codes, values, [&gravity](Setting setting, double value) {
    (setting == Setting::gravity_x ? gravity.x : gravity.y) = value;
  });
  world.set_world({.gravity = gravity});
}

void set_pool(World& world, int index, std::span<const int32_t> codes, const double* values) {
  Pool pool = world.parts().definition.pools[index];
  double* const numbers[] = {&pool.left,    &pool.bottom,  &pool.right, &pool.top,
                             &pool.density, &pool.damping, &pool.drag};
  for_each_setting(codes, values, [&](Setting setting, double value) {
    *numbers[static_cast<int>(setting) - static_cast<int>(Setting::pool_left)] = value;
    // A side stops at the opposite one; the pool is empty then.
    if (setting == Setting::pool_left) pool.left = std::min(value, pool.right);
    if (setting == Setting::pool_bottom) pool.bottom = std::min(value, pool.top);
    if (setting == Setting::pool_right) pool.right = std::max(value, pool.left);
    if (setting == Setting::pool_top) pool.top = std::max(value, pool.bottom);
  });
  world.set_world({.pool = {{index, pool}}});
}

void push(World& world, int index, Setting setting, float number) {
  const Body& body = world.parts().bodies[index];
  if (setting == Setting::torque) {
    return world.apply({.kind = Push::Kind::torque, .body = index, .turn = number});
  }
  const Vec2 force = setting == Setting::force_x ? Vec2{number, 0.0f} : Vec2{0.0f, number};
  world.apply({Push::Kind::force, index, force, body.center_x, body.center_y});
}

}  // namespace

void check_setting(Setting setting, double value) {
  const bool is_whole = value == 0.0 || value == 1.0 || value == 2.0;
  if (setting == Setting::type && !is_whole) {
    throw std::invalid_argument("a type is 0 (static), 1 (kinematic) or 2 (dynamic)");
  }
  if (setting >= Setting::pool_density && !(value >= 0)) {
    throw std::invalid_argument("density, damping and drag of a pool are not below 0");
  }
}

// Applies the settings of one call: both coordinates of a point together.
void Batch::set(World& world, std::span<const int32_t> codes, const double* values) {
  const Setting first = static_cast<Setting>(codes[0]);
  const int index = codes[1];
  if (is_of_source(first)) return set_source(world, index, codes, values);
  if (is_of_joint(first)) return set_motor(world, index, codes, values);
  if (is_of_world(first)) return set_gravity(world, codes, values);
  if (is_of_pool(first)) return set_pool(world, index, codes, values);
  if (!world.parts().bodies.alive[index]) return;
  double x = world.parts().bodies.x[index], y = world.parts().bodies.y[index];
  double angle = world.parts().bodies.angle[index];
  BodyState state = world.parts().bodies.states[index];
  bool puts = false, sends = false;
  for_each_setting(codes, values, [&](Setting setting, double value) {
    const float number = static_cast<float>(value);
    puts |= setting == Setting::x || setting == Setting::y || setting == Setting::angle;
    sends |= setting == Setting::vx || setting == Setting::vy || setting == Setting::omega;
    switch (setting) {
      case Setting::x:
        x = value;
        break;
      case Setting::y:
        y = value;
        break;
      case Setting::angle:
        angle = value;
        break;
      case Setting::vx:
        state.vx = number;
        break;
      case Setting::vy:
        state.vy = number;
        break;
      case Setting::omega:
        state.omega = number;
        break;
      case Setting::type:
        world.set_body(index, {.kind = static_cast<BodyKind>(static_cast<int>(value))});
        break;
      case Setting::collide:
        world.set_body(index, {.collides = value != 0.0});
        break;
      default:
        push(world, index, setting, number);
    }
  });
  if (puts) world.set_pose(index, x, y, angle);
  if (sends) world.set_velocity(index, state.vx, state.vy, state.omega);
}

}  // namespace rigid
