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
double dot(Double2 a, Double2 b) { return a.x * b.x + a.y * b.y; }
double cross(Double2 a, Double2 b) { return a.x * b.y - a.y * b.x; }
Double2 operator+(Double2 a, Double2 b) { return {a.x + b.x, a.y + b.y}; }
Double2 operator-(Double2 a, Double2 b) { return {a.x - b.x, a.y - b.y}; }
Double2 operator*(double s, Double2 a) { return {s * a.x, s * a.y}; }
Vec2 single(Double2 a) { return {static_cast<float>(a.x), static_cast<float>(a.y)}; }

}  // namespace

// A chain's body and a circle as they are in the middle of a step; world axes but where said.
struct World::Sight {
  DoubleRotation rotation;  // of the chain's body
  Double2 between;          // from its centre of mass to that of the circle's body
  Double2 lever;            // from there to the circle's centre
  Double2 centre;           // of the circle, in the chain's body
};

// The lines of a chain come one after the other, and each knows the far ends of its neighbours.
void World::link_chains(int body) {
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

// Whether this is a circle at a chain that can be gone along.
bool World::is_smooth_chain(const Contact& contact) const {
  if (contact.sensor || !(contact.round_a || contact.round_b)) return false;
  const WorldShape& line = shapes_[contact.round_a ? contact.shape_b : contact.shape_a];
  if (line.link < 0) return false;
  const ChainLink& link = links_[line.link];
  return link.neighbour[0] >= 0 || link.neighbour[1] >= 0;
}

// Lets one contact stand for all that a circle has with one smooth line.
void World::form_tracks() {
  if (links_.empty()) return;
  std::vector<ChainTrack> before;
  before.swap(tracks_);
  for (const ChainTrack& track : before) shapes_[track.circle].track = -1;
  std::vector<int> found;
  for (int index : active_contacts_) {
    Contact& contact = contacts_[index];
    if (contact.count == 0 || !is_smooth_chain(contact)) continue;
    contact.led = false;
    found.push_back(index);
  }
  auto key = [&](int index) {
    const Contact& c = contacts_[index];
    return c.round_a ? std::make_pair(c.shape_a, c.body_b) : std::make_pair(c.shape_b, c.body_a);
  };
  std::sort(found.begin(), found.end(),
            [&](int l, int r) { return key(l) != key(r) ? key(l) < key(r) : l < r; });
  // Both are in the order of circles and chains.
  auto old = before.begin();
  for (std::size_t first = 0; first < found.size();) {
    const auto own = key(found[first]);
    std::size_t last = first + 1;
    while (last < found.size() && key(found[last]) == own) ++last;
    auto old_key = [&] { return std::make_pair(old->circle, old->chain); };
    while (old != before.end() && old_key() < own) ++old;
    std::vector<ChainTrack> same;
    while (old != before.end() && old_key() == own) same.push_back(*old++);
    lead_along({found.begin() + first, found.begin() + last}, same);
    first = last;
  }
  for (int index : found) {
    if (contacts_[index].brushes && contacts_[index].count > 0) set_count(index, 0);
  }
}

// The contacts of one circle with one body's chains. Where it was led along before, it still is.
void World::lead_along(std::vector<int> contacts, const std::vector<ChainTrack>& before) {
  std::stable_sort(contacts.begin(), contacts.end(), [&](int l, int r) {
    return contacts_[l].points[0].separation < contacts_[r].points[0].separation;
  });
  auto link_of = [&](int index) {
    const Contact& contact = contacts_[index];
    return shapes_[contact.round_a ? contact.shape_b : contact.shape_a].link;
  };
  ChainTrack track{};
  for (const ChainTrack& old : before) {
    if (!start_track(contacts[0], old.link, track)) continue;
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
    if (!start_track(index, link_of(index), track)) continue;
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
  const Track way(links_.data(), shapes_[track.circle].radius, track.rounding);
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
    const int link = shapes_[contact.round_a ? contact.shape_b : contact.shape_a].link;
    const bool beside = std::binary_search(passed.begin(), passed.end(), link) &&
                        dot(contact.normal, leader.normal) > 0.0f;
    if (beside || cross_over(crossings_, links_[track.link], links_[link])) set_count(index, 0);
  }
  shapes_[track.circle].track = static_cast<int>(tracks_.size());
  tracks_.push_back(track);
}

// Whether a circle is led along a chain that crosses this line, which it goes through.
bool World::goes_through(const WorldShape& circle, const WorldShape& line) const {
  if (circle.track < 0 || line.link < 0) return false;
  return cross_over(crossings_, links_[tracks_[circle.track].link], links_[line.link]);
}

World::Sight World::sight(const ChainTrack& track) const {
  const int ball = shapes_[track.circle].body, chain = track.chain;
  const Body &a = bodies_[chain], &b = bodies_[ball];
  const BodyState &sa = states_[chain], &sb = states_[ball];
  Sight seen;
  seen.rotation = DoubleRotation{a.rotation.c, a.rotation.s} * Rotation{sa.c, sa.s};
  const Vec2 own = vertices_[shapes_[track.circle].first_vertex];
  seen.lever =
      rotate(DoubleRotation{b.rotation.c, b.rotation.s} * Rotation{sb.c, sb.s}, {own.x, own.y});
  seen.between = {b.center_x - a.center_x + (double{sb.dx} - double{sa.dx}),
                  b.center_y - a.center_y + (double{sb.dy} - double{sa.dy})};
  seen.centre = inverse_rotate(seen.rotation, seen.between + seen.lever);
  return seen;
}

// Whether a circle that touches a chain can be led along it.
bool World::start_track(int index, int link, ChainTrack& track) const {
  const Contact& contact = contacts_[index];
  track.contact = index;
  track.circle = contact.round_a ? contact.shape_a : contact.shape_b;
  track.chain = contact.round_a ? contact.body_b : contact.body_a;
  track.link = link;
  const double radius = shapes_[track.circle].radius;
  const Sight seen = sight(track);
  const BodyState &a = states_[track.chain], &b = states_[shapes_[track.circle].body];
  const Double2 arm = seen.between + seen.lever;
  const Double2 relative = {b.vx - a.vx + a.omega * arm.y, b.vy - a.vy - a.omega * arm.x};
  const double speed = std::sqrt(dot(relative, relative)), way = speed * definition_.dt;
  const double unit = definition_.length_unit;
  if (!(way > constants::track_motion * unit)) return false;
  const double ahead = std::max(double{constants::track_substeps} * parameters_.h,
                                constants::track_time * definition_.time_per_second);
  track.rounding = {speed * ahead, constants::track_above * unit,
                    std::min(constants::track_below * unit, 0.1 * radius)};
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

// Where a circle is beside its chain now.
void World::locate_track(ChainTrack& track) const {
  const Sight seen = sight(track);
  const double radius = shapes_[track.circle].radius;
  const TrackPoint point =
      Track(links_.data(), radius, track.rounding).locate(seen.centre, track.link);
  const Double2 normal = rotate(seen.rotation, point.normal);
  // Each has its own surface for an arm, however far they are apart.
  const Double2 from_ball = seen.lever - radius * normal;
  const Double2 from_chain = seen.between + seen.lever - (radius + point.gap) * normal;
  const bool ball_first = contacts_[track.contact].round_a;
  track.link = point.link;
  track.place.normal = ball_first ? -single(normal) : single(normal);
  track.place.from_a = single(ball_first ? from_ball : from_chain);
  track.place.from_b = single(ball_first ? from_chain : from_ball);
  track.place.gap = static_cast<float>(point.gap);
}

// The velocity along the normal with which the circle lies on the chain at the substep's end: what
// it does across the normal, and the turn of the chain, are known.
void World::aim_track(ChainTrack& track) const {
  const StepParameters& p = parameters_;
  const Sight seen = sight(track);
  const BodyState &a = states_[track.chain], &b = states_[shapes_[track.circle].body];
  const double h = p.h, gap = track.place.gap;
  const Track line(links_.data(), shapes_[track.circle].radius, track.rounding);
  const bool fixed =
      !can_move(step_masses_[track.chain]) || !can_move(step_masses_[shapes_[track.circle].body]);
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
  const Double2 along = velocity - across * normal;
  const SineCosine turn = sine_cosine(-h * turning);
  const DoubleRotation back = {turn.cosine, turn.sine};
  // Newton's method for the way along the normal. Where the chain turns by more than a substep can
  // follow, it is the plane that it was.
  double way = 0.0, error = 0.0;
  for (int i = 0; i < 5; ++i) {
    const Double2 end = rotate(back, seen.centre + h * along + way * normal);
    const TrackPoint point = line.locate(end, track.link);
    error = goal - point.gap;
    way += error / std::max(dot(point.normal, rotate(back, normal)), 0.25);
  }
  if (!(std::fabs(error) < p.slop)) way = goal - gap;
  track.place.aim = static_cast<float>(way / h);
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

// At the beginning of a step, or when it is taken again.
void World::start_tracks() {
  for (ChainTrack& track : tracks_) {
    track.link = track.start_link;
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
