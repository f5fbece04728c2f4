// SPDX-License-Identifier: MIT
// The pulls of many points on each other, by cells that pull each other as wholes where they are
// far apart (Barnes and Hut, Nature 324, 1986, with the mutual cells of Dehnen, J. Comput. Phys.
// 179, 2002). The potential of two cells is expanded once, to degree `degree` in both cells
// together, and acts on both: each pair of cells has equal and opposite forces, so momentum is kept
// as by the sum over all pairs. What the expansion leaves out turns pairs of cells a little:
// angular momentum and energy are kept within the error of the forces.
//
// Cells are halves of boxes, split in the middle of the longer side; which points are in them and
// in which order follows from where the points are and their order alone, so that bits do too.
#ifndef RIGID_ENGINE_FORCES_PULL_TREE_H
#define RIGID_ENGINE_FORCES_PULL_TREE_H

#include <array>
#include <vector>

#include "math.h"

namespace rigid {

struct PullPoint {
  Double2 at;
  double mass;
  Double2 force;  // what is pulled gains here, for a strength of 1
};

class PullTree {
 public:
  // So many points are summed up pair by pair.
  static constexpr int most_exact = 1000;

  // Adds to the points' forces m M d / (d^2 + softening^2)^(3/2) of each two of them, times `sign`.
  void add_forces(std::vector<PullPoint>& points, double softening, double sign);
  // The sum of m M / sqrt(d^2 + softening^2) over each two points that are not in one place.
  double potential(const std::vector<PullPoint>& points, double softening);

 private:
  static constexpr int degree = 6;
  static constexpr int terms = (degree + 1) * (degree + 2) / 2;
  static constexpr int leaf = 24;        // points that are not split any more
  static constexpr int few_pairs = 128;  // that are summed up sooner than expanded
  static constexpr double opening = 0.35;
  // Beyond these the powers of an expansion leave the range of numbers.
  static constexpr double nearest = 1e-30, farthest = 1e30;
  // By degree and the power of y: (n, j) is at n (n + 1) / 2 + j.
  using Terms = std::array<double, terms>;

  struct Cell {
    int first, count;
    int left, right;  // -1: not split
    Double2 center;   // of mass
    double radius, mass;
    Terms moments;  // sum of m (x - center)^k / k!
    Terms local;    // the derivatives of the others' potential at the center
  };
  struct Split {
    int cell;
    Double2 low, high;
  };

  static constexpr int at(int n, int j) { return n * (n + 1) / 2 + j; }
  static Terms powers(Double2 d);
  Terms derivatives(Double2 d) const;
  void build(const std::vector<PullPoint>& points, double softening);
  Split make_cell(int first, int count);
  int partition(const Split& split);
  void gather(Cell& cell);
  void add(const Cell& part, Cell& whole);
  struct Forces;
  struct Energy;
  template <class Work>
  void visit(Work& work);
  bool are_apart(const Cell& a, const Cell& b) const;
  template <class Work>
  void sum_pairs(const Cell& a, const Cell& b, Work& work);
  void expand(Cell& a, Cell& b);
  double energy_of(const Cell& a, const Cell& b) const;
  void hand_down();

  double soft_ = 0;
  std::vector<PullPoint> points_;  // in the order of cells
  std::vector<int> order_;         // which of the given points each is
  std::vector<PullPoint> other_;
  std::vector<int> other_order_;
  std::vector<Cell> cells_;
};

}  // namespace rigid

#endif
