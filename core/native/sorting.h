// SPDX-License-Identifier: MIT
// Sorting of random-access ranges: those of the standard library, and in builds for pages one small
// merge sort in place of both, as the library's take a dozen functions for each kind of element.
// Elements that compare equivalent must be equal; others need `stable_sort`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace rigid {

#ifdef RIGID_SMALL

// Sorts `count` elements and keeps the order of equal ones. A sorted range takes one pass.
template <class Element, class Less>
[[gnu::noinline]] void merge_sort(Element* first, std::size_t count, Less less) {
  constexpr std::size_t run = 12;
  for (std::size_t begin = 0; begin < count; begin += run) {
    const std::size_t end = std::min(begin + run, count);
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (!less(first[i], first[i - 1])) continue;
      Element moved = std::move(first[i]);
      std::size_t to = i;
      do {
        first[to] = std::move(first[to - 1]);
        --to;
      } while (to > begin && less(moved, first[to - 1]));
      first[to] = std::move(moved);
    }
  }
  std::vector<Element> left;
  for (std::size_t width = run; width < count; width *= 2) {
    for (Element* begin = first; static_cast<std::size_t>(first + count - begin) > width;) {
      Element* middle = begin + width;
      Element* end = middle + std::min(width, static_cast<std::size_t>(first + count - middle));
      if (less(*middle, middle[-1])) {
        left.assign(std::make_move_iterator(begin), std::make_move_iterator(middle));
        Element *one = left.data(), *last = one + width, *to = begin;
        while (one != last && middle != end) {
          *to++ = std::move(less(*middle, *one) ? *middle++ : *one++);
        }
        while (one != last) *to++ = std::move(*one++);
      }
      begin = end;
    }
  }
}

template <class Iterator, class Less = std::less<>>
void stable_sort(Iterator first, Iterator last, Less less = {}) {
  merge_sort(std::to_address(first), static_cast<std::size_t>(last - first), less);
}
template <class Iterator, class Less = std::less<>>
void sort(Iterator first, Iterator last, Less less = {}) {
  merge_sort(std::to_address(first), static_cast<std::size_t>(last - first), less);
}

#else

template <class Iterator, class Less = std::less<>>
void stable_sort(Iterator first, Iterator last, Less less = {}) {
  std::stable_sort(first, last, less);
}
template <class Iterator, class Less = std::less<>>
void sort(Iterator first, Iterator last, Less less = {}) {
  std::sort(first, last, less);
}

#endif

}  // namespace rigid
