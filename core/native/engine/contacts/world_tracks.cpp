// Circles that slide or roll along chains.
//
// A chain's contacts are found once a step, each with the direction of its own line; but a ball in
// a loop passes many lines in a step. Held to the lines where it started, it would be stopped a
// little by each: a velocity that is projected on a new direction loses its part across. So where
// a circle touches a chain whose corners are small, one contact stands for all of them. It is
// taken along (geometry/track.h) after each substep, and tells the solver with which velocity
// across the line the circle comes to lie on the line at the substep's end.
//
// That is the constraint of SHAKE (Ryckaert, Ciccotti and Berendsen, 1977): pushed along the normal
// of where the substep begins, so that the line is met where it ends. What is not along the line
// there is taken away again by the solver's second pass (RATTLE, Andersen, 1983). On an arc both
// are equal, and the speed is kept whatever the step; elsewhere energy is kept as well as by any
// symplectic method.
#include <algorithm>
#include <cmath>

#include "engine/constants.h"
#include "engine/world.h"

namespace rigid {

namespace {

constexpr int track_piece = 32;
constexpr float unaimed = -1e30f;  // any velocity is above it

}  // namespace

struct DoubleRotation {
  double c, s;
};

namespace {

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

// A chain's body and a circle as they are in the middle of a step; world axes but where said.
struct World::Sight {
  DoubleRotation rotation;  // of the chain's body
  Double2 between;          // from its centre of mass to that of the circle's body
  Double2 lever;            // from there to the circle's centre
  Double2 centre;           // of the circle, in the chain's body
  Double2 up, along;        // of a face: its inward normal and its direction, in the chain's body
  double length;            // of a face
};

// The lines of a chain come one after the other, and each knows the far ends of its neighbours.
void World::link_chains(int body) {
  remove_tracks(body);
  remove_links(body);
  const std::vector<int>& shapes = body_shapes_[body];
  auto points = [&](int shape) { return given_points_.data() + 2 * shapes_[shape].first_vertex; };
  auto same = [](const double* a, const double* b) { return a[0] == b[0] && a[1] == b[1]; };
  auto follows = [&](int first, int second) {
    const WorldShape &l = shapes_[first], &r = shapes_[second];
    const double *p = points(first), *q = points(second);
    return l.sensor == r.sensor && l.friction == r.friction && l.restitution == r.restitution &&
           l.rolling_resistance == r.rolling_resistance && l.tangent_speed == r.tangent_speed &&
           l.category == r.category && same(p + 2, q) && same(p + 4, q + 2) && same(p + 6, q + 4);
  };
  auto join = [&](int first, int second) {
    if (!follows(first, second)) return;
    const int left = shapes_[first].link, right = shapes_[second].link;
    ChainLink &l = links_[left], &r = links_[right];
    const double bend = cross(l.along, r.along) / (1.0 + dot(l.along, r.along));
    if (!(std::fabs(bend) <= smooth_bend)) return;
    l.neighbour[1] = right;
    r.neighbour[0] = left;
    l.bend[1] = r.bend[0] = bend;
  };
  int start = -1, last = -1;
  auto end_chain = [&] {
    if (start < 0) return;
    const bool closed = start != last && follows(last, start);
    if (closed) join(last, start);
    find_crossings(links_, shapes_[start].link, shapes_[last].link, closed,
                   constants::crossing_gap * definition_.length_unit, crossings_);
  };
  for (int index : shapes) {
    WorldShape& shape = shapes_[index];
    if (shape.kind != ShapeKind::chain_segment || shape.sensor) continue;
    shape.link = static_cast<int>(links_.size());
    line_of_link_.push_back(index);
    const Vec2* v = vertices_.data() + shape.first_vertex;
    const Double2 p1 = {v[1].x, v[1].y}, p2 = {v[2].x, v[2].y}, edge = p2 - p1;
    const double length = std::sqrt(dot(edge, edge));
    const Double2 along = length > 0.0 ? (1.0 / length) * edge : Double2{1.0, 0.0};
    links_.push_back({p1, along, length, {-1, -1}, {0.0, 0.0}, shape.link, 0.5 * length});
    if (last < 0 || !follows(last, index)) {
      end_chain();
      start = index;
    } else {
      const ChainLink& before = links_[shapes_[last].link];
      links_.back().chain = before.chain;
      links_.back().position += before.position + 0.5 * before.length;
      join(last, index);
    }
    last = index;
  }
  end_chain();
}

// Of a contact with a chain: the line. The other shape is what may slide along it.
int World::line_of(const Contact& contact) const {
  return shapes_[contact.shape_a].link >= 0 ? contact.shape_a : contact.shape_b;
}

// Whether this is something with corners or a circle at a chain that can be gone along.
bool World::is_smooth_chain(const Contact& contact) const {
  if (contact.sensor) return false;
  const WorldShape &rider = shapes_[rider_of(contact)], &line = shapes_[line_of(contact)];
  if (line.link < 0 || rider.part) return false;
  if (rider.kind == ShapeKind::segment || rider.kind == ShapeKind::chain_segment) return false;
  const ChainLink& link = links_[line.link];
  return link.neighbour[0] >= 0 || link.neighbour[1] >= 0;
}

// Lets one contact stand for all that a circle has with one smooth line.
void World::form_tracks() {
  if (links_.empty()) return;
  std::vector<ChainTrack> before;
  before.swap(tracks_);
  for (int index : active_contacts_) contacts_[index].led = false;
  enter_crossings();
  std::vector<int> found;
  auto key = [&](int index) {
    const Contact& c = contacts_[index];
    return std::make_pair(rider_of(c), shapes_[line_of(c)].body);
  };
  idle_contacts_.clear();
  for (int index : active_contacts_) {
    Contact& contact = contacts_[index];
    if (!is_smooth_chain(contact)) continue;
    if (contact.count > 0) {
      found.push_back(index);
    } else if (!contact.round_a && !contact.round_b) {
      idle_contacts_.push_back({key(index), index});
    }
  }
  std::sort(idle_contacts_.begin(), idle_contacts_.end());
  std::sort(found.begin(), found.end(),
            [&](int l, int r) { return key(l) != key(r) ? key(l) < key(r) : l < r; });
  // Both are in the order of circles and chains.
  auto old = before.begin();
  for (std::size_t first = 0; first < found.size();) {
    const auto own = key(found[first]);
    std::size_t last = first + 1;
    while (last < found.size() && key(found[last]) == own) ++last;
    auto old_key = [&] { return std::make_pair(old->shape, old->chain); };
    while (old != before.end() && old_key() < own) ++old;
    std::vector<ChainTrack> same;
    while (old != before.end() && old_key() == own) same.push_back(*old++);
    const bool round = shapes_[own.first].kind == ShapeKind::circle;
    (this->*(round ? &World::lead_along : &World::lead_corners))(
        {found.begin() + first, found.begin() + last}, same);
    first = last;
  }
  for (int index : found) {
    if (contacts_[index].brushes && contacts_[index].count > 0) set_count(index, 0);
  }
  note_strands();
  note_coupled_tracks();
  old = before.begin();
  for (ChainTrack& track : tracks_) {
    while (old != before.end() && old->shape < track.shape) ++old;
    if (old != before.end() && old->shape == track.shape) track.spare = old->spare;
  }
}

// Who is held by nothing but its tracks, and who is held elsewhere too.
void World::note_coupled_tracks() {
  coupled_tracks_ = false;
  if (tracks_.empty()) return;
  std::vector<uint8_t> held(bodies_.size(), 0);
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (contact.count > 0 && !contact.led) held[contact.body_a] = held[contact.body_b] = 1;
  }
  int last = -1;
  for (ChainTrack& track : tracks_) {
    const int body = shapes_[track.shape].body;
    const bool jointed = bodies_[body].acting_joints > 0, again = body == last;
    last = body;
    track.alone = held[body] == 0 && !jointed && !movable(track.chain);
    // Among others nothing slides undisturbed.
    coupled_tracks_ = coupled_tracks_ || (held[body] == 0 && (jointed || again || track.face));
  }
}

// The contacts of one circle with one body's chains. Where it was led along before, it still is.
void World::lead_along(std::vector<int> contacts, const std::vector<ChainTrack>& before) {
  std::stable_sort(contacts.begin(), contacts.end(), [&](int l, int r) {
    return contacts_[l].points[0].separation < contacts_[r].points[0].separation;
  });
  auto link_of = [&](int index) { return shapes_[line_of(contacts_[index])].link; };
  ChainTrack track{};
  for (const ChainTrack& old : before) {
    if (!start_track(contacts[0], 0, old.link, track)) continue;
    const std::vector<int> passed = passed_links(track);
    for (int index : contacts) {
      if (contacts_[index].count == 0 || contacts_[index].led) continue;
      if (!std::binary_search(passed.begin(), passed.end(), link_of(index))) continue;
      track.contact = index;
      take_over(track, old);
      drop_others(contacts, passed, track);
      break;
    }
  }
  for (int index : contacts) {
    if (contacts_[index].count == 0 || contacts_[index].led) continue;
    if (!start_track(index, 0, link_of(index), track)) continue;
    drop_others(contacts, passed_links(track), track);
  }
}

// What the contact bore goes over to the one that stands in its place.
void World::take_over(const ChainTrack& track, const ChainTrack& old) {
  if (old.contact == track.contact) return;
  Contact& to = contacts_[track.contact];
  to.points[0].normal_impulse = old.normal_impulse;
  to.points[0].tangent_impulse = old.tangent_impulse;
  to.rolling_impulse = old.rolling_impulse;
}

// The links that a circle may come to along its chain in this step, in order.
std::vector<int> World::passed_links(const ChainTrack& track) const {
  const Track way(links_.data(), shapes_[track.shape].radius, track.rounding);
  std::vector<int> passed{track.link};
  for (int side = 0; side < 2; ++side) {
    int link = track.link;
    for (double gone = 0.0; gone < track.range; gone += links_[link].length) {
      link = way.next(link, side);
      if (link < 0 || link == track.link) break;
      passed.push_back(link);
    }
  }
  std::sort(passed.begin(), passed.end());
  return passed;
}

// From now on the track's contact stands for all with the links that are passed; what crosses the
// chain there is gone through.
void World::drop_others(const std::vector<int>& contacts, const std::vector<int>& passed,
                        const ChainTrack& track) {
  Contact& leader = contacts_[track.contact];
  leader.led = true;
  leader.brushes = false;
  for (int index : contacts) {
    const Contact& contact = contacts_[index];
    if (contact.led || contact.count == 0) continue;
    const int link = shapes_[line_of(contact)].link;
    const bool beside = std::binary_search(passed.begin(), passed.end(), link) &&
                        dot(contact.normal, leader.normal) > 0.0f;
    if (beside || cross_over(crossings_, links_[track.link], links_[link])) set_count(index, 0);
  }
  tracks_.push_back(track);
}

World::Sight World::sight(const ChainTrack& track) const {
  const int ball = shapes_[track.shape].body, chain = track.chain;
  const Body &a = bodies_[chain], &b = bodies_[ball];
  const BodyState &sa = states_[chain], &sb = states_[ball];
  Sight seen{};
  seen.rotation = DoubleRotation{a.rotation.c, a.rotation.s} * Rotation{sa.c, sa.s};
  const Vec2 own = vertices_[shapes_[track.shape].first_vertex + track.vertex];
  seen.lever =
      rotate(DoubleRotation{b.rotation.c, b.rotation.s} * Rotation{sb.c, sb.s}, {own.x, own.y});
  seen.between = {b.center_x - a.center_x + (double{sb.dx} - double{sa.dx}),
                  b.center_y - a.center_y + (double{sb.dy} - double{sa.dy})};
  seen.centre = inverse_rotate(seen.rotation, seen.between + seen.lever);
  if (track.face) {
    const WorldShape& shape = shapes_[track.shape];
    const Vec2 next = vertices_[shape.first_vertex + (track.vertex + 1) % shape.count];
    const Double2 edge = {double{next.x} - own.x, double{next.y} - own.y};
    seen.length = std::sqrt(dot(edge, edge));
    const DoubleRotation turn = DoubleRotation{b.rotation.c, b.rotation.s} * Rotation{sb.c, sb.s};
    seen.along = inverse_rotate(seen.rotation, rotate(turn, (1.0 / seen.length) * edge));
    seen.up = {-seen.along.y, seen.along.x};
  }
  return seen;
}

// Whether a circle or a corner that touches a chain can be led along it.
bool World::start_track(int index, int vertex, int link, ChainTrack& track) const {
  const Contact& contact = contacts_[index];
  track.contact = index;
  track.shape = rider_of(contact);
  track.vertex = vertex;
  track.chain = shapes_[line_of(contact)].body;
  track.link = link;
  const double radius = shapes_[track.shape].radius;
  const Sight seen = sight(track);
  const BodyState &a = states_[track.chain], &b = states_[shapes_[track.shape].body];
  const Double2 arm = seen.between + seen.lever;
  const Double2 relative = {b.vx - a.vx + a.omega * arm.y, b.vy - a.vy - a.omega * arm.x};
  const double speed = std::sqrt(dot(relative, relative)), way = speed * definition_.dt;
  const double unit = definition_.length_unit;
  if (!(way > constants::track_motion * unit)) return false;
  const double ahead = std::max(double{constants::track_substeps} * parameters_.h,
                                constants::track_time * definition_.time_per_second);
  track.rounding = {speed * ahead, constants::track_above * unit,
                    std::min(constants::track_below * unit, 0.1 * shapes_[track.shape].thickness)};
  track.range = 2.0 * (way + radius + constants::speculative_distance * unit);
  const Track line(links_.data(), radius, track.rounding);
  if (!line.fits(track.link)) return false;
  const TrackPoint point = line.locate(seen.centre, track.link);
  // What is deep in it has to come out first.
  const double near = constants::speculative_distance * unit;
  if (!(point.gap <= near && point.gap >= -near - parameters_.allowed_penetration)) return false;
  if (!line.is_beside(seen.centre, point.link)) return false;
  track.link = track.start_link = point.link;
  return true;
}

// Where a face touches a chain that bends away: in the chain's body, from where it stands now.
bool World::face_at(const ChainTrack& track, const Sight& seen, TrackPoint& point,
                    Double2& place) const {
  const WorldShape& shape = shapes_[track.shape];
  const Track line(links_.data(), 0.0, track.rounding);
  if (!line.support(seen.centre, seen.up, track.link, point, place)) return false;
  point.gap -= shape.radius;
  const Double2 across = {seen.up.y, -seen.up.x};
  const double at = std::fabs(dot(place - seen.centre, across));
  return at > 0.0 && at < seen.length && dot(place - seen.centre, seen.along) > 0.0;
}

bool World::locate_face(ChainTrack& track) const {
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

// As aim_track, with the face's turn: where bodies end with the velocities that they have now, and
// what is missing there.
void World::aim_face(ChainTrack& track) const {
  Sight seen = sight(track);
  const BodyState &a = states_[track.chain], &b = states_[shapes_[track.shape].body];
  const double h = parameters_.h, gap = track.place.gap;
  const bool first = contacts_[track.contact].shape_a == track.shape;
  const Vec2 arm_a = track.place.from_a, arm_b = track.place.from_b;
  const Vec2 up = first ? -track.place.normal : track.place.normal;
  const Vec2 on_chain = first ? arm_b : arm_a, on_face = first ? arm_a : arm_b;
  const Vec2 relative =
      Vec2{b.vx - a.vx, b.vy - a.vy} + cross(b.omega, on_face) - cross(a.omega, on_chain);
  const double across = dot(relative, up);
  const Softness& soft = parameters_.static_contact;
  const float rate = parameters_.impulse_solver ? 0.0f : soft.bias_rate;
  const double push = std::min(rate * std::max(-gap - parameters_.resting_depth, 0.0),
                               double{parameters_.push_speed});
  const double goal = std::min(gap, 0.0) + h * push;
  const SineCosine own = sine_cosine(h * b.omega), back = sine_cosine(-h * a.omega);
  const DoubleRotation turn = {own.cosine, own.sine}, undo = {back.cosine, back.sine};
  const BodyStep& step = body_steps_[shapes_[track.shape].body];
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

// Where a circle is beside its chain now.
void World::locate_track(ChainTrack& track) const {
  if (track.face) {
    locate_face(track);
    return;
  }
  const Sight seen = sight(track);
  const double radius = shapes_[track.shape].radius;
  const TrackPoint point =
      Track(links_.data(), radius, track.rounding).locate(seen.centre, track.link);
  const Double2 normal = rotate(seen.rotation, point.normal);
  // Each has its own surface for an arm, however far they are apart.
  const Double2 from_ball = seen.lever - radius * normal;
  const Double2 from_chain = seen.between + seen.lever - (radius + point.gap) * normal;
  const bool ball_first = contacts_[track.contact].shape_a == track.shape;
  track.link = point.link;
  track.place.normal = ball_first ? -single(normal) : single(normal);
  track.place.from_a = single(ball_first ? from_ball : from_chain);
  track.place.from_b = single(ball_first ? from_chain : from_ball);
  track.place.gap = static_cast<float>(point.gap);
}

// The velocity along the normal with which the circle lies on the chain at the substep's end: what
// it does across the normal, and the turn of the chain, are known.
void World::aim_track(ChainTrack& track) const {
  if (track.face) {
    aim_face(track);
    return;
  }
  const StepParameters& p = parameters_;
  const Sight seen = sight(track);
  const BodyState &a = states_[track.chain], &b = states_[shapes_[track.shape].body];
  const double h = p.h, gap = track.place.gap;
  const Track line(links_.data(), shapes_[track.shape].radius, track.rounding);
  const bool fixed =
      !can_move(step_masses_[track.chain]) || !can_move(step_masses_[shapes_[track.shape].body]);
  // In sequential_impulse overlap is pushed apart afterwards.
  const float rate = p.impulse_solver ? 0.0f
                     : fixed          ? p.static_contact.bias_rate
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
  // What the lever's turn by a finite angle is more than that of the velocity.
  const SineCosine swing = sine_cosine(h * b.omega);
  Double2 bow =
      rotate(DoubleRotation{swing.cosine, swing.sine}, seen.lever) - seen.lever - h * spin;
  const BodyStep& step = body_steps_[shapes_[track.shape].body];
  if (step.led) bow = bow + Double2{step.correction_x, step.correction_y};
  const Double2 along = h * (velocity - across * normal) + inverse_rotate(seen.rotation, bow);
  const SineCosine turn = sine_cosine(-h * turning);
  const DoubleRotation back = {turn.cosine, turn.sine};
  // Newton's method for the way along the normal. Where the chain turns by more than a substep can
  // follow, it is the plane that it was.
  double way = 0.0, error = 0.0;
  for (int i = 0; i < 5; ++i) {
    const Double2 end = rotate(back, seen.centre + along + way * normal);
    const TrackPoint point = line.locate(end, track.link);
    error = goal - point.gap;
    way += error / std::max(dot(point.normal, rotate(back, normal)), 0.25);
  }
  if (!(std::fabs(error) < p.slop)) way = goal - gap;
  track.place.aim = static_cast<float>(way / h);
}

// The velocity along the normal with which it stays on the chain where it is. What has not been
// pushed has not come to it yet.
void World::level_track(ChainTrack& track) const {
  locate_track(track);
  const bool touches = contacts_[track.contact].points[0].normal_impulse > 0.0f;
  track.place.aim = touches ? -std::max(track.place.gap, 0.0f) * parameters_.inverse_h : unaimed;
}

void World::for_tracks(void (World::*task)(ChainTrack&) const) {
  if (tracks_.empty()) return;
  pool_.run(static_cast<int>(tracks_.size()), track_piece, [&](int first, int last) {
    for (int i = first; i < last; ++i) (this->*task)(tracks_[i]);
  });
  const KernelContext context = contact_context();
  for (const ChainTrack& track : tracks_) {
    const Contact& contact = contacts_[track.contact];
    const ColorSpan& color = contact_spans_[span_of_color_[contact.color]];
    const Kernels& kernels = color.single ? *single_ : *kernels_;
    const FollowTrack follow = parameters_.impulse_solver ? kernels.impulse.follow : kernels.follow;
    follow(context, color.span, contact.slot, track.place);
  }
}

// What is led in several places, or has joints, is solved with them until they agree.
void World::settle_tracks() {
  if (!coupled_tracks_) return;
  for (int i = 0; i < constants::track_sweeps; ++i) {
    for_systems(&JointSystem::iterate);
    aim_tracks();
    run_contacts(kernels_->solve, single_->solve, Share::change);
  }
}

double World::kinetic_energy(int body) const {
  const BodyState& s = states_[body];
  const InverseMass inverse = masses_[body];
  const double vx = s.vx, vy = s.vy, spin = s.omega;
  const double turning = inverse.inertia > 0.0f ? spin * spin / inverse.inertia : 0.0;
  return 0.5 * ((inverse.mass > 0.0f ? (vx * vx + vy * vy) / inverse.mass : 0.0) + turning);
}

// A chain that stands still does no work. Where its corners are larger than a step can follow, the
// speed swings by the angles between the way and the lines; what that has taken it may give back,
// and no more.
void World::keep_energy(ChainTrack& track) {
  if (!track.alone || bodies_[track.chain].kind != BodyKind::fixed) return;
  const int index = shapes_[track.shape].body;
  BodyState& state = states_[index];
  const BodyStep& step = body_steps_[index];
  const InverseMass inverse = heavy_masses_[index];
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

// At the beginning of a step, or when it is taken again.
void World::start_tracks() {
  for (ChainTrack& track : tracks_) {
    track.link = track.start_link;
    const int body = shapes_[track.shape].body;
    body_steps_[body].led = track.alone;
    track.energy = kinetic_energy(body);
    const Contact& contact = contacts_[track.contact];
    track.place.bounces = false;
    if (!parameters_.impulse_solver || contact.points[0].normal_impulse > 0.0f) continue;
    locate_track(track);
    const BodyState &a = states_[contact.body_a], &b = states_[contact.body_b];
    const TrackPlace& place = track.place;
    const Vec2 relative = Vec2{b.vx - a.vx, b.vy - a.vy} + cross(b.omega, place.from_b) -
                          cross(a.omega, place.from_a);
    const float speed = dot(relative, place.normal);
    track.place.bounces = speed < -parameters_.restitution_threshold && contact.restitution > 0.0f;
  }
  for_tracks(&World::locate_track);
}

// What is read of them is where they are at the step's end, and what they bore is kept for the next
// step, in which other contacts may stand for them.
void World::finish_tracks() {
  for (ChainTrack& track : tracks_) {
    keep_energy(track);
    if (parameters_.impulse_solver) locate_track(track);
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
