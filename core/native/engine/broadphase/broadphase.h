// SPDX-License-Identifier: MIT
// The broad phase: trees of boxes, collision filters, and pairs of shapes near each other.
#ifndef RIGID_ENGINE_BROADPHASE_BROADPHASE_H
#define RIGID_ENGINE_BROADPHASE_BROADPHASE_H

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/bodies/encounter.h"
#include "engine/broadphase/box_groups.h"
#include "engine/broadphase/neighbours.h"
#include "engine/broadphase/pair_set.h"
#include "engine/broadphase/tree.h"
#include "engine/data/bodies.h"
#include "engine/data/separations.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"
#include "engine/parallel/thread_pool.h"

namespace rigid {

struct BroadphaseData {
  Tree fixed_tree_, moving_tree_, kinematic_tree_;  // kinematic shapes are in two trees
  std::vector<int> moved_;                          // shapes with a new fat box
  std::vector<uint8_t> moved_flag_;
  // The category and the box of each shape at the last pair search. Two overlapping boxes are a
  // known pair, or a pair that may not touch.
  struct Looked {
    Aabb box;
    uint8_t category;
  };
  std::vector<Looked> looked_;
  std::vector<uint64_t> matrix_ = std::vector<uint64_t>(64, ~uint64_t{0});
  uint64_t categories_in_use_ = 0;
  PairSet pairs_, ignored_;
  Neighbours neighbours_;
  std::unordered_map<uint64_t, int> joined_;  // joints without collide, by pair of bodies
  PairSet joined_pairs_;                      // these pairs: a search asks for each it finds
  bool stale_ = false;                        // for boxes of shapes that collide with nothing
};

class Broadphase : BroadphaseData {
 public:
  Broadphase(const WorldDefinition& definition, Bodies& bodies, Shapes& shapes,
             Separations& separations, ThreadPool& pool, const Broadphase* from)
      : BroadphaseData(from ? BroadphaseData(*from) : BroadphaseData{}),
        definition_(definition),
        bodies_(bodies),
        shapes_(shapes),
        separations_(separations),
        pool_(pool) {}
  Broadphase(const Broadphase&) = delete;
  void assign(const Broadphase& other) { BroadphaseData::operator=(other); }

  // Collision filters.
  void set_collision_matrix(std::vector<uint64_t> rows) {
    matrix_ = std::move(rows);
    looked_.clear();
  }
  void ignore_pair(int body_a, int body_b);
  void add_joined(int body_a, int body_b);
  void remove_joined(int body_a, int body_b);
  void forget_body(int body) { ignored_.remove_all_of(body); }
  bool should_collide(const WorldShape& a, const WorldShape& b) const;

  // Boxes.
  void add_shape(int shape);
  void create_proxy(int shape);
  void destroy_proxy(int shape);
  void refresh_proxy(int shape);
  void refresh_proxies(int body);
  void update_proxies();
  // Whether no box of a body's shapes needs an update after a step, and none is new.
  bool leaves_out(int body) const;
  bool any_moved() const { return !moved_.empty(); }
  // Updates the boxes that steps have left out, before queries.
  void refresh_stale();
  // The box of a shape's motion within the step.
  Aabb sweep_box(const WorldShape& shape, const Sweep& sweep) const;
  void widen(int shape, const Aabb& box);

  // Pairs.
  struct Pair {
    int a, b;  // shapes, a < b
  };
  // New pairs since the last call, in the order of their shapes. Returns false if a world has more
  // than max_pairs of pairs of two crowded shapes.
  bool find_pairs(std::vector<Pair>& found);
  // The body with the most neighbours.
  int most_crowded() const;
  bool add_pair(int a, int b) {
    if (!pairs_.add(a, b)) return false;
    neighbours_.add(a, b, 1);
    return true;
  }
  // Called for two shapes that are apart, that may not touch any more, or of which one gets a new
  // proxy.
  void remove_pair(int a, int b) {
    if (pairs_.remove(a, b)) neighbours_.add(a, b, -1);
  }

  template <class Visit>
  void query_fixed(const Aabb& box, Visit&& visit) const {
    fixed_tree_.query(box, visit);
  }
  template <class Visit>
  void query_moving(const Aabb& box, Visit&& visit) const {
    moving_tree_.query(box, visit);
  }
  template <class Visit>
  void query_kinematic(const Aabb& box, Visit&& visit) const {
    kinematic_tree_.query(box, visit);
  }

  template <class Archive>
  void list(Archive& a) {
    put(a, fixed_tree_, moving_tree_, kinematic_tree_, moved_, moved_flag_, matrix_,
        categories_in_use_, pairs_, ignored_, joined_, stale_);
    if constexpr (Archive::reads) {
      looked_.clear();
      neighbours_ = {};
      joined_pairs_ = {};
      for (const auto& [key, count] : joined_) {
        joined_pairs_.add(static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffffu));
      }
    }
  }
  // Throws DamagedState if the values read are invalid.
  void check() const;

 private:
  Aabb shape_box(const WorldShape& shape) const;
  Aabb swept_box(const WorldShape& shape, const Aabb& now) const;
  void look_again(int shape);
  void note_shapes();
  // Its pairs are searched again, including those that overlapped before.
  void forget_look(int shape) {
    if (shape < static_cast<int>(looked_.size())) looked_[shape].box = BoxGroups::nothing;
  }
  void make_groups();
  bool refit_box(int shape);
  bool refit_boxes(int body, std::vector<int>& resized);
  void announce_box(int shape);
  void move_resized();

  const WorldDefinition& definition_;
  Bodies& bodies_;
  Shapes& shapes_;
  Separations& separations_;
  ThreadPool& pool_;
  // In update_proxies: shapes with new boxes, and those of each piece.
  std::vector<int> resized_;
  std::vector<std::vector<int>> resized_parts_;
  // In find_pairs: all movable shapes, and the pairs found by each piece.
  BoxGroups groups_;
  std::vector<BoxGroups::Item> leaves_;
  std::vector<std::vector<Pair>> found_;
};

}  // namespace rigid

#endif
