// Broad and narrow phase: which shapes are near one another, and where they touch.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "engine/constants.h"
#include "engine/world.h"
#include "geometry/manifold.h"
#include "geometry/query.h"

namespace rigid {

namespace {

constexpr int pair_piece = 64;         // shapes per piece of the pair search
constexpr int contact_piece = 128;     // contacts per piece of the narrow phase
constexpr std::size_t counted = 1024;  // pairs that a search finds before it tells the others
constexpr int looked_at = 1 << 22;     // neighbours, for the place where most are

enum Change : uint8_t { none = 0, apart = 1, begin = 2, end = 3, sensed = 4 };

bool is_line(ShapeKind kind) {
  return kind == ShapeKind::segment || kind == ShapeKind::chain_segment;
}

// A float box round a box at a double position: rounding must not make it smaller.
Aabb place(const Aabb& box, double x, double y) {
  double lx = x + box.lower.x, ly = y + box.lower.y, ux = x + box.upper.x, uy = y + box.upper.y;
  float ex = static_cast<float>(std::max(std::fabs(lx), std::fabs(ux)) * 2.4e-7);
  float ey = static_cast<float>(std::max(std::fabs(ly), std::fabs(uy)) * 2.4e-7);
  return {{static_cast<float>(lx) - ex, static_cast<float>(ly) - ey},
          {static_cast<float>(ux) + ex, static_cast<float>(uy) + ey}};
}

// Holds each body at its own surface, where the pair is yet to meet or is that of a circle: what is
// done to them is then done with the lever arms that they have when they touch. Elsewhere points
// lie midway. `gap` leads from A's points to B's.
void hold_at_surfaces(Manifold& manifold, Vec2& gap, bool round) {
  const Vec2 n = manifold.normal;
  float nearest = manifold.points[0].separation;
  if (manifold.count == 2) nearest = std::min(nearest, manifold.points[1].separation);
  nearest -= dot(gap, n);
  if (!round && nearest <= 0.0f) return;
  gap = gap + nearest * n;
  for (int k = 0; k < manifold.count; ++k) {
    manifold.points[k].point = manifold.points[k].point - 0.5f * nearest * n;
  }
}

}  // namespace

Aabb World::shape_box(const WorldShape& shape) const {
  const Body& body = bodies_[shape.body];
  return place(compute_aabb(view(shape), {{0, 0}, body.rotation}), body.center_x, body.center_y);
}

// The box of everything the shape may reach in the next step, as far as it can be told now.
Aabb World::swept_box(const WorldShape& shape, const Aabb& now) const {
  const Body& body = bodies_[shape.body];
  const BodyState& state = states_[shape.body];
  float dt = static_cast<float>(definition_.dt);
  Aabb box;
  float turn = std::fabs(state.omega) * dt, swing = 0.0f;
  if (turn > widest_turn) {
    box = place({{-body.extent, -body.extent}, {body.extent, body.extent}}, body.center_x,
                body.center_y);
  } else {
    box = now;
    swing = turn * body.extent;
  }
  float mx = state.vx * dt, my = state.vy * dt;
  box.lower.x += std::min(mx, 0.0f) - swing;
  box.lower.y += std::min(my, 0.0f) - swing;
  box.upper.x += std::max(mx, 0.0f) + swing;
  box.upper.y += std::max(my, 0.0f) + swing;
  return box;
}

// The box of a way that a shape has gone within the step.
Aabb World::way_box(const WorldShape& shape, const Motion& motion) const {
  const Body& body = bodies_[shape.body];
  const Vec2 end = motion.from + motion.move;
  const float turn = std::fabs(motion.turn);
  float swing = shape.reach + shape.radius;
  Aabb box{{0, 0}, {0, 0}};
  if (turn <= widest_turn) {
    Rotation q = body.rotation * make_rotation(motion.angle);
    box = compute_aabb(view(shape), {{0, 0}, q});
    swing = turn * shape.reach;
  }
  Vec2 low = min(motion.from, end), high = max(motion.from, end);
  box.lower = box.lower + low - Vec2{swing, swing};
  box.upper = box.upper + high + Vec2{swing, swing};
  return place(box, body.center_x, body.center_y);
}

void World::refresh_proxy(int index) {
  WorldShape& shape = shapes_[index];
  const Aabb now = shape_box(shape), box = swept_box(shape, now);
  auto measure_slack = [&] {
    Vec2 low = now.lower - shape.fat.lower, high = shape.fat.upper - now.upper;
    shape.slack = std::min(std::min(low.x, low.y), std::min(high.x, high.y));
  };
  if (contains(shape.fat, box)) {
    measure_slack();
    return;
  }
  // Something fast leaves any margin with the next step; the way it may go is in its box already.
  const BodyState& state = states_[shape.body];
  float motion =
      std::max(std::fabs(state.vx), std::fabs(state.vy)) * static_cast<float>(definition_.dt);
  float size = std::max(box.upper.x - box.lower.x, box.upper.y - box.lower.y) - motion;
  float unit = static_cast<float>(definition_.length_unit);
  float margin = std::min(constants::aabb_margin * unit, 0.125f * size);
  if (margin < motion) margin = 0.0f;
  margin += 0.5f * constants::speculative_distance * unit;
  shape.fat = {{box.lower.x - margin, box.lower.y - margin},
               {box.upper.x + margin, box.upper.y + margin}};
  measure_slack();
  separations_.change_box(index);
  shape.proxy = moving_tree_.move(shape.proxy, shape.fat);
  if (shape.kinematic_proxy >= 0) {
    shape.kinematic_proxy = kinematic_tree_.move(shape.kinematic_proxy, shape.fat);
  }
  // Who touches nobody need not look for anybody.
  if (!moved_flag_[index] && (matrix_[shape.category] & categories_in_use_) != 0) {
    moved_flag_[index] = 1;
    moved_.push_back(index);
  }
}

// What the boxes of its shapes make room for, and how far its contacts may leave it alone.
void World::expect_way(int index) {
  Body& body = bodies_[index];
  const BodyState& state = states_[index];
  body.expected_velocity = {state.vx, state.vy};
  body.expected_spin = state.omega;
  separations_.set_pace(index, state, body.extent, static_cast<float>(definition_.dt));
}

// After its velocity was set, so that the next step's pairs are those of its new way.
void World::refresh_proxies(int index) {
  expect_way(index);
  for (int shape : body_shapes_[index]) {
    if (shapes_[shape].proxy >= 0) refresh_proxy(shape);
  }
}

bool World::should_collide(const WorldShape& a, const WorldShape& b) const {
  if (a.body == b.body) return false;
  bool sensor = a.sensor || b.sensor;
  if (sensor) {
    if (a.sensor && b.sensor) return false;
    if (a.body_kind == BodyKind::fixed && b.body_kind == BodyKind::fixed) return false;
  } else {
    if (a.body_kind != BodyKind::dynamic && b.body_kind != BodyKind::dynamic) return false;
    if (is_line(a.kind) && is_line(b.kind)) return false;
  }
  if (!(matrix_[a.category] >> b.category & 1)) return false;
  if (ignored_.contains(a.body, b.body)) return false;
  return joined_.empty() || !joined_.contains(joined_key(a.body, b.body));
}

// False, with nothing changed, where more pairs were found than a world may have.
bool World::update_pairs() {
  if (moved_.empty()) return true;
  std::sort(moved_.begin(), moved_.end());
  // Where much moves, the moving tree is tried against itself as a whole: the upper levels are then
  // gone through once, not once for every shape.
  constexpr int tree_pieces = 64;
  const bool whole = 3 * static_cast<int>(moved_.size()) > moving_tree_.leaf_count();
  std::vector<Tree::Subtrees> subtrees;
  if (whole) subtrees = moving_tree_.pieces(tree_pieces);
  const int first_moved = static_cast<int>(subtrees.size());
  const int pieces = first_moved + (static_cast<int>(moved_.size()) + pair_piece - 1) / pair_piece;
  std::vector<std::vector<Found>> found(pieces);
  // In thousands of shapes on one spot nearly every two are a pair: the search ends before these
  // take up the memory. Whether it does depends on all pieces together, so not on their order.
  const std::size_t most = static_cast<std::size_t>(definition_.max_pairs);
  std::atomic<std::size_t> so_far{pairs_.size()};
  auto consider = [&](int piece, int index, int other) {
    if (!should_collide(shapes_[index], shapes_[other])) return true;
    int a = std::min(index, other), b = std::max(index, other);
    if (pairs_.contains(a, b)) return true;
    found[piece].push_back({a, b});
    if (found[piece].size() % counted != 0) return true;
    return so_far.fetch_add(counted, std::memory_order_relaxed) + counted <= most;
  };
  auto search = [&](int piece) {
    if (piece < first_moved) {
      moving_tree_.visit_pairs(subtrees[piece], [&](int a, int b) {
        return !(moved_flag_[a] || moved_flag_[b]) || consider(piece, a, b);
      });
      return;
    }
    int from = (piece - first_moved) * pair_piece;
    int to = std::min(from + pair_piece, static_cast<int>(moved_.size()));
    for (int i = from; i < to; ++i) {
      int index = moved_[i];
      const WorldShape& shape = shapes_[index];
      if (shape.proxy < 0) continue;
      auto visit = [&](int other) {
        // Of two that moved, the first one reports.
        return (moved_flag_[other] && other <= index) || consider(piece, index, other);
      };
      bool fixed = shape.body_kind == BodyKind::fixed;
      if (fixed || !whole) moving_tree_.query(shape.fat, visit);
      if (!fixed) fixed_tree_.query(shape.fat, visit);
    }
  };
  pool_.run(pieces, 1, [&](int first, int last) {
    for (int piece = first; piece < last; ++piece) {
      if (so_far.load(std::memory_order_relaxed) <= most) search(piece);
    }
  });
  if (so_far > most) return stop_crowded();
  std::vector<Found> all;
  for (const auto& part : found) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end(),
            [](const Found& l, const Found& r) { return l.a != r.a ? l.a < r.a : l.b < r.b; });
  if (pairs_.size() + all.size() > most) return stop_crowded();
  for (const Found& pair : all) {
    pool_.spend(1, contact_piece);
    if (pairs_.add(pair.a, pair.b)) create_contact(pair.a, pair.b);
  }
  for (int index : moved_) moved_flag_[index] = 0;
  moved_.clear();
  return true;
}

// Stops the world at the body that has the most others about it, as far as a look at all in their
// order finds it soon.
bool World::stop_crowded() {
  int body = 0, largest = -1, left = looked_at;
  for (int i = 0; i < shape_count() && left > 0; ++i) {
    const WorldShape& shape = shapes_[i];
    if (shape.proxy < 0 || shape.body_kind == BodyKind::fixed) continue;
    int count = 0;
    auto visit = [&](int other) {
      count += should_collide(shape, shapes_[other]);
      return --left > 0;
    };
    moving_tree_.query(shape.fat, visit);
    fixed_tree_.query(shape.fat, visit);
    if (count > largest) {
      largest = count;
      body = shape.body;
    }
  }
  error_ = error_of(EventKind::crowded, body);
  has_error_ = true;
  return false;
}

// Whether a pair needs no look in this step; what is static is noted all the same.
bool World::stays_apart(int index) {
  const Contact& contact = contacts_[index];
  if (!separations_.hold(index, contact)) return false;
  if (!movable(contact.body_a)) mark_near(contact.body_b);
  if (!movable(contact.body_b)) mark_near(contact.body_a);
  return true;
}

// Of a pair without a contact. What something kinematic approaches is looked at in every step.
void World::note_separation(int index, float separation, float margin) {
  Contact& contact = contacts_[index];
  const float slack = separation - 1.1f * margin;
  if (!(slack > 0.0f) || bodies_[contact.body_a].kind == BodyKind::kinematic ||
      bodies_[contact.body_b].kind == BodyKind::kinematic) {
    return;
  }
  separations_.keep(index, contact, slack);
  // States are the same whether the pair was looked at or not.
  contact.normal = {1, 0};
  contact.offset = {0, 0};
}

bool World::update_contact(int index) {
  if (stays_apart(index)) return false;
  Contact& contact = contacts_[index];
  const WorldShape &sa = shapes_[contact.shape_a], &sb = shapes_[contact.shape_b];
  if (!overlaps(sa.fat, sb.fat)) {
    changed_[index] = apart;
    contact.count = 0;
    return true;
  }
  const Body &a = bodies_[contact.body_a], &b = bodies_[contact.body_b];
  Vec2 between = {static_cast<float>(b.center_x - a.center_x),
                  static_cast<float>(b.center_y - a.center_y)};
  Transform relative = {inverse_rotate(a.rotation, between),
                        inverse_multiply(a.rotation, b.rotation)};
  Shape shape_a = view(sa), shape_b = view(sb);
  if (contact.sensor) {
    bool inside = overlaps(shape_a, shape_b, relative);
    changed_[index] = inside != contact.touching ? sensed : none;
    return inside != contact.touching;
  }
  if (a.kind != BodyKind::dynamic || b.kind != BodyKind::dynamic) mark_walls(contact, between);
  const bool smooth = is_smooth_chain(contact);
  // Without any margin a box that rests on another would stand on one corner for a rounding error.
  const bool ahead = definition_.solver == SolverKind::soft_step || smooth;
  const float margin = ahead ? parameters_.speculative : parameters_.slop;
  Manifold manifold = collide(shape_a, shape_b, relative, margin);
  const float separation = manifold.points[0].separation;
  Vec2 gap = {0, 0};
  contact.brushes = false;
  if (manifold.count == 0) {
    if (!sweep(contact, between, manifold, gap)) manifold.count = 0;
  } else {
    manifold.normal = rotate(a.rotation, manifold.normal);
    for (int k = 0; k < manifold.count; ++k) {
      manifold.points[k].point = rotate(a.rotation, manifold.points[k].point);
    }
    contact.brushes = brushes(contact, between, manifold);
    if (contact.brushes && !smooth) manifold.count = 0;
  }
  if (manifold.count > 0) hold_at_surfaces(manifold, gap, contact.round_a || contact.round_b);
  int before = contact.count;
  ContactPoint old[2] = {contact.points[0], contact.points[1]};
  contact.count = manifold.count;
  contact.normal = manifold.normal;
  // Anchor of B = anchor of A + offset.
  contact.offset = gap - between;
  for (int k = 0; k < manifold.count; ++k) {
    const ManifoldPoint& from = manifold.points[k];
    ContactPoint& to = contact.points[k];
    to = {from.point, from.separation, 0, 0, 0, 0, from.id};
    for (int j = 0; j < before; ++j) {
      if (old[j].id != from.id) continue;
      to.normal_impulse = old[j].normal_impulse;
      to.tangent_impulse = old[j].tangent_impulse;
      break;
    }
  }
  if (contact.count == 0) {
    contact.rolling_impulse = 0;
    if (!smooth) note_separation(index, separation, margin);
  }
  changed_[index] = before == 0 && contact.count > 0   ? begin
                    : before > 0 && contact.count == 0 ? end
                                                       : none;
  return changed_[index] != none;
}

// What update_contact found, changed.
void World::set_count(int index, int count) {
  Contact& contact = contacts_[index];
  const bool held = contact.color >= 0;
  contact.count = count;
  changed_[index] = count > 0 && !held ? begin : count == 0 && held ? end : none;
}

void World::update_contacts() {
  if (contacts_dirty_) {
    active_contacts_.clear();
    for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
      if (contacts_[i].alive && contacts_[i].active) active_contacts_.push_back(i);
    }
    contacts_dirty_ = false;
  }
  std::fill(near_walls_.begin(), near_walls_.end(), uint8_t{0});
  pool_.run(static_cast<int>(active_contacts_.size()), contact_piece, [this](int first, int last) {
    for (int i = first; i < last; ++i) update_contact(active_contacts_[i]);
  });
  form_tracks();
  for (int index : active_contacts_) {
    if (changed_[index] != none) pool_.spend(1, contact_piece);
    switch (changed_[index]) {
      case none:
        break;
      case apart:
        destroy_contact(index);
        break;
      case begin:
        insert_constraint(index);
        break;
      case end:
        remove_constraint(index);
        break;
      default:
        set_touching(contacts_[index], !contacts_[index].touching, step_count_ + 1);
    }
    changed_[index] = none;
  }
  tell_touching(true);
}

void World::insert_constraint(int index) {
  Contact& contact = contacts_[index];
  if (contact.color >= 0) return;
  wake_body(contact.body_a);
  wake_body(contact.body_b);
  Graph::Place place = contact_graph_.add(index, contact.body_a, contact.body_b,
                                          movable(contact.body_a), movable(contact.body_b));
  contact.color = place.color;
  contact.slot = place.slot;
}

void World::remove_constraint(int index) {
  Contact& contact = contacts_[index];
  if (contact.color < 0) return;
  int moved = contact_graph_.remove({contact.color, contact.slot}, contact.body_a, contact.body_b,
                                    movable(contact.body_a), movable(contact.body_b));
  if (moved >= 0) contacts_[moved].slot = contact.slot;
  contact.color = contact.slot = -1;
}

// After a step: which contacts carried something, or overlap.
void World::report_touching() {
  for (int index : active_contacts_) {
    Contact& contact = contacts_[index];
    if (!contact.alive || contact.sensor) continue;
    bool touching = false;
    for (int k = 0; k < contact.count; ++k) {
      touching |= contact.points[k].total_normal > 0.0f || contact.points[k].separation <= 0.0f;
    }
    if (touching != contact.touching) set_touching(contact, touching, step_count_);
  }
  tell_touching();
}

// Two bodies may touch in many places, with parts of theirs or lines of a chain; it is told once.
// The place may go from one part to the next within a step: what is told is what holds at its end.
void World::set_touching(Contact& contact, bool touching, int step) {
  contact.touching = touching;
  if (!contact.sensor && !contact_events_) return;
  // Of a sensor's pair the sensor's body is the first.
  int a = contact.body_a, b = contact.body_b;
  if (contact.sensor ? !shapes_[contact.shape_a].sensor : a > b) std::swap(a, b);
  const TouchKey key{a, b, contact.sensor};
  touches_[key].count += touching ? 1 : -1;
  touched_.push_back({key, step});
}

// Begins and ends of touching since the last call, in the order in which they were found.
void World::tell_touching(bool sensors_only) {
  std::size_t kept = 0;
  for (const auto& [key, step] : touched_) {
    if (sensors_only && !key.sensor) {
      touched_[kept++] = {key, step};
      continue;
    }
    auto found = touches_.find(key);
    if (found == touches_.end()) continue;
    Touch& touch = found->second;
    const bool touching = touch.count > 0;
    if (touching != touch.told) {
      const EventKind begin = key.sensor ? EventKind::sensor_begin : EventKind::contact_begin;
      const EventKind end = key.sensor ? EventKind::sensor_end : EventKind::contact_end;
      tell(step, touching ? begin : end, key.a, key.b);
      touch.told = touching;
    }
    if (!touching) touches_.erase(found);
  }
  touched_.resize(kept);
}

void World::enable_contact_events(bool enabled) {
  if (enabled == contact_events_) return;
  contact_events_ = enabled;
  std::erase_if(touches_, [](const auto& entry) { return !entry.first.sensor; });
  if (!enabled) return;
  // What touches already has no beginning.
  for (Contact& contact : contacts_) {
    const bool touches = contact.alive && contact.touching && !contact.sensor;
    if (touches) set_touching(contact, true, step_count_);
  }
  for (auto& [key, touch] : touches_) touch.told = touch.count > 0;
  touched_.clear();
}

std::vector<int> World::touching_contacts() const {
  std::vector<int> found;
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
    const Contact& contact = contacts_[i];
    if (contact.alive && contact.touching && !contact.sensor) found.push_back(i);
  }
  std::sort(found.begin(), found.end(), [this](int l, int r) {
    const Contact &a = contacts_[l], &b = contacts_[r];
    return a.shape_a != b.shape_a ? a.shape_a < b.shape_a : a.shape_b < b.shape_b;
  });
  return found;
}

}  // namespace rigid
