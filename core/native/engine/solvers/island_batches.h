// SPDX-License-Identifier: MIT
// Island batches: groups of islands, each solved for a whole step by one thread while it is in the
// caches. The contacts of a large world often form many islands that are independent in this step.
// Constraints of an island are solved in the same order as without batches, so no bit changes.
#ifndef RIGID_ENGINE_SOLVERS_ISLAND_BATCHES_H
#define RIGID_ENGINE_SOLVERS_ISLAND_BATCHES_H

#include <cstdint>
#include <span>
#include <vector>

#include "engine/collision/chain_tracks.h"
#include "engine/contacts/contacts.h"
#include "engine/data/bodies.h"
#include "engine/data/shapes.h"
#include "engine/forces/attraction.h"
#include "engine/joints/joints.h"
#include "engine/solvers/step_parameters.h"

namespace rigid {

class IslandBatches {
 public:
  IslandBatches(const StepParameters& parameters, const Bodies& bodies, const Shapes& shapes,
                const Contacts& contacts, const Joints& joints, const ChainTracks& tracks,
                const Attraction& attraction)
      : parameters_(parameters),
        bodies_(bodies),
        shapes_(shapes),
        contacts_(contacts),
        joints_(joints),
        tracks_(tracks),
        attraction_(attraction) {}
  IslandBatches(const IslandBatches&) = delete;

  // Contacts of one colour.
  struct Part {
    int color;
    int first, count;  // of all contacts of island batches
  };

  // Tests whether this step can be divided into batches of islands. Bodies must be ready for it.
  void find();
  bool empty() const { return !found_; }
  int count() const { return static_cast<int>(body_starts_.size()) - 1; }
  std::span<const int> bodies(int island_batch) const {
    return std::span<const int>(batch_bodies_)
        .subspan(body_starts_[island_batch],
                 body_starts_[island_batch + 1] - body_starts_[island_batch]);
  }
  // In the order in which colours are solved.
  std::span<const Part> parts(int island_batch) const {
    return std::span<const Part>(parts_).subspan(
        part_starts_[island_batch], part_starts_[island_batch + 1] - part_starts_[island_batch]);
  }
  const int* ids(const Part& part) const { return ids_.data() + part.first; }

 private:
  bool may_cut() const;
  bool cut();
  void join_bodies();
  bool number_batches();
  void sort_contacts();
  int batch_of(const Contact& contact) const;

  const StepParameters& parameters_;
  const Bodies& bodies_;
  const Shapes& shapes_;
  const Contacts& contacts_;
  const Joints& joints_;
  const ChainTracks& tracks_;
  const Attraction& attraction_;
  bool found_ = false, fits_ = false;
  int64_t contact_changes_ = -1, awake_changes_ = -1;  // at the last division
  int wait_ = 0;                                       // steps until the next attempt
  std::vector<int> parents_, batch_of_body_;
  std::vector<int> body_starts_, batch_bodies_;
  std::vector<Part> parts_;
  std::vector<int> part_starts_, ids_;
};

}  // namespace rigid

#endif
