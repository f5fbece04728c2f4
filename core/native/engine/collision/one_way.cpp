// SPDX-License-Identifier: MIT
// The search for bodies that pass through one-way shapes.
#include "engine/collision/one_way.h"

#include <algorithm>

#include "sorting.h"

namespace rigid {

void OneWay::collect() {
  passing_.clear();
  if (!contacts_.may_pass) return;
  contacts_.may_pass = false;
  for (int i = 0; i < contacts_.count(); ++i) {
    const Contact& contact = contacts_[i];
    if (!contact.alive || !contact.passable) continue;
    contacts_.may_pass = true;
    if (!contact.through || !contact.inside) continue;
    if (shapes_[contact.shape_a].is_one_way())
      passing_.push_back({contact.shape_a, contact.body_b});
    if (shapes_[contact.shape_b].is_one_way())
      passing_.push_back({contact.shape_b, contact.body_a});
  }
  rigid::sort(passing_.begin(), passing_.end());
}

bool OneWay::passes(int shape, int body) const {
  return !passing_.empty() &&
         std::binary_search(passing_.begin(), passing_.end(), std::pair(shape, body));
}

}  // namespace rigid
