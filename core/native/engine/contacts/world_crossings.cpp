// Which branch of a chain that crosses itself a body is on.
//
// A loop-the-loop is one line: its entry and its exit cross at the lowest place, and what rides on
// one branch passes the other. On which it is cannot be seen where both touch it; so it is known
// from step to step for as long as a body is beside the chain, followed along the line, whether it
// is led there, lies there or hops. What hangs on joints is where its neighbours are: a chassis
// that grazes the track goes with its wheels.
#include <algorithm>
#include <cmath>

#include "engine/world.h"

namespace rigid {

// What is known of a body's place on a chain, or null.
const World::Strand* World::strand_of(std::span<const Strand> among, int body, int chain) const {
  auto known = std::lower_bound(among.begin(), among.end(), std::make_pair(body, chain),
                                [this](const Strand& s, const std::pair<int, int>& wanted) {
                                  return std::make_pair(s.body, links_[s.link].chain) < wanted;
                                });
  if (known == among.end() || known->body != body) return nullptr;
  return links_[known->link].chain == chain ? &*known : nullptr;
}

// By body and chain; of several for both, the first one stays.
void World::sort_strands() {
  auto key = [this](const Strand& s) { return std::make_pair(s.body, links_[s.link].chain); };
  std::stable_sort(strands_.begin(), strands_.end(),
                   [&](const Strand& l, const Strand& r) { return key(l) < key(r); });
  auto same = [&](const Strand& l, const Strand& r) { return key(l) == key(r); };
  strands_.erase(std::unique(strands_.begin(), strands_.end(), same), strands_.end());
}

// Whether a body rides on a chain that crosses this line, which it goes through.
bool World::goes_through(int body, const WorldShape& line) const {
  if (strands_.empty() || line.link < 0) return false;
  const Strand* strand = strand_of(strands_, body, links_[line.link].chain);
  return strand && cross_over(crossings_, links_[strand->link], links_[line.link]);
}

// Takes what was on a chain along it, to where its centre of mass is now, and forgets what is no
// longer beside it.
void World::follow_strands() {
  std::erase_if(strands_, [](const Strand& strand) { return strand.lent; });
  std::vector<uint8_t> beside(strands_.size(), 0);
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    const WorldShape& line = shapes_[line_of(contact)];
    if (contact.sensor || line.link < 0) continue;
    const Strand* strand =
        strand_of(strands_, shapes_[rider_of(contact)].body, links_[line.link].chain);
    if (strand) beside[strand - strands_.data()] = 1;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < strands_.size(); ++i) {
    Strand strand = strands_[i];
    if (awake_[strand.body]) {
      if (!beside[i]) continue;
      const Body &a = bodies_[shapes_[line_of_link_[strand.link]].body], &b = bodies_[strand.body];
      const double x = b.center_x - a.center_x, y = b.center_y - a.center_y;
      const double c = a.rotation.c, s = a.rotation.s;
      const Track way(links_.data(), 0.0, {});
      strand.link = way.nearest({c * x + s * y, c * y - s * x}, strand.link);
    }
    strands_[kept++] = strand;
  }
  strands_.resize(kept);
}

// What hangs on joints is on the branch of the nearest body that is known to be on one.
void World::lend_strands() {
  if (strands_.empty()) return;
  std::vector<std::pair<int, int>> held;
  for (const Joint& joint : joints_) {
    if (joint.color < 0 || !movable(joint.body_a) || !movable(joint.body_b)) continue;
    held.push_back({joint.body_a, joint.body_b});
    held.push_back({joint.body_b, joint.body_a});
  }
  if (held.empty()) return;
  std::sort(held.begin(), held.end());
  std::vector<int> chains;
  for (const Strand& strand : strands_) chains.push_back(links_[strand.link].chain);
  std::sort(chains.begin(), chains.end());
  chains.erase(std::unique(chains.begin(), chains.end()), chains.end());
  std::vector<Strand> reached;
  for (int chain : chains) {
    std::vector<uint8_t> seen(bodies_.size(), 0);
    std::vector<Strand> queue;
    for (const Strand& strand : strands_) {
      if (links_[strand.link].chain != chain) continue;
      seen[strand.body] = 1;
      queue.push_back(strand);
    }
    const std::size_t known = queue.size();
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Strand from = queue[i];
      auto next = std::lower_bound(held.begin(), held.end(), std::make_pair(from.body, -1));
      for (; next != held.end() && next->first == from.body; ++next) {
        if (seen[next->second]) continue;
        seen[next->second] = 1;
        queue.push_back({next->second, from.link, true});
      }
    }
    reached.insert(reached.end(), queue.begin() + known, queue.end());
  }
  strands_.insert(strands_.end(), reached.begin(), reached.end());
  sort_strands();
}

// Takes away what bodies touch of the branches that they pass.
void World::pass_crossings() {
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    if (contact.count == 0 || contact.led || contact.sensor) continue;
    if (goes_through(shapes_[rider_of(contact)].body, shapes_[line_of(contact)])) {
      set_count(index, 0);
    }
  }
}

// Before anything is led: what is known from the last step.
void World::enter_crossings() {
  if (crossings_.empty()) return;
  follow_strands();
  lend_strands();
  pass_crossings();
}

// After that: where it was led, or else what it touches first.
void World::note_strands() {
  if (crossings_.empty()) return;
  std::erase_if(strands_, [](const Strand& strand) { return strand.lent; });
  std::size_t known = strands_.size();
  for (const ChainTrack& track : tracks_) {
    const int body = shapes_[track.shape].body;
    const Strand* strand = strand_of({strands_.data(), known}, body, links_[track.link].chain);
    if (strand) strands_[strand - strands_.data()].link = track.link;
    if (!strand) strands_.push_back({body, track.link, false});
  }
  sort_strands();
  lend_strands();
  std::vector<std::pair<float, int>> touched;
  for (int index : active_contacts_) {
    const Contact& contact = contacts_[index];
    const WorldShape& line = shapes_[line_of(contact)];
    if (contact.count == 0 || contact.led || line.link < 0) continue;
    const int body = shapes_[rider_of(contact)].body;
    if (!movable(body) || strand_of(strands_, body, links_[line.link].chain)) continue;
    touched.push_back({contact.points[0].separation, index});
  }
  if (!touched.empty()) {
    std::sort(touched.begin(), touched.end());
    for (const auto& [separation, index] : touched) {
      const Contact& contact = contacts_[index];
      strands_.push_back({shapes_[rider_of(contact)].body, shapes_[line_of(contact)].link, false});
    }
    sort_strands();
    lend_strands();
  }
  pass_crossings();
}

}  // namespace rigid
