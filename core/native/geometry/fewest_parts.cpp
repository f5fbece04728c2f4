// SPDX-License-Identifier: MIT
// The least number of convex parts, after Keil and Snoeyink (On the time bound for convex
// decomposition of simple polygons, 1998): a dynamic programme over the diagonals.
//
//          k              A diagonal i-j cuts off the polygon of the corners i to j. The part of it
//        /   \            on i-j, its base part, has the corners i, a, ..., b, j. All that matters
//      a       b          for what is on the other side of i-j is the number of diagonals, and the
//     /         \         base part's angles at i and j: the smaller, the more can join it there.
//    i --------- j        So the pairs (a, b) with the fewest diagonals are kept, without those for
//                         which another pair is narrower at both ends. One diagonal more, in return
//                         for a narrower base part, saves no more than cutting at i-j does.
//
// A base part is a fan of triangles from i, if i is concave: i k j is the last one, and those
// before are the base part of i-k, if it can join. Otherwise it is a fan from j. Every diagonal of
// a least decomposition ends at a concave corner, so one of the two is concave. A diagonal may
// touch other corners.
#include "geometry/fewest_parts.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "geometry/simple_polygon.h"
#include "sorting.h"

namespace rigid {

namespace {

constexpr int most_corners = 1000;
constexpr int64_t most_work = 20'000'000;  // triangles tried; some hundred milliseconds
constexpr int most_starts = 16;

using Parts = std::vector<std::vector<int>>;

// A pair of corners next to the ends of a diagonal in its base part.
struct Option {
  int a, b;
  int middle;     // the third corner of the triangle on the diagonal
  int continued;  // the option of the diagonal from the fan's centre to it that is joined, or -1
};

struct State {
  int diagonals = 0;
  std::vector<Option> options;  // the larger a, the larger b
};

class Search {
 public:
  Search(const PlanePolygon& corners, const std::vector<Triangle>& triangles)
      : n_(static_cast<int>(corners.size())), given_(corners), seen_(n_), reflex_(n_) {
    for (int i = 0; i < n_; ++i) reflex_[i] = !is_convex((i + n_ - 1) % n_, i, (i + 1) % n_);
    find_visible(triangles);
  }

  std::vector<int> concave() const {
    std::vector<int> found;
    for (int i = 0; i < n_; ++i) {
      if (reflex_[i]) found.push_back(i);
    }
    return found;
  }
  // Triangles that one search tries, at most.
  int64_t work() const {
    int64_t sum = 0;
    for (const std::vector<int>& others : seen_) {
      sum += static_cast<int64_t>(others.size()) * static_cast<int64_t>(others.size());
    }
    return sum;
  }

  // The search whose first corner is the concave corner `first`.
  Parts from(int first);

 private:
  bool is_convex(int a, int b, int c) const {
    return turn(given_[a], given_[b], given_[c]) > 0.0 ||
           is_straight(given_[a], given_[b], given_[c]);
  }
  int side(int a, int b, int c) const {
    if (is_straight(given_[a], given_[b], given_[c])) return 0;
    return turn(given_[a], given_[b], given_[c]) > 0.0 ? 1 : -1;
  }
  void find_visible(const std::vector<Triangle>& triangles);

  // Corners by their numbers from `first` on.
  int at(int k) const { return first_ + k < n_ ? first_ + k : first_ + k - n_; }
  bool bends_in(int a, int b, int c) const { return is_convex(at(a), at(b), at(c)); }
  bool is_reflex(int k) const { return reflex_[at(k)]; }
  const State* state(int i, int j) const {
    const int place = places_[static_cast<std::size_t>(i) * n_ + j];
    return place < 0 ? nullptr : &states_[place];
  }
  // The diagonals behind i-j, with i-j itself; -1 if that is none.
  int cut_off(int i, int j) const {
    if (j == i + 1) return 0;
    const State* behind = state(i, j);
    return behind ? behind->diagonals + 1 : -1;
  }
  State solve(int i, int j) const;
  void fan_from_first(int i, int j, State& best) const;
  void fan_from_last(int i, int j, State& best) const;
  void gather(int i, int j, int option, std::vector<int>& part,
              std::vector<std::pair<int, int>>& pending) const;

  int n_, first_ = 0;
  const PlanePolygon& given_;
  std::vector<std::vector<int>> seen_;  // from each corner, where one of the two is concave
  std::vector<bool> reflex_;
  std::vector<std::vector<int>> from_;  // the same by numbers from `first`, sorted
  std::vector<int> places_;             // of states, by their diagonals
  std::vector<State> states_;
};

// Looks from every concave corner through the triangles, in ever narrower cones.
void Search::find_visible(const std::vector<Triangle>& triangles) {
  std::map<std::pair<int, int>, int> beyond;  // the third corner, by a side of its triangle
  for (const Triangle& t : triangles) {
    for (int k = 0; k < 3; ++k) beyond[{t[k], t[(k + 1) % 3]}] = t[(k + 2) % 3];
  }
  struct Window {
    int right, left;            // a side of a triangle, seen from the other side
    int right_edge, left_edge;  // corners on the borders of the cone
  };
  std::vector<Window> open;
  for (int i = 0; i < n_; ++i) {
    if (!reflex_[i]) continue;
    std::vector<int> visible;
    for (const Triangle& t : triangles) {
      const auto own = std::find(t.begin(), t.end(), i);
      if (own == t.end()) continue;
      const int k = static_cast<int>(own - t.begin()), p = t[(k + 1) % 3], q = t[(k + 2) % 3];
      visible.push_back(p);
      visible.push_back(q);
      open.push_back({p, q, p, q});
    }
    while (!open.empty()) {
      const Window w = open.back();
      open.pop_back();
      const auto next = beyond.find({w.left, w.right});
      if (next == beyond.end()) continue;
      const int c = next->second;
      const int from_right = side(i, w.right_edge, c), from_left = -side(i, w.left_edge, c);
      if (from_right >= 0 && from_left >= 0) visible.push_back(c);
      if (from_right > 0)
        open.push_back({w.right, c, w.right_edge, from_left > 0 ? c : w.left_edge});
      if (from_left > 0)
        open.push_back({c, w.left, from_right > 0 ? c : w.right_edge, w.left_edge});
    }
    rigid::sort(visible.begin(), visible.end());
    visible.erase(std::unique(visible.begin(), visible.end()), visible.end());
    for (int c : visible) {
      seen_[i].push_back(c);
      if (!reflex_[c]) seen_[c].push_back(i);
    }
  }
}

// Keeps a pair if it takes no more diagonals than others, and none is narrower at both ends.
void keep(State& best, int diagonals, const Option& option) {
  if (!best.options.empty() && diagonals > best.diagonals) return;
  if (best.options.empty() || diagonals < best.diagonals) {
    best = {diagonals, {option}};
    return;
  }
  auto covers = [](const Option& one, const Option& other) {
    return one.a >= other.a && one.b <= other.b;
  };
  std::vector<Option>& all = best.options;
  if (std::any_of(all.begin(), all.end(), [&](const Option& o) { return covers(o, option); }))
    return;
  std::erase_if(all, [&](const Option& o) { return covers(option, o); });
  all.insert(std::find_if(all.begin(), all.end(), [&](const Option& o) { return o.a > option.a; }),
             option);
}

void Search::fan_from_first(int i, int j, State& best) const {
  for (int k : from_[i]) {
    if (k <= i) continue;
    if (k >= j) break;
    const int rest = cut_off(k, j);
    if (rest < 0) continue;
    if (k == i + 1) {
      keep(best, rest, {k, k, k, -1});
      continue;
    }
    const State* before = state(i, k);
    if (!before) continue;
    const std::vector<Option>& options = before->options;
    int last = static_cast<int>(options.size()) - 1;
    while (last >= 0 && !bends_in(options[last].b, k, j)) --last;
    if (last >= 0 && bends_in(j, i, options[last].a)) {
      keep(best, rest + before->diagonals, {options[last].a, k, k, last});
    } else {
      keep(best, rest + before->diagonals + 1, {k, k, k, -1});
    }
  }
}

void Search::fan_from_last(int i, int j, State& best) const {
  for (int k : from_[j]) {
    if (k <= i) continue;
    if (k >= j) break;
    const int rest = cut_off(i, k);
    if (rest < 0) continue;
    if (k + 1 == j) {
      keep(best, rest, {k, k, k, -1});
      continue;
    }
    const State* before = state(k, j);
    if (!before) continue;
    const std::vector<Option>& options = before->options;
    const int count = static_cast<int>(options.size());
    int first = 0;
    while (first < count && !bends_in(i, k, options[first].a)) ++first;
    if (first < count && bends_in(options[first].b, j, i)) {
      keep(best, rest + before->diagonals, {k, options[first].b, k, first});
    } else {
      keep(best, rest + before->diagonals + 1, {k, k, k, -1});
    }
  }
}

State Search::solve(int i, int j) const {
  State best;
  if (is_reflex(i)) {
    fan_from_first(i, j, best);
  } else {
    fan_from_last(i, j, best);
  }
  return best;
}

// The corners of a base part between i and j; the diagonals that bound it are left for later.
void Search::gather(int i, int j, int option, std::vector<int>& part,
                    std::vector<std::pair<int, int>>& pending) const {
  const Option& way = state(i, j)->options[option];
  const int k = way.middle;
  auto leave = [&](int a, int b) {
    if (b > a + 1) pending.push_back({a, b});
  };
  if (is_reflex(i)) {
    leave(k, j);
    if (way.continued < 0) {
      leave(i, k);
    } else {
      gather(i, k, way.continued, part, pending);
    }
    part.push_back(at(k));
  } else {
    leave(i, k);
    part.push_back(at(k));
    if (way.continued < 0) {
      leave(k, j);
    } else {
      gather(k, j, way.continued, part, pending);
    }
  }
}

Parts Search::from(int first) {
  first_ = first;
  places_.assign(static_cast<std::size_t>(n_) * n_, -1);
  states_.clear();
  from_.assign(n_, {});
  std::vector<std::vector<int>> by_length(n_);
  for (int k = 0; k < n_; ++k) {
    for (int c : seen_[at(k)]) from_[k].push_back(c >= first_ ? c - first_ : c - first_ + n_);
    rigid::sort(from_[k].begin(), from_[k].end());
    for (int other : from_[k]) {
      if (other > k + 1) by_length[other - k].push_back(k);
    }
  }
  for (int length = 2; length < n_; ++length) {
    for (int i : by_length[length]) {
      State found = solve(i, i + length);
      if (found.options.empty()) continue;
      places_[static_cast<std::size_t>(i) * n_ + i + length] = static_cast<int>(states_.size());
      states_.push_back(std::move(found));
    }
  }
  Parts parts;
  if (!state(0, n_ - 1)) return parts;
  std::vector<std::pair<int, int>> pending{{0, n_ - 1}};
  while (!pending.empty()) {
    const auto [i, j] = pending.back();
    pending.pop_back();
    std::vector<int> part{at(i)};
    gather(i, j, 0, part, pending);
    part.push_back(at(j));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

std::vector<Parts> fewest_parts(const PlanePolygon& corners, const std::vector<Triangle>& triangles,
                                std::size_t known) {
  std::vector<Parts> found;
  if (corners.size() > static_cast<std::size_t>(most_corners)) return found;
  Search search(corners, triangles);
  const std::vector<int> concave = search.concave();
  const int64_t starts = std::min<int64_t>({most_starts, static_cast<int64_t>(concave.size()),
                                            most_work / std::max<int64_t>(search.work(), 1)});
  for (int64_t k = 0; k < starts; ++k) {
    Parts parts = search.from(concave[k * concave.size() / starts]);
    if (parts.empty() || parts.size() >= known) break;
    found.push_back(std::move(parts));
  }
  return found;
}

}  // namespace rigid
