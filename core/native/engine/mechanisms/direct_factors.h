// SPDX-License-Identifier: MIT
// The factors of directly solved joints (block_factors.h), of one world or of W.
#ifndef RIGID_ENGINE_MECHANISMS_DIRECT_FACTORS_H
#define RIGID_ENGINE_MECHANISMS_DIRECT_FACTORS_H

#include <type_traits>

#include "engine/data/constants.h"
#include "engine/mechanisms/direct_joints.h"

namespace rigid {

// Calls task(count) with a count known at compile time.
template <class Task>
RIGID_INLINE void with_known_count(int count, Task&& task) {
  static_assert(most_rows == 3);
  if (count == 1) task(std::integral_constant<int, 1>{});
  if (count == 2) task(std::integral_constant<int, 2>{});
  if (count == 3) task(std::integral_constant<int, 3>{});
}
// The same where it is faster: for one world, the overhead of loops over so few rows exceeds their
// work.
template <int W, class Task>
RIGID_INLINE void with_count(int count, Task&& task) {
  if constexpr (W == 1) {
    with_known_count(count, task);
  } else {
    task(count);
  }
}
template <int W, class Task>
RIGID_INLINE void with_counts(int rows, int columns, Task&& task) {
  with_count<W>(rows, [&](auto m) { with_count<W>(columns, [&](auto n) { task(m, n); }); });
}

// Inverts a symmetric pivot (generalised inverse): rows that depend on earlier ones get no pivot.
template <int W, bool fixed>
template <int n>
RIGID_INLINE void DirectJoints<W, fixed>::invert(Node& node, const Block& pivot) const {
  const Number none = 0, whole = 1;
  Number l[n][n], pivots[n], d[n];  // d: inverse pivots
  for (int i = 0; i < n; ++i) {
    // A limit or motor that is not active counts as absent.
    const Mask in = acts(node, i);
    for (int k = 0; k < i; ++k) {
      Number sum = pivot.v[i][k];
      for (int m = 0; m < k; ++m) sum -= l[i][m] * pivots[m] * l[k][m];
      l[i][k] = select(in, sum * d[k], none);
    }
    Number rest = pivot.v[i][i];
    for (int k = 0; k < i; ++k) rest -= l[i][k] * l[i][k] * pivots[k];
    const Mask regular = in & (rest > constants::dependent_pivot * node.scale[i]);
    pivots[i] = select(regular, rest, none);
    d[i] = select(regular, whole / rest, none);
  }
  for (int column = 0; column < n; ++column) {
    Number x[n];
    for (int i = 0; i < n; ++i) {
      x[i] = i == column ? whole : none;
      for (int k = 0; k < i; ++k) x[i] -= l[i][k] * x[k];
    }
    for (int i = 0; i < n; ++i) x[i] = x[i] * d[i];
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) x[i] -= l[k][i] * x[k];
    }
    // Rows without a pivot are excluded on both sides.
    for (int i = 0; i < n; ++i) {
      node.inverse.v[i][column] = select((d[i] > none) & (d[column] > none), x[i], none);
    }
  }
}

// The block J M^-1 J^T of a node with itself, and of one node with another below it.
template <int W>
RIGID_INLINE void fill_diagonal(const JointNode<W>& node, double give_share,
                                RowBlock<number<W>>& block) {
  using Number = number<W>;
  const Number none = 0;
  with_count<W>(node.rows, [&](auto n) {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) {
        const Number value =
            row_product(node.jacobian[i], node.jacobian[k], node.mass_a, node.mass_b);
        block.v[i][k] = block.v[k][i] = value + none;
      }
      block.v[i][i] = node.scale[i] + give_share * node.give[i];
    }
  });
}

template <int W>
RIGID_INLINE void fill_below(const JointNode<W>& row, const JointNode<W>& column, int sides,
                             RowBlock<number<W>>& block) {
  using Number = number<W>;
  const auto a = column.mass_a, b = column.mass_b;
  with_counts<W>(row.rows, column.rows, [&](auto m, auto n) {
    for (int i = 0; i < m; ++i) {
      for (int k = 0; k < n; ++k) {
        const Number *ji = row.jacobian[i], *jk = column.jacobian[k];
        Number sum = 0;
        if (sides & 1) sum += body_product(ji, jk, a.mass, a.inertia);
        if (sides & 2) sum += body_product(ji, jk + 3, b.mass, b.inertia);
        if (sides & 4) sum += body_product(ji + 3, jk, a.mass, a.inertia);
        if (sides & 8) sum += body_product(ji + 3, jk + 3, b.mass, b.inertia);
        block.v[i][k] = sum;
      }
    }
  });
}

// The `give` of nodes is scaled by `give_share`.
template <int W, bool fixed>
void DirectJoints<W, fixed>::factor(double give_share) {
  const BlockFactors& plan = *factors_;
  const int count = static_cast<int>(nodes_.size());
  factored_ = true;
  for (AxialRow& row : axial_) row.factored = row.on;
  for (int p = 0; p < count; ++p) fill_diagonal(nodes_[p], give_share, diagonals_[p]);
  for (int p = 0; p < count; ++p) {
    for (int b = plan.first_below(p); b < plan.first_below(p + 1); ++b) {
      const BlockFactors::Below& at = plan.below(b);
      fill_below(nodes_[at.row], nodes_[p], at.sides, below_[b]);
    }
  }
  for (int p = 0; p < count; ++p) {
    Node& node = nodes_[p];
    with_known_count(node.rows, [&](auto n) { invert<n>(node, diagonals_[p]); });
    for (int b = plan.first_below(p); b < plan.first_below(p + 1); ++b) {
      Block &below = below_[b], &scaled = scaled_[b];
      with_counts<W>(nodes_[plan.below(b).row].rows, node.rows, [&](auto m, auto n) {
        for (int i = 0; i < m; ++i) {
          for (int k = 0; k < n; ++k) scaled.v[i][k] = below.v[i][k];
          for (int k = 0; k < n; ++k) {
            Number sum = 0;
            for (int j = 0; j < n; ++j) sum += scaled.v[i][j] * node.inverse.v[j][k];
            below.v[i][k] = sum;
          }
        }
      });
    }
    for (int u = plan.first_update(p); u < plan.first_update(p + 1); ++u) {
      const BlockFactors::Update& update = plan.update(u);
      const Block &left = below_[update.left], &right = scaled_[update.right];
      Block& target = update.target < 0 ? diagonals_[~update.target] : below_[update.target];
      const int rows = nodes_[plan.below(update.left).row].rows,
                columns = nodes_[plan.below(update.right).row].rows;
      with_counts<W>(rows, columns, [&](auto m, auto n) {
        for (int i = 0; i < m; ++i) {
          for (int k = 0; k < n; ++k) {
            Number sum = 0;
            for (int j = 0; j < node.rows; ++j) sum += left.v[i][j] * right.v[k][j];
            target.v[i][k] -= sum;
          }
        }
      });
    }
  }
}

// Solves for the impulses: forward substitution, division by the pivots, back substitution.
template <int W, bool fixed>
void DirectJoints<W, fixed>::substitute() {
  const BlockFactors& plan = *factors_;
  const int count = static_cast<int>(nodes_.size());
  for (int p = 0; p < count; ++p) {
    const Node& node = nodes_[p];
    for (int b = plan.first_below(p); b < plan.first_below(p + 1); ++b) {
      Node& row = nodes_[plan.below(b).row];
      const Block& block = below_[b];
      with_counts<W>(row.rows, node.rows, [&](auto m, auto n) {
        for (int i = 0; i < m; ++i) {
          for (int k = 0; k < n; ++k) row.x[i] -= block.v[i][k] * node.x[k];
        }
      });
    }
  }
  for (int p = count - 1; p >= 0; --p) {
    Node& node = nodes_[p];
    with_count<W>(node.rows, [&](auto n) {
      Number x[most_rows];
      for (int i = 0; i < n; ++i) {
        x[i] = 0;
        for (int k = 0; k < n; ++k) x[i] += node.inverse.v[i][k] * node.x[k];
      }
      for (int b = plan.first_below(p); b < plan.first_below(p + 1); ++b) {
        const Node& row = nodes_[plan.below(b).row];
        const Block& block = below_[b];
        with_count<W>(row.rows, [&](auto m) {
          for (int i = 0; i < n; ++i) {
            for (int k = 0; k < m; ++k) x[i] -= block.v[k][i] * row.x[k];
          }
        });
      }
      for (int i = 0; i < n; ++i) node.x[i] = x[i];
    });
  }
}

template <int W, bool fixed>
template <int columns>
void DirectJoints<W, fixed>::substitute_columns(Number (*x)[most_rows][columns]) const {
  const BlockFactors& plan = *factors_;
  const int count = static_cast<int>(nodes_.size());
  for (int p = 0; p < count; ++p) {
    const int n = nodes_[p].rows;
    for (int b = plan.first_below(p); b < plan.first_below(p + 1); ++b) {
      const int row = plan.below(b).row, m = nodes_[row].rows;
      const Block& block = below_[b];
      for (int i = 0; i < m; ++i) {
        for (int k = 0; k < n; ++k) {
          for (int c = 0; c < columns; ++c) x[row][i][c] -= block.v[i][k] * x[p][k][c];
        }
      }
    }
  }
  for (int p = count - 1; p >= 0; --p) {
    const Node& node = nodes_[p];
    const int n = node.rows;
    Number found[most_rows][columns];
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < columns; ++c) found[i][c] = 0;
      for (int k = 0; k < n; ++k) {
        for (int c = 0; c < columns; ++c) found[i][c] += node.inverse.v[i][k] * x[p][k][c];
      }
    }
    for (int b = plan.first_below(p); b < plan.first_below(p + 1); ++b) {
      const int row = plan.below(b).row, m = nodes_[row].rows;
      const Block& block = below_[b];
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < m; ++k) {
          for (int c = 0; c < columns; ++c) found[i][c] -= block.v[k][i] * x[row][k][c];
        }
      }
    }
    for (int i = 0; i < n; ++i) {
      for (int c = 0; c < columns; ++c) x[p][i][c] = found[i][c];
    }
  }
}

}  // namespace rigid

#endif
