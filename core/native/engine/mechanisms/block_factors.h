// SPDX-License-Identifier: MIT
// A sparse symmetric system in blocks of one node each, factored as L D L^T and solved (Golub and
// Van Loan, "Matrix Computations", 4.1). Which blocks there are is found once; nodes are eliminated
// in the order of least degree, so that a chain or a tree leaves no fill.
#ifndef RIGID_ENGINE_MECHANISMS_BLOCK_FACTORS_H
#define RIGID_ENGINE_MECHANISMS_BLOCK_FACTORS_H

#include <vector>

#include "engine/mechanisms/system_rows.h"

namespace rigid {

class BlockFactors {
  template <int W>
  friend class SystemLanes;

 public:
  // The two bodies of a node, or -1 for one that does not move.
  struct Pair {
    int a, b;
    bool operator==(const Pair&) const = default;
  };
  // What hangs together costs at least that of a chain.
  static long least_cost(int nodes) { return 4L * (nodes - 1) + 2; }
  // The order in which nodes are eliminated, by least degree and then by index; empty where that
  // costs more than `budget`, counted in products of blocks.
  std::vector<int> plan(const std::vector<Pair>& pairs, long budget);
  long cost() const { return cost_; }
  int blocks_below() const { return static_cast<int>(below_.size()); }

  // Nodes in the order of elimination. Their `give` counts `give_share` times.
  void factor(std::vector<SystemNode>& nodes, double give_share);
  // From right sides to impulses: forward, by the pivots, and back.
  void substitute(std::vector<SystemNode>& nodes) const;

 private:
  // A block below the diagonal: L after factoring.
  struct Below {
    int row;
    int sides;  // bits: A-A, A-B, B-A, B-B of (row, column) share a moving body
    RowBlock block;
    RowBlock scaled;  // before the division by the pivot
  };
  // blocks[target] -= L[left] * scaled[right]^T; target < 0: the diagonal of ~target
  struct Update {
    int target, left, right;
  };
  void set_blocks(const std::vector<Pair>& pairs, const std::vector<int>& order,
                  const std::vector<int>& place, const std::vector<std::vector<int>>& rest);
  template <int n>
  static void invert(SystemNode& node, const RowBlock& pivot);
  static void fill_diagonal(const SystemNode& node, double give_share, RowBlock& block);
  static void fill_below(const SystemNode& row, const SystemNode& column, Below& below);

  long cost_ = 0;
  std::vector<Below> below_;
  std::vector<int> first_below_;  // of each node, and the end
  std::vector<Update> updates_;
  std::vector<int> first_update_;  // of each node, and the end
  std::vector<RowBlock> diagonals_;
};

// The plan that was found last: of mechanisms that are alike, only the first has to be planned.
class BlockPlan {
 public:
  // As `factors.plan`.
  std::vector<int> find(const std::vector<BlockFactors::Pair>& pairs, long budget,
                        BlockFactors& factors);

 private:
  std::vector<BlockFactors::Pair> pairs_;
  std::vector<int> order_;
  BlockFactors factors_;
  long refused_ = -1;  // the budget that was too small, where there is no order
};

}  // namespace rigid

#endif
