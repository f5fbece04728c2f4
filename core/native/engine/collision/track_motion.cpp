// SPDX-License-Identifier: MIT
// Positions of tracks within a step, and the velocities that keep them on their chains.
#include "engine/collision/track_motion.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"

namespace rigid {

namespace {

constexpr int track_piece = 32;
constexpr float unaimed = -1e30f;  // any velocity is above it

DoubleRotation operator*(DoubleRotation a, Rotation b) {
  return {a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s};
}

Double2 rotate(DoubleRotation q, Double2 v) {
  return {q.c * v.x - q.s * v.y, q.s * v.x + q.c * v.y};
}

Double2 inverse_rotate(DoubleRotation q, Double2 v) {
  return {q.c * v.x + q.s * v.y, -q.s * v.x + q.c * v.y};
}

Vec2 single(Double2 a) { return {static_cast<float>(a.x), static_cast<float>(a.y)}; }

}  // namespace

ChainTracks::Sight ChainTracks::sight(const ChainTrack& track) const {
  const int ball = shapes_[track.shape].body, chain = track.chain;
  const Body &a = bodies_[chain], &b = bodies_[ball];
  const BodyState &sa = bodies_.states[chain], &sb = bodies_.states[ball];
  Sight seen{};
  seen.rotation = DoubleRotation{a.rotation.c, a.rotation.s} * Rotation{sa.c, sa.s};
  const Vec2 own = shapes_.vertices[shapes_[track.shape].first_vertex + track.vertex];
  seen.lever =
      rotate(DoubleRotation{b.rotation.c, b.rotation.s} * Rotation{sb.c, sb.s}, {own.x, own.y});
  seen.between = {b.center_x - a.center_x + (double{sb.dx} - double{sa.dx}),
                  b.center_y - a.center_y + (double{sb.dy} - double{sa.dy})};
  seen.centre = inverse_rotate(seen.rotation, seen.between + seen.lever);
  if (track.face) {
    const WorldShape& shape = shapes_[track.shape];
    const Vec2 next = shapes_.vertices[shape.first_vertex + (track.vertex + 1) % shape.count];
    const Double2 edge = {double{next.x} - own.x, double{next.y} - own.y};
    seen.length = std::sqrt(dot(edge, edge));
    const DoubleRotation turn = DoubleRotation{b.rotation.c, b.rotation.s} * Rotation{sb.c, sb.s};
    seen.along = inverse_rotate(seen.rotation, rotate(turn, (1.0 / seen.length) * edge));
    seen.up = {-seen.along.y, seen.along.x};
  }
  return seen;
}

// Whether a circle or a corner that touches a chain can follow it.
bool ChainTracks::start_track(int index, int vertex, int link, ChainTrack& track) const {
  const Contact& contact = contacts_[index];
  track.contact = index;
  track.shape = chains_.rider_of(contact);
  track.vertex = vertex;
  track.chain = shapes_[chains_.line_of(contact)].body;
  track.link = link;
  const double radius = shapes_[track.shape].radius;
  const Sight seen = sight(track);
  const BodyState &a = bodies_.states[track.chain], &b = bodies_.states[shapes_[track.shape].body];
  const Double2 arm = seen.between + seen.lever;
  const Double2 relative = {b.vx - a.vx + a.omega * arm.y, b.vy - a.vy - a.omega * arm.x};
  const double speed = std::sqrt(dot(relative, relative)), path = speed * definition_.dt;
  const double unit = definition_.length_unit;
  if (!(path > constants::track_motion * unit)) return false;
  const double ahead = std::max(double{constants::track_substeps} * parameters_.h,
                                constants::track_time * definition_.time_per_second);
  track.rounding = {speed * ahead, constants::track_above * unit,
                    std::min(constants::track_below * unit, 0.1 * shapes_[track.shape].thickness)};
  track.range = 2.0 * (path + radius + constants::speculative_distance * unit);
  const Track line(chains_.links().data(), radius, track.rounding);
  if (!line.fits(track.link)) return false;
  const TrackPoint point = line.locate(seen.centre, track.link);
  // Deep overlaps have to be removed first.
  const double near = constants::speculative_distance * unit;
  if (!(point.gap <= near && point.gap >= -near - parameters_.allowed_penetration)) return false;
  if (!line.is_beside(seen.centre, point.link)) return false;
  track.link = track.start_link = point.link;
  return true;
}

// The point where a face touches a chain that bends away, in the chain's body, at the present
// place.
bool ChainTracks::face_at(const ChainTrack& track, const Sight& seen, TrackPoint& point,
                          Double2& place) const {
  const WorldShape& shape = shapes_[track.shape];
  const Track line(chains_.links().data(), 0.0, track.rounding);
  if (!line.support(seen.centre, seen.up, track.link, point, place)) return false;
  point.gap -= shape.radius;
  const Double2 across = {seen.up.y, -seen.up.x};
  const double at = std::fabs(dot(place - seen.centre, across));
  return at > 0.0 && at < seen.length && dot(place - seen.centre, seen.along) > 0.0;
}

bool ChainTracks::locate_face(ChainTrack& track) const {
  const Sight seen = sight(track);
  TrackPoint point{};
  Double2 place{};
  if (!face_at(track, seen, point, place)) return false;
  const Double2 normal = rotate(seen.rotation, point.normal);
  const Double2 from_chain = rotate(seen.rotation, place - seen.centre) + seen.between + seen.lever;
  const Double2 from_face = from_chain + point.gap * normal - seen.between;
  const bool face_first = contacts_[track.contact].shape_a == track.shape;
  track.link = point.link;
  track.place.normal = face_first ? -single(normal) : single(normal);
  track.place.from_a = single(face_first ? from_face : from_chain);
  track.place.from_b = single(face_first ? from_chain : from_face);
  track.place.gap = static_cast<float>(point.gap);
  return true;
}

// As aim_track, with the rotation of the face: the bodies' end positions with the present
// velocities, and the remaining error there.
void ChainTracks::aim_face(ChainTrack& track) const {
  Sight seen = sight(track);
  const BodyState &a = bodies_.states[track.chain], &b = bodies_.states[shapes_[track.shape].body];
  const double h = parameters_.h, gap = track.place.gap;
  const bool first = contacts_[track.contact].shape_a == track.shape;
  const Vec2 arm_a = track.place.from_a, arm_b = track.place.from_b;
  const Vec2 up = first ? -track.place.normal : track.place.normal;
  const Vec2 on_chain = first ? arm_b : arm_a, on_face = first ? arm_a : arm_b;
  const Vec2 relative =
      Vec2{b.vx - a.vx, b.vy - a.vy} + cross(b.omega, on_face) - cross(a.omega, on_chain);
  const double across = dot(relative, up);
  const Softness& soft = parameters_.static_contact;
  const float rate = parameters_.pushes_apart ? 0.0f : soft.bias_rate;
  const double push = std::min(rate * std::max(-gap - parameters_.resting_depth, 0.0),
                               double{parameters_.push_speed});
  const double goal = std::min(gap, 0.0) + h * push;
  const SineCosine own = sine_cosine(h * b.omega), back = sine_cosine(-h * a.omega);
  const DoubleRotation turn = {own.cosine, own.sine}, undo = {back.cosine, back.sine};
  const BodyStep& step = bodies_.steps[shapes_[track.shape].body];
  Double2 shift = {h * (double{b.vx} - a.vx), h * (double{b.vy} - a.vy)};
  if (step.led) shift = shift + Double2{step.correction_x, step.correction_y};
  const Double2 lever = rotate(turn, seen.lever);
  seen.centre = rotate(undo, inverse_rotate(seen.rotation, seen.between + shift + lever));
  auto turned = [&](Double2 v) {
    return rotate(undo, inverse_rotate(seen.rotation, rotate(turn, rotate(seen.rotation, v))));
  };
  seen.up = turned(seen.up);
  seen.along = turned(seen.along);
  TrackPoint point{};
  Double2 place{};
  const bool there = face_at(track, seen, point, place);
  const double missing = goal - point.gap;
  track.place.aim = static_cast<float>(
      there && std::fabs(missing) < parameters_.slop ? across + missing / h : (goal - gap) / h);
}

// Sets the present position of a circle relative to its chain.
void ChainTracks::locate_track(ChainTrack& track) const {
  if (track.face) {
    locate_face(track);
    return;
  }
  const Sight seen = sight(track);
  const double radius = shapes_[track.shape].radius;
  const TrackPoint point =
      Track(chains_.links().data(), radius, track.rounding).locate(seen.centre, track.link);
  const Double2 normal = rotate(seen.rotation, point.normal);
  // The arm of each ends at its own surface, whatever the distance between them.
  const Double2 from_ball = seen.lever - radius * normal;
  const Double2 from_chain = seen.between + seen.lever - (radius + point.gap) * normal;
  const bool ball_first = contacts_[track.contact].shape_a == track.shape;
  track.link = point.link;
  track.place.normal = ball_first ? -single(normal) : single(normal);
  track.place.from_a = single(ball_first ? from_ball : from_chain);
  track.place.from_b = single(ball_first ? from_chain : from_ball);
  track.place.gap = static_cast<float>(point.gap);
}

// The normal velocity with which the circle is on the chain at the substep's end; its tangential
// velocity and the rotation of the chain are known.
void ChainTracks::aim_track(ChainTrack& track) const {
  if (track.face) {
    aim_face(track);
    return;
  }
  const StepParameters& p = parameters_;
  const Sight seen = sight(track);
  const BodyState &a = bodies_.states[track.chain], &b = bodies_.states[shapes_[track.shape].body];
  const double h = p.h, gap = track.place.gap;
  const Track line(chains_.links().data(), shapes_[track.shape].radius, track.rounding);
  const bool fixed = !can_move(bodies_.step_inverse_masses[track.chain]) ||
                     !can_move(bodies_.step_inverse_masses[shapes_[track.shape].body]);
  // In sequential_impulse overlap is corrected afterwards.
  const float rate = p.pushes_apart ? 0.0f
                     : fixed        ? p.static_contact.bias_rate
                                    : p.contact.bias_rate;
  const double depth = std::max(-gap - p.resting_depth, 0.0);
  const double push = std::min(rate * depth, double{p.push_speed});
  const double goal = std::min(gap, 0.0) + h * push;

  const Double2 normal = line.locate(seen.centre, track.link).normal;
  const Double2 arm = inverse_rotate(seen.rotation, seen.between + seen.lever);
  const Double2 spin = {-b.omega * seen.lever.y, b.omega * seen.lever.x};
  const Double2 velocity =
      inverse_rotate(seen.rotation, Double2{double{b.vx} - a.vx, double{b.vy} - a.vy} + spin);
  const double turning = a.omega;
  const double across = dot(velocity, normal) - turning * cross(arm, normal);
  // The lever's rotation by a finite angle, less the linear part.
  Double2 bow = {0.0, 0.0};
  if (seen.lever.x != 0.0 || seen.lever.y != 0.0) {
    const SineCosine swing = sine_cosine(h * b.omega);
    bow = rotate(DoubleRotation{swing.cosine, swing.sine}, seen.lever) - seen.lever - h * spin;
  }
  const BodyStep& step = bodies_.steps[shapes_[track.shape].body];
  if (step.led) bow = bow + Double2{step.correction_x, step.correction_y};
  const Double2 along = h * (velocity - across * normal) + inverse_rotate(seen.rotation, bow);
  DoubleRotation back = {1.0, -h * turning};
  if (turning != 0.0) {
    const SineCosine turn = sine_cosine(-h * turning);
    back = {turn.cosine, turn.sine};
  }
  // Newton's method for the shift along the normal. If the chain turns by more than a substep can
  // follow, the plane before is kept. A solution within the path so far is known.
  const Double2 up = rotate(back, normal);
  double shift = 0.0, error = 0.0, slope = 1.0;
  Double2 known{};
  for (int i = 0; i < 5; ++i) {
    const Double2 end = rotate(back, seen.centre + along + shift * normal);
    if (i == 0 || end.x != known.x || end.y != known.y) {
      const TrackPoint point = line.locate(end, track.link);
      error = goal - point.gap;
      slope = std::max(dot(point.normal, up), 0.25);
      known = end;
    }
    shift += error / slope;
  }
  if (!(std::fabs(error) < p.slop)) shift = goal - gap;
  track.place.aim = static_cast<float>(shift / h);
}

// The normal velocity with which it stays on the chain at its present place. A track without an
// impulse has not reached the chain yet.
void ChainTracks::level_track(ChainTrack& track) const {
  locate_track(track);
  const bool touches = contacts_[track.contact].points[0].normal_impulse > 0.0f;
  track.place.aim = touches ? -std::max(track.place.gap, 0.0f) * parameters_.inverse_h : unaimed;
}

void ChainTracks::for_tracks(void (ChainTracks::*task)(ChainTrack&) const) {
  if (tracks_.empty()) return;
  pool_.run(static_cast<int>(tracks_.size()), track_piece, [&](int first, int last) {
    for (int i = first; i < last; ++i) (this->*task)(tracks_[i]);
  });
  const KernelContext context = bearer_.contact_context();
  for (const ChainTrack& track : tracks_) {
    lanes_.follow(context, contacts_[track.contact], track.place);
  }
}

double ChainTracks::kinetic_energy(int body) const {
  const BodyState& s = bodies_.states[body];
  const InverseMass inverse = bodies_.inverse_masses[body];
  const double vx = s.vx, vy = s.vy, spin = s.omega;
  const double turning = inverse.inertia > 0.0f ? spin * spin / inverse.inertia : 0.0;
  return 0.5 * ((inverse.mass > 0.0f ? (vx * vx + vy * vy) / inverse.mass : 0.0) + turning);
}

// A fixed chain does no work. Where its corners are larger than a step can follow, the speed varies
// with the angles between the path and the lines; the energy lost by this may be regained, but no
// more.
void ChainTracks::keep_energy(ChainTrack& track) {
  if (!track.alone || bodies_[track.chain].kind != BodyKind::fixed) return;
  const int index = shapes_[track.shape].body;
  BodyState& state = bodies_.states[index];
  const BodyStep& step = bodies_.steps[index];
  const InverseMass inverse = bodies_.stiffened_inverse_masses[index];
  const double along = step.ax * double{state.dx} + step.ay * double{state.dy};
  double work = inverse.mass > 0.0f ? along / inverse.mass : 0.0;
  if (inverse.inertia > 0.0f) work += step.alpha * double{state.delta_angle} / inverse.inertia;
  const double has = kinetic_energy(index);
  track.spare += track.energy + work / parameters_.h - has;
  if (track.spare < 0.0 && has > 0.0) {
    const float share = static_cast<float>(std::sqrt(std::max(1.0 + track.spare / has, 0.0)));
    state.vx *= share;
    state.vy *= share;
    state.omega *= share;
  }
  track.spare = std::clamp(track.spare, 0.0, constants::track_spare * has);
}

// Called at the beginning of a step, or when it is repeated.
void ChainTracks::start_tracks() {
  for (ChainTrack& track : tracks_) {
    track.link = track.start_link;
    const int body = shapes_[track.shape].body;
    bodies_.steps[body].led = track.alone;
    track.energy = kinetic_energy(body);
    const Contact& contact = contacts_[track.contact];
    track.place.bounces = false;
    if (!parameters_.bounces_first || contact.points[0].normal_impulse > 0.0f) continue;
    locate_track(track);
    const BodyState &a = bodies_.states[contact.body_a], &b = bodies_.states[contact.body_b];
    const TrackPlace& place = track.place;
    const Vec2 relative = Vec2{b.vx - a.vx, b.vy - a.vy} + cross(b.omega, place.from_b) -
                          cross(a.omega, place.from_a);
    const float speed = dot(relative, place.normal);
    track.place.bounces = speed < -parameters_.restitution_threshold && contact.restitution > 0.0f;
  }
  for_tracks(&ChainTracks::locate_track);
}

// Stores the readings at the step's end, and the impulses for the next step, in which other
// contacts may represent the tracks.
void ChainTracks::finish_tracks() {
  for (ChainTrack& track : tracks_) {
    keep_energy(track);
    if (parameters_.accumulates) locate_track(track);
    Contact& contact = contacts_[track.contact];
    contact.normal = track.place.normal;
    contact.points[0].anchor = track.place.from_a;
    contact.points[0].separation = track.place.gap;
    track.normal_impulse = contact.points[0].normal_impulse;
    track.tangent_impulse = contact.points[0].tangent_impulse;
    track.rolling_impulse = contact.rolling_impulse;
  }
}

}  // namespace rigid
