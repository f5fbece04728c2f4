// SPDX-License-Identifier: MIT
// One-way shapes, solid from one side: bodies from the other sides pass through.
//
// A pair with such a shape touches only if its normal is within 60 degrees of the shape's solid
// direction, in the axes of its body. This is decided while the two are apart, for the next
// contact. It holds as long as they overlap: a supported body is held however deep it is pressed,
// and a body that passes through, or overlaps from the start, is not touched until none of its
// shapes is inside any more.
#ifndef RIGID_ENGINE_COLLISION_ONE_WAY_H
#define RIGID_ENGINE_COLLISION_ONE_WAY_H

#include <utility>
#include <vector>

#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/shapes.h"

namespace rigid {

class OneWay {
 public:
  OneWay(const Bodies& bodies, const Shapes& shapes, Contacts& contacts)
      : bodies_(bodies), shapes_(shapes), contacts_(contacts) {}
  OneWay(const OneWay&) = delete;

  // Called before the narrow phase: collects the pairs that overlapped in the last one.
  void collect();
  // Whether a body is passing through a shape.
  bool passes(int shape, int body) const;
  bool passes(const Contact& contact) const {
    return passes(contact.shape_a, contact.body_b) || passes(contact.shape_b, contact.body_a);
  }
  // Whether both shapes are solid for a contact with a normal from A to B in world axes.
  bool holds(const Contact& contact, Vec2 normal) const {
    return holds(shapes_[contact.shape_a], normal) && holds(shapes_[contact.shape_b], -normal);
  }
  // A direction away from the shape, in its body's axes.
  static bool holds_along(const WorldShape& shape, Vec2 away) {
    return !shape.is_one_way() || dot(shape.one_way, away) > steepest;
  }

 private:
  static constexpr float steepest = 0.5f;  // the cosine of 60 degrees
  bool holds(const WorldShape& shape, Vec2 away) const {
    return !shape.is_one_way() ||
           holds_along(shape, inverse_rotate(bodies_[shape.body].rotation, away));
  }

  const Bodies& bodies_;
  const Shapes& shapes_;
  Contacts& contacts_;
  std::vector<std::pair<int, int>> passing_;  // one-way shape and body, sorted
};

}  // namespace rigid

#endif
