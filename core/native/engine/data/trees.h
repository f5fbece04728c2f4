// SPDX-License-Identifier: MIT
// Trees of things that belong together: each has the place of one before it, and the first of all
// its own.
#ifndef RIGID_ENGINE_DATA_TREES_H
#define RIGID_ENGINE_DATA_TREES_H

#include <algorithm>
#include <vector>

namespace rigid {

// The first of the tree that i is in, to which the way is half as long afterwards.
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
