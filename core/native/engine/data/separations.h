// SPDX-License-Identifier: MIT
// Separations: pairs that were found apart along a direction need no new test until their bodies
// have approached by that distance. This only saves the test: a pair that is skipped would have had
// no contact.
//
// Along a fixed direction n of the world a pair's gap grows by dot(n, d) if the centre of B moves
// by d relative to that of A, and shrinks at most by the rotation of each body, times the distance
// of its farthest point.
#ifndef RIGID_ENGINE_DATA_SEPARATIONS_H
#define RIGID_ENGINE_DATA_SEPARATIONS_H

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/data/body.h"
#include "engine/data/contact.h"
#include "prefetch.h"

namespace rigid {

class Separations {
 public:
  // Pairs that approach by less than `near` in a step need no search along their paths; `dt` is the
  // duration of a step.
  void set_step(float near, float dt) {
    near_ = 0.999f * near;  // sums of floats may be rounded down
    dt_ = dt;
  }
  void add_body() { places_.push_back({}); }
  void add_shape() { boxes_.push_back(0); }
  void add_contact() {
    untils_.push_back(never);
    pairs_.push_back({});
  }
  // Called when the slot belongs to another contact.
  void forget(int contact) { untils_[contact] = never; }
  // Resets all entries, for these numbers of objects; places must then be set.
  void reset(std::size_t bodies, std::size_t shapes, std::size_t contacts) {
    places_.assign(bodies, {});
    boxes_.assign(shapes, 0);
    untils_.assign(contacts, never);
    pairs_.assign(contacts, {});
  }

  // Called when a body was placed or replaced.
  void place(int index, const Body& body) {
    Place& place = places_[index];
    place.x = body.center_x;
    place.y = body.center_y;
    place.extent = body.extent;
  }
  // Called when it has moved in a step, and turned by an angle.
  void move(int index, const Body& body, float angle) {
    Place& place = places_[index];
    place.x = body.center_x;
    place.y = body.center_y;
    place.turned += std::fabs(angle) * body.extent;
  }
  // Called when the shape's box has changed.
  void change_box(int shape) { ++boxes_[shape]; }
  // Called when the shape has been replaced or moved.
  void change_shape(int shape) { boxes_[shape] += another; }

  void prefetch(int contact, const BodyState* states) const {
    if (untils_[contact] == never) return;
    for (int body : {pairs_[contact].body_a, pairs_[contact].body_b}) {
      prefetch_to_read(&places_[body]);
      prefetch_to_read(&states[body]);
    }
  }
  // Whether the shapes of a pair stay apart in this step: then overlap(shape, shape) tests whether
  // their boxes still overlap, if these have changed.
  template <class Overlap>
  bool hold(int contact, const BodyState* states, Overlap&& overlap) {
    const double until = untils_[contact];
    if (until == never) return false;
    Pair& pair = pairs_[contact];
    const Place &a = places_[pair.body_a], &b = places_[pair.body_b];
    const Vec2 n = pair.normal;
    const double left = until + (n.x * (b.x - a.x) + n.y * (b.y - a.y)) - (a.turned + b.turned);
    if (!(left > 0)) return false;
    const BodyState &sa = states[pair.body_a], &sb = states[pair.body_b];
    const Vec2 move = {dt_ * (sb.vx - sa.vx), dt_ * (sb.vy - sa.vy)};
    const float turn = dt_ * (std::fabs(sa.omega) * a.extent + std::fabs(sb.omega) * b.extent);
    if (!(turn - dot(move, n) < left || std::fabs(move.x) + std::fabs(move.y) + turn <= near_)) {
      return false;
    }
    const uint64_t boxes = boxes_[pair.shape_a] + boxes_[pair.shape_b];
    if (boxes == pair.boxes) return true;
    if (boxes - pair.boxes >= another || !overlap(pair.shape_a, pair.shape_b)) return false;
    pair.boxes = boxes;
    return true;
  }
  // The body that moves, of a pair that was kept and whose other body is a wall; or -1.
  int body_at_wall(int contact) const { return pairs_[contact].at_wall; }

  // Keeps a pair that may approach by `slack` along the direction `normal` from A to B.
  void keep(int contact, const Contact& of, Vec2 normal, float slack, int at_wall) {
    const Place &a = places_[of.body_a], &b = places_[of.body_b];
    const double along = normal.x * (b.x - a.x) + normal.y * (b.y - a.y);
    untils_[contact] = slack - along + (a.turned + b.turned);
    pairs_[contact] = {normal,     boxes_[of.shape_a] + boxes_[of.shape_b],
                       of.body_a,  of.body_b,
                       of.shape_a, of.shape_b,
                       at_wall};
  }

 private:
  static constexpr uint64_t another = uint64_t{1} << 32;  // beyond any count of box changes
  static constexpr double never = -std::numeric_limits<double>::infinity();
  struct Pair {
    Vec2 normal{0, 0};   // in world axes
    uint64_t boxes = 0;  // the count of box changes when these overlapped
    // The required data of the contact.
    int body_a = 0, body_b = 0, shape_a = 0, shape_b = 0, at_wall = -1;
  };
  struct Place {
    double x = 0, y = 0;  // of the centre of mass
    double turned = 0;    // accumulated upper bound of the motion of its points by rotation
    float extent = 0;
  };
  std::vector<Place> places_;
  std::vector<uint64_t> boxes_;
  std::vector<double> untils_;  // of each pair: the travel at which its slack is used up; `never`
                                // if it is not kept
  std::vector<Pair> pairs_;
  float near_ = 0, dt_ = 0;
};

}  // namespace rigid

#endif
