// SPDX-License-Identifier: MIT
// A growing array whose readers may outlive it: when it must move, the old storage stays alive for
// its holders. NumPy views of the state therefore never dangle; a view taken before bodies were
// added keeps showing the old storage.
#ifndef RIGID_ENGINE_PARALLEL_SHARED_ARRAY_H
#define RIGID_ENGINE_PARALLEL_SHARED_ARRAY_H

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace rigid {

template <class T>
class SharedArray {
 public:
  SharedArray() = default;
  // A copy has storage of its own.
  SharedArray(const SharedArray& other) { *this = other; }
  SharedArray& operator=(const SharedArray& other) {
    if (this == &other) return *this;
    if (capacity_ < other.size_) reallocate(other.size_);
    resize(other.size_);
    std::copy(other.data_, other.data_ + other.size_, data_);
    return *this;
  }
  void push_back(const T& value) {
    if (size_ == capacity_) grow();
    data_[size_++] = value;
  }
  // New elements are zero. The storage is kept if the size is.
  void resize(std::size_t size) {
    if (size == size_) return;
    while (capacity_ < size) grow();
    for (std::size_t i = size_; i < size; ++i) data_[i] = T();
    size_ = size;
  }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::shared_ptr<T[]> storage() const { return storage_; }

 private:
  void grow() { reallocate(capacity_ == 0 ? 16 : 2 * capacity_); }
  void reallocate(std::size_t capacity) {
    std::shared_ptr<T[]> storage(new T[capacity]());
    for (std::size_t i = 0; i < size_; ++i) storage[i] = data_[i];
    storage_ = std::move(storage);
    data_ = storage_.get();
    capacity_ = capacity;
  }

  std::shared_ptr<T[]> storage_;
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace rigid

#endif
