// SPDX-License-Identifier: MIT
// The branches of bodies on chains, from step to step.
#include "engine/contacts/chain_branches.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sorting.h"

namespace rigid {

// The known branch of a body on a chain, or null.
const ChainBranch* ChainBranches::branch_of(std::span<const ChainBranch> among, int body,
                                            int chain) const {
  auto known =
      std::lower_bound(among.begin(), among.end(), std::make_pair(body, chain),
                       [this](const ChainBranch& s, const std::pair<int, int>& wanted) {
                         return std::make_pair(s.body, chains_.links()[s.link].chain) < wanted;
                       });
  if (known == among.end() || known->body != body) return nullptr;
  return chains_.links()[known->link].chain == chain ? &*known : nullptr;
}

// Sorts by body and chain; of several entries for both, the first one stays.
void ChainBranches::sort_branches() {
  auto key = [this](const ChainBranch& s) {
    return std::make_pair(s.body, chains_.links()[s.link].chain);
  };
  rigid::stable_sort(chain_branches_.begin(), chain_branches_.end(),
                     [&](const ChainBranch& l, const ChainBranch& r) { return key(l) < key(r); });
  auto same = [&](const ChainBranch& l, const ChainBranch& r) { return key(l) == key(r); };
  chain_branches_.erase(std::unique(chain_branches_.begin(), chain_branches_.end(), same),
                        chain_branches_.end());
}

// Whether a body is on a branch that crosses this line, so that it passes through the line.
bool ChainBranches::goes_through(int body, const WorldShape& line) const {
  if (chain_branches_.empty() || line.link < 0) return false;
  const ChainBranch* branch = branch_of(chain_branches_, body, chains_.links()[line.link].chain);
  return branch &&
         cross_over(chains_.crossings(), chains_.links()[branch->link], chains_.links()[line.link]);
}

// Moves each known branch along its chain to the body's present centre of mass, and removes those
// of bodies that are no longer near their chain.
void ChainBranches::follow_branches() {
  std::erase_if(chain_branches_, [](const ChainBranch& branch) { return branch.inherited; });
  std::vector<uint8_t> beside(chain_branches_.size(), 0);
  for (int index : contacts_.active()) {
    const Contact& contact = contacts_[index];
    const WorldShape& line = shapes_[chains_.line_of(contact)];
    if (contact.sensor || line.link < 0) continue;
    const ChainBranch* branch = branch_of(chain_branches_, shapes_[chains_.rider_of(contact)].body,
                                          chains_.links()[line.link].chain);
    if (branch) beside[branch - chain_branches_.data()] = 1;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < chain_branches_.size(); ++i) {
    ChainBranch branch = chain_branches_[i];
    if (bodies_.awake[branch.body]) {
      if (!beside[i]) continue;
      const Body &a = bodies_[shapes_[chains_.line_of_link(branch.link)].body],
                 &b = bodies_[branch.body];
      const double x = b.center_x - a.center_x, y = b.center_y - a.center_y;
      const double c = a.rotation.c, s = a.rotation.s;
      const Track path(chains_.links().data(), 0.0, {});
      branch.link = path.nearest({c * x + s * y, c * y - s * x}, branch.link);
    }
    chain_branches_[kept++] = branch;
  }
  chain_branches_.resize(kept);
}

// Jointed bodies are on the branch of the nearest body with a known one.
void ChainBranches::hand_on_branches() {
  if (chain_branches_.empty()) return;
  std::vector<std::pair<int, int>> held;
  for (const Joint& joint : joints_) {
    if (joint.color < 0 || !bodies_.is_dynamic(joint.body_a) || !bodies_.is_dynamic(joint.body_b))
      continue;
    held.push_back({joint.body_a, joint.body_b});
    held.push_back({joint.body_b, joint.body_a});
  }
  if (held.empty()) return;
  rigid::sort(held.begin(), held.end());
  std::vector<int> chains;
  for (const ChainBranch& branch : chain_branches_)
    chains.push_back(chains_.links()[branch.link].chain);
  rigid::sort(chains.begin(), chains.end());
  chains.erase(std::unique(chains.begin(), chains.end()), chains.end());
  std::vector<ChainBranch> reached;
  for (int chain : chains) {
    std::vector<uint8_t> seen(bodies_.size(), 0);
    std::vector<ChainBranch> queue;
    for (const ChainBranch& branch : chain_branches_) {
      if (chains_.links()[branch.link].chain != chain) continue;
      seen[branch.body] = 1;
      queue.push_back(branch);
    }
    const std::size_t known = queue.size();
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const ChainBranch from = queue[i];
      auto next = std::lower_bound(held.begin(), held.end(), std::make_pair(from.body, -1));
      for (; next != held.end() && next->first == from.body; ++next) {
        if (seen[next->second]) continue;
        seen[next->second] = 1;
        queue.push_back({next->second, from.link, true});
      }
    }
    reached.insert(reached.end(), queue.begin() + known, queue.end());
  }
  chain_branches_.insert(chain_branches_.end(), reached.begin(), reached.end());
  sort_branches();
}

// Removes the contacts of bodies with the branches that they pass.
void ChainBranches::pass_crossings() {
  for (int index : contacts_.near()) {
    const Contact& contact = contacts_[index];
    if (contact.count == 0 || contact.led || contact.sensor) continue;
    if (goes_through(shapes_[chains_.rider_of(contact)].body, shapes_[chains_.line_of(contact)])) {
      contacts_.set_count(index, 0);
    }
  }
}

// Called before tracks are formed: applies the branches known from the last step.
void ChainBranches::enter_crossings() {
  if (chains_.crossings().empty()) return;
  follow_branches();
  hand_on_branches();
  pass_crossings();
}

// Called after that: notes the branch of each track, or else of the first contact.
void ChainBranches::note_branches(std::span<const ChainTrack> tracks) {
  if (chains_.crossings().empty()) return;
  std::erase_if(chain_branches_, [](const ChainBranch& branch) { return branch.inherited; });
  std::size_t known = chain_branches_.size();
  for (const ChainTrack& track : tracks) {
    const int body = shapes_[track.shape].body;
    const ChainBranch* branch =
        branch_of({chain_branches_.data(), known}, body, chains_.links()[track.link].chain);
    if (branch) chain_branches_[branch - chain_branches_.data()].link = track.link;
    if (!branch) chain_branches_.push_back({body, track.link, false});
  }
  sort_branches();
  hand_on_branches();
  std::vector<std::pair<float, int>> touched;
  for (int index : contacts_.near()) {
    const Contact& contact = contacts_[index];
    const WorldShape& line = shapes_[chains_.line_of(contact)];
    if (contact.count == 0 || contact.led || line.link < 0) continue;
    const int body = shapes_[chains_.rider_of(contact)].body;
    if (!bodies_.is_dynamic(body) ||
        branch_of(chain_branches_, body, chains_.links()[line.link].chain))
      continue;
    touched.push_back({contact.points[0].separation, index});
  }
  if (!touched.empty()) {
    rigid::sort(touched.begin(), touched.end());
    for (const auto& [separation, index] : touched) {
      const Contact& contact = contacts_[index];
      chain_branches_.push_back(
          {shapes_[chains_.rider_of(contact)].body, shapes_[chains_.line_of(contact)].link, false});
    }
    sort_branches();
    hand_on_branches();
  }
  pass_crossings();
}

void ChainBranches::forget_body(int body) {
  std::erase_if(chain_branches_, [body](const ChainBranch& branch) { return branch.body == body; });
}

void ChainBranches::renumber(const std::vector<int>& now) {
  std::erase_if(chain_branches_, [&](const ChainBranch& branch) { return now[branch.link] < 0; });
  for (ChainBranch& branch : chain_branches_) branch.link = now[branch.link];
}

}  // namespace rigid
