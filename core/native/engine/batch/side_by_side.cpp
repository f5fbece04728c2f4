// SPDX-License-Identifier: MIT
#include "engine/batch/side_by_side.h"

#include <algorithm>

namespace rigid {

int SideBySide::width_for(const World& world) {
  const bool small = world.bodies_.count() <= LaneTask::most_bodies;
  const bool fits = small && world.lanes_.solve_side_by_side() != nullptr;
  return fits && world.parameters_.explicit_springs ? world.lanes_.width() : 1;
}

SideBySide::SideBySide(const World& like) : width_(width_for(like)), task_{}, kinds_(most_kinds) {
  task_.memory = memory_.reserve(like.lanes_.lane_memory());
  task_.look_at_sweep = look_at_sweep;
}

void SideBySide::look_at_sweep(void* owner, int body, float time) {
  static_cast<World*>(owner)->continuous_.clamp_to_impact(body, time);
}

bool SideBySide::are_alike(const World& world, const World& other) {
  return world.bodies_.awake_list == other.bodies_.awake_list &&
         world.bodies_.count() == other.bodies_.count() && world.parameters_ == other.parameters_ &&
         world.definition_.substeps == other.definition_.substeps &&
         world.mechanisms_.are_like(other.mechanisms_);
}

// Those that wait for others to go with, and that a world is like; none where there are too many.
SideBySide::Kind* SideBySide::kind_of(const World& world) {
  for (Kind& kind : kinds_) {
    if (kind.empty() || are_alike(world, *kind.front())) return &kind;
  }
  return nullptr;
}

// The step of as many worlds as there are lanes, all of which are alike and have begun it; whether
// all of it was done so.
bool SideBySide::solve(const Kind& worlds) {
  World& first = *worlds.front();
  task_.parameters = &first.parameters_;
  task_.substeps = first.definition_.substeps;
  task_.body_count = first.bodies_.count();
  task_.system_count = static_cast<int>(first.mechanisms_.systems().size());
  task_.plans = first.mechanisms_.systems().data();
  task_.awake = first.bodies_.awake_list.data();
  task_.awake_count = static_cast<int>(first.bodies_.awake_list.size());
  for (std::size_t lane = 0; lane < worlds.size(); ++lane) {
    World& world = *worlds[lane];
    task_.worlds[lane] = {world.bodies_.states.data(), world.bodies_.steps.data(),
                          world.mechanisms_.for_lanes(), &world, false};
  }
  first.lanes_.solve_side_by_side()(task_);
  bool together = true;
  for (std::size_t lane = 0; lane < worlds.size(); ++lane) {
    World& world = *worlds[lane];
    const bool done = task_.worlds[lane].done;
    if (!done) world.solver_->prepare();
    world.solve_step(done);
    together = world.end_step() && done && together;
  }
  return together;
}

void SideBySide::solve_alone(World& world) {
  if (world.goes_in_lanes_) world.mechanisms_.locate_systems();
  world.solve_step(false);
  world.end_step();
}

// Ends the step that a world has begun, now or as soon as there are enough others like it.
void SideBySide::enter(World& world) {
  Kind* kind = world.goes_in_lanes_ ? kind_of(world) : nullptr;
  if (kind == nullptr) return solve_alone(world);
  kind->push_back(&world);
  if (static_cast<int>(kind->size()) < width_) return;
  solve(*kind);
  kind->clear();
}

void SideBySide::leave_nobody_waiting() {
  for (Kind& kind : kinds_) {
    for (World* world : kind) solve_alone(*world);
    kind.clear();
  }
}

bool SideBySide::begin(World& world, std::optional<Shift>& shift) {
  if (!shift) shift.emplace(world.pool_, nullptr);
  return world.begin_step(true);
}

// One step of neighbours; whether they did it side by side.
bool SideBySide::step_together(Worlds worlds, Shifts shifts) {
  neighbours_.clear();
  bool alike = static_cast<int>(worlds.size()) == width_;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    World& world = *worlds[i];
    if (!begin(world, shifts[i])) continue;
    neighbours_.push_back(&world);
    alike = alike && world.goes_in_lanes_ && are_alike(world, *neighbours_.front());
  }
  if (!alike || static_cast<int>(neighbours_.size()) < width_) {
    for (World* world : neighbours_) enter(*world);
    return false;
  }
  together_ = solve(neighbours_);
  return true;
}

// So many steps while the worlds are at hand, or up to the one in which they are not all alike; how
// many were done or begun.
int SideBySide::step_neighbours(Worlds worlds, Shifts shifts, LaneStay& stay, int steps) {
  int done = 0;
  while (done < steps) {
    if (stay.holds() || stay.enter(model_)) {
      task_.settled = false;
      done += stay.step(task_, steps - done);
      if (done == steps) break;
      stay.leave();
    }
    const bool alike = step_together(worlds, shifts);
    ++done;
    stay.note_step(alike && together_);
    if (!alike) break;
  }
  return done;
}

void SideBySide::step(Worlds worlds, Stays stays, int steps) {
  std::vector<std::optional<Shift>> shifts(worlds.size());
  std::vector<int> done(worlds.size(), steps);
  for (std::size_t first = 0; first < worlds.size(); first += width_) {
    const std::size_t count = std::min<std::size_t>(width_, worlds.size() - first);
    const Worlds group = worlds.subspan(first, count);
    if (!stays[first]) stays[first] = std::make_unique<LaneStay>(group);
    std::fill_n(done.begin() + first, count,
                step_neighbours(group, Shifts(shifts).subspan(first, count), *stays[first], steps));
  }
  leave_nobody_waiting();
  for (int round = 0; round < steps; ++round) {
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      if (done[i] >= steps || !begin(*worlds[i], shifts[i])) continue;
      ++done[i];
      enter(*worlds[i]);
    }
    leave_nobody_waiting();
  }
}

}  // namespace rigid
