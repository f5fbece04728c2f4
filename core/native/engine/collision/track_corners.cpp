// SPDX-License-Identifier: MIT
// Corners and faces that slide along chains.
//
// In a bowl a box touches with its corners, a capsule with its ends. Each of them follows the chain
// as a small circle does (chain_tracks.h), with a contact of its own, since each has its own
// direction. Where the chain bends away, a face rests on it instead: at the place where the rounded
// line is parallel to the face.
#include <algorithm>
#include <cmath>

#include "engine/collision/chain_tracks.h"
#include "engine/collision/track_motion.h"
#include "engine/data/constants.h"
#include "sorting.h"

namespace rigid {

// The margin (sine) of a pressing direction inside the range of normals of a corner.
float ChainTracks::corner_margin(const WorldShape& shape, int vertex, Vec2 into) const {
  const Vec2* v = shapes_.vertices.data() + shape.first_vertex;
  const Rotation q = bodies_[shape.body].rotation;
  float margin = 1.0f;
  for (int other : {vertex + 1, vertex + shape.count - 1}) {
    const Vec2 edge = normalize(v[vertex] - v[other % shape.count]);
    margin = std::min(margin, dot(rotate(q, edge), into));
  }
  return margin;
}

// The corners with which a shape touches a smooth chain, and neighbouring corners near it.
std::vector<ChainTrack> ChainTracks::find_corners(const std::vector<int>& contacts) const {
  std::vector<ChainTrack> corners;
  bool touches = false;
  const WorldShape& shape = shapes_[chains_.rider_of(contacts_[contacts[0]])];
  for (int vertex = 0; vertex < shape.count; ++vertex) {
    ChainTrack best{};
    bool found = false;
    for (int index : contacts) {
      const Contact& contact = contacts_[index];
      const int line = chains_.line_of(contact);
      const Vec2 into = line == contact.shape_a ? -contact.normal : contact.normal;
      if (corner_margin(shape, vertex, into) < constants::most_turned_corner) continue;
      ChainTrack track{};
      if (!start_track(index, vertex, shapes_[line].link, track)) continue;
      locate_track(track);
      if (found && std::fabs(track.place.gap) >= std::fabs(best.place.gap)) continue;
      best = track;
      found = true;
      // The search finds the nearest line from any line of a chain.
      if (std::fabs(track.place.gap) < 0.1f * parameters_.slop) break;
    }
    if (!found) continue;
    const bool first = contacts_[best.contact].shape_a == best.shape;
    const Vec2 into = first ? best.place.normal : -best.place.normal;
    const float margin = corner_margin(shape, vertex, into);
    if (margin < constants::most_turned_corner) continue;
    touches |= margin > constants::least_corner_margin;
    corners.push_back(best);
  }
  if (!touches) corners.clear();
  return corners;
}

// The face with which a shape rests on a hill.
bool ChainTracks::find_face(const std::vector<int>& contacts, ChainTrack& track) const {
  const WorldShape& shape = shapes_[chains_.rider_of(contacts_[contacts[0]])];
  for (int index : contacts) {
    const Contact& contact = contacts_[index];
    const int line = chains_.line_of(contact);
    const Vec2 into = line == contact.shape_a ? -contact.normal : contact.normal;
    for (int vertex = 0; vertex < shape.count; ++vertex) {
      const Vec2* v = shapes_.vertices.data() + shape.first_vertex;
      const Vec2 edge = normalize(v[(vertex + 1) % shape.count] - v[vertex]);
      const Vec2 out = rotate(bodies_[shape.body].rotation, -left_perpendicular(edge));
      if (dot(out, into) < constants::flush_face) continue;
      track = {};
      start_track(index, vertex, shapes_[line].link, track);
      if (!(track.range > 0.0)) continue;
      track.face = true;
      track.link = track.start_link = shapes_[line].link;
      if (!locate_face(track)) continue;
      track.start_link = track.link;
      const double gap = track.place.gap, near = parameters_.speculative;
      if (gap <= near && gap >= -near - parameters_.allowed_penetration) return true;
    }
  }
  return false;
}

// Adds the links between two places on one chain; false where the chain bulges there.
bool ChainTracks::find_between(const ChainTrack& first, const ChainTrack& second,
                               std::vector<int>& links) const {
  if (first.link == second.link) return true;
  const double reach = 4.0 * (shapes_[first.shape].core_extent + shapes_[first.shape].radius);
  for (int side = 0; side < 2; ++side) {
    std::vector<int> path;
    double gone = 0.0;
    bool bulges = false;
    for (int link = first.link; gone < reach;) {
      const ChainLink& own = chains_.links()[link];
      bulges |= own.bend[side] * own.length < -constants::track_bulge * definition_.length_unit;
      link = own.neighbour[side];
      if (link < 0 || link == first.link) break;
      if (link == second.link) {
        links.insert(links.end(), path.begin(), path.end());
        return !bulges;
      }
      path.push_back(link);
      gone += chains_.links()[link].length;
    }
  }
  return true;
}

// Whether a chain is deeper in a shape than at the corners.
bool ChainTracks::is_pierced(const std::vector<int>& contacts,
                             const std::vector<ChainTrack>& corners) const {
  float depth = 0.0f;
  for (const ChainTrack& corner : corners) depth = std::min(depth, corner.place.gap);
  depth -= constants::track_below * static_cast<float>(definition_.length_unit);
  return std::any_of(contacts.begin(), contacts.end(), [&](int index) {
    const Contact& contact = contacts_[index];
    return std::any_of(contact.points, contact.points + contact.count,
                       [&](const ContactPoint& point) { return point.separation < depth; });
  });
}

// A contact of the same pair for a corner: a free one, or a new one.
int ChainTracks::find_stand_in(const ChainTrack& track, const std::vector<int>& contacts,
                               const std::vector<int>& taken) {
  auto is_free = [&](int index) {
    return std::find(taken.begin(), taken.end(), index) == taken.end();
  };
  if (is_free(track.contact)) return track.contact;
  for (int index : contacts) {
    if (is_free(index)) return index;
  }
  const auto own = std::make_pair(track.shape, track.chain);
  auto idle = std::lower_bound(idle_contacts_.begin(), idle_contacts_.end(), IdleContact{own, 0});
  for (; idle != idle_contacts_.end() && idle->first == own; ++idle) {
    if (is_free(idle->second)) return idle->second;
  }
  for (int side = 0; side < 2; ++side) {
    for (int link = track.link; link >= 0;) {
      const int line = chains_.line_of_link(link);
      const int a = std::min(line, track.shape), b = std::max(line, track.shape);
      if (const int index = contacts_.create_new(a, b); index >= 0) return index;
      link = chains_.links()[link].neighbour[side];
      if (link == track.link) break;
    }
  }
  return -1;
}

// Writes the contact of a corner, with its impulses of the step before.
void ChainTracks::stand_on_corner(ChainTrack& track, const std::vector<ChainTrack>& before,
                                  std::vector<ContactPoint>& borne) {
  Contact& contact = contacts_[track.contact];
  const TrackPlace& place = track.place;
  contact.normal = place.normal;
  contact.offset = place.from_b - place.from_a;
  ContactPoint& point = contact.points[0];
  point = {place.from_a, place.gap, static_cast<uint16_t>(track.vertex), 0, 0, 0, 0};
  auto old = std::find_if(before.begin(), before.end(), [&](const ChainTrack& t) {
    return t.vertex == track.vertex && t.face == track.face;
  });
  if (old != before.end()) {
    point.normal_impulse = old->normal_impulse;
    point.tangent_impulse = old->tangent_impulse;
  } else {
    for (ContactPoint& other : borne) {
      if (length(other.anchor - place.from_a) > parameters_.speculative) continue;
      point.normal_impulse += other.normal_impulse;
      point.tangent_impulse += other.tangent_impulse;
      other.normal_impulse = other.tangent_impulse = 0.0f;
    }
  }
  contact.led = true;
  contact.grazes = false;
  contacts_.set_count(track.contact, 1);
}

// Forms the tracks of one shape, other than a circle, from its contacts with one body's chains.
void ChainTracks::lead_corners(std::vector<int> contacts, const std::vector<ChainTrack>& before) {
  std::vector<ChainTrack> corners = find_corners(contacts);
  if (corners.empty()) {
    ChainTrack face{};
    if (!find_face(contacts, face)) return;
    corners.push_back(face);
  }
  std::vector<int> passed;
  bool bulges = false;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::vector<int> own = passed_links(corners[i]);
    passed.insert(passed.end(), own.begin(), own.end());
    if (i > 0 && !find_between(corners[i - 1], corners[i], passed)) bulges = true;
  }
  if (bulges) {
    // The face rests on the bulge, or beyond a corner of it; a penetrating corner is pushed out
    // first.
    ChainTrack face{};
    if (find_face(contacts, face)) {
      corners.push_back(face);
    } else if (is_pierced(contacts, corners)) {
      return;
    }
  }
  auto bends = [this](int link) {
    return std::fabs(chains_.links()[link].bend[0]) > constants::least_bend ||
           std::fabs(chains_.links()[link].bend[1]) > constants::least_bend;
  };
  if (std::none_of(passed.begin(), passed.end(), bends)) return;
  rigid::sort(passed.begin(), passed.end());

  std::vector<ContactPoint> borne;
  for (int index : contacts) {
    const Contact& contact = contacts_[index];
    borne.insert(borne.end(), contact.points, contact.points + contact.count);
  }
  const Vec2 up = contacts_[contacts[0]].normal;
  std::vector<int> taken;
  for (ChainTrack& track : corners) {
    track.contact = find_stand_in(track, contacts, taken);
    if (track.contact < 0) return;
    taken.push_back(track.contact);
  }
  for (ChainTrack& track : corners) {
    stand_on_corner(track, before, borne);
    tracks_.push_back(track);
  }
  for (int index : contacts) {
    const Contact& contact = contacts_[index];
    if (contact.led || contact.count == 0) continue;
    const int link = shapes_[chains_.line_of(contact)].link;
    const bool beside =
        std::binary_search(passed.begin(), passed.end(), link) && dot(contact.normal, up) > 0.0f;
    const bool crosses = std::any_of(corners.begin(), corners.end(), [&](const ChainTrack& track) {
      return cross_over(chains_.crossings(), chains_.links()[track.link], chains_.links()[link]);
    });
    if (beside || crosses) contacts_.set_count(index, 0);
  }
}

}  // namespace rigid
