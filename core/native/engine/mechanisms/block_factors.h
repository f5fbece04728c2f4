// SPDX-License-Identifier: MIT
// A sparse symmetric system in blocks of one node each, factored as L D L^T and solved (Golub and
// Van Loan, "Matrix Computations", 4.1; the arithmetic is in direct_factors.h). The pattern of
// blocks is found once; nodes are eliminated in the order of least degree, so that a chain or a
// tree leaves no fill.
#ifndef RIGID_ENGINE_MECHANISMS_BLOCK_FACTORS_H
#define RIGID_ENGINE_MECHANISMS_BLOCK_FACTORS_H

#include <memory>
#include <vector>

namespace rigid {

// The pattern of nonzero blocks, and the updates between them.
class BlockFactors {
 public:
  // The two bodies of a node; -1 for a body that does not move.
  struct Pair {
    int a, b;
    bool operator==(const Pair&) const = default;
  };
  // A block below the diagonal: L after factoring.
  struct Below {
    int row;
    int sides;  // bits: A-A, A-B, B-A, B-B of (row, column) share a moving body
  };
  // blocks[target] -= L[left] * scaled[right]^T; target < 0: the diagonal of ~target
  struct Update {
    int target, left, right;
  };
  // The cost of a chain, a lower bound for any connected system.
  static long least_cost(int nodes) { return 4L * (nodes - 1) + 2; }
  // Returns the order in which nodes are eliminated, by least degree and then by index; empty if it
  // costs more than `budget`, counted in products of blocks.
  std::vector<int> plan(const std::vector<Pair>& pairs, long budget);
  long cost() const { return cost_; }
  int blocks_below() const { return static_cast<int>(below_.size()); }
  const Below& below(int i) const { return below_[i]; }
  const Update& update(int i) const { return updates_[i]; }
  // The blocks of a node end where those of the next node begin.
  int first_below(int node) const { return first_below_[node]; }
  int first_update(int node) const { return first_update_[node]; }

 private:
  void set_blocks(const std::vector<Pair>& pairs, const std::vector<int>& order,
                  const std::vector<int>& place, const std::vector<std::vector<int>>& rest);

  long cost_ = 0;
  std::vector<Below> below_;
  std::vector<int> first_below_;  // of each node, and the end
  std::vector<Update> updates_;
  std::vector<int> first_update_;  // of each node, and the end
};

// The plan found last: of mechanisms that are alike, only the first one is planned.
class BlockPlan {
 public:
  // As BlockFactors::plan, for `factors`.
  std::vector<int> find(const std::vector<BlockFactors::Pair>& pairs, long budget,
                        std::shared_ptr<const BlockFactors>& factors);

 private:
  std::vector<BlockFactors::Pair> pairs_;
  std::vector<int> order_;
  std::shared_ptr<const BlockFactors> factors_;
  long refused_ = -1;  // the budget that was too small, if there is no order
};

}  // namespace rigid

#endif
