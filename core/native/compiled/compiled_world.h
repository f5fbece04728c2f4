// SPDX-License-Identifier: MIT
// A running world of a compiled scene, without Python: what a page steps.
#ifndef RIGID_COMPILED_COMPILED_WORLD_H
#define RIGID_COMPILED_COMPILED_WORLD_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "compiled/compiled_rows.h"
#include "compiled/container.h"
#include "engine/world.h"

namespace rigid {

// The world of a scene before its first step. Throws std::invalid_argument with what is wrong.
std::unique_ptr<World> build_world(const Container& container, int lanes);

class CompiledWorld {
 public:
  // `lanes` as in WorldDefinition. Throws std::invalid_argument.
  explicit CompiledWorld(std::span<const std::byte> bytes, int lanes = 0);

  // Switches actuators and steps; returns the number of steps done, fewer where the engine has
  // stopped on an error.
  int step(int steps);
  std::vector<std::byte> save() { return world_->save(); }
  void restore(std::span<const std::byte> bytes) { world_->restore(bytes); }

  // Pulls a body by a point of it towards a place in the world, as a mouse does; returns the id of
  // the joint. Throws std::invalid_argument for a body that cannot be pulled.
  int64_t grab(int body, double point_x, double point_y, double x, double y, double force);
  void drag(int64_t joint, double x, double y);
  void drop(int64_t joint);
  // The dynamic bodies at a point, or at most `reach` from it, in the order of their shapes.
  std::vector<int> find_dynamic(double x, double y, double reach);

  World& world() { return *world_; }
  const Container& container() const { return container_; }

 private:
  void do_switches(int step);
  int next_switch(int step, int end) const;

  Container container_;
  std::unique_ptr<World> world_;
  std::span<const SwitchRow> switches_;  // in the order of steps
};

}  // namespace rigid

#endif
