// SPDX-License-Identifier: MIT
// Axial forces in bars.
#ifndef RIGID_ENGINE_FORCES_BARS_H
#define RIGID_ENGINE_FORCES_BARS_H

#include <vector>

#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/settings.h"
#include "engine/forces/forces.h"
#include "engine/joints/joints.h"

namespace rigid {

// The two ends of a slender body, in body coordinates.
struct Bar {
  int body;
  double left_x, left_y, right_x, right_y;
};

class Bars {
 public:
  void add(const Bar& bar, std::size_t bodies);
  // The last bar replaces the removed one.
  void remove(int body);
  const std::vector<Bar>& all() const { return bars_; }
  bool empty() const { return bars_.empty(); }
  // The bar of a body, or -1.
  int of_body(int body) const {
    return body < static_cast<int>(bar_of_.size()) ? bar_of_[body] : -1;
  }
  // The axial force of each bar, positive for compression, by the loads of the last step.
  std::vector<double> push_pulls(const Bodies& bodies, const Joints& joints,
                                 const Contacts& contacts, const Forces& forces,
                                 const Clock& clock) const;
  template <class Archive>
  void list(Archive& a) {
    put(a, bars_, bar_of_);
  }
  // Throws DamagedState if the values read are invalid.
  void check(std::size_t bodies) const;

 private:
  std::vector<Bar> bars_;
  std::vector<int> bar_of_;  // by body, or -1
};

}  // namespace rigid

#endif
