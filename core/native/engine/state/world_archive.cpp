// Saving, restoring and forking a world.
//
// What decides the future is listed here once. What a step makes anew from it (spans of
// constraints, systems of joints, impacts) is not.
#include <cmath>
#include <memory>

#include "engine/state/lists.h"
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
void World::Strand::list(Archive& a) {
  put(a, body, link, lent);
}

template <class Archive>
void World::ChainTrack::list(Archive& a) {
  put(a, contact, shape, vertex, face, chain, start_link, link, rounding, alone, energy, spare,
      range, normal_impulse, tangent_impulse, rolling_impulse, place);
}

template <class Archive>
void World::TouchKey::list(Archive& archive) {
  put(archive, a, b, sensor);
}

template <class Archive>
void World::Touch::list(Archive& archive) {
  put(archive, count, told);
}

// What must be the same for a state to fit. Threads and lanes change no bit.
template <class Archive>
void World::list_definition(Archive& archive) {
  WorldDefinition& d = definition_;
  put(archive, d.gravity_x, d.gravity_y, d.dt, d.solver, d.substeps, d.iterations, d.joints,
      d.warm_start, d.position_correction, d.correction_rate, d.allowed_penetration,
      d.gravity_friction, d.clamp, d.external_force, d.length_unit, d.time_per_second, d.sleep,
      d.friction_mixing, d.restitution_mixing, d.has_bounds, d.bounds, d.freeze_on_error);
}

template <class Archive>
void World::list(Archive& a) {
  put(a, bodies_, masses_, heavy_masses_, step_masses_, body_steps_, near_walls_, has_bullets_,
      states_, x_, y_, angle_, mass_, inertia_, awake_, alive_, awake_bodies_, awake_dirty_,
      unfinished_, stiffened_, body_slots_);
  put(a, shapes_, given_points_, vertices_, normals_, body_shapes_, fixed_tree_, moving_tree_,
      kinematic_tree_, moved_, moved_flag_, matrix_, categories_in_use_, shape_slots_,
      vertex_runs_);
  put(a, contacts_, free_contacts_, pairs_, ignored_, joined_, active_contacts_, contacts_dirty_,
      stale_, changed_, contact_graph_, links_, line_of_link_, crossings_, strands_, tracks_);
  put(a, joints_, joint_graphs_, breakable_, points_, forces_, bars_, bar_of_, joint_slots_,
      force_slots_, point_slots_);
  put(a, island_count_, waking_, events_, touches_, touched_, contact_events_, step_count_,
      has_error_, error_, errors_);
}

// What mechanisms carry over; the rest of them is made anew, from the rest of the state.
template <class Archive>
void World::list_systems(Archive& archive) {
  bool made = !systems_dirty_;
  put(archive, made);
  if constexpr (Archive::reads) {
    systems_dirty_ = true;
    set_parameters();
    if (made) make_systems();
  }
  if (!made) return;
  for (JointSystem& system : systems_) put(archive, system);
  for (IterativeMechanism& mechanism : iterative_) put(archive, mechanism.energy);
}

namespace {

constexpr uint32_t format = 2;
constexpr uint32_t last_word = 0x2e646e65;  // "end."

void require(bool holds) {
  if (!holds) throw DamagedState();
}

bool is_index(int value, std::size_t count) {
  return value >= 0 && static_cast<std::size_t>(value) < count;
}

void require_indices(const std::vector<int>& values, std::size_t count) {
  for (int value : values) require(is_index(value, count));
}

template <class Kind>
bool is_kind(Kind kind, Kind last) {
  return static_cast<int>(kind) >= 0 && static_cast<int>(kind) <= static_cast<int>(last);
}

// Each of a graph's constraints knows its place there.
template <class Things>
void check_graph(const Graph& graph, const Things& things) {
  int total = 0;
  for (int color = 0; color <= Graph::color_count; ++color) {
    const std::vector<int>& ids = graph.ids(color);
    total += static_cast<int>(ids.size());
    for (int slot = 0; slot < static_cast<int>(ids.size()); ++slot) {
      require(is_index(ids[slot], things.size()));
      require(things[ids[slot]].color == color && things[ids[slot]].slot == slot);
    }
  }
  require(total == graph.size());
}

}  // namespace

void World::check_bodies() const {
  const std::size_t count = bodies_.size();
  require(count >= 1 && bodies_[0].kind == BodyKind::fixed);
  for (std::size_t size :
       {masses_.size(), heavy_masses_.size(), step_masses_.size(), body_steps_.size(),
        near_walls_.size(), states_.size(), x_.size(), y_.size(), angle_.size(), mass_.size(),
        inertia_.size(), awake_.size(), alive_.size(), body_shapes_.size()}) {
    require(size == count);
  }
  require_indices(awake_bodies_, count);
  require(unfinished_.empty() && step_count_ >= 0);
  require(body_slots_.is_sound(count, [this](int slot) { return alive_[slot] != 0; }));
  for (std::size_t i = 0; i < count; ++i) {
    const Body& body = bodies_[i];
    require(is_kind(body.kind, BodyKind::dynamic));
    require(body.island >= -1 && body.island < island_count_);
    require(is_index(body.first_shape, shapes_.size() + 1) &&
            is_index(body.shape_count, shapes_.size() + 1 - body.first_shape));
    for (double value : {x_[i], y_[i], angle_[i], body.center_x, body.center_y, body.angle}) {
      require(has_error_ || std::isfinite(value));
    }
    for (int shape : body_shapes_[i]) {
      require(is_index(shape, shapes_.size()) && shapes_[shape].body == static_cast<int>(i));
    }
  }
  require_indices(waking_, static_cast<std::size_t>(std::max(island_count_, 0)));
}

void World::check_shapes() const {
  const std::size_t count = shapes_.size();
  const int last = static_cast<int>(count);
  require(fixed_tree_.is_sound(last) && moving_tree_.is_sound(last) &&
          kinematic_tree_.is_sound(last));
  require(moved_flag_.size() == count && matrix_.size() == 64);
  require(normals_.size() == vertices_.size() && given_points_.size() == 2 * vertices_.size());
  require(shape_slots_.is_sound(count, [this](int slot) { return shapes_[slot].alive; }));
  require(vertex_runs_.is_sound(vertices_.size()));
  require_indices(moved_, count);
  for (std::size_t i = 0; i < count; ++i) {
    const WorldShape& s = shapes_[i];
    const int item = static_cast<int>(i);
    require(is_index(s.body, bodies_.size()) && s.body_kind == bodies_[s.body].kind);
    require(is_kind(s.kind, ShapeKind::polygon_part) && is_index(s.category, 64));
    const std::size_t points = static_cast<std::size_t>(s.count) * (s.part ? 3 : 1);
    require(s.count >= 1 && s.count <= max_vertices && s.first_vertex >= 0);
    require(s.first_vertex + points <= vertices_.size());
    require(s.link >= -1 && s.link < static_cast<int>(links_.size()));
    const Tree& tree = s.body_kind == BodyKind::fixed ? fixed_tree_ : moving_tree_;
    require(s.proxy == -1 || tree.holds(s.proxy, item));
    require(s.kinematic_proxy == -1 || kinematic_tree_.holds(s.kinematic_proxy, item));
  }
  require(line_of_link_.size() == links_.size());
  require_indices(line_of_link_, count);
  for (const ChainLink& link : links_) {
    for (int other : link.neighbour) require(other == -1 || is_index(other, links_.size()));
  }
}

void World::check_contacts() const {
  check_graph(contact_graph_, contacts_);
  require(changed_.size() == contacts_.size());
  require_indices(free_contacts_, contacts_.size());
  require_indices(active_contacts_, contacts_.size());
  for (const Contact& c : contacts_) {
    require(is_index(c.shape_a, shapes_.size()) && is_index(c.shape_b, shapes_.size()));
    require(is_index(c.body_a, bodies_.size()) && is_index(c.body_b, bodies_.size()));
    // The shapes of one that is gone may be those of others by now.
    require(!c.alive ||
            (c.body_a == shapes_[c.shape_a].body && c.body_b == shapes_[c.shape_b].body));
    require(c.count >= 0 && c.count <= 2 && c.color >= -1 && c.color <= Graph::color_count);
    if (c.color >= 0) {
      const std::vector<int>& ids = contact_graph_.ids(c.color);
      require(is_index(c.slot, ids.size()) && &contacts_[ids[c.slot]] == &c);
    }
  }
  for (const Strand& strand : strands_) {
    require(is_index(strand.body, bodies_.size()) && is_index(strand.link, links_.size()));
  }
  for (const ChainTrack& track : tracks_) {
    require(is_index(track.contact, contacts_.size()) && is_index(track.shape, shapes_.size()));
    require(is_index(track.vertex, shapes_[track.shape].count));
    require(is_index(track.chain, bodies_.size()) && is_index(track.link, links_.size()));
    require(is_index(track.start_link, links_.size()));
  }
  for (const auto& [key, touch] : touches_) {
    require(is_index(key.a, bodies_.size()) && is_index(key.b, bodies_.size()));
  }
  for (const auto& [key, step] : touched_) require(touches_.contains(key));
}

void World::check_joints() const {
  for (const Graph& graph : joint_graphs_) check_graph(graph, joints_);
  require_indices(breakable_, joints_.size());
  for (const Joint& j : joints_) {
    require(is_kind(j.kind, JointKind::axial_friction) && is_kind(j.motor, MotorKind::position));
    require(is_index(j.body_a, bodies_.size()) && is_index(j.body_b, bodies_.size()));
    require(j.body_a != j.body_b && is_index(j.graph, joint_graph_count));
    require(j.color >= -1 && j.color <= Graph::color_count);
    for (const Spring* spring : {&j.spring, &j.motor_spring, &j.limit_spring}) {
      require(is_index(spring->kind, 3));
    }
    if (j.color >= 0) {
      const std::vector<int>& ids = joint_graphs_[j.graph].ids(j.color);
      require(is_index(j.slot, ids.size()) && &joints_[ids[j.slot]] == &j);
    }
  }
  require(joint_slots_.is_sound(joints_.size(), [this](int slot) { return joints_[slot].alive; }));
  require(force_slots_.is_sound(forces_.size(), [this](int slot) { return forces_[slot].alive; }));
  require(point_slots_.is_sound(points_.size(), [](int) { return false; }));
  for (const BodyPoint& point : points_) require(is_index(point.body, bodies_.size()));
  for (const ForceSource& force : forces_) {
    require(is_index(force.body, bodies_.size()) && is_kind(force.kind, ForceKind::impulse));
  }
  require(bar_of_.size() <= bodies_.size());
  for (int bar : bar_of_) require(bar == -1 || is_index(bar, bars_.size()));
  for (const Bar& bar : bars_) require(is_index(bar.body, bodies_.size()));
  for (const EventRow& event : events_) {
    const bool joint = event.kind == static_cast<int>(EventKind::joint_broken);
    require(is_index(event.kind, std::size(event_kinds)));
    const auto is_id = [](int64_t id, const Slots& slots) {
      return id >= 0 && Slots::slot_of(id) < slots.size();
    };
    require(is_id(event.a, joint ? joint_slots_ : body_slots_));
    require(event.b == -1 || is_id(event.b, body_slots_));
  }
  require(!has_error_ || is_index(error_.body, bodies_.size()));
  for (const StepError& error : errors_) {
    require(is_index(error.body, bodies_.size()) && is_kind(error.kind, EventKind::crowded));
  }
}

std::vector<std::byte> World::save() {
  finish();
  StateWriter writer;
  uint32_t number = format, end = last_word;
  put(writer, number);
  list_definition(writer);
  list(writer);
  list_systems(writer);
  put(writer, end);
  return writer.take();
}

void World::read(std::span<const std::byte> bytes) {
  StateReader reader(bytes);
  list(reader);
  check_bodies();
  check_shapes();
  check_contacts();
  check_joints();
  lent_.clear();
  separations_.reset(bodies_.size(), shapes_.size(), contacts_.size());
  list_systems(reader);
  uint32_t end = 0;
  put(reader, end);
  require(end == last_word && reader.at_end());
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
  require(bytes.size() > head);
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
  std::unique_ptr<World> twin(new World(*this));
  twin->lent_.clear();  // which point into this one
  return twin;
}

}  // namespace rigid
