// SPDX-License-Identifier: MIT
// A tree of cells for the attraction of many points, in which distant cells attract each other as
// wholes (Barnes and Hut, Nature 324, 1986, with the mutual cells of Dehnen, J. Comput. Phys. 179,
// 2002). The potential of two cells is expanded once, to degree `degree` in both cells together,
// and acts on both: each pair of cells has equal and opposite forces, so momentum is conserved as
// in the sum over all pairs. The truncation causes a small torque on pairs of cells: angular
// momentum and energy are conserved within the error of the forces.
//
// Cells are halves of boxes, split in the middle of the longer side; their points and the order of
// these depend only on the positions and the order of the points, so the bits do too.
#ifndef RIGID_ENGINE_FORCES_PULL_TREE_H
#define RIGID_ENGINE_FORCES_PULL_TREE_H

#include <array>
#include <vector>

#include "math.h"

namespace rigid {

struct PullPoint {
  Double2 at;
  double mass;
  Double2 force;  // the result, for a strength of 1
};

class PullTree {
 public:
  // Up to this many points are summed pair by pair.
  static constexpr int most_exact = 1000;

  // Adds to the points' forces m M d / (d^2 + softening^2)^(3/2) of each two of them, times `sign`.
  void add_forces(std::vector<PullPoint>& points, double softening, double sign);
  // The sum of m M / sqrt(d^2 + softening^2) over each two points at different places.
  double potential(const std::vector<PullPoint>& points, double softening);

 private:
  static constexpr int degree = 6;
  static constexpr int terms = (degree + 1) * (degree + 2) / 2;
  static constexpr int leaf = 24;        // points in a cell that is not split
  static constexpr int few_pairs = 128;  // pairs that are summed faster than expanded
  static constexpr double opening = 0.35;
  // Beyond these the powers of an expansion leave the range of numbers.
  static constexpr double nearest = 1e-30, farthest = 1e30;
  // Terms by degree and power of y: (n, j) is at n (n + 1) / 2 + j.
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
  std::vector<int> order_;         // the index of each in the given points
  std::vector<PullPoint> other_;
  std::vector<int> other_order_;
  std::vector<Cell> cells_;
};

}  // namespace rigid

#endif
