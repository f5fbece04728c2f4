// SPDX-License-Identifier: MIT
// A sparse symmetric system in blocks of one node each, factored as L D L^T and solved (Golub and
// Van Loan, "Matrix Computations", 4.1; the numbers are those of direct_factors.h). Which blocks
// there are is found once; nodes are eliminated in the order of least degree, so that a chain or a
// tree leaves no fill.
#ifndef RIGID_ENGINE_MECHANISMS_BLOCK_FACTORS_H
#define RIGID_ENGINE_MECHANISMS_BLOCK_FACTORS_H

#include <memory>
#include <vector>

namespace rigid {

// Which blocks there are, and how they come of each other.
class BlockFactors {
 public:
  // The two bodies of a node, or -1 for one that does not move.
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
  // What hangs together costs at least that of a chain.
  static long least_cost(int nodes) { return 4L * (nodes - 1) + 2; }
  // The order in which nodes are eliminated, by least degree and then by index; empty where that
  // costs more than `budget`, counted in products of blocks.
  std::vector<int> plan(const std::vector<Pair>& pairs, long budget);
  long cost() const { return cost_; }
  int blocks_below() const { return static_cast<int>(below_.size()); }
  const Below& below(int i) const { return below_[i]; }
  const Update& update(int i) const { return updates_[i]; }
  // Those of a node end where those of the next one begin.
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

// The plan that was found last: of mechanisms that are alike, only the first has to be planned.
class BlockPlan {
 public:
  // As BlockFactors::plan; `factors` is what was planned.
  std::vector<int> find(const std::vector<BlockFactors::Pair>& pairs, long budget,
                        std::shared_ptr<const BlockFactors>& factors);

 private:
  std::vector<BlockFactors::Pair> pairs_;
  std::vector<int> order_;
  std::shared_ptr<const BlockFactors> factors_;
  long refused_ = -1;  // the budget that was too small, where there is no order
};

}  // namespace rigid

#endif
