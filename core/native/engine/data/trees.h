// SPDX-License-Identifier: MIT
// Union-find trees: each member stores an earlier member of its group as its parent, and a root
// stores itself.
#ifndef RIGID_ENGINE_DATA_TREES_H
#define RIGID_ENGINE_DATA_TREES_H

#include <algorithm>
#include <vector>

namespace rigid {

// The root of the tree of i; halves the path to it.
inline int find_root(std::vector<int>& parents, int i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

inline void join_trees(std::vector<int>& parents, int a, int b) {
  a = find_root(parents, a);
  b = find_root(parents, b);
  parents[std::max(a, b)] = std::min(a, b);
}

}  // namespace rigid

#endif
