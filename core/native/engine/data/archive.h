// SPDX-License-Identifier: MIT
// Writes values to bytes and reads them: little-endian, without padding, the same on every machine.
//
// A class that is saved lists its fields once, in a template `list(Archive&)` or a function
// `list(Archive&, T&)`; both directions go through it.
#ifndef RIGID_ENGINE_DATA_ARCHIVE_H
#define RIGID_ENGINE_DATA_ARCHIVE_H

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/parallel/shared_array.h"

namespace rigid {

static_assert(std::endian::native == std::endian::little, "states are saved as they lie in memory");

// Thrown if bytes were not written by a world.
struct DamagedState : std::invalid_argument {
  DamagedState() : std::invalid_argument("the state is damaged") {}
};

class StateWriter {
 public:
  static constexpr bool reads = false;
  std::vector<std::byte> take() { return std::move(bytes_); }
  void raw(const void* data, std::size_t size) {
    const auto* from = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  // Archives the number of elements that follow, each of at least `least` bytes.
  void count(std::size_t& size, std::size_t) {
    uint64_t written = size;
    raw(&written, sizeof written);
  }

 private:
  std::vector<std::byte> bytes_;
};

class StateReader {
 public:
  static constexpr bool reads = true;
  explicit StateReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  bool at_end() const { return rest_.empty(); }
  void raw(void* data, std::size_t size) {
    if (size > rest_.size()) throw DamagedState();
    if (size > 0) std::memcpy(data, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  void count(std::size_t& size, std::size_t least) {
    uint64_t written;
    raw(&written, sizeof written);
    if (written > rest_.size() / least) throw DamagedState();
    size = static_cast<std::size_t>(written);
  }

 private:
  std::span<const std::byte> rest_;
};

template <class Archive, class T>
concept ListsItself = requires(Archive& archive, T& value) { value.list(archive); };
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class Archive, class... T>
void put(Archive& archive, T&... values);

template <class Archive, Plain T>
void put_one(Archive& archive, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    auto byte = static_cast<uint8_t>(value);
    archive.raw(&byte, 1);
    if constexpr (Archive::reads) value = byte != 0;
  } else {
    archive.raw(&value, sizeof value);
  }
}

template <class Archive, class T, std::size_t n>
void put_one(Archive& archive, T (&values)[n]) {
  for (T& value : values) put(archive, value);
}

template <class Archive, class T>
void put_one(Archive& archive, std::vector<T>& values) {
  std::size_t size = values.size();
  archive.count(size, Plain<T> ? sizeof(T) : 1);
  if constexpr (Archive::reads) values.assign(size, T{});
  if constexpr (Plain<T>) {
    archive.raw(values.data(), size * sizeof(T));
  } else {
    for (T& value : values) put(archive, value);
  }
}

template <class Archive, class T>
void put_one(Archive& archive, SharedArray<T>& values) {
  std::size_t size = values.size();
  archive.count(size, Plain<T> ? sizeof(T) : 1);
  if constexpr (Archive::reads) values.resize(size);
  for (std::size_t i = 0; i < size; ++i) put(archive, values[i]);
}

template <class Archive, class Key, class Value>
void put_one(Archive& archive, std::map<Key, Value>& values) {
  std::size_t size = values.size();
  archive.count(size, 1);
  if constexpr (Archive::reads) {
    values.clear();
    for (std::size_t i = 0; i < size; ++i) {
      std::pair<Key, Value> entry{};
      put(archive, entry.first, entry.second);
      values.insert(entry);
    }
  } else {
    for (auto& [key, value] : values) {
      Key copy = key;
      put(archive, copy, value);
    }
  }
}

// In the order of the keys, so that equal states have equal bytes.
template <class Archive, class Key, class Value>
void put_one(Archive& archive, std::unordered_map<Key, Value>& values) {
  std::map<Key, Value> sorted(values.begin(), values.end());
  put(archive, sorted);
  if constexpr (Archive::reads) values = {sorted.begin(), sorted.end()};
}

template <class Archive, class A, class B>
void put_one(Archive& archive, std::pair<A, B>& value) {
  put(archive, value.first, value.second);
}

template <class Archive, class T>
  requires ListsItself<Archive, T>
void put_one(Archive& archive, T& value) {
  value.list(archive);
}

template <class Archive, class T>
  requires(!ListsItself<Archive, T> && !Plain<T>)
void put_one(Archive& archive, T& value) {
  list(archive, value);  // found by argument-dependent lookup
}

template <class Archive, class... T>
void put(Archive& archive, T&... values) {
  (put_one(archive, values), ...);
}

}  // namespace rigid

#endif
