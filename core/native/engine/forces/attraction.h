// SPDX-License-Identifier: MIT
// Attraction of all dynamic bodies: Newton's law at distances softened to sqrt(r^2 + s^2) (Plummer,
// 1911).
//
// Forces are those at the middle of a step, or of a substep if the solver has substeps, at the
// positions predicted from the velocities at its beginning. With the exact parabola of a free
// flight (bodies/motion.h) this is the leapfrog scheme, drift, kick, drift (Hockney and Eastwood,
// "Computer Simulation Using Particles"): orbits keep their energy, with a phase error of the order
// of (time step)^2.
// In steps without substeps, bodies connected by contacts attract each other from their positions
// at the step's start, where contacts have their normals: a direction that differs from that of the
// contacts' forces is a torque on the whole, of F r w dt / 2 if it turns with w. In substeps that
// would be wrong: contacts keep their normals while bodies move on, and rotating groups would gain
// spin by forces that contacts do not bear.
// Up to PullTree::most_exact bodies each pair is summed; above that cells attract each other.
#ifndef RIGID_ENGINE_FORCES_ATTRACTION_H
#define RIGID_ENGINE_FORCES_ATTRACTION_H

#include <vector>

#include "engine/data/bodies.h"
#include "engine/data/contact.h"
#include "engine/data/settings.h"
#include "engine/forces/pull_tree.h"

namespace rigid {

class Attraction {
 public:
  Attraction(Bodies& bodies, const WorldDefinition& definition)
      : bodies_(bodies), definition_(definition) {}
  Attraction(const Attraction&) = delete;
  bool acts() const { return definition_.attraction != 0; }
  // Wakes all bodies: attracting bodies do not sleep.
  void wake();
  // Adds to the forces of the step that begins now, with contacts as the last step left them.
  void pull(const std::vector<Contact>& contacts);
  // Adds to the change of velocity by forces in a substep of length h; that of other forces is kept
  // from the first substep on.
  void pull_substep(float h, bool is_first);

 private:
  struct Pulled {
    int body;
    int group;  // a body of its connected group; its own index if it has none
    Double2 start, at, force;
    float others_x, others_y;  // velocity added by other forces in a substep
  };
  void group(const std::vector<Contact>& contacts);
  void collect();
  void find_forces(double ahead);
  void sum_pairs();
  void sum_cells();
  int group_of(int body);

  Bodies& bodies_;
  const WorldDefinition& definition_;
  std::vector<int> groups_;  // by body: another one of the group, or its own index at the end
  std::vector<Pulled> pulled_;
  PullTree tree_;
  std::vector<PullPoint> points_;
};

// The potential energy, 0 at infinite distances.
double attraction_energy(const Bodies& bodies, const WorldDefinition& definition);

}  // namespace rigid

#endif
