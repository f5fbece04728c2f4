// SPDX-License-Identifier: MIT
// The search for times of impact, and the clamping of fast bodies and bullets.
#include "engine/collision/continuous.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/bodies/motion.h"
#include "engine/data/constants.h"
#include "geometry/query.h"
#include "geometry/support.h"

namespace rigid {

namespace {

// Whether two shapes stay apart by more than `distance` on their paths, however they turn: the
// circles around their bodies' centres of mass that contain them do. `move` is the motion of B
// relative to A.
bool circles_pass(const WorldShape& a, const WorldShape& b, Vec2 between, Vec2 move,
                  float distance) {
  if (a.kind == ShapeKind::half_space || b.kind == ShapeKind::half_space) return false;
  const float square = length_squared(move), along = -dot(between, move);
  const float nearest = square > 0.0f ? clamp(along / square, 0.0f, 1.0f) : 0.0f;
  const float reach = a.core_extent + a.radius + b.core_extent + b.radius + distance;
  return length_squared(between + nearest * move) > reach * reach;
}

// Whether a shape stays less deep than `depth` in a line that does not turn: its extent along the
// line's normal, at both ends of the path, says so.
bool stays_outside(const SweptShape& line, const SweptShape& shape, Vec2 between, float depth) {
  const bool turns = line.sweep.turn != 0.0f || line.sweep.angle != 0.0f;
  const bool bounded = shape.shape.kind != ShapeKind::half_space;
  if (line.shape.kind != ShapeKind::chain_segment || turns || !bounded) return false;
  const Vec2 in_line = line.shape.normals[0], normal = rotate(line.rotation, in_line);
  const Rotation q = shape.rotation * make_rotation(shape.sweep.angle);
  const float start = dot(between + shape.sweep.from - line.sweep.from, normal);
  const float along = std::min(dot(shape.sweep.move - line.sweep.move, normal), 0.0f);
  const float reach = support(shape.shape, inverse_rotate(q, -normal)) + shape.shape.radius +
                      std::fabs(shape.sweep.turn) * shape.core_extent;
  return start + along - reach - dot(in_line, line.shape.vertices[1]) > line.shape.radius - depth;
}

// The part of a path after the share `since` of it.
Sweep rest_of(const Sweep& sweep, float since) {
  return {sweep.from + since * sweep.move, (1.0f - since) * sweep.move,
          sweep.angle + since * sweep.turn, (1.0f - since) * sweep.turn};
}

}  // namespace

// A body's path through the step without obstacles.
Sweep Continuous::free_sweep(int body) const {
  const BodyState& state = bodies_.states[body];
  const float dt = parameters_.dt;
  return {{0, 0}, {dt * state.vx, dt * state.vy}, 0, dt * state.omega};
}

// A pair with less overlap than this is not stopped: a body that slides over a floor of several
// pieces always overlaps the floor a little, and must not hit the side of the next piece.
// Finds the time of impact of a fast pair. On a hit the manifold at that time is the contact, and
// `gap` is the vector that its two points must still travel.
bool Continuous::find_time_of_impact(const Contact& contact, Vec2 between, Manifold& manifold,
                                     Vec2& gap) const {
  const Body &body_a = bodies_[contact.body_a], &body_b = bodies_[contact.body_b];
  const float slop = parameters_.slop;
  const Sweep way_a = free_sweep(contact.body_a), way_b = free_sweep(contact.body_b);
  const Vec2 move = way_b.move - way_a.move;
  const float spin = std::fabs(way_a.turn) * body_a.extent + std::fabs(way_b.turn) * body_b.extent;
  if (length(move) + spin <= parameters_.speculative) return false;
  // A separating axis that holds for any rotation saves the search.
  float separation = manifold.points[0].separation;
  float approach_there = spin - dot(move, rotate(body_a.rotation, manifold.normal));
  if (separation - slop > approach_there) return false;
  // sequential_impulse has no speculative contacts, except where a step would carry one shape past
  // the other.
  if (parameters_.needs_overlap &&
      length(move) + spin <= 0.5f * std::min(body_a.extent, body_b.extent)) {
    return false;
  }
  const WorldShape &shape_a = shapes_[contact.shape_a], &shape_b = shapes_[contact.shape_b];
  if (circles_pass(shape_a, shape_b, between, move, parameters_.speculative)) return false;
  const SweptShape a = swept_shape(shape_a, way_a), b = swept_shape(shape_b, way_b);
  const Encounter encounter(a, b, between);
  // Round shapes come no nearer by rotation.
  const float blur = constants::blur_of_looks * (body_a.extent + body_b.extent);
  const float nearer = approach_there - spin + encounter.turning();
  if (separation > 0.0f && separation - slop - blur > nearer) return false;
  Vec2 normal;
  float t = encounter.first_time(0.25f * slop, 0.75f * slop, normal);
  if (t > 1.0f || t == 0.0f) return false;  // already near: the ordinary manifold applies
  const float depth = grazing_depth(contact);
  const SweptShape a_then = swept_shape(shape_a, rest_of(way_a, t)),
                   b_then = swept_shape(shape_b, rest_of(way_b, t));
  const float approach = -(1.0f - t) * dot(move, encounter.direction(t, normal));
  const float likely = 2.0f * (depth + slop) / approach;
  if (Encounter(a_then, b_then, between).passes_by(depth, 0.2f * slop, likely)) return false;
  const Transform then = encounter.relative(t);
  manifold = collide(a.shape, b.shape, then, parameters_.speculative);
  if (manifold.count == 0) return false;
  const Rotation qa = body_a.rotation * make_rotation(t * way_a.turn);
  manifold.normal = rotate(qa, manifold.normal);
  for (int k = 0; k < manifold.count; ++k) {
    ManifoldPoint& point = manifold.points[k];
    // The present positions of the two points that will meet.
    Vec2 ra = rotate(body_a.rotation, point.point);
    Vec2 rb = rotate(body_b.rotation, inverse_apply(then, point.point));
    Vec2 apart_now = between + rb - ra;
    if (k == 0) gap = apart_now;
    point.separation += dot(apart_now, manifold.normal);
    point.point = ra;
  }
  return true;
}

// Whether a contact would stop a pair that only passes by: its normal is the present one, and a
// fast pair may be past the corner or end that it belongs to before it reaches it.
bool Continuous::grazes(const Contact& contact, Vec2 between, const Manifold& manifold) const {
  const BodyState &sa = bodies_.states[contact.body_a], &sb = bodies_.states[contact.body_b];
  const float dt = parameters_.dt, depth = grazing_depth(contact);
  bool blocks = false;
  float likely = 0.0f;  // when the contact reaches twice that depth, if its normal stays
  for (int k = 0; k < manifold.count; ++k) {
    const ManifoldPoint& point = manifold.points[k];
    if (point.separation < -depth) return false;
    Vec2 velocity = Vec2{sb.vx - sa.vx, sb.vy - sa.vy} + cross(sb.omega, point.point - between) -
                    cross(sa.omega, point.point);
    float approach = -dt * dot(velocity, manifold.normal);
    if (approach - point.separation > depth) {
      blocks = true;
      likely = std::min((point.separation + 2.0f * depth) / approach, 1.0f);
    }
  }
  if (!blocks) return false;
  const SweptShape a = swept_shape(shapes_[contact.shape_a], free_sweep(contact.body_a));
  const SweptShape b = swept_shape(shapes_[contact.shape_b], free_sweep(contact.body_b));
  return Encounter(a, b, between).passes_by(depth, 0.2f * parameters_.slop, likely);
}

// Marks, for the step's clamp_to_impact, the bodies with static or kinematic bodies near, and those
// that are approached by one or pressed into it.
void Continuous::mark_walls(const Contact& contact, Vec2 between, const Manifold& manifold) {
  bool first = bodies_.is_dynamic(contact.body_a);
  int index = first ? contact.body_a : contact.body_b,
      wall = first ? contact.body_b : contact.body_a;
  if (!bodies_.is_dynamic(index)) return;
  uint8_t mark = wall_near;
  const BodyState &moving = bodies_.states[wall], &state = bodies_.states[index];
  if (bodies_[wall].kind == BodyKind::kinematic) {
    Vec2 from_wall = first ? -between : between;
    Vec2 relative =
        Vec2{state.vx - moving.vx, state.vy - moving.vy} - cross(moving.omega, from_wall);
    const Body& body = bodies_[index];
    float speed = std::fabs(relative.x) + std::fabs(relative.y) +
                  std::fabs(state.omega - moving.omega) * body.core_extent;
    if (speed * parameters_.dt > body.sweep_margin) mark |= wall_comes;
  }
  const float thickness = shapes_[first ? contact.shape_a : contact.shape_b].thickness;
  for (int k = 0; k < manifold.count; ++k) {
    if (manifold.points[k].separation < -constants::sweep_margin * thickness) mark |= wall_deep;
  }
  mark_near(index, mark);
}

void Continuous::mark_near(int body, uint8_t mark) {
  // std::atomic_ref is missing in the libraries of some Clangs.
  uint8_t& marks = bodies_.near_walls[body];
  if ((__atomic_load_n(&marks, __ATOMIC_RELAXED) & mark) != mark) {
    __atomic_fetch_or(&marks, mark, __ATOMIC_RELAXED);
  }
}

// Whether a path stays within reach of the pair search: near the path predicted when its boxes were
// made, or within the boxes.
bool Continuous::keeps_its_boxes(int index, const Sweep& sweep, float time) const {
  const Body& body = bodies_[index];
  const Vec2 end = sweep.from + sweep.move, expected = time * body.expected_velocity;
  float astray = std::fabs(end.x - expected.x) + std::fabs(end.y - expected.y) +
                 std::fabs(sweep.angle + sweep.turn - time * body.expected_spin) * body.core_extent;
  return astray <= body.sweep_margin || stays_in_boxes(index, sweep);
}

bool Continuous::stays_in_boxes(int index, const Sweep& sweep) const {
  for (int i : shapes_.of_body[index]) {
    const WorldShape& shape = shapes_[i];
    if (shape.proxy >= 0 && !contains(shape.fat, broadphase_.sweep_box(shape, sweep))) return false;
  }
  return true;
}

SweptShape Continuous::swept_shape(const WorldShape& shape, const Sweep& sweep) const {
  return {shapes_.view(shape), bodies_[shape.body].rotation, sweep, shape.core_extent};
}

// A wall's path between two times of the step.
Sweep Continuous::wall_sweep(int body, float from, float to) const {
  if (bodies_[body].kind != BodyKind::kinematic) return {{0, 0}, {0, 0}, 0, 0};
  const BodyState& state = bodies_.states[body];
  const Vec2 velocity = {state.vx, state.vy};
  return {from * velocity, (to - from) * velocity, from * state.omega, (to - from) * state.omega};
}

// Finds the impact of a moving shape with a wall, or of a bullet with another body, that moves at
// the same time; keeps the earliest. Shapes whose relative motion is less than `least` are skipped.
void Continuous::meet(const WorldShape& wall, const Sweep& still, const WorldShape& shape,
                      const Sweep& sweep, float least, Depth depth, Obstacle& first) const {
  const Body &body = bodies_[shape.body], &fixed = bodies_[wall.body];
  const Vec2 between = {static_cast<float>(body.center_x - fixed.center_x),
                        static_cast<float>(body.center_y - fixed.center_y)};
  Vec2 along = sweep.move - still.move - cross(still.turn, between + sweep.from - still.from);
  float relative = std::fabs(along.x) + std::fabs(along.y) +
                   std::fabs(sweep.turn - still.turn) * body.core_extent;
  if (relative < least) return;
  const SweptShape stays = swept_shape(wall, still);
  SweptShape moves = swept_shape(shape, sweep);
  const Encounter encounter(stays, moves, between);
  const float slop = parameters_.slop;
  const float deepest = constants::allowed_depth * shape.thickness;
  const float allowed = depth == Depth::surface ? std::min(deepest, slop) : deepest;
  float tolerance = 0.05f * std::max(allowed, slop);
  // What slides along a line seldom comes so deep.
  if (stays_outside(stays, moves, between, allowed - 2.0f * tolerance)) return;
  if (encounter.starts_behind()) return;
  Separation start = encounter.at(0.0f);
  // The least distance allowed, and the distance to which it is reset. sequential_impulse needs an
  // overlap to see a contact.
  float nearest, touch;
  // Motion that is not its own leads no body deeper into a wall that it overlaps.
  const float known = fixed.kind == BodyKind::dynamic ? allowed : deepest;
  if (start.distance > -1.5f * known) {
    nearest = std::min(-allowed, start.distance - 2.0f * tolerance);
    touch = parameters_.needs_overlap ? -std::min(0.5f * slop, 0.5f * allowed) : 0.0f;
    if (start.distance < slop) touch = -std::min(slop, 0.5f * allowed);
    touch = std::min(touch, start.distance);
  } else {
    // Too deep to identify the side: at least its centroid stays on its side.
    moves.shape = {ShapeKind::circle, 1, 0.0f, &shape.centroid, nullptr, shape.centroid};
    moves.core_extent = length(shape.centroid);
    start = encounter.at(0.0f);
    if (start.distance <= 0.0f) return;
    touch = 0.9f * std::min(start.distance, slop);
    nearest = 0.5f * touch;
    tolerance = 0.1f * touch;
    // A centroid that a load presses to the surface would pass it little by little. Both sides of
    // a line are outside; solvers without a correction of positions leave the body where the
    // published method puts it.
    const float brim = 0.02f * slop;
    const bool placed = !parameters_.needs_overlap || parameters_.correction_rate > 0.0f;
    if (start.distance <= brim && placed && wall.thickness > 0.0f) {
      if (encounter.end_separation(start.normal) >= start.distance - 0.1f * brim) return;
      nearest = touch = brim;
      tolerance = 0.1f * brim;
    }
  }
  Vec2 deep, normal;
  float trigger = encounter.first_time(nearest, tolerance, deep);
  if (trigger > 1.0f || trigger >= first.trigger) return;
  const Vec2 seen = inverse_rotate(encounter.relative(trigger).q, deep);
  if (!OneWay::holds_along(wall, deep) || !OneWay::holds_along(shape, -seen)) return;
  float time = encounter.first_time(touch, tolerance, normal);
  if (!(time <= trigger)) time = trigger;
  // Out along the normal at the touch or that at the overlap, whichever is shorter.
  float push = touch - encounter.end_separation(normal);
  const float deep_push = touch - encounter.end_separation(deep);
  if (push <= tolerance || (deep_push > tolerance && deep_push < push)) {
    normal = deep;
    push = deep_push;
  }
  Sweep lifted = encounter.held(trigger);
  lifted.move =
      lifted.move + (touch - encounter.at(trigger).distance) * encounter.end_direction(deep);
  first = {trigger,
           time,
           std::max(push, 0.0f) * encounter.end_direction(normal),
           encounter.held(time),
           lifted,
           encounter.end_arm(),
           wall.body};
}

// The first wall that a body passes on its path, if any.
Obstacle Continuous::find_obstacle(int index, const Sweep& sweep, float from, float to, bool moving,
                                   Depth depth) const {
  // Bodies that rest on a body that moves with them need no test.
  const bool deep = (bodies_.near_walls[index] & wall_deep) != 0;
  const float least = deep ? 0.0f : bodies_[index].sweep_margin * (to - from) / parameters_.dt;
  Obstacle first;
  for (int i : shapes_.of_body[index]) {
    const WorldShape& shape = shapes_[i];
    if (shape.sensor || shape.proxy < 0) continue;
    const Aabb box = broadphase_.sweep_box(shape, sweep);
    auto visit = [&](int other) {
      const WorldShape& wall = shapes_[other];
      if (wall.sensor || !broadphase_.should_collide(shape, wall) ||
          chain_branches_.goes_through(index, wall) || one_way_.passes(other, index) ||
          one_way_.passes(i, wall.body))
        return true;
      meet(wall, wall_sweep(wall.body, from, to), shape, sweep, least, depth, first);
      return true;
    };
    broadphase_.query_fixed(box, visit);
    if (moving) broadphase_.query_kinematic(box, visit);
  }
  return first;
}

void Continuous::prepare() {
  bodies_.any_thrown = false;
  sweep_starts_.clear();
  held_pairs_.clear();
}

// Repeats the path of a body that has moved far. If it ends deep in a wall, the part of the sweep
// into the wall is removed, as a contact would have done. If this does not help, since the body
// turns into the wall, its path ends there, and it is moved outside; if that would tear a joint or
// lead into the next wall, it stays where it touched. It keeps its velocity for the contact of the
// next step.
void Continuous::clamp_to_impact(int index, float time) {
  const Body& body = bodies_[index];
  BodyState& state = bodies_.states[index];
  BodyStep& step = bodies_.steps[index];
  const float from = step.looked_at;
  Sweep sweep = {{step.moved_x, step.moved_y},
                 {state.dx - step.moved_x, state.dy - step.moved_y},
                 step.turned,
                 state.delta_angle - step.turned};
  step.moved_x = state.dx;
  step.moved_y = state.dy;
  step.turned = state.delta_angle;
  step.looked_at = time;
  if (bodies_.near_walls[index] == 0 && keeps_its_boxes(index, sweep, time)) return;
  bool changed = false, carried = false;
  for (int pushes = 0;; ++pushes) {
    Obstacle obstacle = find_obstacle(index, sweep, from, time, !carried, Depth::deep);
    if (obstacle.trigger > 1.0f) break;
    changed = true;
    auto lead = [&](const Sweep& to) {
      slow_down(index, to.move - sweep.move, obstacle.arm);
      sweep = to;
    };
    const bool free = body.acting_joints == 0 && !carried;
    if (free && pushes < constants::most_pushes &&
        length(obstacle.push) > 0.1f * parameters_.slop) {
      lead({sweep.from, sweep.move + obstacle.push, sweep.angle, sweep.turn});
      continue;
    }
    if (free && pushes < constants::most_pushes + constants::most_lifts) {
      lead(obstacle.lifted);
      continue;
    }
    lead(obstacle.held);
    if (bodies_[obstacle.body].kind != BodyKind::kinematic) break;
    carried = true;
  }
  if (!changed) return;
  bodies_.near_walls[index] |= wall_met;
  set_sweep_end(index, sweep, time);
}

void Continuous::clamp_shifted(int body, float time) {
  if (has_gone_far(bodies_.steps[body], bodies_.states[body])) clamp_to_impact(body, time);
}

// A clamped body has fallen less far, and gets the lower speed of that height: the point that met
// the wall is slowed down by an impulse along the shift, with v j + k j^2 / 2 = -work per mass.
void Continuous::slow_down(int index, Vec2 shift, Vec2 arm) {
  const BodyStep& step = bodies_.steps[index];
  BodyState& state = bodies_.states[index];
  const float size = length(shift);
  if (!(size > 0.0f)) return;
  const Vec2 back = (1.0f / size) * shift;
  const InverseMass inverse = bodies_.inverse_masses[index];
  if (!(inverse.mass > 0.0f)) return;
  const float lever = cross(arm, back), ratio = inverse.inertia / inverse.mass;
  const float response = 1.0f + ratio * lever * lever;
  const float speed = -(dot(Vec2{state.vx, state.vy}, back) + lever * state.omega);
  const float work = -parameters_.inverse_h * dot(Vec2{step.ax, step.ay}, shift);
  if (!(speed > 0.0f) || !(work > 0.0f)) return;
  const float left = std::sqrt(std::max(speed * speed - 2.0f * response * work, 0.0f));
  const float impulse = (speed - left) / response;
  state.vx += impulse * back.x;
  state.vy += impulse * back.y;
  state.omega += impulse * ratio * lever;
}

void Continuous::set_sweep_end(int index, const Sweep& sweep, float time) {
  BodyState& state = bodies_.states[index];
  state.dx = sweep.from.x + sweep.move.x;
  state.dy = sweep.from.y + sweep.move.y;
  state.delta_angle = sweep.angle + sweep.turn;
  Rotation q = make_rotation(state.delta_angle);
  state.c = q.c;
  state.s = q.s;
  BodyStep& step = bodies_.steps[index];
  if (step.looked_at != time) return;
  step.moved_x = state.dx;
  step.moved_y = state.dy;
  step.turned = state.delta_angle;
}

// The path of a body in the last substep.
Sweep Continuous::last_sweep(int index) const {
  const BodyState& state = bodies_.states[index];
  const SweepStart& start = sweep_starts_[index];
  return {start.shift, Vec2{state.dx, state.dy} - start.shift, start.angle,
          state.delta_angle - start.angle};
}

// The first dynamic body but `left_out` that a body hits, after the share `since` of the paths of
// all. The body's boxes are widened to its true path, so that bullets find each other.
Obstacle Continuous::find_target(int index, const Sweep& sweep, float since, int left_out,
                                 Depth depth) {
  Obstacle first;
  for (int i : shapes_.of_body[index]) {
    const WorldShape& shape = shapes_[i];
    if (shape.sensor || shape.proxy < 0) continue;
    const Aabb box = broadphase_.sweep_box(shape, sweep);
    if (!contains(shape.fat, box)) broadphase_.widen(i, box);
    broadphase_.query_moving(box, [&](int other) {
      const WorldShape& target = shapes_[other];
      if (target.sensor || target.body_kind != BodyKind::dynamic) return true;
      if (target.body == left_out) return true;
      if (!broadphase_.should_collide(shape, target)) return true;
      if (one_way_.passes(other, index) || one_way_.passes(i, target.body)) return true;
      meet(target, rest_of(last_sweep(target.body), since), shape, sweep, 0.0f, depth, first);
      return true;
    });
  }
  return first;
}

// Ends the paths of two bodies that meet at the share `met` of them: from there on both move with
// the velocity of their common centre of mass, which so goes as far as it would have gone. They
// wait where they met if that leads into a wall, or if one of them meets another body, too: so a
// rack of balls, where an impact throws a ball against several at once, stays symmetric.
void Continuous::hold_together(int first, int second, float met, float time) {
  held_pairs_.push_back({first, second});
  Vec2 common{0.0f, 0.0f};
  float mass = 0.0f;
  for (int body : {first, second}) {
    const float inverse = bodies_.inverse_masses[body].mass;
    if (!bodies_.awake[body] || !(inverse > 0.0f)) mass = std::numeric_limits<float>::infinity();
    if (!(inverse > 0.0f)) continue;
    mass += 1.0f / inverse;
    common = common + (1.0f / inverse) * last_sweep(body).move;
  }
  common = (std::isfinite(mass) ? (1.0f - met) / mass : 0.0f) * common;
  auto path = [&](int body, Vec2 rest) {
    Sweep sweep = last_sweep(body);
    sweep.move = met * sweep.move + rest;
    sweep.turn = met * sweep.turn;
    return sweep;
  };
  for (int body : {first, second}) {
    if (!bodies_.awake[body]) continue;
    const Sweep waits = path(body, {0.0f, 0.0f});
    const Sweep rest = {waits.from + waits.move, common, waits.angle + waits.turn, 0.0f};
    const int other = body == first ? second : first;
    auto meets_another = [&] {
      return find_target(body, last_sweep(body), 0.0f, other, Depth::deep).trigger <= 1.0f ||
             find_target(body, rest, met, other, Depth::surface).trigger <= 1.0f;
    };
    if (find_obstacle(body, rest, time, time, false, Depth::surface).trigger <= 1.0f ||
        (!bodies_[first].bullet && meets_another())) {
      common = {0.0f, 0.0f};
    }
  }
  for (int body : {first, second}) {
    if (bodies_.awake[body]) set_sweep_end(body, path(body, common), time);
  }
}

// Repeats the paths of bullets in the last substep, against all dynamic bodies. If a bullet entered
// another body deeply, both are held together from where they met to the contact of the next step.
void Continuous::stop_bullets(float time) {
  if (!bodies_.has_bullets && !bodies_.any_thrown) return;
  sweep_starts_.resize(bodies_.size(), SweepStart{});
  // A body thrown back by an impact may meet bodies that were not on its path.
  auto is_bullet = [this](int i) {
    return bodies_[i].bullet || (bodies_.near_walls[i] & thrown_far) != 0;
  };
  bool changed = true;
  for (int round = 0; changed && round < constants::most_bullet_rounds; ++round) {
    changed = false;
    for (int i : bodies_.awake_list) {
      if (!is_bullet(i) || bodies_[i].kind != BodyKind::dynamic) continue;
      const Obstacle obstacle = find_target(i, last_sweep(i), 0.0f, -1, Depth::deep);
      if (obstacle.trigger > 1.0f) continue;
      changed = true;
      hold_together(i, obstacle.body, obstacle.time, time);
    }
  }
  for (int i : bodies_.awake_list) {
    sweep_starts_[i] = {{bodies_.states[i].dx, bodies_.states[i].dy},
                        bodies_.states[i].delta_angle};
  }
}

}  // namespace rigid
