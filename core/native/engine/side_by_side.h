// Small worlds of one scene, stepped side by side: the lanes of the processor go across the worlds.
//
// What begins and ends a step is done for each world by itself; the substeps between, which are
// forces, mechanisms and motion where nothing touches, for all of them at once
// (mechanisms/system_lanes.h). Worlds that are not alike in a step, or in which more happens, are
// solved alone in it. Each has the bits that it has alone.
#ifndef RIGID_ENGINE_SIDE_BY_SIDE_H
#define RIGID_ENGINE_SIDE_BY_SIDE_H

#include <memory>
#include <span>

#include "engine/mechanisms/lane_task.h"
#include "engine/world.h"

namespace rigid {

class SideBySide {
 public:
  using Worlds = std::span<const std::unique_ptr<World>>;
  // How many worlds like these go side by side; 1: each goes alone.
  static int width_for(const World& world);

  explicit SideBySide(const World& like);
  // `width_for` worlds, so many steps each.
  void step(Worlds worlds, int steps);

 private:
  bool are_alike(Worlds worlds) const;
  void solve(Worlds worlds);
  static void look_at_sweep(void* owner, int body, float time);

  Scratch memory_;
  LaneTask task_;
};

}  // namespace rigid

#endif
