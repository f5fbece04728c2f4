// SPDX-License-Identifier: MIT
// Groups of boxes: finds all overlapping pairs of many boxes.
//
// Boxes that are neighbours in the given order, that of a tree, are grouped by sixteens. Groups
// whose bounding boxes overlap are found by a sweep along the longer side of all, and in two such
// groups every box is tested against the sixteen others in parallel. Compared with a descent of the
// tree this takes few branches and no pointers.
#ifndef RIGID_ENGINE_BROADPHASE_BOX_GROUPS_H
#define RIGID_ENGINE_BROADPHASE_BOX_GROUPS_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "math.h"
#include "sorting.h"

namespace rigid {

class BoxGroups {
  static constexpr float far = std::numeric_limits<float>::infinity();

 public:
  static constexpr Aabb nothing{{far, far}, {-far, -far}};

  struct Item {
    Aabb box;
    int item;
  };

  // Groups for that many boxes, in the order of a tree; each is then cleared and filled, on any
  // thread.
  void make_room(std::size_t boxes) { groups_.resize((boxes + size - 1) / size); }
  void clear(int group) { groups_[group] = Group(); }
  static std::span<const Item> items_of(int group, const std::vector<Item>& all) {
    const std::size_t first = static_cast<std::size_t>(group) * size;
    return std::span<const Item>(all).subspan(first,
                                              std::min<std::size_t>(size, all.size() - first));
  }
  // `former`: the box at the last search, `nothing` if there was none. Pairs whose former boxes
  // overlap, and pairs that have not moved, are not visited. `category`: below 64.
  void add(int group, const Aabb& box, const Aabb& former, int item, int category, bool moved) {
    groups_[group].add(box, former, item, category, moved);
  }
  // Called after the last group.
  void sort() {
    Aabb all = nothing;
    for (const Group& group : groups_) all = merge(all, group.box);
    const bool upright = all.upper.y - all.lower.y > all.upper.x - all.lower.x;
    order_.clear();
    for (const Group& group : groups_) {
      const Vec2 low = group.box.lower, high = group.box.upper;
      const int index = static_cast<int>(order_.size());
      order_.push_back(upright ? Interval{low.y, high.y, index} : Interval{low.x, high.x, index});
    }
    rigid::sort(order_.begin(), order_.end(), [](const Interval& a, const Interval& b) {
      return a.lower != b.lower ? a.lower < b.lower : a.group < b.group;
    });
  }
  int count() const { return static_cast<int>(groups_.size()); }

  // Calls visit(item, item) for the overlapping pairs of the group that is `first` in the sweep
  // with itself and with those after it, until it returns false. `matrix` contains, for each
  // category, a bit for each category that it may touch.
  template <class Visit>
  void visit_pairs(int first, const std::vector<uint64_t>& matrix, Visit&& visit) const {
    const Group& own = groups_[order_[first].group];
    for (int i = 0; i < own.count; ++i) {
      // In the same group, only boxes after this one.
      if (!visit_hits(own, i, own, ~0u << (i + 1), matrix, visit)) return;
    }
    for (int next = first + 1; next < count(); ++next) {
      if (order_[next].lower > order_[first].upper) return;
      const Group& other = groups_[order_[next].group];
      if (!overlaps(own.box, other.box)) continue;
      for (uint32_t near = own.hits(other.box); near != 0; near &= near - 1) {
        if (!visit_hits(own, __builtin_ctz(near), other, ~0u, matrix, visit)) return;
      }
    }
  }

 private:
  static constexpr int size = 16;

  typedef float Four __attribute__((vector_size(16)));
  typedef int32_t Bits __attribute__((vector_size(16)));
  static Four load(const float* from) {
    Four four;
    std::memcpy(&four, from, sizeof four);
    return four;
  }

  struct Interval {
    float lower, upper;  // along the sweep
    int group;
  };
  struct Boxes {
    float lower_x[size], lower_y[size], upper_x[size], upper_y[size];

    Boxes() {
      std::fill_n(lower_x, size, far);
      std::fill_n(lower_y, size, far);
      std::fill_n(upper_x, size, -far);
      std::fill_n(upper_y, size, -far);
    }
    void set(int i, const Aabb& box) {
      lower_x[i] = box.lower.x;
      lower_y[i] = box.lower.y;
      upper_x[i] = box.upper.x;
      upper_y[i] = box.upper.y;
    }
    Aabb at(int i) const { return {{lower_x[i], lower_y[i]}, {upper_x[i], upper_y[i]}}; }
    // A bit for each box that overlaps this one.
    uint32_t hits(const Aabb& one) const {
      uint32_t found = 0;
      for (int i = 0; i < size; i += 4) {
        // As in `overlaps`, with 0 for overlapping boxes and -1 for the others.
        const auto apart = (load(lower_x + i) > one.upper.x) | (load(lower_y + i) > one.upper.y) |
                           (one.lower.x > load(upper_x + i)) | (one.lower.y > load(upper_y + i));
        const auto bits = ~apart & Bits{1, 2, 4, 8};
        found |= static_cast<uint32_t>((bits[0] | bits[1]) | (bits[2] | bits[3])) << i;
      }
      return found;
    }
  };
  struct Group {
    Boxes boxes, former;
    int item[size];
    uint8_t category[size];
    uint64_t categories = 0;  // a bit for each of them
    uint32_t moved = 0;       // a bit for each box
    Aabb box = nothing;
    int count = 0;

    void add(const Aabb& one, const Aabb& before, int what, int kind, bool has_moved) {
      moved |= static_cast<uint32_t>(has_moved) << count;
      boxes.set(count, one);
      former.set(count, before);
      category[count] = static_cast<uint8_t>(kind);
      categories |= uint64_t{1} << kind;
      item[count++] = what;
      box = merge(box, one);
    }
    uint32_t hits(const Aabb& one) const { return boxes.hits(one) & ((1u << count) - 1u); }
  };

  template <class Visit>
  static bool visit_hits(const Group& own, int i, const Group& other, uint32_t wanted,
                         const std::vector<uint64_t>& matrix, Visit& visit) {
    if ((own.moved >> i & 1u) == 0) wanted &= other.moved;
    const uint64_t touched = matrix[own.category[i]];
    if (wanted == 0 || (touched & other.categories) == 0) return true;
    uint32_t hits = other.hits(own.boxes.at(i)) & wanted;
    if (hits != 0) hits &= ~other.former.hits(own.former.at(i));
    for (; hits != 0; hits &= hits - 1) {
      const int hit = __builtin_ctz(hits);
      if ((touched >> other.category[hit] & 1) == 0) continue;
      if (!visit(own.item[i], other.item[hit])) return false;
    }
    return true;
  }

  std::vector<Group> groups_;
  std::vector<Interval> order_;
};

}  // namespace rigid

#endif
