// SPDX-License-Identifier: MIT
// The engine's interface for WebAssembly: what rigid.js calls. Pointers are of the module's memory.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiled/compiled_world.h"
#include "engine/bodies/readings.h"
#include "engine/building/checked_channels.h"
#include "engine/channels.h"

// The value of a function of which portable mathematics is not sure; not a number for none.
extern "C" __attribute__((import_module("rigid"), import_name("exact"))) double rigid_exact(
    const char* name, const double* numbers, int count);

#define RIGID_EXPORT(name) extern "C" __attribute__((export_name(#name), used))

namespace {

using namespace rigid;

std::string message;
std::vector<std::byte> saved;
std::vector<int> found;
std::vector<double> numbers;

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

std::optional<double> exact(Operation operation, std::span<const double> given) {
  const double value = rigid_exact(operation_names[static_cast<int>(operation)], given.data(),
                                   static_cast<int>(given.size()));
  return std::isnan(value) ? std::nullopt : std::optional(value);
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
  return guarded<CompiledWorld*>(
      nullptr, [&] { return new CompiledWorld(bytes_at(data, size), lanes, exact); });
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
// The id of each joint, by which a later one in its place is told apart.
RIGID_EXPORT(rigid_joint_ids) const double* rigid_joint_ids(CompiledWorld* world) {
  const auto& joints = world->world().parts().joints;
  numbers.clear();
  for (int i = 0; i < joints.count(); ++i) numbers.push_back(static_cast<double>(joints.id(i)));
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

// The births since events were last taken, as numbers in `rigid_numbers`: of each the birth of the
// program, its number, how many bodies and how many joints it has, and their ids.
RIGID_EXPORT(rigid_births) int rigid_births(CompiledWorld* world) {
  numbers.clear();
  if (const script::Runner* runner = world->runner()) {
    for (const script::Birth& birth : runner->births()) {
      numbers.insert(
          numbers.end(),
          {static_cast<double>(birth.spawn), static_cast<double>(birth.count),
           static_cast<double>(birth.bodies.size()), static_cast<double>(birth.joints.size())});
      numbers.insert(numbers.end(), birth.bodies.begin(), birth.bodies.end());
      numbers.insert(numbers.end(), birth.joints.begin(), birth.joints.end());
    }
  }
  return static_cast<int>(numbers.size());
}

// The bodies that were born and may break, pieces among them: their number, and their ids in
// `rigid_numbers`.
RIGID_EXPORT(rigid_breakable) int rigid_breakable(CompiledWorld* world) {
  numbers.clear();
  if (const script::Runner* runner = world->runner()) {
    for (const auto& each : runner->state().breaking) {
      numbers.push_back(static_cast<double>(each.first));
    }
  }
  return static_cast<int>(numbers.size());
}
// One of them: its name is the message, and `rigid_numbers` has, in its coordinates, the origin of
// the body that it is a piece of; how many outlines it has and how many parts of a picture; and
// of each polygon the number of its corners and these. -1 where there is none.
RIGID_EXPORT(rigid_piece) int rigid_piece(CompiledWorld* world, double id) {
  const script::Runner* runner = world->runner();
  if (runner == nullptr) return -1;
  const auto found = runner->state().breaking.find(static_cast<int64_t>(id));
  if (found == runner->state().breaking.end()) return -1;
  const auto& [name, what, origin, along] = found->second;
  message = name;
  numbers = {origin.x, origin.y, static_cast<double>(what->outlines.size()),
             static_cast<double>(what->picture.size())};
  for (const auto* polygons : {&what->outlines, &what->picture}) {
    for (const PlanePolygon& polygon : *polygons) {
      numbers.push_back(static_cast<double>(polygon.size()));
      for (const PlanePoint point : polygon) numbers.insert(numbers.end(), {point.x, point.y});
    }
  }
  return static_cast<int>(numbers.size());
}
// The bodies that were shown or hidden: their number; `rigid_numbers` has pairs of an id and
// 1 or 0.
RIGID_EXPORT(rigid_shown) int rigid_shown(CompiledWorld* world) {
  numbers.clear();
  if (const script::Runner* runner = world->runner()) {
    for (const auto& [id, shown] : runner->state().visible) {
      numbers.insert(numbers.end(), {static_cast<double>(id), shown != 0 ? 1.0 : 0.0});
    }
  }
  return static_cast<int>(numbers.size() / 2);
}

// The number of events since they were last taken; `rigid_numbers` then has rows of five numbers:
// the step, the kind, two ids and an amount. A script's messages have kinds from `script::said` on.
RIGID_EXPORT(rigid_take_events) int rigid_take_events(CompiledWorld* world) {
  numbers.clear();
  const auto add = [](auto... values) {
    numbers.insert(numbers.end(), {static_cast<double>(values)...});
  };
  if (script::Runner* runner = world->runner()) {
    for (const script::LogRow& row : runner->log()) {
      add(row.step, row.kind, row.a, row.b, row.x);
    }
    runner->clear_log();
  }
  for (const EventRow& row : world->world().take_events()) add(row.step, row.kind, row.a, row.b, 0);
  return static_cast<int>(numbers.size() / 5);
}

// ------------------------------------------------------------ the script

// The state variables of the scene, in their order.
RIGID_EXPORT(rigid_variables) const double* rigid_variables(CompiledWorld* world) {
  const script::Runner* runner = world->runner();
  return runner == nullptr ? nullptr : runner->state().variables.data();
}
// Whether each actuator is enabled: 1 or 0 in `rigid_numbers`; the number of them.
RIGID_EXPORT(rigid_actuators) int rigid_actuators(CompiledWorld* world) {
  numbers.clear();
  if (const script::Runner* runner = world->runner()) {
    for (const auto& each : runner->state().actuators) numbers.push_back(each.enabled ? 1 : 0);
  }
  return static_cast<int>(numbers.size());
}
// The outcome of the run, a place in the texts of the program; -1 as long as there is none.
RIGID_EXPORT(rigid_outcome) int rigid_outcome(CompiledWorld* world) {
  const script::Runner* runner = world->runner();
  return runner == nullptr ? script::none : runner->state().ending;
}
// The number of readings; `rigid_numbers` then has their values, not a number where there is none.
RIGID_EXPORT(rigid_read) int rigid_read(CompiledWorld* world) {
  return guarded(-1, [&] {
    numbers = world->read();
    return static_cast<int>(numbers.size());
  });
}
// Inputs from the next step on: rows of a step, a kind and a key or what is asked for.
RIGID_EXPORT(rigid_inputs) int rigid_inputs(CompiledWorld* world, const double* rows, int count) {
  return guarded(-1, [&] {
    std::vector<script::TimedInput> inputs;
    for (const double* row = rows; row != rows + 3 * static_cast<std::size_t>(count); row += 3) {
      inputs.push_back({static_cast<int64_t>(row[0]),
                        static_cast<script::InputKind>(static_cast<int>(row[1])),
                        static_cast<int>(row[2])});
    }
    world->set_inputs(std::move(inputs));
    return 0;
  });
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
// Pulls, from the next step on; `number` tells them apart.
RIGID_EXPORT(rigid_grab)
int rigid_grab(CompiledWorld* world, int number, int body, double point_x, double point_y, double x,
               double y, double force) {
  return guarded(-1, [&] {
    world->grab(number, body, {point_x, point_y}, {x, y}, force);
    return 0;
  });
}
RIGID_EXPORT(rigid_drag) int rigid_drag(CompiledWorld* world, int number, double x, double y) {
  return guarded(-1, [&] {
    world->drag(number, {x, y});
    return 0;
  });
}
RIGID_EXPORT(rigid_drop) void rigid_drop(CompiledWorld* world, int number) { world->drop(number); }

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
// Restores the state of the engine alone.
RIGID_EXPORT(rigid_restore_engine)
int rigid_restore_engine(CompiledWorld* world, const void* data, std::size_t size) {
  return guarded(-1, [&] {
    world->restore_engine(bytes_at(data, size));
    return 0;
  });
}
