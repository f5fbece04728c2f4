// SPDX-License-Identifier: MIT
// The world: what a caller may do with bodies, shapes, contacts and joints. It owns the parts and
// tells each at its making what it may touch; docs/architecture.md shows the rooms.
//
//   world.cpp         building, taking apart, setting the state between steps
//   step.cpp          the order of one step
//   state/saving.cpp  saving, restoring and forking
//
// Order is everything here: pairs are found in parallel but made in the order of their shapes, and
// whatever changes the world runs on one thread in a fixed order. Same calls, same bits.
#ifndef RIGID_ENGINE_WORLD_H
#define RIGID_ENGINE_WORLD_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/broadphase/broadphase.h"
#include "engine/collision/carriers.h"
#include "engine/collision/continuous.h"
#include "engine/collision/impacts.h"
#include "engine/collision/narrow_phase.h"
#include "engine/collision/tracks.h"
#include "engine/contacts/chains.h"
#include "engine/contacts/contacts.h"
#include "engine/contacts/strands.h"
#include "engine/contacts/touches.h"
#include "engine/data/bodies.h"
#include "engine/data/events.h"
#include "engine/data/points.h"
#include "engine/data/rows.h"
#include "engine/data/separations.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"
#include "engine/data/stages.h"
#include "engine/forces/attraction.h"
#include "engine/forces/bars.h"
#include "engine/forces/forces.h"
#include "engine/forces/surroundings.h"
#include "engine/islands/conservation.h"
#include "engine/islands/islands.h"
#include "engine/joints/joints.h"
#include "engine/lanes/constraint_lanes.h"
#include "engine/mechanisms/heavy_loads.h"
#include "engine/mechanisms/iterative_joints.h"
#include "engine/mechanisms/mechanisms.h"
#include "engine/mechanisms/tension.h"
#include "engine/parallel/thread_pool.h"
#include "engine/solvers/solver.h"
#include "engine/statistics.h"
#include "engine/stopwatch.h"

namespace rigid {

// What of a body, and of all its shapes, is to change between steps.
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

// What of the whole is to change between steps.
struct WorldChange {
  struct PoolChange {
    int index;
    Pool pool;
  };
  std::optional<Double2> gravity = std::nullopt;
  std::optional<PoolChange> pool = std::nullopt;
  std::optional<bool> tells_contacts = std::nullopt;  // whether there are events of touching
  // Whether the stages of steps are timed; then no step is done in lanes, which have no stages.
  std::optional<bool> measures_stages = std::nullopt;
};

// What of a joint is to change while it acts.
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
};

class World {
  friend class Batch;
  friend class SideBySide;
  friend class LaneStay;
  friend struct LaneModel;
  friend class OverlapSearch;

 public:
  explicit World(const WorldDefinition& definition) : World(definition, nullptr) {}

  // Building. Values are checked by the caller (bind/read_rows.cpp). Each returns a slot.
  int add_body(const NewBody& body, Place place = Place::end);
  int add_shape(const WorldShape& shape, const double* points, Place place = Place::end);
  int add_joint(const Joint& joint, Place place = Place::end);
  int add_point(const BodyPoint& point, Place place = Place::end) {
    return points_.add(point, place);
  }
  int add_force(const ForceSource& source, Place place = Place::end) {
    return forces_.add(source, place);
  }
  void add_bar(const Bar& bar) { bars_.add(bar, bodies_.size()); }
  void set_force(int index, float x, float y, float torque, bool enabled) {
    forces_.set(index, x, y, torque, enabled);
  }
  void set_collision_matrix(std::vector<uint64_t> rows) {
    broadphase_.set_collision_matrix(std::move(rows));
  }
  void ignore_pair(int a, int b) { broadphase_.ignore_pair(a, b); }
  void finish();

  // Deaths. What a body has (shapes, joints, forces, points) goes with it, and their slots with
  // them: what comes later takes these again, so that a world in which as much dies as is born
  // stays as large as it is.
  void remove_body(int body);
  void remove_joint(int joint) { joints_.remove_joint(joint); }
  void remove_force(int force) { forces_.remove(force); }
  // What is there now keeps its slots for good.
  void keep_slots();

  // What the watch throws between two steps leaves the world as the step before left it, to be
  // stepped on; thrown within a step it leaves the world unusable.
  int step(int steps, Watch* watch = nullptr);
  // Steps, and after each `every`-th samples the channels (see channels.h) into a row of `out`.
  int run(int steps, int every, std::span<const int32_t> codes, double* out, int rows,
          Watch* watch = nullptr);

  // All that decides the future, as bytes: the same for the same state. What restores them goes on
  // as the one that saved them would have, bit for bit, for any number of threads and lanes.
  std::vector<std::byte> save();
  // Throws std::invalid_argument for what a world of this definition has not saved; the world is
  // then as it was.
  void restore(std::span<const std::byte> bytes);
  // A second world in the same state.
  std::unique_ptr<World> fork();

  // State between steps
  void set_pose(int body, double x, double y, double angle);
  void set_velocity(int body, float vx, float vy, float omega);
  void set_body(int body, const BodyChange& change);
  void apply(const Push& push);
  void set_joint(int joint, const JointChange& change);
  void set_world(const WorldChange& change);

  // The parts, to be read
  const WorldDefinition& definition() const { return definition_; }
  const Clock& clock() const { return clock_; }
  const Bodies& bodies() const { return bodies_; }
  const Shapes& shapes() const { return shapes_; }
  const Joints& joints() const { return joints_; }
  const Contacts& contacts() const { return contacts_; }
  const Forces& forces() const { return forces_; }
  const Bars& bars() const { return bars_; }
  const Points& points() const { return points_; }
  // With the boxes that steps leave out, as queries need them (queries.h).
  const Broadphase& refreshed_broadphase();

  // Readings
  Statistics statistics() const;
  std::vector<EventRow> take_events() { return events_.take(); }
  // What has stopped the world, and what was taken out for its own error since the last call.
  const std::optional<StepError>& error() const { return error_; }
  std::vector<StepError> take_errors() { return std::exchange(errors_, {}); }

 private:
  World(const WorldDefinition& definition, const World* from);

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

  // step.cpp
  bool step_once() {
    if (!begin_step()) return false;
    solve_step(false);
    return end_step();
  }
  // `in_lanes`: where it can, it is to be solved side by side with other worlds.
  bool begin_step(bool in_lanes = false);
  void solve_step(bool solved);
  bool end_step();
  // Whether what is left of the step could be done side by side with that of worlds like this one.
  bool is_for_lanes() const;
  void apply_forces();
  bool update_pairs();
  void break_joints();
  void apply_bounds();
  bool check_errors();
  StepError error_of(EventKind kind, int body) const;
  int count_islands() const;
  const char* why_alone() const;  // null where it may go beside other worlds

  // state/saving.cpp
  template <class Archive>
  void list(Archive& archive);
  template <class Archive>
  void list_definition(Archive& archive);
  // For worlds that begin anew (batch/batch.cpp): into the state of another, in the memory that
  // there is; false where the other is defined in another way.
  bool assign(World& other);
  // Works out what the next step will find of the mechanisms, once for all that are made from it.
  void foresee_mechanisms();
  void forget_loads();
  void read(std::span<const std::byte> bytes);
  void check() const;

  WorldDefinition definition_;
  Clock clock_;
  StepParameters parameters_;
  ThreadPool pool_;

  Bodies bodies_;
  Shapes shapes_;
  Points points_;
  Forces forces_;
  Surroundings surroundings_;
  Attraction attraction_;
  Bars bars_;
  Events events_;
  Separations separations_;
  Broadphase broadphase_;
  Touches touches_;
  Contacts contacts_;
  Joints joints_;
  Islands islands_;
  Carriers carriers_;

  ConstraintLanes lanes_;
  IterativeJoints iterative_;
  Mechanisms mechanisms_;
  Tension tension_;
  HeavyLoads loads_;
  Chains chains_;
  Strands strands_;
  Tracks tracks_;
  OneWay one_way_;
  Continuous continuous_;
  Footings footings_;
  Clusters clusters_;
  Impacts impacts_;
  NarrowPhase narrow_phase_;
  Piles piles_;
  Conservation conservation_;
  StageClock stage_clock_;
  std::unique_ptr<Solver> solver_;

  std::vector<int> unfinished_;  // bodies whose masses and boxes are to be made
  std::optional<StepError> error_;
  std::vector<StepError> errors_;
  std::vector<BodyState> before_;  // where a step began that may be taken again
  bool goes_in_lanes_ = false;     // the step that has begun: its mechanisms are not located
  Statistics statistics_;
  Stopwatch watch_;
};

}  // namespace rigid

#endif
