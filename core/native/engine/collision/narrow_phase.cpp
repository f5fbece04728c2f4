// SPDX-License-Identifier: MIT
// The tests of pairs, and the update of contacts from manifolds.
#include "engine/collision/narrow_phase.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"
#include "geometry/manifold.h"
#include "geometry/query.h"
#include "prefetch.h"

namespace rigid {

namespace {

constexpr int contact_piece = 128;  // contacts per piece of work
// Prefetch distances of a contact's shapes and bodies, and of the points of these.
constexpr int shapes_ahead = 8, points_ahead = 4;
constexpr int held_ahead = 12;     // of contacts whose separation bound is tested first
constexpr int changes_ahead = 16;  // of contacts that come or go

// Puts each body's point on its own surface if the pair has yet to meet or includes a circle:
// impulses then have the lever arms of the touch. Other points are midway between the surfaces.
// `gap` is the vector from A's points to B's.
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

// Whether a pair needs no test in this step; static bodies are noted anyway.
bool NarrowPhase::stays_apart(int index) {
  const bool apart = separations_.hold(index, bodies_.states.data(), [this](int a, int b) {
    return overlaps(shapes_[a].fat, shapes_[b].fat);
  });
  if (!apart) return false;
  if (const int body = separations_.body_at_wall(index); body >= 0) continuous_.mark_near(body);
  return true;
}

void NarrowPhase::prefetch_motion(int index) const {
  const ContactBond& bond = contacts_.bond(index);
  for (int body : {bond.body_a, bond.body_b}) {
    prefetch_to_read(&bodies_.steps[body]);
    prefetch_to_read(&bodies_.states[body]);
  }
  prefetch_to_write(&contacts_[index]);
  prefetch_to_write(&contacts_[index].points[1].normal_impulse);
}

// How far two bodies will move relative to one another in this step, if nothing acts: an upper
// bound for points as far from their centres as the extents.
float NarrowPhase::next_motion(int body_a, int body_b, float extent_a, float extent_b) const {
  const BodyState &a = bodies_.states[body_a], &b = bodies_.states[body_b];
  return parameters_.dt * (std::fabs(b.vx - a.vx) + std::fabs(b.vy - a.vy) +
                           std::fabs(a.omega) * extent_a + std::fabs(b.omega) * extent_b);
}

// Whether the manifold of a contact may hold in the next step: its bodies are calm, and their
// motion will be known.
bool NarrowPhase::begins_to_hold(const Contact& contact) const {
  const WorldShape &a = shapes_[contact.shape_a], &b = shapes_[contact.shape_b];
  auto is_known = [this](const WorldShape& shape) {
    return shape.body_kind == BodyKind::fixed ||
           (shape.body_kind == BodyKind::dynamic && bodies_.awake[shape.body]);
  };
  return next_motion(a.body, b.body, a.core_extent, b.core_extent) <=
             constants::held_motion * parameters_.slop &&
         is_known(a) && is_known(b);
}

// Whether a manifold of two points holds in this step too: its bodies have moved little relative to
// one another since it was found. Its points then follow their motion in the last step.
bool NarrowPhase::keeps_manifold(int index) {
  float& drift = contacts_.drift(index);
  if (drift == lost_manifold) return false;
  const ContactBond& bond = contacts_.bond(index);
  const BodyStep &last_a = bodies_.steps[bond.body_a], &last_b = bodies_.steps[bond.body_b];
  const Vec2 moved = {last_b.moved_x - last_a.moved_x, last_b.moved_y - last_a.moved_y};
  drift += std::fabs(moved.x) + std::fabs(moved.y) + std::fabs(last_a.turned) * last_a.core_extent +
           std::fabs(last_b.turned) * last_b.core_extent;
  const float next = next_motion(bond.body_a, bond.body_b, last_a.core_extent, last_b.core_extent);
  if (!(drift + next <= constants::held_motion * parameters_.slop)) return false;
  Contact& contact = contacts_[index];
  for (ContactPoint& point : contact.points) {
    const Vec2 apart = moved + cross(last_b.turned, point.anchor + contact.offset) -
                       cross(last_a.turned, point.anchor);
    point.separation += dot(apart, contact.normal);
    point.total_normal = point.total_tangent = 0.0f;
  }
  contact.offset = contact.offset - moved;
  if (!bodies_.is_dynamic(bond.body_a) || !bodies_.is_dynamic(bond.body_b)) {
    Manifold manifold;
    manifold.count = contact.count;
    for (int k = 0; k < 2; ++k) manifold.points[k].separation = contact.points[k].separation;
    continuous_.mark_walls(contact, between(contact), manifold);
  }
  return true;
}

// The distance of a pair without a contact, along a direction in A's axes. Pairs with an
// approaching kinematic body are tested in every step.
void NarrowPhase::note_separation(int index, Vec2 normal, float separation, float margin) {
  Contact& contact = contacts_[index];
  // States are equal whether the pair was tested or not.
  contact.normal = {1, 0};
  contact.offset = {0, 0};
  const Body &a = bodies_[contact.body_a], &b = bodies_[contact.body_b];
  // For large shapes, two tests differ by the rounding of floats.
  const float blur = constants::blur_of_looks * (a.extent + b.extent);
  const float slack = separation - 1.1f * margin - blur;
  if (!(slack > 0.0f) || a.kind == BodyKind::kinematic || b.kind == BodyKind::kinematic) return;
  int at_wall = -1;
  if (!bodies_.is_dynamic(contact.body_a)) at_wall = contact.body_b;
  if (!bodies_.is_dynamic(contact.body_b)) at_wall = contact.body_a;
  normal = rotate(a.rotation, normal);
  separations_.keep(index, contact, normal, slack, at_wall);
}

// Passes stored impulses to the points with the same features.
void NarrowPhase::take_over_points(Contact& contact, const Manifold& manifold) {
  const int before = contact.count;
  const ContactPoint old[2] = {contact.points[0], contact.points[1]};
  contact.count = manifold.count;
  contact.normal = manifold.normal;
  for (int k = 0; k < manifold.count; ++k) {
    const ManifoldPoint& from = manifold.points[k];
    ContactPoint& to = contact.points[k];
    to = {from.point, from.separation, from.id, 0, 0, 0, 0};
    for (int j = 0; j < before; ++j) {
      if (old[j].id != from.id) continue;
      to.normal_impulse = old[j].normal_impulse;
      to.tangent_impulse = old[j].tangent_impulse;
      break;
    }
  }
  if (contact.count == 0) contact.rolling_impulse = 0;
}

void NarrowPhase::prefetch_shapes(int index) const {
  const Contact& contact = contacts_[index];
  for (int shape : {contact.shape_a, contact.shape_b}) {
    prefetch_to_read(&shapes_[shape]);
    prefetch_to_read(&shapes_[shape].fat);
  }
  for (int body : {contact.body_a, contact.body_b}) {
    prefetch_to_read(&bodies_[body]);
    prefetch_to_read(&bodies_.states[body]);
  }
}

void NarrowPhase::prefetch_points(int index) const {
  const Contact& contact = contacts_[index];
  for (int shape : {contact.shape_a, contact.shape_b}) {
    const int first = shapes_[shape].first_vertex;
    prefetch_to_read(shapes_.vertices.data() + first);
    prefetch_to_read(shapes_.normals.data() + first);
  }
}

// The centre of mass of B relative to that of A.
Vec2 NarrowPhase::between(const Contact& contact) const {
  const Body &a = bodies_[contact.body_a], &b = bodies_[contact.body_b];
  return {static_cast<float>(b.center_x - a.center_x), static_cast<float>(b.center_y - a.center_y)};
}

// Without any margin a resting box would be supported by one corner after a rounding error.
float NarrowPhase::margin(bool smooth) const {
  return smooth ? parameters_.speculative : parameters_.contact_margin;
}

// Tests one pair whose boxes overlap.
ContactChange NarrowPhase::find_contact(int index) {
  Contact& contact = contacts_[index];
  const Shape shape_a = shapes_.view(shapes_[contact.shape_a]);
  const Shape shape_b = shapes_.view(shapes_[contact.shape_b]);
  const Rotation qa = bodies_[contact.body_a].rotation, qb = bodies_[contact.body_b].rotation;
  const Transform relative = {inverse_rotate(qa, between(contact)), inverse_multiply(qa, qb)};
  if (contact.sensor) {
    const bool inside = overlaps(shape_a, shape_b, relative);
    return inside != contact.touching ? ContactChange::sensed : ContactChange::none;
  }
  const bool smooth = chains_.is_smooth_chain(contact);
  Manifold manifold = collide(shape_a, shape_b, relative, margin(smooth));
  if (manifold.count > 0) manifold.normal = rotate(qa, manifold.normal);
  for (int k = 0; k < manifold.count; ++k) {
    manifold.points[k].point = rotate(qa, manifold.points[k].point);
  }
  return take_manifold(index, manifold, true, smooth);
}

// Whether a pair that may pass is passing through, and continues to.
bool NarrowPhase::goes_through(Contact& contact, const Manifold& manifold) const {
  float deepest = manifold.points[0].separation;
  if (manifold.count == 2) deepest = std::min(deepest, manifold.points[1].separation);
  contact.inside = manifold.count > 0 && deepest < 0.0f;
  if (!contact.inside) return one_way_.passes(contact);
  if (contact.judged) return contact.through;
  return one_way_.passes(contact) || deepest < -2.0f * parameters_.slop;
}

// Removes the contact if the touched shape is not solid from that side.
void NarrowPhase::pass(Contact& contact, Manifold& manifold, Vec2 normal, bool goes_through) const {
  const bool stands = contact.inside && contact.judged && !goes_through;
  contact.judged = true;
  contact.through = goes_through || !(stands || one_way_.holds(contact, normal));
  if (contact.through) manifold.count = 0;
}

// Updates a contact from its manifold, whose points and normal are in world axes. `comes_deeper`:
// it may become deeper in this step than a grazing contact.
ContactChange NarrowPhase::take_manifold(int index, Manifold& manifold, bool comes_deeper,
                                         bool smooth) {
  Contact& contact = contacts_[index];
  const Vec2 between = this->between(contact);
  if (shapes_[contact.shape_a].body_kind != BodyKind::dynamic ||
      shapes_[contact.shape_b].body_kind != BodyKind::dynamic)
    continuous_.mark_walls(contact, between, manifold);
  const float separation = manifold.points[0].separation;
  const Vec2 apart_along = manifold.normal;
  const bool through = contact.passable && goes_through(contact, manifold);
  Vec2 gap = {0, 0}, normal = apart_along;
  contact.grazes = false;
  if (manifold.count == 0) {
    if (!continuous_.find_time_of_impact(contact, between, manifold, gap)) {
      manifold.count = 0;
      normal = rotate(bodies_[contact.body_a].rotation, apart_along);
    } else {
      normal = manifold.normal;
    }
  } else {
    contact.grazes = comes_deeper && continuous_.grazes(contact, between, manifold);
    if (contact.grazes && !smooth) manifold.count = 0;
  }
  if (contact.passable) pass(contact, manifold, normal, through);
  if (manifold.count > 0) hold_at_surfaces(manifold, gap, contact.round_a || contact.round_b);
  const int before = contact.count;
  // Anchor of B = anchor of A + offset.
  contact.offset = gap - between;
  take_over_points(contact, manifold);
  if (contact.count > 0) {
    separations_.forget(index);
  } else if (!smooth) {
    note_separation(index, apart_along, separation, margin(smooth));
  }
  contacts_.drift(index) =
      contact.count == 2 && !smooth && !contact.passable && begins_to_hold(contact) ? 0.0f
                                                                                    : lost_manifold;
  if (before == 0 && contact.count > 0) return ContactChange::begin;
  return before > 0 && contact.count == 0 ? ContactChange::end : ContactChange::none;
}

template <int corners>
void NarrowPhase::add(PolygonContacts<corners>& few, int index) {
  const Contact& contact = contacts_[index];
  auto& pairs = few.pairs;
  auto set = [&](auto& polygon, int shape, int body) {
    polygon.set(pairs.used, shapes_.view(shapes_[shape]), bodies_[body], bodies_.states[body]);
  };
  set(pairs.a, contact.shape_a, contact.body_a);
  set(pairs.b, contact.shape_b, contact.body_b);
  const Vec2 between = this->between(contact);
  pairs.between_x[pairs.used] = between.x;
  pairs.between_y[pairs.used] = between.y;
  pairs.depth[pairs.used] = continuous_.grazing_depth(contact);
  few.index[pairs.used++] = index;
  if (pairs.used == most_polygon_pairs) flush(few);
}

template <int corners>
void NarrowPhase::flush(PolygonContacts<corners>& few) {
  if (few.pairs.used == 0) return;
  few.pairs.margin = margin(false);
  few.pairs.dt = parameters_.dt;
  few.pairs.fill_up();
  kernels_.collide(few.pairs);
  for (int i = 0; i < few.pairs.used; ++i) {
    const int index = few.index[i];
    Manifold manifold = few.pairs.manifold(i);
    contacts_.change(index) =
        take_manifold(index, manifold, few.pairs.comes_deeper[i] != 0.0f, false);
  }
  few.pairs.used = 0;
}

// The number of corners read of two shapes that may wait for a batch; a value above the maximum for
// others.
int NarrowPhase::waiting_corners(const WorldShape& a, const WorldShape& b) const {
  auto may_wait = [](const WorldShape& shape) {
    return shape.kind == ShapeKind::polygon && !shape.part && shape.count <= 8;
  };
  if (!may_wait(a) || !may_wait(b)) return max_vertices;
  const int corners = std::max(a.count, b.count) > 4 ? 8 : 4;
  // After the last shape's points there are no others.
  const int first = static_cast<int>(shapes_.vertices.size()) - corners;
  return std::max(a.first_vertex, b.first_vertex) <= first ? corners : max_vertices;
}

void NarrowPhase::find_contacts(int first, int last) {
  const std::vector<int>& active = contacts_.active();
  PolygonContacts<4> boxes;
  PolygonContacts<8> octagons;
  std::vector<int> near;
  near.reserve(last - first);
  for (int i = first; i < last; ++i) {
    if (i + held_ahead < last) {
      separations_.prefetch(active[i + held_ahead], bodies_.states.data());
      if (contacts_.drift(active[i + held_ahead]) < lost_manifold)
        prefetch_motion(active[i + held_ahead]);
    }
    const int index = active[i];
    const bool held = stays_apart(index);
    contacts_.change(index) = held ? ContactChange::held : ContactChange::none;
    if (held || keeps_manifold(index)) continue;
    prefetch_to_write(&contacts_[index]);
    prefetch_to_write(&contacts_[index].points[1].normal_impulse);
    near.push_back(index);
  }
  const int count = static_cast<int>(near.size());
  for (int i = -shapes_ahead; i < count; ++i) {
    if (i + shapes_ahead < count) prefetch_shapes(near[i + shapes_ahead]);
    if (i + points_ahead >= 0 && i + points_ahead < count) prefetch_points(near[i + points_ahead]);
    if (i < 0) continue;
    const int index = near[i];
    Contact& contact = contacts_[index];
    const WorldShape &a = shapes_[contact.shape_a], &b = shapes_[contact.shape_b];
    if (!overlaps(a.fat, b.fat)) {
      contact.count = 0;
      contacts_.change(index) = ContactChange::apart;
      continue;
    }
    const int corners = waiting_corners(a, b);
    if (corners > 8 || contact.sensor || contact.passable || !kernels_.collide_boxes) {
      contacts_.change(index) = find_contact(index);
    } else if (corners > 4) {
      add(octagons, index);
    } else {
      add(boxes, index);
    }
  }
  flush(boxes);
  flush(octagons);
}

void NarrowPhase::update_contacts() {
  one_way_.collect();
  contacts_.collect_active();
  std::fill(bodies_.near_walls.begin(), bodies_.near_walls.end(), uint8_t{0});
  pool_.run(static_cast<int>(contacts_.active().size()), contact_piece,
            [this](int first, int last) { find_contacts(first, last); });
  contacts_.collect_near();
  tracks_.form_tracks();
  const std::vector<int>& near = contacts_.near();
  for (std::size_t k = 0; k < near.size(); ++k) {
    if (const std::size_t next = k + changes_ahead;
        next < near.size() && contacts_.change(near[next]) != ContactChange::none) {
      prefetch_to_write(&contacts_[near[next]]);
      prefetch_to_write(&contacts_[near[next]].color);
    }
    const int index = near[k];
    if (contacts_.change(index) != ContactChange::none) pool_.charge(1, contact_piece);
    switch (contacts_.change(index)) {
      case ContactChange::none:
        break;
      case ContactChange::apart:
        contacts_.destroy_contact(index);
        break;
      case ContactChange::begin:
        contacts_.insert_constraint(index);
        break;
      case ContactChange::end:
        contacts_.remove_constraint(index);
        break;
      default:
        touches_.set_touching(contacts_[index], !contacts_[index].touching, clock_.steps + 1);
    }
    contacts_.change(index) = ContactChange::none;
  }
  touches_.tell_touching(true);
}

// Called after a step: reports the contacts that carried an impulse or overlap.
void NarrowPhase::report_touching() {
  const std::vector<int>& near = contacts_.near();
  pool_.run(static_cast<int>(near.size()), contact_piece, [&](int first, int last) {
    for (int i = first; i < last; ++i) {
      contacts_.prefetch_near(i);
      const Contact& contact = contacts_[near[i]];
      bool touching = false;
      for (int k = 0; k < contact.count; ++k) {
        touching |= contact.points[k].total_normal > 0.0f || contact.points[k].separation <= 0.0f;
      }
      const bool changes = contact.alive && !contact.sensor && touching != contact.touching;
      contacts_.change(near[i]) = changes ? ContactChange::sensed : ContactChange::none;
    }
  });
  for (int index : near) {
    if (contacts_.change(index) == ContactChange::none) continue;
    contacts_.change(index) = ContactChange::none;
    touches_.set_touching(contacts_[index], !contacts_[index].touching, clock_.steps);
  }
  touches_.tell_touching();
}

}  // namespace rigid
