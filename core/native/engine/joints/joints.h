// SPDX-License-Identifier: MIT
// The joints of a world: the active ones, their colours, and breaking by load.
#ifndef RIGID_ENGINE_JOINTS_JOINTS_H
#define RIGID_ENGINE_JOINTS_JOINTS_H

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "engine/broadphase/broadphase.h"
#include "engine/data/bodies.h"
#include "engine/data/events.h"
#include "engine/data/graph.h"
#include "engine/data/incidence.h"
#include "engine/data/joint_data.h"
#include "engine/data/settings.h"
#include "engine/data/slots.h"

namespace rigid {

struct JointData {
  std::vector<Joint> joints_;
  Graph joint_graphs_[joint_graph_count];
  std::vector<int> breakable_;
  bool regrouped_ = true;
  int64_t regroupings_ = 0;
  Slots joint_slots_;
  int64_t removals_ = 0;
  int64_t placings_ = 0;
  int links_ = 0;  // joints coupled to other joints
  std::vector<int> ratchets_;
};

class Joints : JointData {
 public:
  Joints(Bodies& bodies, Broadphase& broadphase, const Joints* from)
      : JointData(from ? JointData(*from) : JointData{}),
        bodies_(bodies),
        broadphase_(broadphase) {}
  Joints(const Joints&) = delete;
  void assign(const Joints& other) {
    JointData::operator=(other);
    of_body_.forget();
  }

  Joint& operator[](std::size_t i) { return joints_[i]; }
  const Joint& operator[](std::size_t i) const { return joints_[i]; }
  int count() const { return static_cast<int>(joints_.size()); }
  auto begin() { return joints_.begin(); }
  auto end() { return joints_.end(); }
  auto begin() const { return joints_.begin(); }
  auto end() const { return joints_.end(); }
  Joint* data() { return joints_.data(); }
  const std::vector<Joint>& all() const { return joints_; }
  std::vector<Joint>& all() { return joints_; }
  const Graph& graph(int kind) const { return joint_graphs_[kind]; }

  // The joints of a body, also those removed or broken lately.
  std::span<const int> of(int body) const { return of_body_.of(body, joints_, bodies_.size()); }
  int add_joint(const Joint& joint, Place place);
  int64_t id(int slot) const { return joint_slots_.id(slot); }
  // The slot of an id, or -1 if its joint was removed.
  int find(int64_t id) const {
    const int slot = joint_slots_.find(id);
    return slot >= 0 && joints_[slot].alive ? slot : -1;
  }
  const Slots& slots() const { return joint_slots_; }
  void keep_slots() { joint_slots_.keep(); }
  // The number of removed joints so far.
  int64_t removals() const { return removals_; }
  // Sets its anchors relative to the centres of mass, and the mass that its spring refers to.
  void place_joint(int joint);
  // The number of such calls; it is not part of the state.
  int64_t placings() const { return placings_; }
  void activate_joint(int joint);
  void deactivate_joint(int joint);
  // Bodies of a joint without `collide` may touch from now on.
  void unlink_joint(int joint);
  // Called after a motor, limit or spring was set: the joint may now belong to another group.
  void regroup_joint(int joint);
  void remove_joint(int joint);
  // Moves ratchets whose pawls have moved past further teeth, or slipped off one, in the last step.
  void turn_ratchets(double dt);
  void activate_awake();
  void deactivate_asleep();
  // All overloaded joints break together: a bar pulled at both ends comes off at both.
  void break_joints(std::span<const double> push_pulls, double dt, int step, Events& events);
  bool any_acts() const {
    return std::any_of(std::begin(joint_graphs_), std::end(joint_graphs_),
                       [](const Graph& graph) { return !graph.empty(); });
  }
  bool any_breaks_by_push() const;
  // Whether some may break, or turn their pawls.
  bool any_watched() const { return !breakable_.empty() || !ratchets_.empty(); }
  // Whether the active joints, or their ways of solution, have changed since mechanisms were found.
  bool regrouped() const { return regrouped_; }
  void expect_regrouping() {
    regrouped_ = true;
    ++regroupings_;
  }
  void note_mechanisms_found() { regrouped_ = false; }
  // The number of such changes; it is not part of the state.
  int64_t regroupings() const { return regroupings_; }

  template <class Archive>
  void list(Archive& a) {
    of_body_.forget();
    put(a, joints_, joint_graphs_, breakable_, joint_slots_, links_, ratchets_);
  }
  // Throws DamagedState if the values read are invalid.
  void check() const;

 private:
  // Joints that are linked to a joint.
  std::vector<int> links_of(int joint) const;

  Bodies& bodies_;
  Broadphase& broadphase_;
  mutable Incidence of_body_;
};

// Readings of a joint, with its loads.
JointStateRow joint_state(const Joint& joint, const Bodies& bodies, const Clock& clock);

// Whether a joint had its stored loads in the last step, at whose end it may have broken.
inline bool has_acted(const Joint& joint, int step) {
  return joint.alive && (!joint.broken || joint.broken_at == step);
}

}  // namespace rigid

#endif
