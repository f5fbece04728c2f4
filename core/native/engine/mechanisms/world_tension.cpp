// Light bodies between joints that pull hard.
//
// A link of a taut chain swings about its middle at w^2 = T l / I, however slowly the chain moves,
// and no step longer than 2 / w can follow it: chains of light links under a heavy load whip, and
// tear. The stiffness comes from the turning of the joints' directions, which a solver that holds
// them fixed for a step cannot see. Tournier, Nesme, Gilles and Faure ("Stable Constrained
// Dynamics", 2015) put it into the masses, as an implicit step would; Andrews, Teichmann and Kry
// ("Geometric Stiffness for Real-time Constrained Multibody Dynamics", 2017) found its diagonal to
// be enough. Here a body gets no more than it takes to make the step stable, and only where it
// needs any; its weight stays what it was. Only mechanisms solved at once take part: those that are
// not yield long before.
#include <cmath>

#include "engine/constants.h"
#include "engine/world.h"

namespace rigid {

// Adds what one joint with the force of the last step does to its bodies.
void World::stiffen_by(const Joint& joint) {
  const bool rod = type_of(joint).between_anchors;
  if (!turns_with_load(joint)) return;
  const Body &a = bodies_[joint.body_a], &b = bodies_[joint.body_b];
  const Vec2 ra = rotate(a.rotation, joint.local_a), rb = rotate(b.rotation, joint.local_b);
  const double per_dt = 1 / definition_.dt;
  const double fx = joint.total_x * per_dt, fy = joint.total_y * per_dt;  // on B
  double turn_a = -(ra.x * fx + ra.y * fy), turn_b = rb.x * fx + rb.y * fy, shift = 0;
  if (rod) {
    const double dx = b.center_x - a.center_x + rb.x - ra.x;
    const double dy = b.center_y - a.center_y + rb.y - ra.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    const double tension = length > 0 ? -(fx * dx + fy * dy) / length : 0;
    if (!(tension > 0)) return;
    // The end of a rod also moves across it; a spring's has a row for that.
    if (has_rigid_rows(joint)) {
      const double along_a = (ra.x * dx + ra.y * dy) / length;
      const double along_b = (rb.x * dx + rb.y * dy) / length;
      shift = tension / length;
      turn_a += shift * along_a * along_a;
      turn_b += shift * along_b * along_b;
    }
  }
  TensionStiffness &at_a = stiffness_[joint.body_a], &at_b = stiffness_[joint.body_b];
  at_a.linear += shift;
  at_b.linear += shift;
  at_a.angular += turn_a;
  at_b.angular += turn_b;
}

// Sets the masses that the solver takes by the forces of the step just solved: for the next one, or
// for the same again where a body needed far more than it had, which is what is returned.
bool World::stiffen() {
  const KernelContext context = kernel_context();
  bool taut = false;
  for (const JointSystem& system : systems_) taut = taut || system.is_taut(context, masses_);
  if (!taut) {
    if (stiffened_) heavy_masses_ = masses_;
    return stiffened_ = false;
  }
  stiffened_ = true;
  stiffness_.assign(bodies_.size(), {0, 0});
  for (const JointSystem& system : systems_) {
    for (int joint : system.joints()) stiffen_by(joints_[joint]);
  }
  const double h = parameters_.h, share = h * h / constants::most_tension;
  bool surprised = false;
  for (int i : awake_bodies_) {
    InverseMass mass = masses_[i];
    const double inertia = share * stiffness_[i].angular, whole = share * stiffness_[i].linear;
    if (inertia * mass.inertia > 1) mass.inertia = static_cast<float>(1 / inertia);
    if (whole * mass.mass > 1) mass.mass = static_cast<float>(1 / whole);
    const InverseMass had = heavy_masses_[i];
    surprised = surprised || 2 * mass.inertia < had.inertia || 2 * mass.mass < had.mass;
    heavy_masses_[i] = mass;
  }
  return surprised;
}

}  // namespace rigid
