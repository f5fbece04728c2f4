// SPDX-License-Identifier: MIT
// Saving, restoring and forking a world, and resetting it to the state of another one.
//
// Each part lists the fields that determine its future once (data/lists.h for plain structs). Data
// that a step derives from them (spans of constraints, systems of joints, impacts) is not saved.
#include <memory>

#include "engine/data/lists.h"
#include "engine/world.h"

namespace rigid {

template <class Archive>
void list(Archive& a, TrackPlace& p) {
  put(a, p.normal, p.from_a, p.from_b, p.gap, p.aim, p.bounces);
}

template <class Archive>
void list(Archive& a, BodyPoint& p) {
  put(a, p.body, p.x, p.y);
}

template <class Archive>
void list(Archive& a, ForceSource& f) {
  put(a, f.kind, f.body, f.at_center, f.enabled, f.alive, f.at_x, f.at_y, f.x, f.y, f.torque,
      f.start, f.until);
}

template <class Archive>
void list(Archive& a, Bar& b) {
  put(a, b.body, b.left_x, b.left_y, b.right_x, b.right_y);
}

template <class Archive>
void list(Archive& a, StepError& e) {
  put(a, e.kind, e.body, e.step, e.x, e.y, e.vx, e.vy, e.omega);
}

template <class Archive>
void ChainTrack::list(Archive& a) {
  put(a, contact, shape, vertex, face, chain, start_link, link, rounding, alone, energy, spare,
      range, normal_impulse, tangent_impulse, rolling_impulse, place);
}

template <class Archive>
void ChainBranch::list(Archive& a) {
  put(a, body, link, inherited);
}

template <class Archive>
void list(Archive& a, Pool& p) {
  put(a, p.left, p.bottom, p.right, p.top, p.density, p.damping, p.drag);
}

namespace {

constexpr uint32_t format = 16;
constexpr uint32_t last_word = 0x2e646e65;  // "end."

}  // namespace

// Settings that must agree for a state to fit. The numbers of threads and lanes change no bit.
template <class Archive>
void WorldParts::list_definition(Archive& archive) {
  WorldDefinition& d = definition;
  int solver = static_cast<int>(d.solver - solver_types().data());
  uint64_t pools = d.pools.size();
  put(archive, d.dt, solver);
#define RIGID_PUT(name, start, least, most, meaning) put(archive, d.name);
#define RIGID_PUT_CHOICE(Kind, name, start, names, meaning) put(archive, d.name);
#define RIGID_PUT_FLAG(name, start, meaning) put(archive, d.name);
#define RIGID_PUT_BOX(name, meaning) put(archive, d.has_##name, d.name);
  RIGID_SETTINGS(RIGID_PUT, RIGID_PUT, RIGID_PUT_CHOICE, RIGID_PUT_FLAG, RIGID_PUT_BOX)
  put(archive, pools);
}

template <class Archive>
void WorldParts::list(Archive& a) {
  put(a, definition.gravity_x, definition.gravity_y);
  for (Pool& pool : definition.pools) put(a, pool);
  put(a, clock.steps, bodies, unfinished, shapes, points, forces, bars, events, broadphase, touches,
      contacts, joints, islands, geometric_stiffness, chains, chain_branches, tracks);
  bool stopped = error.has_value();
  put(a, stopped);
  if (stopped && !error) error.emplace();
  if (stopped) put(a, *error);
  if (!stopped) error.reset();
  put(a, errors);
}

// Discards data of the last step that the next one reads before it derives it again.
void WorldParts::forget_loads() {
  effective_masses.clear();
  contact_joint_problems.clear();
}

bool WorldParts::assign(const WorldParts& other) {
  // Gravity and pools may be changed in a run, and are copied.
  if (definition.pools.size() != other.definition.pools.size()) return false;
  definition.pools = other.definition.pools;
  definition.gravity_x = other.definition.gravity_x;
  definition.gravity_y = other.definition.gravity_y;
  if (!(definition == other.definition)) return false;
  clock = other.clock;
  parameters = other.parameters;
  bodies = other.bodies;
  shapes = other.shapes;
  points = other.points;
  forces = other.forces;
  bars = other.bars;
  events.assign(other.events);
  separations = other.separations;
  broadphase.assign(other.broadphase);
  touches.assign(other.touches);
  contacts.assign(other.contacts);
  joints.assign(other.joints);
  islands.assign(other.islands);
  iterative.assign(other.iterative);
  mechanisms.assign(other.mechanisms);
  geometric_stiffness.assign(other.geometric_stiffness);
  chains.assign(other.chains);
  chain_branches.assign(other.chain_branches);
  tracks.assign(other.tracks);
  forget_loads();
  unfinished = other.unfinished;
  error = other.error;
  errors = other.errors;
  return true;
}

std::vector<std::byte> World::save() {
  finish();
  StateWriter writer;
  uint32_t number = format, end = last_word;
  put(writer, number);
  parts_.list_definition(writer);
  parts_.list(writer);
  put(writer, parts_.mechanisms);
  put(writer, end);
  return writer.take();
}

void World::read(std::span<const std::byte> bytes) {
  StateReader reader(bytes);
  parts_.list(reader);
  parts_.parameters = parts_.definition.solver->parameters(parts_.definition);
  parts_.check();
  parts_.forget_loads();
  parts_.separations.reset(parts_.bodies.size(), parts_.shapes.size(),
                           parts_.contacts.all().size());
  for (int i = 0; i < parts_.bodies.count(); ++i) parts_.separations.place(i, parts_.bodies[i]);
  put(reader, parts_.mechanisms);
  uint32_t end = 0;
  put(reader, end);
  if (!(end == last_word && reader.at_end())) throw DamagedState();
}

void World::restore(std::span<const std::byte> bytes) {
  leave_lanes();
  StateReader reader(bytes);
  uint32_t number = 0;
  put(reader, number);
  if (number != format) throw std::invalid_argument("the state is of another version of rigid");
  StateWriter own;
  parts_.list_definition(own);
  const std::vector<std::byte> definition = own.take();
  const std::size_t head = sizeof number + definition.size();
  if (!(bytes.size() > head)) throw DamagedState();
  if (!std::equal(definition.begin(), definition.end(), bytes.begin() + sizeof number)) {
    throw std::invalid_argument("the state is of a world with other settings");
  }
  const std::unique_ptr<World> before = fork();
  try {
    read(bytes.subspan(head));
  } catch (...) {
    const std::vector<std::byte> saved = before->save();
    read(std::span(saved).subspan(head));
    throw;
  }
}

}  // namespace rigid
