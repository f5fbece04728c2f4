// SPDX-License-Identifier: MIT
#include "engine/mechanisms/block_factors.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <queue>
#include <type_traits>
#include <utility>

#include "engine/constants.h"

namespace rigid {

namespace {
// task(count) with a count that the compiler knows: loops over so few rows cost more than what is
// in them.
template <class Task>
RIGID_INLINE void with_count(int count, Task&& task) {
  static_assert(most_rows == 3);
  if (count == 1) task(std::integral_constant<int, 1>{});
  if (count == 2) task(std::integral_constant<int, 2>{});
  if (count == 3) task(std::integral_constant<int, 3>{});
}
template <class Task>
RIGID_INLINE void with_counts(int rows, int columns, Task&& task) {
  with_count(rows, [&](auto m) { with_count(columns, [&](auto n) { task(m, n); }); });
}
}  // namespace

std::vector<int> BlockFactors::plan(const std::vector<Pair>& pairs, long budget) {
  const int count = static_cast<int>(pairs.size());
  if (least_cost(count) > budget) return {};
  // Neighbours: nodes that share a moving body, in order.
  std::vector<std::pair<int, int>> at_bodies;
  for (int i = 0; i < count; ++i) {
    if (pairs[i].a >= 0) at_bodies.push_back({pairs[i].a, i});
    if (pairs[i].b >= 0 && pairs[i].b != pairs[i].a) at_bodies.push_back({pairs[i].b, i});
  }
  std::sort(at_bodies.begin(), at_bodies.end());
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
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  // Elimination by least degree, ties by index; what is left below each pivot. Entries of the queue
  // whose degree has changed since are passed over.
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
                                 BlockFactors& factors) {
  const bool known = pairs == pairs_ && (!order_.empty() || budget <= refused_);
  if (!known) {
    pairs_ = pairs;
    factors_ = {};
    order_ = factors_.plan(pairs, budget);
    refused_ = budget;
  }
  if (order_.empty() || factors_.cost() > budget) return {};
  factors = factors_;
  return order_;
}

// The blocks below the diagonal and how they come of each other; `rest`: what is left below each
// pivot.
void BlockFactors::set_blocks(const std::vector<Pair>& pairs, const std::vector<int>& order,
                              const std::vector<int>& place,
                              const std::vector<std::vector<int>>& rest) {
  const int count = static_cast<int>(order.size());
  for (int p = 0; p < count; ++p) {
    const Pair& own = pairs[order[p]];
    first_below_.push_back(static_cast<int>(below_.size()));
    std::vector<int> rows;
    for (int j : rest[p]) rows.push_back(place[j]);
    std::sort(rows.begin(), rows.end());
    for (int row : rows) {
      const Pair& other = pairs[order[row]];
      int sides = 0;
      if (own.a >= 0 && other.a == own.a) sides |= 1;
      if (own.b >= 0 && other.a == own.b) sides |= 2;
      if (own.a >= 0 && other.b == own.a) sides |= 4;
      if (own.b >= 0 && other.b == own.b) sides |= 8;
      below_.push_back({row, sides, {}, {}});
    }
  }
  first_below_.push_back(static_cast<int>(below_.size()));
  auto block_at = [this](int row, int column) {  // both in places; rows of a column are in order
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
  diagonals_.resize(count);
}

// A generalised inverse of a symmetric pivot: rows that depend on earlier ones get none.
template <int n>
void BlockFactors::invert(SystemNode& node, const RowBlock& pivot) {
  double l[n][n] = {}, pivots[n] = {}, d[n] = {};  // d: inverse pivots
  for (int i = 0; i < n; ++i) {
    // A limit or motor that does not act is as good as absent.
    if (node.axial[i].present && !node.axial[i].on) continue;
    for (int k = 0; k < i; ++k) {
      double sum = pivot.v[i][k];
      for (int m = 0; m < k; ++m) sum -= l[i][m] * pivots[m] * l[k][m];
      l[i][k] = sum * d[k];
    }
    double rest = pivot.v[i][i];
    for (int k = 0; k < i; ++k) rest -= l[i][k] * l[i][k] * pivots[k];
    bool regular = rest > constants::dependent_pivot * node.scale[i];
    pivots[i] = regular ? rest : 0;
    d[i] = regular ? 1 / rest : 0;
  }
  for (int column = 0; column < n; ++column) {
    double x[n];
    for (int i = 0; i < n; ++i) {
      x[i] = i == column ? 1 : 0;
      for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    }
    for (int i = 0; i < n; ++i) x[i] *= d[i];
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
    }
    // Rows without a pivot stay out on both sides.
    for (int i = 0; i < n; ++i) node.inverse.v[i][column] = d[i] > 0 && d[column] > 0 ? x[i] : 0;
  }
}

// J M^-1 J^T of a node with itself, and of one with another below it.
void BlockFactors::fill_diagonal(const SystemNode& node, double give_share, RowBlock& block) {
  with_count(node.rows, [&](auto n) {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k <= i; ++k) {
        const double *ji = node.jacobian[i], *jk = node.jacobian[k];
        double value = row_product(ji, jk, node.mass_a, node.mass_b);
        block.v[i][k] = block.v[k][i] = value + (i == k ? give_share * node.give[i] : 0);
      }
    }
  });
}

void BlockFactors::fill_below(const SystemNode& row, const SystemNode& column, Below& below) {
  const InverseMass a = column.mass_a, b = column.mass_b;
  with_counts(row.rows, column.rows, [&](auto m, auto n) {
    for (int i = 0; i < m; ++i) {
      for (int k = 0; k < n; ++k) {
        const double *ji = row.jacobian[i], *jk = column.jacobian[k];
        double sum = 0;
        if (below.sides & 1) sum += body_product(ji, jk, a.mass, a.inertia);
        if (below.sides & 2) sum += body_product(ji, jk + 3, b.mass, b.inertia);
        if (below.sides & 4) sum += body_product(ji + 3, jk, a.mass, a.inertia);
        if (below.sides & 8) sum += body_product(ji + 3, jk + 3, b.mass, b.inertia);
        below.block.v[i][k] = sum;
      }
    }
  });
}

void BlockFactors::factor(std::vector<SystemNode>& nodes, double give_share) {
  const int count = static_cast<int>(nodes.size());
  for (int p = 0; p < count; ++p) fill_diagonal(nodes[p], give_share, diagonals_[p]);
  for (int p = 0; p < count; ++p) {
    for (int b = first_below_[p]; b < first_below_[p + 1]; ++b) {
      fill_below(nodes[below_[b].row], nodes[p], below_[b]);
    }
  }
  for (int p = 0; p < count; ++p) {
    SystemNode& node = nodes[p];
    with_count(node.rows, [&](auto n) { invert<n>(node, diagonals_[p]); });
    for (int b = first_below_[p]; b < first_below_[p + 1]; ++b) {
      Below& below = below_[b];
      below.scaled = below.block;
      with_counts(nodes[below.row].rows, node.rows, [&](auto m, auto n) {
        for (int i = 0; i < m; ++i) {
          for (int k = 0; k < n; ++k) {
            double sum = 0;
            for (int j = 0; j < n; ++j) sum += below.scaled.v[i][j] * node.inverse.v[j][k];
            below.block.v[i][k] = sum;
          }
        }
      });
    }
    for (int u = first_update_[p]; u < first_update_[p + 1]; ++u) {
      const Update& update = updates_[u];
      const Below &left = below_[update.left], &right = below_[update.right];
      RowBlock& target =
          update.target < 0 ? diagonals_[~update.target] : below_[update.target].block;
      with_counts(nodes[left.row].rows, nodes[right.row].rows, [&](auto m, auto n) {
        for (int i = 0; i < m; ++i) {
          for (int k = 0; k < n; ++k) {
            double sum = 0;
            for (int j = 0; j < node.rows; ++j) sum += left.block.v[i][j] * right.scaled.v[k][j];
            target.v[i][k] -= sum;
          }
        }
      });
    }
  }
}

// From right sides to impulses: forward, by the pivots, and back.
void BlockFactors::substitute(std::vector<SystemNode>& nodes) const {
  const int count = static_cast<int>(nodes.size());
  for (int p = 0; p < count; ++p) {
    const SystemNode& node = nodes[p];
    for (int b = first_below_[p]; b < first_below_[p + 1]; ++b) {
      SystemNode& row = nodes[below_[b].row];
      with_counts(row.rows, node.rows, [&](auto m, auto n) {
        for (int i = 0; i < m; ++i) {
          for (int k = 0; k < n; ++k) row.x[i] -= below_[b].block.v[i][k] * node.x[k];
        }
      });
    }
  }
  for (int p = count - 1; p >= 0; --p) {
    SystemNode& node = nodes[p];
    with_count(node.rows, [&](auto n) {
      double x[n] = {};
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) x[i] += node.inverse.v[i][k] * node.x[k];
      }
      for (int b = first_below_[p]; b < first_below_[p + 1]; ++b) {
        const SystemNode& row = nodes[below_[b].row];
        with_count(row.rows, [&](auto m) {
          for (int i = 0; i < n; ++i) {
            for (int k = 0; k < m; ++k) x[i] -= below_[b].block.v[k][i] * row.x[k];
          }
        });
      }
      std::copy(x, x + n, node.x);
    });
  }
}

}  // namespace rigid
