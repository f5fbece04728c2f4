// SPDX-License-Identifier: MIT
// The shapes of one body. The first ones are stored in the list itself, since most bodies have one
// or two: loops over bodies then read no other memory.
#ifndef RIGID_ENGINE_DATA_SHAPE_LIST_H
#define RIGID_ENGINE_DATA_SHAPE_LIST_H

#include <cstddef>
#include <vector>

#include "engine/data/archive.h"

namespace rigid {

class ShapeList {
 public:
  const int* begin() const { return more_.empty() ? few_ : more_.data(); }
  const int* end() const { return begin() + count_; }
  std::size_t size() const { return static_cast<std::size_t>(count_); }
  bool empty() const { return count_ == 0; }
  int operator[](std::size_t i) const { return begin()[i]; }
  void push_back(int shape) {
    if (count_ < most_few) {
      few_[count_] = shape;
    } else {
      if (more_.empty()) more_.assign(few_, few_ + count_);
      more_.push_back(shape);
    }
    ++count_;
  }
  void clear() {
    count_ = 0;
    more_.clear();
  }

  template <class Archive>
  void list(Archive& archive) {
    std::vector<int> all(begin(), end());
    put(archive, all);
    if constexpr (!Archive::reads) return;
    clear();
    for (int shape : all) push_back(shape);
  }

 private:
  static constexpr int most_few = 3;
  int count_ = 0;
  int few_[most_few] = {};
  std::vector<int> more_;  // all of them, if they exceed the list itself
};

}  // namespace rigid

#endif
