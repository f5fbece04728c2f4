// SPDX-License-Identifier: MIT
// The expansions, cells and pairs of the tree, and the sums of forces and potentials.
#include "engine/forces/pull_tree.h"

#include <algorithm>
#include <cmath>

#include "engine/data/rows.h"

namespace rigid {

namespace {

bool is_finite(const PullPoint& point) {
  return std::isfinite(point.at.x) && std::isfinite(point.at.y);
}

}  // namespace

struct PullTree::Forces {
  PullTree& tree;
  void pair(PullPoint& a, PullPoint& b) const {
    const Double2 d = b.at - a.at;
    const double squared = dot(d, d) + tree.soft_;
    if (!(squared > 0)) return;
    const double pull = a.mass * b.mass / (squared * std::sqrt(squared));
    a.force = a.force + pull * d;
    b.force = b.force - pull * d;
  }
  void place(const Cell&) const {}  // points at one place do not attract each other
  void cells(Cell& a, Cell& b) const { tree.expand(a, b); }
};

struct PullTree::Energy {
  PullTree& tree;
  double sum = 0;
  void pair(const PullPoint& a, const PullPoint& b) {
    const Double2 d = b.at - a.at;
    const double squared = dot(d, d) + tree.soft_;
    if (squared > 0) sum += a.mass * b.mass / std::sqrt(squared);
  }
  void place(const Cell& cell) {
    double before = 0;
    for (int i = cell.first; tree.soft_ > 0 && i < cell.first + cell.count; ++i) {
      sum += tree.points_[i].mass * before / std::sqrt(tree.soft_);
      before += tree.points_[i].mass;
    }
  }
  void cells(const Cell& a, const Cell& b) { sum += tree.energy_of(a, b); }
};

// ---------------------------------------------------------------- expansions

// d^k / k! up to the degree.
PullTree::Terms PullTree::powers(Double2 d) {
  Terms found;
  found[0] = 1;
  for (int n = 1; n <= degree; ++n) {
    for (int j = 0; j < n; ++j) found[at(n, j)] = d.x / (n - j) * found[at(n - 1, j)];
    found[at(n, n)] = d.y / n * found[at(n - 1, n - 1)];
  }
  return found;
}

// The derivatives of 1 / sqrt(d^2 + s^2). With b_k = D^k / k! and n = |k|,
//   n (d^2 + s^2) b_k + (2 n - 1) sum of d_i b_(k - e_i) + (n - 1) sum of b_(k - 2 e_i) = 0
// (Duan and Krasny, J. Comput. Chem. 22, 2001).
PullTree::Terms PullTree::derivatives(Double2 d) const {
  Terms b;
  const double squared = dot(d, d) + soft_;
  const double inverse = 1 / squared;
  b[0] = std::sqrt(inverse);
  for (int n = 1; n <= degree; ++n) {
    for (int j = 0; j <= n; ++j) {
      double once = 0, twice = 0;
      if (j < n) once += d.x * b[at(n - 1, j)];
      if (j > 0) once += d.y * b[at(n - 1, j - 1)];
      if (j < n - 1) twice += b[at(n - 2, j)];
      if (j > 1) twice += b[at(n - 2, j - 2)];
      b[at(n, j)] = -((2 * n - 1) * once + (n - 1) * twice) * inverse / n;
    }
  }
  constexpr std::array<double, degree + 1> factorial = {1, 1, 2, 6, 24, 120, 720};
  for (int n = 2; n <= degree; ++n) {
    for (int j = 0; j <= n; ++j) b[at(n, j)] *= factorial[n - j] * factorial[j];
  }
  return b;
}

// ---------------------------------------------------------------- cells

void PullTree::build(const std::vector<PullPoint>& points, double softening) {
  soft_ = softening * softening;
  points_.clear();
  order_.clear();
  cells_.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_finite(points[i])) continue;  // a value that is not finite stops the run after the step
    points_.push_back({points[i].at, points[i].mass, {0, 0}});
    order_.push_back(static_cast<int>(i));
  }
  if (points_.empty()) return;
  other_.resize(points_.size());
  other_order_.resize(points_.size());
  std::vector<Split> open = {make_cell(0, static_cast<int>(points_.size()))};
  while (!open.empty()) {
    const Split split = open.back();
    open.pop_back();
    const bool is_place = split.low.x == split.high.x && split.low.y == split.high.y;
    if (cells_[split.cell].count <= leaf || is_place) continue;
    const int first = cells_[split.cell].first, count = cells_[split.cell].count;
    const int left = partition(split);
    const Split one = make_cell(first, left), two = make_cell(first + left, count - left);
    cells_[split.cell].left = one.cell;
    cells_[split.cell].right = two.cell;
    open.push_back(one);
    open.push_back(two);
  }
  // Parts have higher indices than their wholes.
  for (std::size_t i = cells_.size(); i-- > 0;) gather(cells_[i]);
}

PullTree::Split PullTree::make_cell(int first, int count) {
  Split split = {static_cast<int>(cells_.size()), {infinity, infinity}, {-infinity, -infinity}};
  Double2 sum = {0, 0};
  double mass = 0;
  for (int i = first; i < first + count; ++i) {
    const Double2 p = points_[i].at;
    split.low = {std::min(split.low.x, p.x), std::min(split.low.y, p.y)};
    split.high = {std::max(split.high.x, p.x), std::max(split.high.y, p.y)};
    mass += points_[i].mass;
  }
  for (int i = first; i < first + count; ++i) {
    sum = sum + points_[i].mass / mass * (points_[i].at - split.low);
  }
  Cell cell = {first, count, -1, -1, split.low + sum, 0, mass, {}, {}};
  const Double2 far = {std::max(cell.center.x - split.low.x, split.high.x - cell.center.x),
                       std::max(cell.center.y - split.low.y, split.high.y - cell.center.y)};
  cell.radius = std::sqrt(dot(far, far));
  cells_.push_back(cell);
  return split;
}

// Returns the number of points in a cell's first half. Both halves keep the order of the points.
int PullTree::partition(const Split& split) {
  const Cell& cell = cells_[split.cell];
  const Double2 size = split.high - split.low;
  const bool by_x = size.x >= size.y;
  const double low = by_x ? split.low.x : split.low.y, high = by_x ? split.high.x : split.high.y;
  double middle = low + 0.5 * (high - low);
  if (!(middle < high)) middle = low;
  int left = cell.first, right = 0;
  for (int i = cell.first; i < cell.first + cell.count; ++i) {
    if ((by_x ? points_[i].at.x : points_[i].at.y) <= middle) {
      points_[left] = points_[i];
      order_[left++] = order_[i];
    } else {
      other_[right] = points_[i];
      other_order_[right++] = order_[i];
    }
  }
  std::copy_n(other_.begin(), right, points_.begin() + left);
  std::copy_n(other_order_.begin(), right, order_.begin() + left);
  return left - cell.first;
}

void PullTree::gather(Cell& cell) {
  if (cell.left >= 0) {
    add(cells_[cell.left], cell);
    add(cells_[cell.right], cell);
    return;
  }
  for (int i = cell.first; i < cell.first + cell.count; ++i) {
    const Terms p = powers(points_[i].at - cell.center);
    for (int k = 0; k < terms; ++k) cell.moments[k] += points_[i].mass * p[k];
  }
}

// Adds the moments of a part, about the center of the whole.
void PullTree::add(const Cell& part, Cell& whole) {
  const Terms p = powers(part.center - whole.center);
  for (int n = 0; n <= degree; ++n) {
    for (int j = 0; j <= n; ++j) {
      double sum = 0;
      for (int m = 0; m <= n; ++m) {
        for (int i = std::max(0, j - (n - m)); i <= std::min(m, j); ++i) {
          sum += part.moments[at(m, i)] * p[at(n - m, j - i)];
        }
      }
      whole.moments[at(n, j)] += sum;
    }
  }
}

// ---------------------------------------------------------------- pairs

bool PullTree::are_apart(const Cell& a, const Cell& b) const {
  const Double2 d = a.center - b.center;
  const double squared = dot(d, d), reach = a.radius + b.radius;
  return squared > nearest * nearest && squared < farthest * farthest &&
         reach * reach <= opening * opening * squared;
}

template <class Work>
void PullTree::sum_pairs(const Cell& a, const Cell& b, Work& work) {
  for (int i = a.first; i < a.first + a.count; ++i) {
    for (int j = b.first; j < b.first + b.count; ++j) work.pair(points_[i], points_[j]);
  }
}

// Visits each two points once: in a leaf, in two cells that are summed, or in two that are apart.
template <class Work>
void PullTree::visit(Work& work) {
  if (cells_.empty()) return;
  std::vector<std::pair<int, int>> open = {{0, 0}};
  while (!open.empty()) {
    const auto [one, two] = open.back();
    open.pop_back();
    Cell &a = cells_[one], &b = cells_[two];
    if (one == two && a.left >= 0) {
      open.insert(open.end(), {{a.left, a.left}, {a.right, a.right}, {a.left, a.right}});
    } else if (one == two) {
      if (a.radius == 0) {
        work.place(a);
        continue;
      }
      for (int i = a.first; i < a.first + a.count; ++i) {
        for (int j = i + 1; j < a.first + a.count; ++j) work.pair(points_[i], points_[j]);
      }
    } else if (static_cast<long long>(a.count) * b.count <= few_pairs) {
      sum_pairs(a, b, work);
    } else if (are_apart(a, b)) {
      work.cells(a, b);
    } else if (a.left >= 0 && (b.left < 0 || a.radius >= b.radius)) {
      open.insert(open.end(), {{a.left, two}, {a.right, two}});
    } else if (b.left >= 0) {
      open.insert(open.end(), {{one, b.left}, {one, b.right}});
    } else {
      sum_pairs(a, b, work);
    }
  }
}

// Adds the potential of each of two cells at the other's center.
void PullTree::expand(Cell& a, Cell& b) {
  const Terms d = derivatives(a.center - b.center);
  Terms minus_a, minus_b;  // with the sign of (-1)^|k|
  for (int n = 0; n <= degree; ++n) {
    for (int j = 0; j <= n; ++j) {
      minus_a[at(n, j)] = a.moments[at(n, j)];
      minus_b[at(n, j)] = n % 2 ? -b.moments[at(n, j)] : b.moments[at(n, j)];
    }
  }
  for (int n = 0; n <= degree; ++n) {
    for (int j = 0; j <= n; ++j) {
      double of_b = 0, of_a = 0;
      for (int m = 0; m <= degree - n; ++m) {
        for (int i = 0; i <= m; ++i) {
          const double each = d[at(n + m, j + i)];
          of_b += each * minus_b[at(m, i)];
          of_a += each * minus_a[at(m, i)];
        }
      }
      a.local[at(n, j)] += of_b;
      b.local[at(n, j)] += n % 2 ? -of_a : of_a;
    }
  }
}

double PullTree::energy_of(const Cell& a, const Cell& b) const {
  const Terms d = derivatives(a.center - b.center);
  double sum = 0;
  for (int n = 0; n <= degree; ++n) {
    for (int j = 0; j <= n; ++j) {
      double of_b = 0;
      for (int m = 0; m <= degree - n; ++m) {
        for (int i = 0; i <= m; ++i) {
          const double each = d[at(n + m, j + i)] * b.moments[at(m, i)];
          of_b += m % 2 ? -each : each;
        }
      }
      sum += a.moments[at(n, j)] * of_b;
    }
  }
  return sum;
}

// Passes potentials from wholes to their parts, and from leaves to their points.
void PullTree::hand_down() {
  for (const Cell& cell : cells_) {
    for (int part : {cell.left, cell.right}) {
      if (part < 0) continue;
      const Terms p = powers(cells_[part].center - cell.center);
      for (int n = 0; n <= degree; ++n) {
        for (int j = 0; j <= n; ++j) {
          double sum = 0;
          for (int m = 0; m <= degree - n; ++m) {
            for (int i = 0; i <= m; ++i) sum += cell.local[at(n + m, j + i)] * p[at(m, i)];
          }
          cells_[part].local[at(n, j)] += sum;
        }
      }
    }
    if (cell.left >= 0) continue;
    for (int i = cell.first; i < cell.first + cell.count; ++i) {
      PullPoint& point = points_[i];
      const Terms p = powers(point.at - cell.center);
      Double2 gradient = {0, 0};
      for (int n = 0; n < degree; ++n) {
        for (int j = 0; j <= n; ++j) {
          gradient.x += cell.local[at(n + 1, j)] * p[at(n, j)];
          gradient.y += cell.local[at(n + 1, j + 1)] * p[at(n, j)];
        }
      }
      point.force = point.force + point.mass * gradient;
    }
  }
}

// ---------------------------------------------------------------- results

void PullTree::add_forces(std::vector<PullPoint>& points, double softening, double sign) {
  build(points, softening);
  Forces work{*this};
  visit(work);
  hand_down();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    PullPoint& point = points[order_[i]];
    point.force = point.force + sign * points_[i].force;
  }
}

double PullTree::potential(const std::vector<PullPoint>& points, double softening) {
  build(points, softening);
  Energy work{*this};
  visit(work);
  return work.sum;
}

}  // namespace rigid
