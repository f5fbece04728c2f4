// A dynamic tree of bounding boxes: the broad phase, ray casts and overlap queries.
//
// Leaves hold fat boxes, each inner node the union of its two children. A leaf goes where it adds
// least perimeter (surface area heuristic, after MacDonald and Booth 1990, in the plane), and
// ancestors are rotated on the way back up to keep sibling boxes small (Kopta et al. 2012). What
// the tree looks like depends on the order of calls alone.
#ifndef RIGID_ENGINE_TREE_H
#define RIGID_ENGINE_TREE_H

#include <vector>

#include "math.h"

namespace rigid {

class Tree {
 public:
  // Returns the leaf that holds the item.
  int insert(const Aabb& box, int item);
  void remove(int leaf);
  // Returns the item's new leaf.
  int move(int leaf, const Aabb& box);
  const Aabb& box(int leaf) const { return nodes_[leaf].box; }

  // Calls visit(item) for each leaf whose box overlaps; visit returns false to stop.
  template <class Visit>
  void query(const Aabb& box, Visit&& visit) const {
    if (root_ < 0 || !overlaps(nodes_[root_].box, box)) return;
    int local[256];
    std::vector<int> more;
    int count = 0;
    local[count++] = root_;
    while (count > 0 || !more.empty()) {
      int index;
      if (!more.empty()) {
        index = more.back();
        more.pop_back();
      } else {
        index = local[--count];
      }
      const Node& node = nodes_[index];
      if (node.item >= 0) {
        if (!visit(node.item)) return;
        continue;
      }
      for (int child : {node.left, node.right}) {
        if (!overlaps(nodes_[child].box, box)) continue;
        if (count < 256) {
          local[count++] = child;
        } else {
          more.push_back(child);
        }
      }
    }
  }

 private:
  struct Node {
    Aabb box;
    int parent = -1, left = -1, right = -1, item = -1;
  };
  int allocate();
  void free(int index);
  int best_sibling(const Aabb& box) const;
  void refit(int index);
  void rotate(int index);

  std::vector<Node> nodes_;
  std::vector<int> free_;
  int root_ = -1;
};

}  // namespace rigid

#endif
