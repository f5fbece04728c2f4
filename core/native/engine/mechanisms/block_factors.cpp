// SPDX-License-Identifier: MIT
// The order of elimination and the pattern of blocks.
#include "engine/mechanisms/block_factors.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <queue>
#include <utility>

#include "sorting.h"

namespace rigid {

std::vector<int> BlockFactors::plan(const std::vector<Pair>& pairs, long budget) {
  const int count = static_cast<int>(pairs.size());
  if (least_cost(count) > budget) return {};
  // Neighbours: nodes that share a moving body, in order.
  std::vector<std::pair<int, int>> at_bodies;
  for (int i = 0; i < count; ++i) {
    if (pairs[i].a >= 0) at_bodies.push_back({pairs[i].a, i});
    if (pairs[i].b >= 0 && pairs[i].b != pairs[i].a) at_bodies.push_back({pairs[i].b, i});
  }
  rigid::sort(at_bodies.begin(), at_bodies.end());
  std::vector<std::vector<int>> neighbours(count);
  for (auto begin = at_bodies.begin(), end = begin; begin != at_bodies.end(); begin = end) {
    while (end != at_bodies.end() && end->first == begin->first) ++end;
    if ((end - begin) * (end - begin) > budget) return {};
    for (auto one = begin; one != end; ++one) {
      for (auto other = begin; other != end; ++other) {
        if (one != other) neighbours[one->second].push_back(other->second);
      }
    }
  }
  for (std::vector<int>& list : neighbours) {
    rigid::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  // Elimination by least degree, ties by index; collects the neighbours that remain below each
  // pivot. Entries of the queue with an outdated degree are skipped.
  using Entry = std::pair<int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  auto degree_of = [&neighbours](int i) { return static_cast<int>(neighbours[i].size()); };
  for (int i = 0; i < count; ++i) queue.push({degree_of(i), i});
  std::vector<int> order, place(count, -1), joined;
  std::vector<std::vector<int>> rest;
  long cost = 0;
  while (!queue.empty()) {
    const auto [listed, i] = queue.top();
    queue.pop();
    if (place[i] >= 0 || listed != degree_of(i)) continue;
    place[i] = static_cast<int>(order.size());
    order.push_back(i);
    std::vector<int> others = std::move(neighbours[i]);
    const long degree = static_cast<long>(others.size());
    cost += 2 + degree * (degree + 3) / 2;
    if (cost > budget) return {};
    for (int j : others) {
      joined.clear();
      std::set_union(neighbours[j].begin(), neighbours[j].end(), others.begin(), others.end(),
                     std::back_inserter(joined));
      std::erase_if(joined, [i = i, j](int k) { return k == i || k == j; });
      neighbours[j].swap(joined);
      queue.push({degree_of(j), j});
    }
    rest.push_back(std::move(others));
  }
  set_blocks(pairs, order, place, rest);
  cost_ = cost;
  return order;
}

std::vector<int> BlockPlan::find(const std::vector<BlockFactors::Pair>& pairs, long budget,
                                 std::shared_ptr<const BlockFactors>& factors) {
  const bool known = pairs == pairs_ && (!order_.empty() || budget <= refused_);
  if (!known) {
    pairs_ = pairs;
    auto planned = std::make_shared<BlockFactors>();
    order_ = planned->plan(pairs, budget);
    factors_ = std::move(planned);
    refused_ = budget;
  }
  if (order_.empty() || factors_->cost() > budget) return {};
  factors = factors_;
  return order_;
}

// The blocks below the diagonal and the updates between them; `rest`: the neighbours that remain
// below each pivot.
void BlockFactors::set_blocks(const std::vector<Pair>& pairs, const std::vector<int>& order,
                              const std::vector<int>& place,
                              const std::vector<std::vector<int>>& rest) {
  const int count = static_cast<int>(order.size());
  for (int p = 0; p < count; ++p) {
    const Pair& own = pairs[order[p]];
    first_below_.push_back(static_cast<int>(below_.size()));
    std::vector<int> rows;
    for (int j : rest[p]) rows.push_back(place[j]);
    rigid::sort(rows.begin(), rows.end());
    for (int row : rows) {
      const Pair& other = pairs[order[row]];
      int sides = 0;
      if (own.a >= 0 && other.a == own.a) sides |= 1;
      if (own.b >= 0 && other.a == own.b) sides |= 2;
      if (own.a >= 0 && other.b == own.a) sides |= 4;
      if (own.b >= 0 && other.b == own.b) sides |= 8;
      below_.push_back({row, sides});
    }
  }
  first_below_.push_back(static_cast<int>(below_.size()));
  auto block_at = [this](int row, int column) {  // both by place; rows of a column are sorted
    const auto begin = below_.begin() + first_below_[column],
               end = below_.begin() + first_below_[column + 1];
    const auto found = std::lower_bound(
        begin, end, row, [](const Below& below, int wanted) { return below.row < wanted; });
    return static_cast<int>(found - below_.begin());
  };
  for (int p = 0; p < count; ++p) {
    first_update_.push_back(static_cast<int>(updates_.size()));
    for (int left = first_below_[p]; left < first_below_[p + 1]; ++left) {
      for (int right = first_below_[p]; right <= left; ++right) {
        int row = below_[left].row, column = below_[right].row;
        updates_.push_back({left == right ? ~row : block_at(row, column), left, right});
      }
    }
  }
  first_update_.push_back(static_cast<int>(updates_.size()));
}

}  // namespace rigid
