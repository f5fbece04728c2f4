#include "engine/side_by_side.h"

#include <array>
#include <cstdint>
#include <optional>

namespace rigid {

int SideBySide::width_for(const World& world) {
  const bool small = world.bodies_.count() <= LaneTask::most_bodies;
  const bool fits = small && world.lanes_.solve_side_by_side() != nullptr;
  return fits && world.parameters_.explicit_springs ? world.lanes_.width() : 1;
}

SideBySide::SideBySide(const World& like) : task_{} {
  constexpr std::size_t alignment = 64;
  std::byte* memory = memory_.reserve(like.lanes_.lane_memory() + alignment);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  task_.memory = memory + (alignment - address % alignment) % alignment;
  task_.substeps = like.definition_.substeps;
  task_.look_at_sweep = look_at_sweep;
}

void SideBySide::look_at_sweep(void* owner, int body, float time) {
  static_cast<World*>(owner)->continuous_.clamp_to_impact(body, time);
}

// Whether the worlds, each at the beginning of its substeps, are the same but for their numbers.
bool SideBySide::are_alike(Worlds worlds) const {
  const World& first = *worlds.front();
  for (const std::unique_ptr<World>& world : worlds) {
    if (world->error_ || !world->is_for_lanes()) return false;
    if (world->bodies_.awake_list != first.bodies_.awake_list) return false;
    if (world->bodies_.count() != first.bodies_.count()) return false;
    if (!(world->parameters_ == first.parameters_)) return false;
    if (world->definition_.substeps != first.definition_.substeps) return false;
    if (!world->mechanisms_.are_like(first.mechanisms_)) return false;
  }
  return true;
}

void SideBySide::solve(Worlds worlds) {
  World& first = *worlds.front();
  task_.parameters = &first.parameters_;
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

void SideBySide::step(Worlds worlds, int steps) {
  std::array<std::optional<Shift>, LaneTask::most_width> shifts;
  for (std::size_t i = 0; i < worlds.size(); ++i) shifts[i].emplace(worlds[i]->pool_, nullptr);
  for (int done = 0; done < steps; ++done) {
    std::array<bool, LaneTask::most_width> began{};
    bool all = true;
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      began[i] = worlds[i]->begin_step();
      all = all && began[i];
    }
    const bool together = all && are_alike(worlds);
    if (together) solve(worlds);
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      if (!began[i]) continue;
      const bool solved = together && task_.worlds[i].done;
      if (together && !solved) worlds[i]->solver_->prepare();
      worlds[i]->solve_step(solved);
      worlds[i]->end_step();
    }
  }
}

}  // namespace rigid
