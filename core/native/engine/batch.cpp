// SPDX-License-Identifier: MIT
#include "engine/batch.h"

#include <algorithm>
#include <stdexcept>

#include "engine/channels.h"

namespace rigid {

Batch::Batch(std::unique_ptr<World> first, int count, int threads)
    : start_(std::move(first)), threads_(threads), pool_(threads) {
  start_->foresee_mechanisms();
  worlds_.reserve(count);
  for (int i = 0; i < count; ++i) worlds_.push_back(start_->fork());
  stays_.resize(count);
}

void Batch::step(int steps, Watch* watch) {
  Shift shift(pool_, watch);
  // A world does several steps while it is at hand. The more worlds a piece has, the fewer are left
  // without others to go with.
  constexpr int most_at_once = 32, least_piece = 64, most_piece = 256;
  const int piece = std::clamp(size() / (4 * threads_), least_piece, most_piece);
  for (int done = 0; done < steps; done += most_at_once) {
    const int now = std::min(most_at_once, steps - done);
    shift.before_step();
    pool_.run(size(), piece, [&](int first, int last) { step_piece(first, last, now); });
  }
  shift.done();
}

void Batch::step_piece(int first, int last, int steps) {
  const int width = SideBySide::width_for(*worlds_[first]);
  if (width > 1 && last - first >= width) {
    std::unique_ptr<SideBySide> group = take_group();
    const int count = last - first;
    group->step(std::span(worlds_).subspan(first, count), std::span(stays_).subspan(first, count),
                steps);
    const std::lock_guard lock(groups_mutex_);
    groups_.push_back(std::move(group));
    return;
  }
  for (; first < last; ++first) worlds_[first]->step(steps);
}

// One that no thread works with; its memory was touched before.
std::unique_ptr<SideBySide> Batch::take_group() {
  const std::lock_guard lock(groups_mutex_);
  if (groups_.empty()) return std::make_unique<SideBySide>(*start_);
  std::unique_ptr<SideBySide> group = std::move(groups_.back());
  groups_.pop_back();
  return group;
}

// Where what keeps a world in the lanes is, if there is such.
std::unique_ptr<LaneStay>* Batch::stay_of(int index) {
  int first = index;
  while (first > 0 && !stays_[first]) --first;
  const LaneStay* stay = stays_[first].get();
  return stay && index < first + stay->size() ? &stays_[first] : nullptr;
}

// A world that is to be changed.
World& Batch::take_out(int index) {
  if (std::unique_ptr<LaneStay>* stay = stay_of(index)) (*stay)->leave();
  return *worlds_[index];
}

std::unique_ptr<World> Batch::fork(int index) {
  if (const std::unique_ptr<LaneStay>* stay = stay_of(index)) (*stay)->write_back();
  return worlds_[index]->fork();
}

void Batch::read(std::span<const int32_t> codes, double* out, Watch* watch) {
  Shift shift(pool_, watch);
  const std::size_t width = codes.size() / 2;
  pool_.run(size(), 64, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      if (stays_[i]) stays_[i]->write_back();
    }
  });
  pool_.run(size(), 64, [&](int first, int last) {
    for (int i = first; i < last; ++i) sample(*worlds_[i], codes, out + width * i);
  });
  shift.done();
}

void Batch::write(std::span<const int32_t> worlds, std::span<const int32_t> codes,
                  const double* values) {
  const std::size_t width = codes.size() / 2;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    World& world = take_out(worlds[i]);
    for (std::size_t k = 0; k < width; ++k) {
      set(world, static_cast<Setting>(codes[2 * k]), codes[2 * k + 1], values[width * i + k]);
    }
  }
}

void Batch::reset(std::span<const uint8_t> marked) {
  for (int i = 0; i < size(); ++i) {
    if (marked[i] != 0) begin_as(i, *start_);
  }
}

void Batch::begin_as(int index, World& other) {
  if (take_out(index).assign(other)) return;
  worlds_[index] = other.fork();
  // Of worlds of which one is gone.
  if (std::unique_ptr<LaneStay>* stay = stay_of(index)) stay->reset();
}

// What reads and writes goes by numbers of the start, which must be those of every world.
void Batch::replace(int index, World& by) {
  const bool fits = by.bodies().count() == start_->bodies().count() &&
                    by.joints().count() == start_->joints().count() &&
                    by.forces().count() == start_->forces().count() &&
                    by.points().count() == start_->points().count();
  if (!fits) throw std::invalid_argument("the world has not as many of everything as the others");
  if (SideBySide::width_for(by) != SideBySide::width_for(*start_)) {
    throw std::invalid_argument("the world has other lanes or another solver than the others");
  }
  by.foresee_mechanisms();
  begin_as(index, by);
}

void Batch::set_source(World& world, Setting setting, int index, double value) {
  const ForceSource source = world.forces().all()[index];
  if (!source.alive) return;  // its body left
  const float number = static_cast<float>(value);
  world.set_force(index, setting == Setting::source_x ? number : source.x,
                  setting == Setting::source_y ? number : source.y,
                  setting == Setting::source_torque ? number : source.torque,
                  setting == Setting::source_enabled ? value != 0.0 : source.enabled);
}

void Batch::set(World& world, Setting setting, int index, double value) {
  if (is_of_source(setting)) return set_source(world, setting, index, value);
  if (is_of_joint(setting)) {
    const Joint& joint = world.joints()[index];
    const bool target = setting == Setting::motor_target;
    const float given = static_cast<float>(value);
    world.set_joint(index, {.motor = JointChange::Motor{target ? given : joint.motor_target,
                                                        target ? joint.motor_maximum : given}});
    return;
  }
  const double x = world.bodies().x[index], y = world.bodies().y[index],
               angle = world.bodies().angle[index];
  const BodyState state = world.bodies().states[index];
  const Body& body = world.bodies()[index];
  const float number = static_cast<float>(value);
  switch (setting) {
    case Setting::x:
      return world.set_pose(index, value, y, angle);
    case Setting::y:
      return world.set_pose(index, x, value, angle);
    case Setting::angle:
      return world.set_pose(index, x, y, value);
    case Setting::vx:
      return world.set_velocity(index, number, state.vy, state.omega);
    case Setting::vy:
      return world.set_velocity(index, state.vx, number, state.omega);
    case Setting::omega:
      return world.set_velocity(index, state.vx, state.vy, number);
    case Setting::force_x:
      return world.apply({Push::Kind::force, index, {number, 0.0f}, body.center_x, body.center_y});
    case Setting::force_y:
      return world.apply({Push::Kind::force, index, {0.0f, number}, body.center_x, body.center_y});
    default:
      return world.apply({.kind = Push::Kind::torque, .body = index, .turn = number});
  }
}

}  // namespace rigid
