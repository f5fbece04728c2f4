// SPDX-License-Identifier: MIT
#include "engine/contacts/strands.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rigid {

// The known place of a body on a chain, or null.
const Strand* Strands::strand_of(std::span<const Strand> among, int body, int chain) const {
  auto known =
      std::lower_bound(among.begin(), among.end(), std::make_pair(body, chain),
                       [this](const Strand& s, const std::pair<int, int>& wanted) {
                         return std::make_pair(s.body, chains_.links()[s.link].chain) < wanted;
                       });
  if (known == among.end() || known->body != body) return nullptr;
  return chains_.links()[known->link].chain == chain ? &*known : nullptr;
}

// By body and chain; of several for both, the first one stays.
void Strands::sort_strands() {
  auto key = [this](const Strand& s) {
    return std::make_pair(s.body, chains_.links()[s.link].chain);
  };
  std::stable_sort(strands_.begin(), strands_.end(),
                   [&](const Strand& l, const Strand& r) { return key(l) < key(r); });
  auto same = [&](const Strand& l, const Strand& r) { return key(l) == key(r); };
  strands_.erase(std::unique(strands_.begin(), strands_.end(), same), strands_.end());
}

// Whether a body rides on a chain that crosses this line, which it goes through.
bool Strands::goes_through(int body, const WorldShape& line) const {
  if (strands_.empty() || line.link < 0) return false;
  const Strand* strand = strand_of(strands_, body, chains_.links()[line.link].chain);
  return strand &&
         cross_over(chains_.crossings(), chains_.links()[strand->link], chains_.links()[line.link]);
}

// Takes what was on a chain along it, to where its centre of mass is now, and forgets what is no
// longer beside it.
void Strands::follow_strands() {
  std::erase_if(strands_, [](const Strand& strand) { return strand.inherited; });
  std::vector<uint8_t> beside(strands_.size(), 0);
  for (int index : contacts_.active()) {
    const Contact& contact = contacts_[index];
    const WorldShape& line = shapes_[chains_.line_of(contact)];
    if (contact.sensor || line.link < 0) continue;
    const Strand* strand = strand_of(strands_, shapes_[chains_.rider_of(contact)].body,
                                     chains_.links()[line.link].chain);
    if (strand) beside[strand - strands_.data()] = 1;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < strands_.size(); ++i) {
    Strand strand = strands_[i];
    if (bodies_.awake[strand.body]) {
      if (!beside[i]) continue;
      const Body &a = bodies_[shapes_[chains_.line_of_link(strand.link)].body],
                 &b = bodies_[strand.body];
      const double x = b.center_x - a.center_x, y = b.center_y - a.center_y;
      const double c = a.rotation.c, s = a.rotation.s;
      const Track path(chains_.links().data(), 0.0, {});
      strand.link = path.nearest({c * x + s * y, c * y - s * x}, strand.link);
    }
    strands_[kept++] = strand;
  }
  strands_.resize(kept);
}

// Jointed bodies are on the branch of the nearest body with a known one.
void Strands::hand_on_strands() {
  if (strands_.empty()) return;
  std::vector<std::pair<int, int>> held;
  for (const Joint& joint : joints_) {
    if (joint.color < 0 || !bodies_.is_dynamic(joint.body_a) || !bodies_.is_dynamic(joint.body_b))
      continue;
    held.push_back({joint.body_a, joint.body_b});
    held.push_back({joint.body_b, joint.body_a});
  }
  if (held.empty()) return;
  std::sort(held.begin(), held.end());
  std::vector<int> chains;
  for (const Strand& strand : strands_) chains.push_back(chains_.links()[strand.link].chain);
  std::sort(chains.begin(), chains.end());
  chains.erase(std::unique(chains.begin(), chains.end()), chains.end());
  std::vector<Strand> reached;
  for (int chain : chains) {
    std::vector<uint8_t> seen(bodies_.size(), 0);
    std::vector<Strand> queue;
    for (const Strand& strand : strands_) {
      if (chains_.links()[strand.link].chain != chain) continue;
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
void Strands::pass_crossings() {
  for (int index : contacts_.near()) {
    const Contact& contact = contacts_[index];
    if (contact.count == 0 || contact.led || contact.sensor) continue;
    if (goes_through(shapes_[chains_.rider_of(contact)].body, shapes_[chains_.line_of(contact)])) {
      contacts_.set_count(index, 0);
    }
  }
}

// Before anything is led: what is known from the last step.
void Strands::enter_crossings() {
  if (chains_.crossings().empty()) return;
  follow_strands();
  hand_on_strands();
  pass_crossings();
}

// After that: where it was led, or else what it touches first.
void Strands::note_strands(std::span<const ChainTrack> tracks) {
  if (chains_.crossings().empty()) return;
  std::erase_if(strands_, [](const Strand& strand) { return strand.inherited; });
  std::size_t known = strands_.size();
  for (const ChainTrack& track : tracks) {
    const int body = shapes_[track.shape].body;
    const Strand* strand =
        strand_of({strands_.data(), known}, body, chains_.links()[track.link].chain);
    if (strand) strands_[strand - strands_.data()].link = track.link;
    if (!strand) strands_.push_back({body, track.link, false});
  }
  sort_strands();
  hand_on_strands();
  std::vector<std::pair<float, int>> touched;
  for (int index : contacts_.near()) {
    const Contact& contact = contacts_[index];
    const WorldShape& line = shapes_[chains_.line_of(contact)];
    if (contact.count == 0 || contact.led || line.link < 0) continue;
    const int body = shapes_[chains_.rider_of(contact)].body;
    if (!bodies_.is_dynamic(body) || strand_of(strands_, body, chains_.links()[line.link].chain))
      continue;
    touched.push_back({contact.points[0].separation, index});
  }
  if (!touched.empty()) {
    std::sort(touched.begin(), touched.end());
    for (const auto& [separation, index] : touched) {
      const Contact& contact = contacts_[index];
      strands_.push_back(
          {shapes_[chains_.rider_of(contact)].body, shapes_[chains_.line_of(contact)].link, false});
    }
    sort_strands();
    hand_on_strands();
  }
  pass_crossings();
}

void Strands::forget_body(int body) {
  std::erase_if(strands_, [body](const Strand& strand) { return strand.body == body; });
}

void Strands::renumber(const std::vector<int>& now) {
  std::erase_if(strands_, [&](const Strand& strand) { return now[strand.link] < 0; });
  for (Strand& strand : strands_) strand.link = now[strand.link];
}

}  // namespace rigid
