// SPDX-License-Identifier: MIT
// The stiffness by the forces of joints, and the masses that it requires.
#include "engine/mechanisms/geometric_stiffness.h"

#include <cmath>

#include "engine/data/constants.h"
#include "engine/joints/joint.h"
#include "engine/joints/springs.h"

namespace rigid {

// Adds the stiffness of one joint, with the force of the last step, to its bodies.
void GeometricStiffness::stiffen_by(const Joint& joint) {
  const bool rod = type_of(joint).between_anchors;
  if (!turns_with_load(joint)) return;
  if (type_of(joint).over_wheels) {
    stiffen_by_rope(joint, false);
    stiffen_by_rope(joint, true);
    return;
  }
  const Body &a = bodies_[joint.body_a], &b = bodies_[joint.body_b];
  const Vec2 ra = rotate(a.rotation, joint.local_a), rb = rotate(b.rotation, joint.local_b);
  const double per_dt = 1 / clock_.dt;
  const double fx = joint.total_x * per_dt, fy = joint.total_y * per_dt;  // on B
  double turn_a = -(ra.x * fx + ra.y * fy), turn_b = rb.x * fx + rb.y * fy, shift = 0;
  if (rod) {
    const double dx = b.center_x - a.center_x + rb.x - ra.x;
    const double dy = b.center_y - a.center_y + rb.y - ra.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    const double tension = length > 0 ? -(fx * dx + fy * dy) / length : 0;
    if (!(tension > 0)) return;
    // The end of a rod also moves across it; a spring has a row for this.
    if (has_rigid_rows(joint)) {
      const double along_a = (ra.x * dx + ra.y * dy) / length;
      const double along_b = (rb.x * dx + rb.y * dy) / length;
      shift = tension / length;
      turn_a += shift * along_a * along_a;
      turn_b += shift * along_b * along_b;
    }
  }
  Stiffness &at_a = stiffness_[joint.body_a], &at_b = stiffness_[joint.body_b];
  at_a.linear += shift;
  at_b.linear += shift;
  at_a.angular += turn_a;
  at_b.angular += turn_b;
}

// The same for one end of a rope that hangs from a wheel, as for the end of a rod.
void GeometricStiffness::stiffen_by_rope(const Joint& joint, bool on_b) {
  const Body &a = bodies_[joint.body_a], &b = bodies_[joint.body_b];
  const JointPlace place = joint_place(joint, a, b);
  const Double2 rope = on_b ? place.rope_b : place.rope_a;
  const Double2 anchor = on_b ? place.anchor_b : place.anchor_a;
  const Double2 push = impulse_on(joint, on_b, a, b);
  const double length = std::sqrt(dot(rope, rope)), per_dt = 1 / clock_.dt;
  const double tension = length > 0 ? -per_dt * dot(push, rope) / length : 0;
  if (!(tension > 0)) return;
  const double along = dot(anchor, rope) / length, shift = tension / length;
  Stiffness& at = stiffness_[on_b ? joint.body_b : joint.body_a];
  at.linear += shift;
  at.angular += per_dt * dot(anchor, push) + shift * along * along;
}

// Sets the solver's masses by the forces of the step just solved, for the next step. Returns
// whether a body needed far more than it had, so that this step must be repeated.
bool GeometricStiffness::stiffen() {
  const KernelContext context = lanes_.context();
  bool taut = false;
  for (const JointSystem& system : mechanisms_.systems())
    taut = taut || system.is_taut(context, bodies_.inverse_masses);
  if (!taut) {
    if (stiffened_) bodies_.stiffened_inverse_masses = bodies_.inverse_masses;
    return stiffened_ = false;
  }
  stiffened_ = true;
  stiffness_.assign(bodies_.size(), {0, 0});
  for (const JointSystem& system : mechanisms_.systems()) {
    for (int joint : system.joints()) stiffen_by(joints_[joint]);
  }
  const double h = parameters_.h, share = h * h / constants::most_tension;
  bool surprised = false;
  for (int i : bodies_.awake_list) {
    InverseMass mass = bodies_.inverse_masses[i];
    const double inertia = share * stiffness_[i].angular, whole = share * stiffness_[i].linear;
    if (inertia * mass.inertia > 1) mass.inertia = static_cast<float>(1 / inertia);
    if (whole * mass.mass > 1) mass.mass = static_cast<float>(1 / whole);
    const InverseMass had = bodies_.stiffened_inverse_masses[i];
    surprised = surprised || 2 * mass.inertia < had.inertia || 2 * mass.mass < had.mass;
    bodies_.stiffened_inverse_masses[i] = mass;
  }
  return surprised;
}

}  // namespace rigid
