// SPDX-License-Identifier: MIT
// Insertion, removal, moves and rebuilding of the tree of boxes.
#include "engine/broadphase/tree.h"

#include <algorithm>

namespace rigid {

namespace {
bool contains(const Aabb& box, Vec2 p) {
  return p.x >= box.lower.x && p.y >= box.lower.y && p.x <= box.upper.x && p.y <= box.upper.y;
}

float perimeter(const Aabb& box) {
  return (box.upper.x - box.lower.x) + (box.upper.y - box.lower.y);
}
}  // namespace

int Tree::allocate() {
  if (!free_.empty()) {
    int index = free_.back();
    free_.pop_back();
    nodes_[index] = Node{};
    return index;
  }
  nodes_.emplace_back();
  return static_cast<int>(nodes_.size()) - 1;
}

void Tree::free(int index) { free_.push_back(index); }

// Descends to the sibling of least cost: the growth of every ancestor, and the new parent itself.
int Tree::best_sibling(const Aabb& box) const {
  float size = perimeter(box);
  int index = root_, best = root_;
  float direct = perimeter(merge(nodes_[root_].box, box));
  float inherited = 0.0f, best_cost = direct;
  while (nodes_[index].item < 0) {
    const Node& node = nodes_[index];
    float cost = direct + inherited;
    if (cost < best_cost) {
      best_cost = cost;
      best = index;
    }
    inherited += direct - perimeter(node.box);
    float merged_left = perimeter(merge(nodes_[node.left].box, box));
    float merged_right = perimeter(merge(nodes_[node.right].box, box));
    float bound_left = merged_left + inherited, bound_right = merged_right + inherited;
    if (nodes_[node.left].item >= 0 && bound_left < best_cost) {
      best_cost = bound_left;
      best = node.left;
    }
    if (nodes_[node.right].item >= 0 && bound_right < best_cost) {
      best_cost = bound_right;
      best = node.right;
    }
    bool left_leaf = nodes_[node.left].item >= 0, right_leaf = nodes_[node.right].item >= 0;
    if (left_leaf && right_leaf) break;
    // The lower bound of a subtree's cost: all growth so far, and the box itself.
    float least_left =
        left_leaf ? 3.4e38f : inherited + merged_left - perimeter(nodes_[node.left].box) + size;
    float least_right =
        right_leaf ? 3.4e38f : inherited + merged_right - perimeter(nodes_[node.right].box) + size;
    if (least_left >= best_cost && least_right >= best_cost) break;
    bool go_left = least_left < least_right;
    if (least_left == least_right) {
      Vec2 c = 0.5f * (box.lower + box.upper);
      Vec2 l = 0.5f * (nodes_[node.left].box.lower + nodes_[node.left].box.upper);
      Vec2 r = 0.5f * (nodes_[node.right].box.lower + nodes_[node.right].box.upper);
      go_left = length_squared(c - l) <= length_squared(c - r);
    }
    index = go_left ? node.left : node.right;
    direct = go_left ? merged_left : merged_right;
  }
  return best;
}

int Tree::insert(const Aabb& box, int item) {
  in_order_ = false;
  int leaf = allocate();
  nodes_[leaf].box = box;
  nodes_[leaf].item = item;
  if (root_ < 0) {
    root_ = leaf;
    return leaf;
  }
  int sibling = best_sibling(box);
  int parent = allocate();
  int above = nodes_[sibling].parent;
  nodes_[parent].parent = above;
  nodes_[parent].left = sibling;
  nodes_[parent].right = leaf;
  nodes_[parent].box = merge(nodes_[sibling].box, box);
  nodes_[sibling].parent = parent;
  nodes_[leaf].parent = parent;
  if (above < 0) {
    root_ = parent;
  } else if (nodes_[above].left == sibling) {
    nodes_[above].left = parent;
  } else {
    nodes_[above].right = parent;
  }
  refit(above);
  return leaf;
}

// Updates the boxes of all inner nodes; children come after their parents. Returns the sum of their
// perimeters.
float Tree::refit_all() {
  float sum = 0;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.item >= 0) continue;
    node.box = merge(nodes_[node.left].box, nodes_[node.right].box);
    sum += perimeter(node.box);
  }
  return sum;
}

void Tree::build_all() {
  std::vector<Node> leaves;
  leaves.reserve(nodes_.size() / 2 + 1);
  for (const Node& node : nodes_) {
    if (node.item >= 0) leaves.push_back(node);
  }
  nodes_.clear();
  nodes_.reserve(2 * leaves.size());
  free_.clear();
  root_ = build(leaves.data(), leaves.data() + leaves.size(), -1);
  in_order_ = true;
  built_perimeter_ = refit_all();
}

// Builds depth first, so that boxes near each other in the plane are near in memory. Boxes are set
// by refit_all.
int Tree::build(Node* first, Node* last, int parent) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.push_back(*first);
  nodes_[index].parent = parent;
  if (last - first == 1) return index;
  auto center = [](const Node& node) { return node.box.lower + node.box.upper; };
  Aabb centers{center(*first), center(*first)};
  for (const Node* node = first + 1; node < last; ++node) {
    centers.lower = min(centers.lower, center(*node));
    centers.upper = max(centers.upper, center(*node));
  }
  const Vec2 size = centers.upper - centers.lower, half = 0.5f * (centers.lower + centers.upper);
  Node* middle = size.x > size.y
                     ? std::partition(first, last, [&](auto& n) { return center(n).x < half.x; })
                     : std::partition(first, last, [&](auto& n) { return center(n).y < half.y; });
  // All boxes have the same centre.
  if (middle == first || middle == last) middle = first + (last - first) / 2;
  const int left = build(first, middle, index), right = build(middle, last, index);
  nodes_[index].left = left;
  nodes_[index].right = right;
  nodes_[index].item = -1;
  return index;
}

void Tree::refit(int index) {
  while (index >= 0) {
    Node& node = nodes_[index];
    node.box = merge(nodes_[node.left].box, nodes_[node.right].box);
    rotate(index);
    index = nodes_[index].parent;
  }
}

// Swaps a child with a grandchild on the other side if that makes the child's side smaller.
void Tree::rotate(int index) {
  int children[2] = {nodes_[index].left, nodes_[index].right};
  float best_gain = 0.0f;
  int best_side = -1, best_grandchild = -1;
  for (int side = 0; side < 2; ++side) {
    int low = children[side], high = children[1 - side];
    if (nodes_[high].item >= 0) continue;
    int pair[2] = {nodes_[high].left, nodes_[high].right};
    for (int k = 0; k < 2; ++k) {
      // `low` would replace pair[k].
      float gain =
          perimeter(nodes_[high].box) - perimeter(merge(nodes_[low].box, nodes_[pair[1 - k]].box));
      if (gain > best_gain) {
        best_gain = gain;
        best_side = side;
        best_grandchild = k;
      }
    }
  }
  if (best_side < 0) return;
  int low = children[best_side], high = children[1 - best_side];
  int up = best_grandchild == 0 ? nodes_[high].left : nodes_[high].right;
  (best_side == 0 ? nodes_[index].left : nodes_[index].right) = up;
  (best_grandchild == 0 ? nodes_[high].left : nodes_[high].right) = low;
  in_order_ = false;
  nodes_[up].parent = index;
  nodes_[low].parent = high;
  nodes_[high].box = merge(nodes_[nodes_[high].left].box, nodes_[nodes_[high].right].box);
}

void Tree::remove(int leaf) {
  in_order_ = false;
  int parent = nodes_[leaf].parent;
  free(leaf);
  nodes_[leaf].item = -1;
  if (parent < 0) {
    root_ = -1;
    return;
  }
  int sibling = nodes_[parent].left == leaf ? nodes_[parent].right : nodes_[parent].left;
  int above = nodes_[parent].parent;
  nodes_[sibling].parent = above;
  free(parent);
  if (above < 0) {
    root_ = sibling;
    return;
  }
  (nodes_[above].left == parent ? nodes_[above].left : nodes_[above].right) = sibling;
  refit(above);
}

int Tree::move(int leaf, const Aabb& box) {
  // A small move stays under its parent: one walk up instead of two.
  int parent = nodes_[leaf].parent;
  if (parent >= 0 && contains(nodes_[parent].box, 0.5f * (box.lower + box.upper))) {
    nodes_[leaf].box = box;
    refit(parent);
    return leaf;
  }
  int item = nodes_[leaf].item;
  remove(leaf);
  return insert(box, item);
}

bool Tree::is_sound(int items) const {
  const int size = static_cast<int>(nodes_.size());
  std::vector<uint8_t> seen(nodes_.size(), 0);
  auto visit = [&](int index) { return index >= 0 && index < size && seen[index]++ == 0; };
  std::vector<int> stack;
  if (root_ >= 0) stack.push_back(root_);
  if (root_ < -1 || (root_ >= 0 && (root_ >= size || nodes_[root_].parent != -1))) return false;
  while (!stack.empty()) {
    const int index = stack.back();
    stack.pop_back();
    if (!visit(index)) return false;
    const Node& node = nodes_[index];
    if (node.item >= items) return false;
    if (node.item >= 0) continue;
    for (int child : {node.left, node.right}) {
      if (child < 0 || child >= size || nodes_[child].parent != index) return false;
      if (in_order_ && child < index) return false;
      stack.push_back(child);
    }
  }
  if (in_order_ && !free_.empty()) return false;
  for (int index : free_) {
    if (!visit(index)) return false;
  }
  return std::count(seen.begin(), seen.end(), 0) == 0;
}

}  // namespace rigid
