// SPDX-License-Identifier: MIT
// A dynamic tree of bounding boxes: the broad phase, ray casts and overlap queries.
//
// Leaves hold fat boxes, each inner node the union of its two children. A leaf is inserted where it
// adds the least perimeter (surface area heuristic, after MacDonald and Booth 1990, in the plane),
// and ancestors are rotated on the way back up to keep sibling boxes small (Kopta et al. 2012). If
// most leaves move, their boxes are set in place and all ancestors updated once, and when this has
// made the tree too loose it is rebuilt, by repeated halving along the longer side. The form of the
// tree depends only on the order of calls.
#ifndef RIGID_ENGINE_BROADPHASE_TREE_H
#define RIGID_ENGINE_BROADPHASE_TREE_H

#include <vector>

#include "engine/data/archive.h"
#include "math.h"
#include "prefetch.h"

namespace rigid {

class Tree {
 public:
  // Returns the leaf that holds the item.
  int insert(const Aabb& box, int item);
  void remove(int leaf);
  // Returns the item's new leaf.
  int move(int leaf, const Aabb& box);
  const Aabb& box(int leaf) const { return nodes_[leaf].box; }
  // Sets the boxes of many leaves before `update`: until then the tree must not be queried.
  void set_box(int leaf, const Aabb& box) { nodes_[leaf].box = box; }
  // Calls place(item, leaf) for leaves that have changed.
  template <class Place>
  void update(Place&& place) {
    if (root_ < 0 || (in_order_ && refit_all() <= loosest * built_perimeter_)) return;
    build_all();
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i) {
      if (nodes_[i].item >= 0) place(nodes_[i].item, i);
    }
  }

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

  int leaf_count() const { return static_cast<int>(nodes_.size() - free_.size() + 1) / 2; }

  // Calls visit(item, box) for each leaf; those near each other in the plane are mostly
  // consecutive.
  template <class Visit>
  void for_leaves(Visit&& visit) const {
    if (in_order_) {
      for (const Node& node : nodes_) {
        if (node.item >= 0) visit(node.item, node.box);
      }
      return;
    }
    std::vector<int> stack;
    if (root_ >= 0) stack.push_back(root_);
    while (!stack.empty()) {
      const Node& node = nodes_[stack.back()];
      stack.pop_back();
      if (node.item >= 0) {
        visit(node.item, node.box);
      } else {
        prefetch_to_read(&nodes_[node.right]);
        stack.push_back(node.right);
        stack.push_back(node.left);
      }
    }
  }

  template <class Archive>
  void list(Archive& archive) {
    put(archive, nodes_, free_, root_, in_order_, built_perimeter_);
  }
  // Whether every leaf holds an item below `items`, and all nodes are connected. The data read may
  // be invalid.
  bool is_sound(int items) const;
  // Whether the leaf holds the item.
  bool holds(int leaf, int item) const {
    return leaf >= 0 && leaf < static_cast<int>(nodes_.size()) && nodes_[leaf].item == item;
  }

 private:
  struct Node {
    Aabb box;
    int parent = -1, left = -1, right = -1, item = -1;
    template <class Archive>
    void list(Archive& archive) {
      put(archive, box, parent, left, right, item);
    }
  };
  int allocate();
  void free(int index);
  static constexpr float loosest = 1.2f;  // as a multiple of the perimeters when it was built
  float refit_all();
  void build_all();
  int build(Node* first, Node* last, int parent);
  int best_sibling(const Aabb& box) const;
  void refit(int index);
  void rotate(int index);

  std::vector<Node> nodes_;
  std::vector<int> free_;
  int root_ = -1;
  bool in_order_ = false;      // every node comes before its children, and none is free
  float built_perimeter_ = 0;  // sum over all inner nodes, when the tree was built
};

}  // namespace rigid

#endif
