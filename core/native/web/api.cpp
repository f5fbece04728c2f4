// SPDX-License-Identifier: MIT
// The engine's interface for WebAssembly: what rigid.js calls. Pointers are of the module's memory.
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "compiled/compiled_world.h"
#include "engine/bodies/readings.h"
#include "engine/building/checked_channels.h"
#include "engine/channels.h"

#define RIGID_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

namespace {

using namespace rigid;

std::string message;
std::vector<std::byte> saved;
std::vector<int> found;
std::vector<double> numbers;
std::vector<EventRow> events;

// The result of `run`, or `failure` with a message where the engine refuses.
template <class Result, class Run>
Result guarded(Result failure, Run&& run) {
  try {
    message.clear();
    return run();
  } catch (const std::exception& error) {
    message = error.what();
    if (message.empty()) message = "unknown error";
    return failure;
  }
}

std::span<const std::byte> bytes_at(const void* data, std::size_t size) {
  return {static_cast<const std::byte*>(data), size};
}

const Bodies& bodies_of(CompiledWorld* world) {
  world->world().finish();
  return world->world().parts().bodies;
}

}  // namespace

RIGID_EXPORT(rigid_message) const char* rigid_message() { return message.c_str(); }
RIGID_EXPORT(rigid_allocate) void* rigid_allocate(std::size_t size) { return std::malloc(size); }
RIGID_EXPORT(rigid_free) void rigid_free(void* data) { std::free(data); }

RIGID_EXPORT(rigid_load)
CompiledWorld* rigid_load(const void* data, std::size_t size, int lanes) {
  return guarded<CompiledWorld*>(nullptr,
                                 [&] { return new CompiledWorld(bytes_at(data, size), lanes); });
}
RIGID_EXPORT(rigid_unload) void rigid_unload(CompiledWorld* world) { delete world; }

// Number of steps done; -1 after an error.
RIGID_EXPORT(rigid_step) int rigid_step(CompiledWorld* world, int steps) {
  return guarded(-1, [&] { return world->step(steps); });
}
RIGID_EXPORT(rigid_step_count) int rigid_step_count(CompiledWorld* world) {
  return world->world().parts().clock.steps;
}
// The body whose state the engine cannot go on with, or -1.
RIGID_EXPORT(rigid_stopped_by) int rigid_stopped_by(CompiledWorld* world) {
  const auto& error = world->world().parts().error;
  return error ? error->body : -1;
}
RIGID_EXPORT(rigid_hash) uint64_t rigid_hash(CompiledWorld* world) {
  return hash_bodies(bodies_of(world));
}

RIGID_EXPORT(rigid_body_count) int rigid_body_count(CompiledWorld* world) {
  return world->world().parts().bodies.count();
}
// Arrays of the engine, good until the next call that steps or adds.
RIGID_EXPORT(rigid_x) const double* rigid_x(CompiledWorld* w) { return bodies_of(w).x.data(); }
RIGID_EXPORT(rigid_y) const double* rigid_y(CompiledWorld* w) { return bodies_of(w).y.data(); }
RIGID_EXPORT(rigid_angle) const double* rigid_angle(CompiledWorld* w) {
  return bodies_of(w).angle.data();
}
RIGID_EXPORT(rigid_alive) const uint8_t* rigid_alive(CompiledWorld* w) {
  return bodies_of(w).alive.data();
}
RIGID_EXPORT(rigid_awake) const uint8_t* rigid_awake(CompiledWorld* w) {
  return bodies_of(w).awake.data();
}
// vx, vy and omega of each body.
RIGID_EXPORT(rigid_velocities) const double* rigid_velocities(CompiledWorld* world) {
  const Bodies& bodies = bodies_of(world);
  numbers.clear();
  for (int i = 0; i < bodies.count(); ++i) {
    const BodyState& state = bodies.states[i];
    numbers.insert(numbers.end(), {state.vx, state.vy, state.omega});
  }
  return numbers.data();
}
RIGID_EXPORT(rigid_masses) const float* rigid_masses(CompiledWorld* w) {
  return bodies_of(w).mass.data();
}

RIGID_EXPORT(rigid_joint_count) int rigid_joint_count(CompiledWorld* world) {
  return world->world().parts().joints.count();
}
// The force and the torque on B of each joint, and whether it is broken.
RIGID_EXPORT(rigid_joints) const double* rigid_joints(CompiledWorld* world) {
  bodies_of(world);
  const WorldParts& parts = world->world().parts();
  numbers.clear();
  for (int i = 0; i < parts.joints.count(); ++i) {
    const JointStateRow row = joint_state(parts.joints[i], parts.bodies, parts.clock);
    numbers.insert(numbers.end(),
                   {row.force_x, row.force_y, row.torque, row.broken != 0 ? 1.0 : 0.0});
  }
  return numbers.data();
}
// Kinetic and potential energy.
RIGID_EXPORT(rigid_energy) const double* rigid_energy(CompiledWorld* world) {
  const Bodies& bodies = bodies_of(world);
  const WorldDefinition& d = world->world().parts().definition;
  numbers.assign(2, 0.0);
  find_energy(bodies, d.gravity_x, d.gravity_y, numbers[0], numbers[1]);
  return numbers.data();
}

// The number of touching points; `rigid_numbers` then has of each: the bodies A and B, x, y, the
// normal, its force, that of friction, and the separation.
RIGID_EXPORT(rigid_contacts) int rigid_contacts(CompiledWorld* world) {
  const WorldParts& parts = world->world().parts();
  const double per_dt = 1.0 / parts.definition.dt;
  numbers.clear();
  for (const int index : parts.contacts.touching()) {
    const Contact& c = parts.contacts.all()[index];
    const Body &a = parts.bodies[c.body_a], &b = parts.bodies[c.body_b];
    for (int k = 0; k < c.count; ++k) {
      const ContactPoint& p = c.points[k];
      const double x = b.center_x + c.offset.x - a.center_x;
      const double y = b.center_y + c.offset.y - a.center_y;
      const double half = c.led ? 0 : 0.5 * (x * c.normal.x + y * c.normal.y);
      numbers.insert(numbers.end(),
                     {static_cast<double>(c.body_a), static_cast<double>(c.body_b),
                      a.center_x + p.anchor.x + half * c.normal.x,
                      a.center_y + p.anchor.y + half * c.normal.y, c.normal.x, c.normal.y,
                      p.total_normal * per_dt, p.total_tangent * per_dt, p.separation});
    }
  }
  return static_cast<int>(numbers.size() / 9);
}
RIGID_EXPORT(rigid_numbers) const double* rigid_numbers() { return numbers.data(); }

// Samples channels, pairs of a code and an owner's index; null after an error.
RIGID_EXPORT(rigid_sample)
const double* rigid_sample(CompiledWorld* world, const int32_t* codes, int count) {
  return guarded<const double*>(nullptr, [&] {
    bodies_of(world);
    const std::span<const int32_t> all(codes, 2 * static_cast<std::size_t>(count));
    check_channel_codes(world->world(), all);
    numbers.assign(static_cast<std::size_t>(count) + 1, 0.0);
    sample(world->world().parts(), all, numbers.data());
    return numbers.data();
  });
}

// The number of events since they were last taken; `rigid_events` then has rows of four numbers.
RIGID_EXPORT(rigid_take_events) int rigid_take_events(CompiledWorld* world) {
  events = world->world().take_events();
  numbers.clear();
  for (const EventRow& event : events) {
    numbers.insert(numbers.end(), {static_cast<double>(event.step), static_cast<double>(event.kind),
                                   static_cast<double>(event.a), static_cast<double>(event.b)});
  }
  return static_cast<int>(events.size());
}

// The number of dynamic bodies there; `rigid_found` has them.
RIGID_EXPORT(rigid_find)
int rigid_find(CompiledWorld* world, double x, double y, double reach) {
  return guarded(-1, [&] {
    found = world->find_dynamic(x, y, reach);
    return static_cast<int>(found.size());
  });
}
RIGID_EXPORT(rigid_found) const int* rigid_found() { return found.data(); }
// The id of the joint that pulls; -1 after an error.
RIGID_EXPORT(rigid_grab)
int64_t rigid_grab(CompiledWorld* world, int body, double point_x, double point_y, double x,
                   double y, double force) {
  return guarded<int64_t>(-1, [&] { return world->grab(body, point_x, point_y, x, y, force); });
}
RIGID_EXPORT(rigid_drag) int rigid_drag(CompiledWorld* world, int64_t joint, double x, double y) {
  return guarded(-1, [&] {
    world->drag(joint, x, y);
    return 0;
  });
}
RIGID_EXPORT(rigid_drop) void rigid_drop(CompiledWorld* world, int64_t joint) {
  world->drop(joint);
}

// The size of the saved state; `rigid_saved` then has it. 0 after an error.
RIGID_EXPORT(rigid_save) std::size_t rigid_save(CompiledWorld* world) {
  return guarded<std::size_t>(0, [&] {
    saved = world->save();
    return saved.size();
  });
}
RIGID_EXPORT(rigid_saved) const void* rigid_saved() { return saved.data(); }
RIGID_EXPORT(rigid_restore)
int rigid_restore(CompiledWorld* world, const void* data, std::size_t size) {
  return guarded(-1, [&] {
    world->restore(bytes_at(data, size));
    return 0;
  });
}
