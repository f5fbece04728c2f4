// SPDX-License-Identifier: MIT
// Chains as smooth lines: how their segments connect, and where they cross.
#ifndef RIGID_ENGINE_CONTACTS_CHAINS_H
#define RIGID_ENGINE_CONTACTS_CHAINS_H

#include <vector>

#include "engine/data/contact.h"
#include "engine/data/settings.h"
#include "engine/data/shapes.h"
#include "geometry/track.h"

namespace rigid {

struct ChainData {
  std::vector<ChainLink> links_;  // of chains that bend smoothly, in body coordinates
  std::vector<ChainCrossing> crossings_;
  std::vector<int> line_of_link_;  // the shape
};

class Chains : ChainData {
 public:
  Chains(const WorldDefinition& definition, Shapes& shapes, const Chains* from)
      : ChainData(from ? ChainData(*from) : ChainData{}),
        definition_(definition),
        shapes_(shapes) {}
  Chains(const Chains&) = delete;
  void assign(const Chains& other) { ChainData::operator=(other); }

  // Called when a body's shapes are made.
  void link_chains(int body);
  // Removes the links of a body's chains and moves later links up; returns the new index of each
  // link, or -1. Empty if the body has none.
  std::vector<int> remove_links(int body);
  const std::vector<ChainLink>& links() const { return links_; }
  const std::vector<ChainCrossing>& crossings() const { return crossings_; }
  const std::vector<int>& lines() const { return line_of_link_; }
  int line_of_link(int link) const { return line_of_link_[link]; }
  // The line of a contact with a chain. The other shape may slide along it.
  int line_of(const Contact& contact) const;
  int rider_of(const Contact& contact) const {
    return contact.shape_a + contact.shape_b - line_of(contact);
  }
  // Whether a circle or a shape with corners touches a chain that it can follow.
  bool is_smooth_chain(const Contact& contact) const;

  template <class Archive>
  void list(Archive& a) {
    put(a, links_, line_of_link_, crossings_);
  }
  // Throws DamagedState if the values read are invalid.
  void check() const;

 private:
  const WorldDefinition& definition_;
  Shapes& shapes_;
};

}  // namespace rigid

#endif
