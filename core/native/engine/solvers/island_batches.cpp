// SPDX-License-Identifier: MIT
// The division of a step into batches of islands.
#include "engine/solvers/island_batches.h"

#include <algorithm>
#include <numeric>

#include "engine/data/trees.h"
#include "prefetch.h"

namespace rigid {

namespace {

// Fewer contacts than `least_contacts` fit in the caches anyway. An island batch has about
// `wanted_contacts`, enough to fill the lanes; an island with more than `most_contacts` makes
// batches useless. After finding one, the next attempt is made `steps_between` steps later.
constexpr int least_contacts = 4096, wanted_contacts = 600, most_contacts = 4000;
constexpr int steps_between = 64;

// In the order of ConstraintLanes: the overflow first.
int color_at(int place) { return place == 0 ? Graph::overflow : place - 1; }

}  // namespace

bool IslandBatches::may_cut() const {
  if (!parameters_.whole_batches || contacts_.graph().size() < least_contacts) return false;
  if (joints_.count() > 0 || !tracks_.empty() || attraction_.acts() || bodies_.has_bullets ||
      shapes_.may_bounce) {
    return false;
  }
  // Bodies moved by the scene would have to be at the same substep for all batches.
  return std::all_of(bodies_.awake_list.begin(), bodies_.awake_list.end(),
                     [this](int i) { return can_move(bodies_.inverse_masses[i]); });
}

void IslandBatches::find() {
  found_ = false;
  if (wait_ > 0) {
    --wait_;
    return;
  }
  if (!may_cut()) return;
  if (contact_changes_ != contacts_.changes() || awake_changes_ != bodies_.awake_changes) {
    contact_changes_ = contacts_.changes();
    awake_changes_ = bodies_.awake_changes;
    fits_ = cut();
    if (!fits_) {
      contact_changes_ = -1;
      wait_ = steps_between;
    }
  }
  found_ = fits_;
}

bool IslandBatches::cut() {
  join_bodies();
  if (!number_batches()) return false;
  sort_contacts();
  return true;
}

void IslandBatches::join_bodies() {
  parents_.resize(bodies_.size());
  for (int i : bodies_.awake_list) parents_[i] = i;
  for (int color = 0; color <= Graph::color_count; ++color) {
    const std::vector<int>& ids = contacts_.graph().ids(color);
    constexpr std::size_t ahead = 16;
    for (std::size_t k = 0; k < ids.size(); ++k) {
      if (k + ahead < ids.size()) prefetch_to_read(&contacts_[ids[k + ahead]]);
      const Contact& contact = contacts_[ids[k]];
      if (!bodies_.is_movable(contact.body_a) || !bodies_.is_movable(contact.body_b)) continue;
      join_trees(parents_, contact.body_a, contact.body_b);
    }
  }
}

int IslandBatches::batch_of(const Contact& contact) const {
  return batch_of_body_[bodies_.is_movable(contact.body_a) ? contact.body_a : contact.body_b];
}

// Merges islands, in the order of their first bodies, until a batch has enough contacts.
bool IslandBatches::number_batches() {
  std::vector<int> weights(bodies_.size(), 0);
  for (int color = 0; color <= Graph::color_count; ++color) {
    for (int id : contacts_.graph().ids(color)) {
      const Contact& contact = contacts_[id];
      const int body = bodies_.is_movable(contact.body_a) ? contact.body_a : contact.body_b;
      if (++weights[find_root(parents_, body)] > most_contacts) return false;
    }
  }
  batch_of_body_.assign(bodies_.size(), -1);
  int island_batch = 0, filled = 0;
  for (int i : bodies_.awake_list) {
    const int root = find_root(parents_, i);
    if (root == i) {
      // A single body weighs as much as a contact.
      const int weight = weights[root] + 1;
      if (filled > 0 && filled + weight > wanted_contacts) {
        ++island_batch;
        filled = 0;
      }
      filled += weight;
      batch_of_body_[i] = island_batch;
    } else {
      batch_of_body_[i] = batch_of_body_[root];  // the root is the first of the group
    }
  }
  body_starts_.assign(island_batch + 2, 0);
  for (int i : bodies_.awake_list) ++body_starts_[batch_of_body_[i] + 1];
  std::partial_sum(body_starts_.begin(), body_starts_.end(), body_starts_.begin());
  batch_bodies_.resize(bodies_.awake_list.size());
  std::vector<int> next(body_starts_.begin(), body_starts_.end() - 1);
  for (int i : bodies_.awake_list) batch_bodies_[next[batch_of_body_[i]]++] = i;
  return true;
}

void IslandBatches::sort_contacts() {
  constexpr int places = Graph::color_count + 1;
  std::vector<int> starts(static_cast<std::size_t>(count()) * places + 1, 0);
  for (int place = 0; place < places; ++place) {
    for (int id : contacts_.graph().ids(color_at(place))) {
      ++starts[batch_of(contacts_[id]) * places + place + 1];
    }
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  ids_.resize(contacts_.graph().size());
  std::vector<int> next(starts.begin(), starts.end() - 1);
  for (int place = 0; place < places; ++place) {
    for (int id : contacts_.graph().ids(color_at(place))) {
      ids_[next[batch_of(contacts_[id]) * places + place]++] = id;
    }
  }
  parts_.clear();
  part_starts_.assign(1, 0);
  for (int island_batch = 0; island_batch < count(); ++island_batch) {
    for (int place = 0; place < places; ++place) {
      const int first = starts[island_batch * places + place];
      const int size = starts[island_batch * places + place + 1] - first;
      if (size > 0) parts_.push_back({color_at(place), first, size});
    }
    part_starts_.push_back(static_cast<int>(parts_.size()));
  }
}

}  // namespace rigid
