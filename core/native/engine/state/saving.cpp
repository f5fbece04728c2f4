// SPDX-License-Identifier: MIT
// Saving, restoring and forking a world, and resetting it to another one.
//
// Each part lists the fields that decide the future once (data/lists.h for plain structs). Data
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
void Strand::list(Archive& a) {
  put(a, body, link, inherited);
}

template <class Archive>
void list(Archive& a, Pool& p) {
  put(a, p.left, p.bottom, p.right, p.top, p.density, p.damping, p.drag);
}

namespace {

constexpr uint32_t format = 14;
constexpr uint32_t last_word = 0x2e646e65;  // "end."

}  // namespace

// Settings that must agree for a state to fit. Threads and lanes change no bit.
template <class Archive>
void World::list_definition(Archive& archive) {
  WorldDefinition& d = definition_;
  int solver = static_cast<int>(d.solver - solver_types().data());
  uint64_t pools = d.pools.size();
  put(archive, d.dt, solver, d.substeps, d.iterations, d.joints, d.warm_start,
      d.position_correction, d.correction_rate, d.allowed_penetration, d.gravity_friction, d.clamp,
      d.external_force, d.length_unit, d.time_per_second, d.sleep, d.friction_mixing,
      d.restitution_mixing, d.has_bounds, d.bounds, d.freeze_on_error, d.air_drag, d.air_density,
      d.attraction, d.softening, pools);
}

template <class Archive>
void World::list(Archive& a) {
  put(a, definition_.gravity_x, definition_.gravity_y);
  for (Pool& pool : definition_.pools) put(a, pool);
  put(a, clock_.steps, bodies_, unfinished_, shapes_, points_, forces_, bars_, events_, broadphase_,
      touches_, contacts_, joints_, islands_, tension_, chains_, strands_, tracks_);
  bool stopped = error_.has_value();
  put(a, stopped);
  if (stopped && !error_) error_.emplace();
  if (stopped) put(a, *error_);
  if (!stopped) error_.reset();
  put(a, errors_);
}

// Forgets data of the last step that the next one reads before it derives it again.
void World::forget_loads() {
  loads_.clear();
  footings_.clear();
}

std::vector<std::byte> World::save() {
  finish();
  StateWriter writer;
  uint32_t number = format, end = last_word;
  put(writer, number);
  list_definition(writer);
  list(writer);
  put(writer, mechanisms_);
  put(writer, end);
  return writer.take();
}

void World::read(std::span<const std::byte> bytes) {
  StateReader reader(bytes);
  list(reader);
  parameters_ = definition_.solver->parameters(definition_);
  check();
  forget_loads();
  separations_.reset(bodies_.size(), shapes_.size(), contacts_.all().size());
  for (int i = 0; i < bodies_.count(); ++i) separations_.place(i, bodies_[i]);
  put(reader, mechanisms_);
  uint32_t end = 0;
  put(reader, end);
  if (!(end == last_word && reader.at_end())) throw DamagedState();
}

void World::restore(std::span<const std::byte> bytes) {
  StateReader reader(bytes);
  uint32_t number = 0;
  put(reader, number);
  if (number != format) throw std::invalid_argument("the state is of another version of rigid");
  StateWriter own;
  list_definition(own);
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

std::unique_ptr<World> World::fork() {
  finish();
  return std::unique_ptr<World>(new World(definition_, this));
}

void World::foresee_mechanisms() {
  finish();
  if (!joints_.regrouped() || mechanisms_.foresees()) return;
  const std::unique_ptr<World> other = fork();
  other->mechanisms_.make_systems();
  mechanisms_.foresee(other->mechanisms_);
}

bool World::assign(World& other) {
  // Gravity and pools may be set in a run, and are taken over.
  if (definition_.pools.size() != other.definition_.pools.size()) return false;
  definition_.pools = other.definition_.pools;
  definition_.gravity_x = other.definition_.gravity_x;
  definition_.gravity_y = other.definition_.gravity_y;
  if (!(definition_ == other.definition_)) return false;
  other.finish();
  clock_ = other.clock_;
  parameters_ = other.parameters_;
  bodies_ = other.bodies_;
  shapes_ = other.shapes_;
  points_ = other.points_;
  forces_ = other.forces_;
  bars_ = other.bars_;
  events_.assign(other.events_);
  separations_ = other.separations_;
  broadphase_.assign(other.broadphase_);
  touches_.assign(other.touches_);
  contacts_.assign(other.contacts_);
  joints_.assign(other.joints_);
  islands_.assign(other.islands_);
  iterative_.assign(other.iterative_);
  mechanisms_.assign(other.mechanisms_);
  tension_.assign(other.tension_);
  chains_.assign(other.chains_);
  strands_.assign(other.strands_);
  tracks_.assign(other.tracks_);
  forget_loads();
  unfinished_ = other.unfinished_;
  error_ = other.error_;
  errors_ = other.errors_;
  return true;
}

}  // namespace rigid
