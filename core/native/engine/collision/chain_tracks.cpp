// SPDX-License-Identifier: MIT
// Chain tracks: circles that slide or roll along chains.
//
// A chain's contacts are found once a step, each with the direction of its own line; but a ball in
// a loop passes many lines in a step. Held to the lines where it started, it would lose a little
// speed at each: a velocity that is projected on a new direction loses its normal part. So where a
// circle touches a chain whose corners are small, one contact represents all of its contacts. The
// contact is moved along the chain (geometry/track.h) after each substep, and gives the solver the
// normal velocity with which the circle is on the line at the substep's end.
//
// This is the constraint of SHAKE (Ryckaert, Ciccotti and Berendsen, 1977): the impulse acts along
// the normal at the start of the substep, and the line is met at its end. The solver's second pass
// then removes the normal velocity at the end (RATTLE, Andersen, 1983). On an arc both impulses are
// equal, and the speed is kept for any step; elsewhere energy is conserved as well as by any
// symplectic method.
#include "engine/collision/chain_tracks.h"

#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"
#include "sorting.h"

namespace rigid {

// Finds the contacts with lines of chains, and the bodies with other contacts. None is on a track
// yet.
void ChainTracks::find_beside() {
  std::vector<uint8_t> is_line(shapes_.size(), 0), has_line(bodies_.size(), 0);
  for (int line : chains_.lines()) is_line[line] = has_line[shapes_[line].body] = 1;
  beside_.clear();
  held_.assign(bodies_.size(), 0);
  for (int index : contacts_.near()) {
    const ContactBond& bond = contacts_.bond(index);
    if (has_line[bond.body_a] || has_line[bond.body_b]) {
      Contact& contact = contacts_[index];
      contact.led = false;
      if (is_line[contact.shape_a] || is_line[contact.shape_b]) {
        beside_.push_back(index);
        continue;
      }
    }
    if (contacts_.has_points(index)) held_[bond.body_a] = held_[bond.body_b] = 1;
  }
}

// Replaces all contacts of a circle with one smooth line by a single one.
void ChainTracks::form_tracks() {
  if (chains_.links().empty()) return;
  std::vector<ChainTrack> before;
  before.swap(tracks_);
  find_beside();
  chain_branches_.enter_crossings();
  std::vector<int> found;
  auto key = [&](int index) {
    const Contact& c = contacts_[index];
    return std::make_pair(chains_.rider_of(c), shapes_[chains_.line_of(c)].body);
  };
  idle_contacts_.clear();
  for (int index : beside_) {
    const Contact& contact = contacts_[index];
    if (!chains_.is_smooth_chain(contact)) continue;
    if (contact.count > 0) {
      found.push_back(index);
    } else if (!contact.round_a && !contact.round_b) {
      idle_contacts_.push_back({key(index), index});
    }
  }
  rigid::sort(idle_contacts_.begin(), idle_contacts_.end());
  rigid::sort(found.begin(), found.end(),
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
    (this->*(round ? &ChainTracks::lead_along : &ChainTracks::lead_corners))(
        {found.begin() + first, found.begin() + last}, same);
    first = last;
  }
  for (int index : found) {
    if (contacts_[index].grazes && contacts_[index].count > 0) contacts_.set_count(index, 0);
  }
  chain_branches_.note_branches(tracks_);
  note_coupled_tracks();
  old = before.begin();
  for (ChainTrack& track : tracks_) {
    while (old != before.end() && old->shape < track.shape) ++old;
    if (old != before.end() && old->shape == track.shape) track.spare = old->spare;
  }
}

// Finds the bodies held by tracks only, and those with other constraints too.
void ChainTracks::note_coupled_tracks() {
  coupled_tracks_ = false;
  if (tracks_.empty()) return;
  for (int index : beside_) {
    const Contact& contact = contacts_[index];
    if (contact.count > 0 && !contact.led) held_[contact.body_a] = held_[contact.body_b] = 1;
  }
  int last = -1;
  for (ChainTrack& track : tracks_) {
    const int body = shapes_[track.shape].body;
    const bool jointed = bodies_[body].acting_joints > 0, again = body == last;
    last = body;
    track.alone = held_[body] == 0 && !jointed && !bodies_.is_dynamic(track.chain);
    // A body with other constraints does not slide freely.
    coupled_tracks_ = coupled_tracks_ || (held_[body] == 0 && (jointed || again || track.face));
  }
}

// Forms the track of one circle from its contacts with one body's chains. An existing track
// continues.
void ChainTracks::lead_along(std::vector<int> contacts, const std::vector<ChainTrack>& before) {
  rigid::stable_sort(contacts.begin(), contacts.end(), [&](int l, int r) {
    return contacts_[l].points[0].separation < contacts_[r].points[0].separation;
  });
  auto link_of = [&](int index) { return shapes_[chains_.line_of(contacts_[index])].link; };
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

// Passes impulses to the contact that now represents the track.
void ChainTracks::take_over(const ChainTrack& track, const ChainTrack& old) {
  if (old.contact == track.contact) return;
  Contact& to = contacts_[track.contact];
  to.points[0].normal_impulse = old.normal_impulse;
  to.points[0].tangent_impulse = old.tangent_impulse;
  to.rolling_impulse = old.rolling_impulse;
}

// The links that a circle may reach along its chain in this step, in order.
std::vector<int> ChainTracks::passed_links(const ChainTrack& track) const {
  const Track path(chains_.links().data(), shapes_[track.shape].radius, track.rounding);
  std::vector<int> passed{track.link};
  for (int side = 0; side < 2; ++side) {
    int link = track.link;
    for (double gone = 0.0; gone < track.range; gone += chains_.links()[link].length) {
      link = path.next(link, side);
      if (link < 0 || link == track.link) break;
      passed.push_back(link);
    }
  }
  rigid::sort(passed.begin(), passed.end());
  return passed;
}

// Makes the track's contact represent all contacts with the links that are passed; a line that
// crosses the chain there is ignored.
void ChainTracks::drop_others(const std::vector<int>& contacts, const std::vector<int>& passed,
                              const ChainTrack& track) {
  Contact& leader = contacts_[track.contact];
  leader.led = true;
  leader.grazes = false;
  for (int index : contacts) {
    const Contact& contact = contacts_[index];
    if (contact.led || contact.count == 0) continue;
    const int link = shapes_[chains_.line_of(contact)].link;
    const bool beside = std::binary_search(passed.begin(), passed.end(), link) &&
                        dot(contact.normal, leader.normal) > 0.0f;
    if (beside ||
        cross_over(chains_.crossings(), chains_.links()[track.link], chains_.links()[link]))
      contacts_.set_count(index, 0);
  }
  tracks_.push_back(track);
}

void ChainTracks::forget_body(int body) {
  std::erase_if(tracks_, [&](const ChainTrack& track) {
    return track.chain == body || shapes_[track.shape].body == body;
  });
}

void ChainTracks::renumber(const std::vector<int>& now) {
  for (ChainTrack& track : tracks_) {
    track.link = now[track.link];
    track.start_link = now[track.start_link];
  }
}

}  // namespace rigid
