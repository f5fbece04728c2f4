#include "engine/mechanisms/joint_system.h"

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>

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

JointSystem::JointSystem(const std::vector<int>& joints, const KernelContext& context, long budget)
    : joints_(joints) {
  // The rigid rows of a joint and its soft ones are eliminated apart.
  struct Part {
    int joint;
    bool soft;
  };
  std::vector<Part> parts;
  for (int index : joints) {
    if (has_rigid_rows(context.joints[index])) parts.push_back({index, false});
    if (has_soft_rows(context.joints[index])) parts.push_back({index, true});
  }
  const int count = static_cast<int>(parts.size());
  auto moves = [&](int body) { return can_move(context.masses[body]); };
  // Neighbours: joints that share a moving body.
  std::map<int, std::vector<int>> at_body;
  for (int i = 0; i < count; ++i) {
    const Joint& joint = context.joints[parts[i].joint];
    for (int body : {joint.body_a, joint.body_b}) {
      if (moves(body)) at_body[body].push_back(i);
    }
  }
  std::vector<std::set<int>> neighbours(count);
  for (const auto& [body, list] : at_body) {
    if (static_cast<long>(list.size()) * static_cast<long>(list.size()) > budget) return;
    for (int i : list) {
      for (int j : list) {
        if (i != j) neighbours[i].insert(j);
      }
    }
  }
  // Elimination by least degree, ties by index; what is left below each pivot.
  std::set<std::pair<int, int>> queue;
  for (int i = 0; i < count; ++i) queue.insert({static_cast<int>(neighbours[i].size()), i});
  std::vector<int> order, place(count, -1);
  std::vector<std::vector<int>> rest;
  long cost = 0;
  while (!queue.empty()) {
    int i = queue.begin()->second;
    queue.erase(queue.begin());
    place[i] = static_cast<int>(order.size());
    order.push_back(i);
    std::vector<int> others(neighbours[i].begin(), neighbours[i].end());
    long degree = static_cast<long>(others.size());
    cost += 2 + degree * (degree + 3) / 2;
    if (cost > budget) return;
    for (int j : others) {
      queue.erase({static_cast<int>(neighbours[j].size()), j});
      neighbours[j].erase(i);
      for (int k : others) {
        if (k != j) neighbours[j].insert(k);
      }
      queue.insert({static_cast<int>(neighbours[j].size()), j});
    }
    rest.push_back(std::move(others));
  }

  std::map<std::pair<int, int>, int> index_of;  // (row, column) in places
  for (int p = 0; p < count; ++p) {
    const Part& part = parts[order[p]];
    const Joint& joint = context.joints[part.joint];
    Node node{};
    node.joint = part.joint;
    node.soft = part.soft;
    node.body_a = joint.body_a;
    node.body_b = joint.body_b;
    node.moves_a = moves(joint.body_a);
    node.moves_b = moves(joint.body_b);
    node.type = &type_of(joint);
    if (node.soft) {
      plan_soft_rows(joint, node);
    } else {
      plan_rigid_rows(joint, node);
    }
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i].present) axial_.push_back({p, i});
      if (node.soft) springs_.push_back({p, i});
    }
    node.first_below = static_cast<int>(below_.size());
    std::vector<int> rows;
    for (int j : rest[p]) rows.push_back(place[j]);
    std::sort(rows.begin(), rows.end());
    node.below_count = static_cast<int>(rows.size());
    for (int row : rows) {
      const Joint& other = context.joints[parts[order[row]].joint];
      int sides = 0;
      if (node.moves_a && other.body_a == joint.body_a) sides |= 1;
      if (node.moves_b && other.body_a == joint.body_b) sides |= 2;
      if (node.moves_a && other.body_b == joint.body_a) sides |= 4;
      if (node.moves_b && other.body_b == joint.body_b) sides |= 8;
      index_of[{row, p}] = static_cast<int>(below_.size());
      below_.push_back({row, sides, {}, {}});
    }
    nodes_.push_back(node);
  }
  for (const Node& node : nodes_) {
    first_update_.push_back(static_cast<int>(updates_.size()));
    for (int i = 0; i < node.below_count; ++i) {
      for (int k = 0; k <= i; ++k) {
        int left = node.first_below + i, right = node.first_below + k;
        int row = below_[left].row, column = below_[right].row;
        updates_.push_back({i == k ? ~row : index_of.at({row, column}), left, right});
      }
    }
  }
  first_update_.push_back(static_cast<int>(updates_.size()));
  diagonals_.resize(count);
  for (const auto& [body, list] : at_body) bodies_.push_back(body);
  auto slot = [this](int body) {
    auto at = std::lower_bound(bodies_.begin(), bodies_.end(), body);
    return static_cast<int>(at - bodies_.begin());
  };
  for (Node& node : nodes_) {
    if (node.moves_a) node.slot_a = slot(node.body_a);
    if (node.moves_b) node.slot_b = slot(node.body_b);
  }
  saved_.resize(bodies_.size());
  account_.keep_for(bodies_);
  cost_ = cost;
}

// A generalised inverse of a symmetric pivot: rows that depend on earlier ones get none.
template <int n>
void JointSystem::invert(Node& node, const Block& pivot) {
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
void JointSystem::fill_diagonal(const Node& node, double give_share, Block& block) {
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

void JointSystem::fill_below(const Node& row, const Node& column, Below& below) {
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

void JointSystem::factor(double give_share) {
  const int count = static_cast<int>(nodes_.size());
  factored_ = true;
  for (AxialRow at : axial_) axial_of(at).factored = axial_of(at).on;
  for (int p = 0; p < count; ++p) fill_diagonal(nodes_[p], give_share, diagonals_[p]);
  for (const Node& column : nodes_) {
    for (int b = column.first_below; b < column.first_below + column.below_count; ++b) {
      fill_below(nodes_[below_[b].row], column, below_[b]);
    }
  }
  for (int p = 0; p < count; ++p) {
    Node& node = nodes_[p];
    with_count(node.rows, [&](auto n) { invert<n>(node, diagonals_[p]); });
    for (int b = node.first_below; b < node.first_below + node.below_count; ++b) {
      Below& below = below_[b];
      below.scaled = below.block;
      with_counts(nodes_[below.row].rows, node.rows, [&](auto m, auto n) {
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
      Block& target = update.target < 0 ? diagonals_[~update.target] : below_[update.target].block;
      with_counts(nodes_[left.row].rows, nodes_[right.row].rows, [&](auto m, auto n) {
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
void JointSystem::substitute() {
  const int count = static_cast<int>(nodes_.size());
  for (const Node& node : nodes_) {
    for (int b = node.first_below; b < node.first_below + node.below_count; ++b) {
      Node& row = nodes_[below_[b].row];
      with_counts(row.rows, node.rows, [&](auto m, auto n) {
        for (int i = 0; i < m; ++i) {
          for (int k = 0; k < n; ++k) row.x[i] -= below_[b].block.v[i][k] * node.x[k];
        }
      });
    }
  }
  for (int p = count - 1; p >= 0; --p) {
    Node& node = nodes_[p];
    with_count(node.rows, [&](auto n) {
      double x[n] = {};
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) x[i] += node.inverse.v[i][k] * node.x[k];
      }
      for (int b = node.first_below; b < node.first_below + node.below_count; ++b) {
        const Node& row = nodes_[below_[b].row];
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
