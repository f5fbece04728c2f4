// SPDX-License-Identifier: MIT
// The arrays of bodies: plain data for the whole engine, one entry for each body.
#ifndef RIGID_ENGINE_DATA_BODIES_H
#define RIGID_ENGINE_DATA_BODIES_H

#include <cstdint>
#include <span>
#include <vector>

#include "engine/data/archive.h"
#include "engine/data/body.h"
#include "engine/data/slots.h"
#include "engine/parallel/shared_array.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

// Relations of a body to static or kinematic shapes (collision/continuous.h).
enum WallMark : uint8_t {
  wall_near = 1,
  wall_comes = 2,
  thrown_far = 4,
  wall_met = 8,    // its path has been cut short at one
  wall_deep = 16,  // it is pressed into one
};

struct NewBody {
  Body body;
  double vx = 0, vy = 0, omega = 0;
  bool awake = true;
};

struct Bodies {
  std::vector<Body> all;
  SharedArray<BodyState> states;
  SharedArray<double> x, y, angle;
  SharedArray<float> mass, inertia;
  SharedArray<uint8_t> awake, alive;
  std::vector<InverseMass> inverse_masses;
  std::vector<InverseMass>
      stiffened_inverse_masses;  // between taut joints: see mechanisms/geometric_stiffness.h
  std::vector<InverseMass> step_inverse_masses;  // for the solver: see bodies/motion.h
  std::vector<BodyStep> steps;
  std::vector<Rest> rests;
  std::vector<EnergyLedger> ledgers;  // see islands/conservation.h
  // For bodies with a torque or angular damping, in one substep: the spin after these, and the
  // correction of a free rotation.
  struct Turn {
    float after, correction;
  };
  std::vector<Turn> turns;
  std::vector<uint8_t> near_walls;  // WallMarks
  std::vector<int> awake_list;      // awake bodies, in order
  std::vector<int> waking;          // islands to wake, see islands/islands.h
  bool awake_changed = true;        // awake_list is out of date
  int64_t awake_changes = 0;        // number of rebuilds
  bool has_bullets = false;
  bool any_thrown = false;   // by impacts so far in this step, see collision/continuous.h
  bool has_damping = false;  // or had
  Slots slots;
  int64_t removals = 0;  // number of removed bodies

  Body& operator[](std::size_t i) { return all[i]; }
  const Body& operator[](std::size_t i) const { return all[i]; }
  std::size_t size() const { return all.size(); }
  int count() const { return static_cast<int>(all.size()); }
  auto begin() { return all.begin(); }
  auto end() { return all.end(); }
  auto begin() const { return all.begin(); }
  auto end() const { return all.end(); }

  // Adds a body in a slot, in a sleeping island or in none (-1).
  int add(const NewBody& body, Place place, int island);
  void remove(int i);
  // The slot of an id, or -1 if its body was removed.
  int find(int64_t id) const {
    const int slot = slots.find(id);
    return slot >= 0 && alive[slot] ? slot : -1;
  }
  bool is_movable(int i) const { return can_move(inverse_masses[i]); }
  bool is_dynamic(int i) const { return all[i].kind == BodyKind::dynamic; }
  bool either_awake(int a, int b) const { return awake[a] || awake[b]; }

  // Its island wakes in the next `Islands::apply_wakes`.
  void wake(int i) {
    Body& body = all[i];
    body.sleep_time = 0;
    if (body.kind != BodyKind::dynamic || body.island < 0) return;
    waking.push_back(body.island);
  }
  void collect_awake();

  template <class Archive>
  void list(Archive& a) {
    put(a, all, inverse_masses, stiffened_inverse_masses, step_inverse_masses, steps, rests,
        ledgers, near_walls, has_bullets, has_damping, states, x, y, angle, mass, inertia, awake,
        alive, awake_list, awake_changed, waking, slots);
  }
  // Throws DamagedState if the values read are invalid.
  void check(int islands) const;

  // Calls task(bodies) for all awake bodies, in pieces.
  template <class Task>
  void for_awake_pieces(ThreadPool& pool, Task&& task) {
    constexpr int piece = 256;
    pool.run(static_cast<int>(awake_list.size()), piece, [&](int first, int last) {
      task(std::span<const int>(awake_list).subspan(first, last - first));
    });
  }
  // Calls task(body) for each of them.
  template <class Task>
  void for_awake(ThreadPool& pool, Task&& task) {
    for_awake_pieces(pool, [&](std::span<const int> which) {
      for (int i : which) task(i);
    });
  }
};

}  // namespace rigid

#endif
