// SPDX-License-Identifier: MIT
// The world: the operations on bodies, shapes and joints. It owns the parts (world_parts.h);
// docs/architecture.md shows the layers.
//
//   world.cpp             building, removing, setting the state between steps
//   batch/lone_world.cpp  stepping (one step is step.h)
//   state/saving.cpp      saving, restoring and forking
//
// The order is essential: pairs are found in parallel but created in the order of their shapes, and
// all changes of the world run on one thread in a fixed order. The same calls give the same bits.
#ifndef RIGID_ENGINE_WORLD_H
#define RIGID_ENGINE_WORLD_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/data/points.h"
#include "engine/data/rows.h"
#include "engine/forces/bars.h"
#include "engine/forces/forces.h"
#include "engine/parallel/interrupt_poller.h"
#include "engine/world_parts.h"

namespace rigid {

// Changes of a body, and of all its shapes, between steps.
struct BodyChange {
  std::optional<bool> awake = std::nullopt;
  std::optional<float> gravity_scale = std::nullopt;
  std::optional<float> linear_damping = std::nullopt, angular_damping = std::nullopt;
  std::optional<float> friction = std::nullopt, restitution = std::nullopt;
  std::optional<float> rolling_resistance = std::nullopt, tangent_speed = std::nullopt;
  std::optional<int> category = std::nullopt;
  std::optional<BodyKind> kind = std::nullopt;
  std::optional<bool> collides = std::nullopt;

  bool of_surface() const { return friction || restitution || rolling_resistance || tangent_speed; }
};

// Changes of the whole world between steps.
struct WorldChange {
  struct PoolChange {
    int index;
    Pool pool;
  };
  std::optional<Double2> gravity = std::nullopt;
  std::optional<PoolChange> pool = std::nullopt;
  std::optional<bool> tells_contacts = std::nullopt;  // whether touching causes events
  // Whether the stages of steps are timed; then no step is done in lanes, which have no stages.
  std::optional<bool> measures_stages = std::nullopt;
};

// Changes of a joint between steps.
struct JointChange {
  struct Motor {
    float target, maximum;
  };
  struct Limits {
    float lower, upper;
  };
  std::optional<Motor> motor = std::nullopt;
  std::optional<Spring> spring = std::nullopt;
  std::optional<Limits> limits = std::nullopt;
  std::optional<Double2> target = std::nullopt;  // of a mouse
  bool breaks = false;                           // it keeps its slot
};

class LoneStepper;
class ResidentGroup;

// The lane of a group in which the state of a world stays between steps, if it stays in one.
struct Residence {
  ResidentGroup* group = nullptr;
  int lane = 0;
};

class World {
 public:
  explicit World(const WorldDefinition& definition);

  // Building. Values are checked by the caller (building/read_rows.cpp). Each returns a slot.
  int add_body(const NewBody& body, Place place = Place::end);
  int add_shape(const WorldShape& shape, const double* points, Place place = Place::end);
  int add_joint(const Joint& joint, Place place = Place::end);
  int add_point(const BodyPoint& point, Place place = Place::end) {
    return parts_.points.add(point, place);
  }
  int add_force(const ForceSource& source, Place place = Place::end) {
    leave_lanes();
    return parts_.forces.add(source, place);
  }
  void add_bar(const Bar& bar) { parts_.bars.add(bar, parts_.bodies.size()); }
  void set_force(int index, float x, float y, float torque, bool enabled);
  void set_collision_matrix(std::vector<uint64_t> rows) {
    leave_lanes();
    parts_.broadphase.set_collision_matrix(std::move(rows));
  }
  void ignore_pair(int a, int b) {
    leave_lanes();
    parts_.broadphase.ignore_pair(a, b);
  }
  void finish();

  // Removal. The shapes, joints, forces and points of a body are removed with it, and their slots
  // released: later objects reuse them, so that a world with as many removals as additions keeps
  // its size.
  void remove_body(int body);
  void remove_joint(int joint) {
    leave_lanes();
    parts_.joints.remove_joint(joint);
  }
  void remove_force(int force) {
    leave_lanes();
    parts_.forces.remove(force);
  }
  // Reserves the slots of all present objects permanently.
  void keep_slots();

  // An exception of the poller between two steps leaves the world in the state after the last step,
  // ready to continue; within a step it leaves the world unusable.
  int step(int steps, InterruptPoller* poller = nullptr);
  // Steps, and after each `every`-th step samples the channels (see channels.h) into a row of
  // `out`.
  int run(int steps, int every, std::span<const int32_t> codes, double* out, int rows,
          InterruptPoller* poller = nullptr);

  // All data that determines later steps, as bytes: equal for equal states. A restored world
  // continues as the saved one would have, bit for bit, for any number of threads and lanes.
  std::vector<std::byte> save();
  // Throws std::invalid_argument for bytes that no world of this definition has saved; the world is
  // then unchanged.
  void restore(std::span<const std::byte> bytes);
  // A second world in the same state.
  std::unique_ptr<World> fork();

  // State between steps.
  void set_pose(int body, double x, double y, double angle);
  void set_velocity(int body, float vx, float vy, float omega);
  void set_body(int body, const BodyChange& change);
  void apply(const Push& push);
  void set_joint(int joint, const JointChange& change);
  void set_world(const WorldChange& change);

  // The parts: for reading, and for stepping (step.h, batch/).
  const WorldParts& parts() const { return parts_; }
  WorldParts& parts_to_step() {
    leave_lanes();
    return parts_;
  }
  // Where its state stays between steps; a change makes it leave these lanes. `parts` are written
  // by those who step it.
  Residence& residence() { return residence_; }
  // With the boxes that steps leave out, for queries (queries.h).
  const Broadphase& refreshed_broadphase();

  // Readings.
  std::vector<EventRow> take_events() { return parts_.events.take(); }
  // Bodies that were removed because of errors since the last call.
  std::vector<StepError> take_errors() { return std::exchange(parts_.errors, {}); }

 private:
  explicit World(const WorldParts& from) : parts_(from.definition, &from) {}

  void leave_lanes() {
    if (residence_.group) leave_residence();
  }
  void leave_residence();
  // Sets a motor of a world that stays in its lane; false if it does not stay.
  bool set_resident_motor(int joint, const JointChange::Motor& motor);

  // world.cpp
  void forget_chains(int body);
  bool can_be_pushed(int body);
  void set_awake(int body, bool awake);
  void set_category(int body, int category);
  void set_kind(int body, BodyKind kind);
  void set_collides(int body, bool collides);
  void take_out(int body);
  void put_back(int body);
  void wake_touching(int body);
  void wake_all();
  void set_gravity(const Double2& gravity);
  void set_pool(int index, const Pool& pool);
  void wake(int body);

  // state/saving.cpp
  void read(std::span<const std::byte> bytes);

  WorldParts parts_;
  Residence residence_;
  struct Discard {
    void operator()(LoneStepper* stepper) const;
  };
  std::unique_ptr<LoneStepper, Discard> stepper_;  // once it has been stepped alone
};

}  // namespace rigid

#endif
