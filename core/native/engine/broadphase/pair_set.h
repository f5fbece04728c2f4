// SPDX-License-Identifier: MIT
// A set of unordered pairs of indices, with open addressing; no result depends on its order.
#ifndef RIGID_ENGINE_BROADPHASE_PAIR_SET_H
#define RIGID_ENGINE_BROADPHASE_PAIR_SET_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/data/archive.h"
#include "prefetch.h"
#include "sorting.h"

namespace rigid {

class PairSet {
 public:
  // Returns false if the pair was there already.
  bool add(int a, int b) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    uint64_t key = make_key(a, b);
    std::size_t at = find(key);
    if (slots_[at] == key) return false;
    slots_[at] = key;
    ++count_;
    return true;
  }
  std::size_t size() const { return count_; }
  bool contains(int a, int b) const {
    if (slots_.empty()) return false;
    uint64_t key = make_key(a, b);
    return slots_[find(key)] == key;
  }
  // Prefetches the slot that `contains` will read.
  void prefetch(int a, int b) const {
    if (!slots_.empty()) prefetch_to_read(&slots_[hash(make_key(a, b)) & (slots_.size() - 1)]);
  }
  // Returns false if the pair was not there.
  bool remove(int a, int b) {
    if (slots_.empty()) return false;
    std::size_t hole = find(make_key(a, b));
    if (slots_[hole] == 0) return false;
    --count_;
    // Closes the gap: later keys of the run move up as far as they may.
    std::size_t mask = slots_.size() - 1, at = hole;
    for (;;) {
      at = (at + 1) & mask;
      if (slots_[at] == 0) break;
      std::size_t home = hash(slots_[at]) & mask;
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        slots_[hole] = slots_[at];
        hole = at;
      }
    }
    slots_[hole] = 0;
    return true;
  }
  // Calls task(a, b) for each pair, in no order.
  template <class Task>
  void for_each(Task&& task) const {
    for (uint64_t key : slots_) {
      if (key != 0) task(low_of(key), high_of(key));
    }
  }
  // Removes all pairs of one index.
  void remove_all_of(int index) {
    if (count_ == 0) return;
    for (uint64_t key : keys()) {
      if (low_of(key) == index || high_of(key) == index) remove(low_of(key), high_of(key));
    }
  }

  // The pairs in the order of their keys, which determines their places.
  template <class Archive>
  void list(Archive& archive) {
    std::vector<uint64_t> sorted = keys();
    rigid::sort(sorted.begin(), sorted.end());
    put(archive, sorted);
    if constexpr (Archive::reads) {
      slots_.clear();
      count_ = 0;
      for (uint64_t key : sorted) {
        if (low_of(key) >= high_of(key) || !add(low_of(key), high_of(key))) throw DamagedState();
      }
    }
  }

 private:
  std::vector<uint64_t> keys() const {
    std::vector<uint64_t> found;
    for (uint64_t key : slots_) {
      if (key != 0) found.push_back(key);
    }
    return found;
  }
  static int low_of(uint64_t key) { return static_cast<int>(key & 0x7fffffff); }
  static int high_of(uint64_t key) { return static_cast<int>(key >> 32); }
  // Never 0, since the two differ.
  static uint64_t make_key(int a, int b) {
    uint32_t low = static_cast<uint32_t>(a < b ? a : b),
             high = static_cast<uint32_t>(a < b ? b : a);
    return static_cast<uint64_t>(high) << 32 | low;
  }
  static std::size_t hash(uint64_t key) {
    key *= 0x9e3779b97f4a7c15ull;
    return static_cast<std::size_t>(key ^ key >> 29);
  }
  std::size_t find(uint64_t key) const {
    std::size_t mask = slots_.size() - 1, at = hash(key) & mask;
    while (slots_[at] != 0 && slots_[at] != key) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<uint64_t> old = std::move(slots_);
    slots_.assign(old.empty() ? 64 : 2 * old.size(), 0);
    for (uint64_t key : old) {
      if (key != 0) slots_[find(key)] = key;
    }
  }

  std::vector<uint64_t> slots_;
  std::size_t count_ = 0;
};

}  // namespace rigid

#endif
