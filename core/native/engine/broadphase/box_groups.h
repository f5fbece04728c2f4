// All pairs of many boxes that overlap.
//
// Boxes that are neighbours in the order given, which is that of a tree, go together by sixteens.
// Groups whose common boxes overlap are found by a sweep along the longer side of all, and of two
// such groups every box is tried against the sixteen others at once. Beside a walk down the tree
// that is few branches and no pointers.
#ifndef RIGID_ENGINE_BROADPHASE_BOX_GROUPS_H
#define RIGID_ENGINE_BROADPHASE_BOX_GROUPS_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "math.h"

namespace rigid {

class BoxGroups {
 public:
  void add(const Aabb& box, int item) {
    if (groups_.empty() || groups_.back().count == size) groups_.emplace_back();
    groups_.back().add(box, item);
  }
  // After the last box.
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
    std::sort(order_.begin(), order_.end(), [](const Interval& a, const Interval& b) {
      return a.lower != b.lower ? a.lower < b.lower : a.group < b.group;
    });
  }
  int count() const { return static_cast<int>(groups_.size()); }

  // Calls visit(item, item) for the overlapping pairs of the group that is `first` in the sweep
  // with itself and with those after it, until it returns false.
  template <class Visit>
  void visit_pairs(int first, Visit&& visit) const {
    const Group& own = groups_[order_[first].group];
    for (int i = 0; i < own.count; ++i) {
      // Of the own group only what comes after the box itself.
      if (!visit_hits(own, i, own, ~0u << (i + 1), visit)) return;
    }
    for (int next = first + 1; next < count(); ++next) {
      if (order_[next].lower > order_[first].upper) return;
      const Group& other = groups_[order_[next].group];
      if (!overlaps(own.box, other.box)) continue;
      for (uint32_t near = own.hits(other.box); near != 0; near &= near - 1) {
        if (!visit_hits(own, __builtin_ctz(near), other, ~0u, visit)) return;
      }
    }
  }

 private:
  static constexpr int size = 16;
  static constexpr float far = std::numeric_limits<float>::infinity();
  static constexpr Aabb nothing{{far, far}, {-far, -far}};

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
  struct Group {
    float lower_x[size], lower_y[size], upper_x[size], upper_y[size];
    int item[size];
    Aabb box = nothing;
    int count = 0;

    Group() {
      std::fill_n(lower_x, size, far);
      std::fill_n(lower_y, size, far);
      std::fill_n(upper_x, size, -far);
      std::fill_n(upper_y, size, -far);
    }
    void add(const Aabb& one, int what) {
      lower_x[count] = one.lower.x;
      lower_y[count] = one.lower.y;
      upper_x[count] = one.upper.x;
      upper_y[count] = one.upper.y;
      item[count++] = what;
      box = merge(box, one);
    }
    Aabb at(int i) const { return {{lower_x[i], lower_y[i]}, {upper_x[i], upper_y[i]}}; }
    // A bit for each box that overlaps this one.
    uint32_t hits(const Aabb& one) const {
      uint32_t found = 0;
      for (int i = 0; i < size; i += 4) {
        // As `overlaps` has it, with 0 for what overlaps and -1 for what does not.
        const auto apart = (load(lower_x + i) > one.upper.x) | (load(lower_y + i) > one.upper.y) |
                           (one.lower.x > load(upper_x + i)) | (one.lower.y > load(upper_y + i));
        const auto bits = ~apart & Bits{1, 2, 4, 8};
        found |= static_cast<uint32_t>((bits[0] | bits[1]) | (bits[2] | bits[3])) << i;
      }
      return found & ((1u << count) - 1u);
    }
  };

  template <class Visit>
  static bool visit_hits(const Group& own, int i, const Group& other, uint32_t wanted,
                         Visit& visit) {
    for (uint32_t hits = other.hits(own.at(i)) & wanted; hits != 0; hits &= hits - 1) {
      if (!visit(own.item[i], other.item[__builtin_ctz(hits)])) return false;
    }
    return true;
  }

  std::vector<Group> groups_;
  std::vector<Interval> order_;
};

}  // namespace rigid

#endif
