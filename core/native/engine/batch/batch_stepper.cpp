// SPDX-License-Identifier: MIT
// The selection of worlds that are stepped side by side, and their steps.
#include "engine/batch/batch_stepper.h"

#include <algorithm>

#include "engine/step.h"

namespace rigid {

namespace {

// Whether the bodies that may move fit into the lanes.
bool is_small(const Bodies& bodies) {
  int movers = 0;
  for (int i = 0; i < bodies.count(); ++i) {
    movers += bodies.alive[i] && bodies[i].kind != BodyKind::fixed ? 1 : 0;
  }
  return movers <= LaneTask::most_bodies;
}

}  // namespace

int BatchStepper::width_for(const World& world) {
  const WorldParts& parts = world.parts();
  const bool fits = is_small(parts.bodies) && parts.lanes.solve_side_by_side() != nullptr;
  return fits && parts.parameters.explicit_springs ? parts.lanes.width() : 1;
}

BatchStepper::BatchStepper(const World& like)
    : width_(width_for(like)), task_{}, waiting_(most_kinds) {
  task_.memory = memory_.reserve(like.parts().lanes.lane_memory());
  task_.look_at_sweep = [](void* owner, int body, float time) {
    static_cast<World*>(owner)->parts_to_step().continuous.clamp_to_impact(body, time);
  };
}

bool BatchStepper::are_alike(const World& world, const World& other) {
  return LaneKind::of(world.parts()) == LaneKind::of(other.parts());
}

// The waiting worlds that a world is like; null if there are too many kinds.
BatchStepper::Alike* BatchStepper::those_like(const World& world) {
  for (Alike& worlds : waiting_) {
    if (worlds.empty() || are_alike(world, *worlds.front())) return &worlds;
  }
  return nullptr;
}

// Solves the step of as many worlds as there are lanes, which are all alike and have begun it.
void BatchStepper::solve(const Alike& worlds) {
  const WorldParts& first = worlds.front()->parts();
  const LaneKind kind = LaneKind::of(first);
  const std::vector<int> members = kind.members();
  kind.describe(task_);
  task_.members = members.data();
  task_.member_count = static_cast<int>(members.size());
  for (std::size_t lane = 0; lane < worlds.size(); ++lane) {
    WorldParts& parts = worlds[lane]->parts_to_step();
    Step(*worlds[lane]).open();
    task_.worlds[lane] = {parts.bodies.states.data(), parts.bodies.steps.data(),
                          parts.mechanisms.for_lanes(), worlds[lane]};
  }
  first.lanes.solve_side_by_side()(task_);
  for (World* world : worlds) {
    Step step(*world);
    step.solve(true);
    if (!step.end()) all_go_on_ = false;
  }
}

void BatchStepper::solve_alone(World& world) {
  WorldParts& parts = world.parts_to_step();
  if (parts.goes_in_lanes) parts.mechanisms.locate_systems();
  Step step(world);
  step.open();
  step.solve(false);
  if (!step.end()) all_go_on_ = false;
}

// Ends the step that a world has begun, now or as soon as there are enough others like it.
void BatchStepper::enter(World& world) {
  Alike* alike = world.parts().goes_in_lanes ? those_like(world) : nullptr;
  if (alike == nullptr) return solve_alone(world);
  alike->push_back(&world);
  if (static_cast<int>(alike->size()) < width_) return;
  solve(*alike);
  alike->clear();
}

void BatchStepper::leave_nobody_waiting() {
  for (Alike& worlds : waiting_) {
    for (World* world : worlds) solve_alone(*world);
    worlds.clear();
  }
}

bool BatchStepper::begin(World& world, std::optional<StepSession>& session) {
  if (!session) session.emplace(world.parts_to_step().pool, nullptr);
  const bool begun = Step(world).begin(true);
  if (!begun) all_go_on_ = false;
  return begun;
}

// Takes one step of neighbours; returns whether they were solved side by side.
bool BatchStepper::step_together(Worlds worlds, Sessions sessions) {
  neighbours_.clear();
  bool alike = static_cast<int>(worlds.size()) == width_;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    World& world = *worlds[i];
    if (!begin(world, sessions[i])) continue;
    neighbours_.push_back(&world);
    alike = alike && world.parts().goes_in_lanes && are_alike(world, *neighbours_.front());
  }
  if (!alike || static_cast<int>(neighbours_.size()) < width_) {
    for (World* world : neighbours_) enter(*world);
    return false;
  }
  solve(neighbours_);
  return true;
}

// Takes up to this many steps while the worlds are in the cache; returns the number of steps done
// or begun. Worlds that do not reside are solved side by side only if none does.
int BatchStepper::step_neighbours(Worlds worlds, Sessions sessions, ResidentGroup& residents,
                                  int steps) {
  int done = 0;
  while (done < steps) {
    residents.admit(model_);
    if (!residents.holds()) {
      const bool alike = step_together(worlds, sessions);
      ++done;
      if (!alike) break;
      residents.note_step();
      continue;
    }
    task_.settled = false;
    if (residents.is_full()) {
      done += residents.step(task_, steps - done);
      continue;
    }
    step_with_others(worlds, sessions, residents);
    ++done;
  }
  return done;
}

// Takes one step of neighbours of which some do not reside. These begin it alone, and end it in
// their lanes if that is all they need; those that leave their lanes in it follow.
void BatchStepper::step_with_others(Worlds worlds, Sessions sessions, ResidentGroup& residents) {
  std::vector<uint8_t>& ended = ended_;
  ended.assign(worlds.size(), 0);
  auto step_others = [&](bool enters) {
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      const int lane = static_cast<int>(i);
      if (ended[i] || residents.holds(lane)) continue;
      const bool may_enter = enters && residents.is_unpushed(lane);
      const bool begun = begin(*worlds[i], sessions[i]);
      if (begun && may_enter && residents.admit_begun(lane, model_)) continue;
      if (begun) solve_alone(*worlds[i]);
      ended[i] = 1;
    }
  };
  step_others(true);
  for (bool moved = false; !moved && residents.holds();) {
    task_.settled = false;
    moved = residents.step(task_, 1) > 0;
  }
  step_others(false);
  residents.note_step();
}

bool BatchStepper::step(Worlds worlds, Residents residents, int steps) {
  all_go_on_ = true;
  std::vector<std::optional<StepSession>> sessions(worlds.size());
  std::vector<int> done(worlds.size(), steps);
  for (std::size_t first = 0; first < worlds.size(); first += width_) {
    const std::size_t count = std::min<std::size_t>(width_, worlds.size() - first);
    const Worlds group = worlds.subspan(first, count);
    if (!residents[first]) residents[first] = std::make_unique<ResidentGroup>(group);
    std::fill_n(
        done.begin() + first, count,
        step_neighbours(group, Sessions(sessions).subspan(first, count), *residents[first], steps));
  }
  leave_nobody_waiting();
  for (int round = 0; round < steps; ++round) {
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      if (done[i] >= steps || !begin(*worlds[i], sessions[i])) continue;
      ++done[i];
      enter(*worlds[i]);
    }
    leave_nobody_waiting();
  }
  for (std::unique_ptr<ResidentGroup>& each : residents) {
    if (each) each->note_step();
  }
  return all_go_on_;
}

}  // namespace rigid
