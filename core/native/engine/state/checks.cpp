// SPDX-License-Identifier: MIT
// Checks of a restored world, part by part: for any bytes, all indices are in range afterwards.
#include <cmath>
#include <iterator>

#include "engine/world_parts.h"

namespace rigid {

namespace {

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

// Each constraint of a graph stores its place there.
template <class Constraints>
void check_graph(const Graph& graph, const Constraints& constraints) {
  int total = 0;
  for (int color = 0; color <= Graph::color_count; ++color) {
    const std::vector<int>& ids = graph.ids(color);
    total += static_cast<int>(ids.size());
    for (int slot = 0; slot < static_cast<int>(ids.size()); ++slot) {
      require(is_index(ids[slot], constraints.size()));
      require(constraints[ids[slot]].color == color && constraints[ids[slot]].slot == slot);
    }
  }
  require(total == graph.size());
}

}  // namespace

void Bodies::check(int islands) const {
  const std::size_t count = all.size();
  require(slots.is_sound(count, [this](int slot) { return alive[slot] != 0; }));
  require(count >= 1 && all[0].kind == BodyKind::fixed);
  for (std::size_t size :
       {inverse_masses.size(), stiffened_inverse_masses.size(), step_inverse_masses.size(),
        steps.size(), rests.size(), ledgers.size(), near_walls.size(), states.size(), x.size(),
        y.size(), angle.size(), mass.size(), inertia.size(), awake.size(), alive.size()}) {
    require(size == count);
  }
  require_indices(awake_list, count);
  for (const Body& body : all) {
    require(is_kind(body.kind, BodyKind::dynamic));
    require(body.island >= -1 && body.island < islands);
  }
  for (const EnergyLedger& ledger : ledgers) {
    require(std::isfinite(ledger.plain) && std::isfinite(ledger.lagged));
    require(ledger.reference >= 0 && std::isfinite(ledger.reference));
  }
  require_indices(waking, static_cast<std::size_t>(std::max(islands, 0)));
}

void Shapes::check(const Bodies& bodies) const {
  require(of_body.size() == bodies.size());
  require(slots.is_sound(size(), [this](int slot) { return all[slot].alive; }));
  require(runs.is_sound(vertices.size()));
  require(normals.size() == vertices.size() && given_points.size() == 2 * vertices.size());
  for (const WorldShape& s : all) {
    require(is_index(s.body, bodies.size()) && s.body_kind == bodies[s.body].kind);
    require(is_kind(s.kind, ShapeKind::half_space) && is_index(s.category, 64));
    const std::size_t points = static_cast<std::size_t>(s.count) * (s.part ? 3 : 1);
    require(s.count >= 1 && s.count <= max_vertices && s.first_vertex >= 0);
    require(s.first_vertex + points <= vertices.size());
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    require(is_index(body.first_shape, size() + 1) &&
            is_index(body.shape_count, size() + 1 - body.first_shape));
    for (int shape : of_body[i]) {
      require(is_index(shape, size()) && all[shape].body == static_cast<int>(i));
    }
  }
}

void Broadphase::check() const {
  const int last = shapes_.count();
  require(fixed_tree_.is_sound(last) && moving_tree_.is_sound(last) &&
          kinematic_tree_.is_sound(last));
  require(moved_flag_.size() == shapes_.size() && matrix_.size() == 64);
  require_indices(moved_, shapes_.size());
  pairs_.for_each([this](int a, int b) {
    require(is_index(a, shapes_.size()) && is_index(b, shapes_.size()));
  });
  int moving = 0;
  for (int i = 0; i < last; ++i) {
    const WorldShape& s = shapes_[i];
    const Tree& tree = s.body_kind == BodyKind::fixed ? fixed_tree_ : moving_tree_;
    require(s.proxy == -1 || tree.holds(s.proxy, i));
    if (s.proxy >= 0 && s.body_kind != BodyKind::fixed) ++moving;
    require(s.kinematic_proxy == -1 || kinematic_tree_.holds(s.kinematic_proxy, i));
  }
  // No leaf without a shape of its own: leaves pass their index to their shapes, see Tree::update.
  require(moving == moving_tree_.leaf_count());
}

void Contacts::check() const {
  check_graph(contact_graph_, contacts_);
  require(changed_.size() == contacts_.size() && active_.size() == contacts_.size() &&
          drifts_.size() == contacts_.size());
  require_indices(free_contacts_, contacts_.size());
  require_indices(active_contacts_, contacts_.size());
  for (const Contact& c : contacts_) {
    require(is_index(c.shape_a, shapes_.size()) && is_index(c.shape_b, shapes_.size()));
    require(is_index(c.body_a, bodies_.size()) && is_index(c.body_b, bodies_.size()));
    // The shapes of a removed contact may now belong to others.
    require(!c.alive ||
            (c.body_a == shapes_[c.shape_a].body && c.body_b == shapes_[c.shape_b].body));
    require(c.count >= 0 && c.count <= 2 && c.color >= -1 && c.color <= Graph::color_count);
    if (c.color >= 0) {
      const std::vector<int>& ids = contact_graph_.ids(c.color);
      require(is_index(c.slot, ids.size()) && &contacts_[ids[c.slot]] == &c);
    }
  }
}

void Touches::check(std::size_t bodies) const {
  for (const auto& [key, touch] : touches_) {
    require(is_index(key.a, bodies) && is_index(key.b, bodies));
  }
  for (const auto& [key, step] : touched_) require(touches_.contains(key));
}

void Chains::check() const {
  for (const WorldShape& s : shapes_.all) {
    require(s.link >= -1 && s.link < static_cast<int>(links_.size()));
  }
  require(line_of_link_.size() == links_.size());
  require_indices(line_of_link_, shapes_.size());
  for (const ChainLink& link : links_) {
    for (int other : link.neighbour) require(other == -1 || is_index(other, links_.size()));
  }
}

void ChainBranches::check() const {
  for (const ChainBranch& branch : chain_branches_) {
    require(is_index(branch.body, bodies_.size()));
    require(is_index(branch.link, chains_.links().size()));
  }
}

void ChainTracks::check() const {
  for (const ChainTrack& track : tracks_) {
    require(is_index(track.contact, contacts_.all().size()));
    require(is_index(track.shape, shapes_.size()));
    require(is_index(track.vertex, shapes_[track.shape].count));
    require(is_index(track.chain, bodies_.size()));
    require(is_index(track.link, chains_.links().size()));
    require(is_index(track.start_link, chains_.links().size()));
  }
}

void Joints::check() const {
  for (const Graph& graph : joint_graphs_) check_graph(graph, joints_);
  require_indices(breakable_, joints_.size());
  require_indices(ratchets_, joints_.size());
  require(joint_slots_.is_sound(joints_.size(), [this](int slot) { return joints_[slot].alive; }));
  for (const Joint& j : joints_) {
    require(static_cast<int>(j.kind) < joint_kind_count && is_kind(j.motor, MotorKind::position));
    require(is_index(j.body_a, bodies_.size()) && is_index(j.body_b, bodies_.size()));
    require(j.body_a != j.body_b && is_index(j.graph, joint_graph_count));
    require(j.color >= -1 && j.color <= Graph::color_count);
    for (int linked : {j.linked_a, j.linked_b}) {
      require(linked == -1 || is_index(linked, joints_.size()));
    }
    for (const Spring* spring : {&j.spring, &j.motor_spring, &j.limit_spring}) {
      require(is_index(spring->kind, 3));
    }
    if (j.color >= 0) {
      const std::vector<int>& ids = joint_graphs_[j.graph].ids(j.color);
      require(is_index(j.slot, ids.size()) && &joints_[ids[j.slot]] == &j);
    }
  }
}

void Bars::check(std::size_t bodies) const {
  require(bar_of_.size() <= bodies);
  for (int bar : bar_of_) require(bar == -1 || is_index(bar, bars_.size()));
  for (const Bar& bar : bars_) require(is_index(bar.body, bodies));
}

void WorldParts::check() const {
  require(unfinished.empty() && clock.steps >= 0);
  require(std::isfinite(definition.gravity_x) && std::isfinite(definition.gravity_y));
  for (const Pool& pool : definition.pools) {
    for (double side : {pool.left, pool.bottom, pool.right, pool.top}) require(std::isfinite(side));
    for (double value : {pool.density, pool.damping, pool.drag}) {
      require(std::isfinite(value) && value >= 0);
    }
  }
  bodies.check(islands.count());
  shapes.check(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Body& body = bodies[i];
    for (double value :
         {bodies.x[i], bodies.y[i], bodies.angle[i], body.center_x, body.center_y, body.angle}) {
      require(error || std::isfinite(value));
    }
  }
  broadphase.check();
  contacts.check();
  touches.check(bodies.size());
  chains.check();
  chain_branches.check();
  tracks.check();
  joints.check();
  bars.check(bodies.size());
  require(forces.slots().is_sound(forces.all().size(),
                                  [this](int slot) { return forces.all()[slot].alive; }));
  require(points.slots.is_sound(points.all.size(), [](int) { return false; }));
  for (const BodyPoint& point : points.all) require(is_index(point.body, bodies.size()));
  for (const ForceSource& force : forces.all()) {
    require(is_index(force.body, bodies.size()) && is_kind(force.kind, ForceKind::impulse));
  }
  for (const EventRow& event : events.all()) {
    const bool joint = event.kind == static_cast<int>(EventKind::joint_broken);
    require(is_index(event.kind, std::size(event_kinds)));
    const auto is_id = [](int64_t id, const Slots& slots) {
      return id >= 0 && Slots::slot_of(id) < slots.size();
    };
    require(is_id(event.a, joint ? joints.slots() : bodies.slots));
    require(event.b == -1 || is_id(event.b, bodies.slots));
  }
  require(!error || is_index(error->body, bodies.size()));
  for (const StepError& error : errors) {
    require(is_index(error.body, bodies.size()) && is_kind(error.kind, EventKind::crowded));
  }
}

}  // namespace rigid
