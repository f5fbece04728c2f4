// SPDX-License-Identifier: MIT
// Slots of arrays that are reused, and the ids of their contents.
//
// An id is a slot and a generation, the number of times that the slot was released before. So a
// removed object never returns under its id, however often its slot is reused; and as long as
// nothing was removed an id is the slot's number. The next slot to be used (the last one released)
// depends only on the history.
#ifndef RIGID_ENGINE_DATA_SLOTS_H
#define RIGID_ENGINE_DATA_SLOTS_H

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "engine/data/archive.h"

namespace rigid {

// Whether an object is appended, or takes the slot that was released last.
enum class Place : uint8_t { end, free };

class Slots {
 public:
  int take(Place place) {
    if (place == Place::free && !free_.empty()) {
      const int slot = free_.back();
      free_.pop_back();
      return slot;
    }
    generations_.push_back(0);
    return size() - 1;
  }
  // The slots that the next `count` calls of take(Place::free) return.
  std::vector<int> next(int count) const {
    std::vector<int> slots;
    slots.reserve(count);
    const int given_back = static_cast<int>(free_.size());
    for (int i = 0; i < count; ++i) {
      slots.push_back(i < given_back ? free_[given_back - 1 - i] : size() + i - given_back);
    }
    return slots;
  }
  void give_back(int slot) {
    const bool last = ++generations_[slot] == std::numeric_limits<int32_t>::max();
    if (slot >= kept_ && !last) free_.push_back(slot);
  }
  // Reserves the present slots permanently: no other object takes them, even after a removal.
  void keep() { kept_ = size(); }
  bool is_kept(int slot) const { return slot < kept_; }
  int size() const { return static_cast<int>(generations_.size()); }
  int64_t id(int slot) const { return static_cast<int64_t>(generations_[slot]) << 32 | slot; }
  // The slot of an id, or -1 if it was released since. The slot's present use is up to the caller.
  int find(int64_t id) const {
    const int64_t slot = slot_of(id);
    return id >= 0 && slot < size() && this->id(static_cast<int>(slot)) == id
               ? static_cast<int>(slot)
               : -1;
  }
  static int64_t slot_of(int64_t id) { return id & 0xffffffff; }

  template <class Archive>
  void list(Archive& archive) {
    put(archive, generations_, free_, kept_);
  }
  // Whether there are `count` slots, and no free one is `taken(slot)`. The data read may be
  // invalid.
  template <class Taken>
  bool is_sound(std::size_t count, Taken&& taken) const {
    if (generations_.size() != count || kept_ < 0 || kept_ > size()) return false;
    std::vector<uint8_t> seen(count, 0);
    for (int slot : free_) {
      if (slot < kept_ || slot >= size() || seen[slot]++ != 0 || taken(slot)) return false;
    }
    return true;
  }

 private:
  std::vector<int32_t> generations_;
  std::vector<int> free_;
  int kept_ = 0;
};

// The same for runs of elements: a released run is reused by one of equal length.
class Runs {
 public:
  // The start of a run of `length`; `end` if no run of that length is free.
  int take(int length, int end, Place place) {
    auto found = free_.find(length);
    if (place == Place::end || found == free_.end() || found->second.empty()) return end;
    const int first = found->second.back();
    found->second.pop_back();
    return first;
  }
  void give_back(int first, int length) { free_[length].push_back(first); }
  template <class Archive>
  void list(Archive& archive) {
    put(archive, free_);
  }
  bool is_sound(std::size_t size) const {
    for (const auto& [length, starts] : free_) {
      if (length < 1 || static_cast<std::size_t>(length) > size) return false;
      for (int first : starts) {
        if (first < 0 || static_cast<std::size_t>(first) > size - length) return false;
      }
    }
    return true;
  }

 private:
  std::map<int, std::vector<int>> free_;
};

}  // namespace rigid

#endif
