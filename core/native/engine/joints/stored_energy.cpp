// SPDX-License-Identifier: MIT
// The pulls and stored energies of the soft parts of a joint.
#include "engine/joints/stored_energy.h"

#include <algorithm>
#include <cmath>

#include "engine/data/rows.h"

namespace rigid {

namespace {

double speed_along(const double* j, const BodyState& a, const BodyState& b) {
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

StoredEnergy energy_of(const SoftReading& reading, const SoftPull& pull) {
  const InverseMass ma = reading.context.own_inverse_masses[reading.joint.body_a];
  const InverseMass mb = reading.context.own_inverse_masses[reading.joint.body_b];
  const double h = reading.context.parameters->h;
  const double* stretch = pull.stretch;
  const double size = pull.count == 2 ? std::sqrt(stretch[0] * stretch[0] + stretch[1] * stretch[1])
                                      : std::fabs(stretch[0]);
  StoredEnergy stored{spring_energy(pull.stiffness, size, pull.most), 0};
  const double whole = pull.stiffness * size;
  if (!(whole > 0)) return stored;
  double inverse = 0;
  for (int i = pull.row; i < pull.row + pull.count; ++i) {
    const double* j = reading.rows.jacobian[i];
    inverse = std::max(inverse, row_product(j, j, ma, mb));
  }
  const bool slow = h * h * pull.stiffness * inverse <= slowest_implicit;
  const bool known = (slow && reading.context.parameters->explicit_springs) || whole > pull.most;
  if (!known) return stored;
  const double force = std::min(whole, pull.most) / size;
  for (int i = 0; i < pull.count; ++i) {
    stored.lag -= 0.5 * h * force * stretch[i] *
                  speed_along(reading.rows.jacobian[pull.row + i], reading.a, reading.b);
  }
  return stored;
}

}  // namespace

SoftPull soft_pull(const SoftReading& reading, int row, SoftPart part) {
  const Joint& joint = reading.joint;
  const JointType& type = type_of(joint);
  const InverseMass ma = reading.context.own_inverse_masses[joint.body_a];
  const InverseMass mb = reading.context.own_inverse_masses[joint.body_b];
  const double linear = inverse_or_zero(static_cast<double>(ma.mass) + mb.mass);
  const double turning = inverse_or_zero(static_cast<double>(ma.inertia) + mb.inertia);
  const bool motor = part == SoftPart::motor,
             point = type.spring_rows > 1 && part == SoftPart::along;
  const bool sprung = part == SoftPart::along && !type.pulls;
  const double* coordinate = reading.rows.coordinate + row;
  const double target = motor ? joint.motor_target : type.by_length && !point ? joint.length : 0;
  SoftPull pull{row, point ? 2 : 1, {coordinate[0] - target, point ? coordinate[1] : 0}, 0, 0};
  pull.stiffness =
      stiffness_of(joint, part, *reading.context.parameters, linear, turning).stiffness;
  pull.most = motor || type.pulls ? joint.motor_maximum : sprung ? joint.spring_maximum : infinity;
  if (part == SoftPart::limits) {
    const JointRange range = type.range(joint);
    pull.stretch[0] =
        std::max(coordinate[0] - range.upper, 0.0) + std::min(coordinate[0] - range.lower, 0.0);
  }
  return pull;
}

double spring_energy(double stiffness, double stretch, double most) {
  const double reach = std::fabs(stretch), pull = stiffness * reach;
  if (pull <= most) return 0.5 * pull * reach;
  return most * (reach - 0.5 * most / stiffness);
}

bool stores_by_angle(const Joint& joint) {
  const JointType& type = type_of(joint);
  return !type.pulls && type.turns_bodies(type.coordinate_row) &&
         (joint.spring.kind == 0 || type.spring_rows == 1) &&
         (!has_soft_motor(joint) || type.motor_row == type.coordinate_row);
}

StoredEnergy stored_energy(const Joint& joint, const JointPlace& place, const BodyState& a,
                           const BodyState& b, const KernelContext& context) {
  if (!has_soft_rows(joint)) return {};
  JointRows rows;
  if (stores_by_angle(joint)) {
    rows.set_angle(type_of(joint).coordinate_row, place.angle);
  } else {
    type_of(joint).find_rows(joint, place, rows);
  }
  StoredEnergy sum;
  const SoftReading reading{joint, rows, a, b, context};
  for_soft_pulls(reading, [&](const SoftPull& pull) {
    const StoredEnergy part = energy_of(reading, pull);
    sum.energy += part.energy;
    sum.lag += part.lag;
  });
  return sum;
}

DriveReading drive_reading(const Joint& joint, const JointPlace& place, const BodyState& a,
                           const BodyState& b) {
  const JointType& type = type_of(joint);
  JointRows rows;
  type.find_rows(joint, place, rows);
  return {rows.coordinate[type.motor_row], speed_along(rows.jacobian[type.motor_row], a, b)};
}

}  // namespace rigid
