#include "engine/side_by_side.h"

#include <cstdint>
#include <optional>

namespace rigid {

int SideBySide::width_for(const World& world) {
  const bool small = world.bodies_.count() <= LaneTask::most_bodies;
  const bool fits = small && world.lanes_.solve_side_by_side() != nullptr;
  return fits && world.parameters_.explicit_springs ? world.lanes_.width() : 1;
}

SideBySide::SideBySide(const World& like) : width_(width_for(like)), task_{}, kinds_(most_kinds) {
  constexpr std::size_t alignment = 64;
  std::byte* memory = memory_.reserve(like.lanes_.lane_memory() + alignment);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  task_.memory = memory + (alignment - address % alignment) % alignment;
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

// Those that wait for others to go with, and that a world is like; none where it goes alone.
SideBySide::Kind* SideBySide::kind_of(World& world) {
  if (world.error_ || !world.is_for_lanes()) return nullptr;
  for (Kind& kind : kinds_) {
    if (kind.empty() || are_alike(world, *kind.front())) return &kind;
  }
  return nullptr;
}

void SideBySide::solve(const Kind& worlds) {
  World& first = *worlds.front();
  task_.parameters = &first.parameters_;
  task_.substeps = first.definition_.substeps;
  task_.body_count = first.bodies_.count();
  task_.system_count = static_cast<int>(first.mechanisms_.systems().size());
  task_.awake = first.bodies_.awake_list.data();
  task_.awake_count = static_cast<int>(first.bodies_.awake_list.size());
  for (std::size_t lane = 0; lane < worlds.size(); ++lane) {
    World& world = *worlds[lane];
    task_.worlds[lane] = {world.bodies_.states.data(), world.bodies_.steps.data(),
                          world.mechanisms_.for_lanes(), &world, false};
  }
  first.lanes_.solve_side_by_side()(task_);
}

void SideBySide::step_once(Worlds worlds) {
  const auto end = [](World& world, bool solved) {
    world.solve_step(solved);
    world.end_step();
  };
  for (const std::unique_ptr<World>& world : worlds) {
    if (!world->begin_step()) continue;
    Kind* kind = kind_of(*world);
    if (kind == nullptr) {
      end(*world, false);
      continue;
    }
    kind->push_back(world.get());
    if (static_cast<int>(kind->size()) < width_) continue;
    solve(*kind);
    for (int lane = 0; lane < width_; ++lane) {
      World& solved = *(*kind)[lane];
      const bool done = task_.worlds[lane].done;
      if (!done) solved.solver_->prepare();
      end(solved, done);
    }
    kind->clear();
  }
  for (Kind& kind : kinds_) {
    for (World* world : kind) end(*world, false);
    kind.clear();
  }
}

void SideBySide::step(Worlds worlds, int steps) {
  std::vector<std::optional<Shift>> shifts(worlds.size());
  for (std::size_t i = 0; i < worlds.size(); ++i) shifts[i].emplace(worlds[i]->pool_, nullptr);
  for (int done = 0; done < steps; ++done) step_once(worlds);
}

}  // namespace rigid
