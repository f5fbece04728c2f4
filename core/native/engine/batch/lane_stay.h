// SPDX-License-Identifier: MIT
// Neighbours of a batch that stay in the lanes from step to step.
//
// Where nothing touches or comes near anything, and nobody asks for more than motion, a step of a
// small world is arithmetic alone: then all of it is done side by side (mechanisms/home_lanes.h),
// and the worlds themselves are written only when somebody wants to know them. Before a step in
// which more happens in one of them they all come back.
#ifndef RIGID_ENGINE_BATCH_LANE_STAY_H
#define RIGID_ENGINE_BATCH_LANE_STAY_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/mechanisms/lane_home.h"
#include "engine/world.h"

namespace rigid {

// What all worlds that are alike share, so that their steps need not ask the worlds themselves.
struct LaneModel {
  LaneModel(const World& world, int width);
  bool fits(const World& world) const;
  void describe(LaneTask& task) const;

  std::vector<JointSystem> systems;
  std::vector<int> awake;
  StepParameters parameters;
  int substeps, body_count;
  StepAtHome step;
};

// The memory of a LaneTask.
class LaneScratch {
 public:
  void* reserve(std::size_t size) {
    std::byte* memory = bytes_.reserve(size + alignment);
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    return memory + (alignment - address % alignment) % alignment;
  }

 private:
  static constexpr std::size_t alignment = 64;
  Scratch bytes_;
};

class LaneStay {
 public:
  using Worlds = std::span<const std::unique_ptr<World>>;
  explicit LaneStay(Worlds worlds) {
    for (const std::unique_ptr<World>& world : worlds) worlds_.push_back(world.get());
  }
  explicit LaneStay(World& alone) : worlds_{&alone} {}
  LaneStay(const LaneStay&) = delete;

  // Takes in the worlds, which are alike and have ended a step side by side; whether it could.
  // `model` becomes theirs where it does not fit.
  bool enter(std::shared_ptr<const LaneModel>& model);
  bool holds() const { return holds_; }
  int size() const { return static_cast<int>(worlds_.size()); }
  // Up to so many steps; how many were done before one that is not for lanes.
  int step(LaneTask& task, int steps);
  // The worlds as they are now, to be read.
  void write_back();
  // The same, to be changed: they are no longer here.
  void leave();
  // After a step that was done elsewhere: whether it was done by all side by side.
  void note_step(bool together) { ready_ = together; }

 private:
  bool may_enter(const World& world) const;
  void take_bodies(int lane, const World& world);
  void take_system(int lane, const World& world, int system);
  void write_bodies(int lane, World& world) const;
  void write_system(int lane, World& world, int system) const;

  std::vector<World*> worlds_;
  LaneHome home_;
  std::shared_ptr<const LaneModel> model_;
  bool holds_ = false;
  bool ready_ = false;  // the last step was one for lanes, and nobody has changed the worlds since
  int waits_ = 0;       // steps in which nobody asks whether they may enter
  int stayed_ = 0;      // steps since they entered
  int ahead_ = 0;       // steps that the worlds have not been told of
};

// A world that is stepped alone, for as long as a call lasts.
class LoneStay {
 public:
  explicit LoneStay(World& world) : stay_(world), task_{} {}
  ~LoneStay() { stay_.leave(); }
  // Up to so many steps, of those that are left; how many were done: none where the next is to be
  // done elsewhere, and the world then is where that begins.
  int step(int steps, int left);
  // A step was done elsewhere.
  void note_step() { stay_.note_step(true); }
  void write_back() { stay_.write_back(); }

 private:
  LaneStay stay_;
  LaneScratch memory_;
  LaneTask task_;
  std::shared_ptr<const LaneModel> model_;
};

}  // namespace rigid

#endif
