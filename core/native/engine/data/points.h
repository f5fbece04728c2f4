// SPDX-License-Identifier: MIT
// Named points of bodies, read by channels.
#ifndef RIGID_ENGINE_DATA_POINTS_H
#define RIGID_ENGINE_DATA_POINTS_H

#include <vector>

#include "engine/data/archive.h"
#include "engine/data/slots.h"

namespace rigid {

struct BodyPoint {
  int body = 0;
  double x = 0, y = 0;  // body coordinates
};

struct Points {
  std::vector<BodyPoint> all;
  Slots slots;

  int add(const BodyPoint& point, Place place) {
    const int index = slots.take(place);
    if (index == count()) all.emplace_back();
    all[index] = point;
    return index;
  }
  // A point that keeps its slot stays at the last place of its body.
  void remove_of(int body) {
    for (int i = 0; i < count(); ++i) {
      if (all[i].body != body) continue;
      if (!slots.is_kept(i)) all[i] = {};
      slots.give_back(i);
    }
  }
  int count() const { return static_cast<int>(all.size()); }
  const BodyPoint& operator[](std::size_t i) const { return all[i]; }

  template <class Archive>
  void list(Archive& a) {
    put(a, all, slots);
  }
};

}  // namespace rigid

#endif
