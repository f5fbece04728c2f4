// Pairs that were found far enough apart need no second look before their bodies have moved by as
// much. What is spared is the look alone: a pair that is left out would have had no contact.
#ifndef RIGID_ENGINE_CONTACTS_SEPARATIONS_H
#define RIGID_ENGINE_CONTACTS_SEPARATIONS_H

#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/bodies/body.h"
#include "engine/contacts/contact.h"

namespace rigid {

class Separations {
 public:
  // How near is near, for all pairs.
  void set_near(float near) { near_ = near; }
  void add_body() {
    travelled_.push_back(0);
    paces_.push_back(0);
  }
  void add_shape() { boxes_.push_back(0); }
  void add_contact() { pairs_.push_back({}); }
  // What a slot was kept for is not what comes into it.
  void forget(int contact) { pairs_[contact] = {}; }
  void forget_all() { pairs_.assign(pairs_.size(), {}); }
  // So many of each, and nothing known of them.
  void reset(std::size_t bodies, std::size_t shapes, std::size_t contacts) {
    travelled_.assign(bodies, 0);
    paces_.assign(bodies, 0);
    boxes_.assign(shapes, 0);
    pairs_.assign(contacts, {});
  }

  // No point of the body moved farther in the last step.
  void move(int body, float travel) { travelled_[body] += travel; }
  // No point of it moves farther in the next, as it moves now.
  void set_pace(int body, const BodyState& state, float extent, float dt) {
    paces_[body] =
        dt * (std::fabs(state.vx) + std::fabs(state.vy) + std::fabs(state.omega) * extent);
  }
  // The shape's box is another, or it is elsewhere.
  void change_box(int shape) { ++boxes_[shape]; }

  // Whether the boxes of a pair still overlap, and its shapes neither come near each other nor may
  // do so within a step.
  bool hold(int contact, const Contact& of) const {
    const Pair& pair = pairs_[contact];
    const double left = pair.until - (travelled_[of.body_a] + travelled_[of.body_b]);
    if (!(left > 0) || pair.boxes != boxes_[of.shape_a] + boxes_[of.shape_b]) return false;
    const float step = paces_[of.body_a] + paces_[of.body_b];
    return step <= near_ || step < left;
  }

  // The pair may come so much nearer.
  void keep(int contact, const Contact& of, float slack) {
    pairs_[contact] = {travelled_[of.body_a] + travelled_[of.body_b] + slack,
                       boxes_[of.shape_a] + boxes_[of.shape_b]};
  }

 private:
  struct Pair {
    double until = -1;   // what its bodies have travelled together
    uint64_t boxes = 0;  // changes of its boxes, when it was looked at
  };
  std::vector<double> travelled_;
  std::vector<float> paces_;
  std::vector<uint64_t> boxes_;
  std::vector<Pair> pairs_;
  float near_ = 0;
};

}  // namespace rigid

#endif
