// A growing array whose readers outlive it: when it must move, the old storage stays with whoever
// still holds it. NumPy views of the state therefore never dangle; one taken before bodies were
// added keeps showing the old storage.
#ifndef RIGID_ENGINE_SHARED_ARRAY_H
#define RIGID_ENGINE_SHARED_ARRAY_H

#include <cstddef>
#include <memory>
#include <utility>

namespace rigid {

template <class T>
class SharedArray {
 public:
  void push_back(const T& value) {
    if (size_ == capacity_) grow();
    data_[size_++] = value;
  }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::shared_ptr<T[]> storage() const { return storage_; }

 private:
  void grow() {
    std::size_t capacity = capacity_ == 0 ? 16 : 2 * capacity_;
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
