// SPDX-License-Identifier: MIT
#include "engine/joints/stored_energy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/joints/springs.h"

namespace rigid {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double inverse_or_zero(double k) { return k > 0 ? 1 / k : 0; }

double speed_along(const double* j, const BodyState& a, const BodyState& b) {
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

// The joint, its rows and its bodies, from which every soft part is read.
struct SoftReading {
  const Joint& joint;
  const JointType& type;
  const JointRows& rows;
  const BodyState &a, &b;
  const KernelContext& context;
};

// Of `count` rows that are one pull with the stretch in each of them.
StoredEnergy energy_along(const SoftReading& reading, int row, int count, const double* stretch,
                          double stiffness, double most) {
  const InverseMass ma = reading.context.own_masses[reading.joint.body_a];
  const InverseMass mb = reading.context.own_masses[reading.joint.body_b];
  const double h = reading.context.parameters->h;
  const double size = count == 2 ? std::sqrt(stretch[0] * stretch[0] + stretch[1] * stretch[1])
                                 : std::fabs(stretch[0]);
  StoredEnergy stored{spring_energy(stiffness, size, most), 0};
  const double whole = stiffness * size;
  if (!(whole > 0)) return stored;
  double inverse = 0;
  for (int i = row; i < row + count; ++i) {
    const double* j = reading.rows.jacobian[i];
    inverse = std::max(inverse, row_product(j, j, ma, mb));
  }
  const bool known = h * h * stiffness * inverse <= slowest_implicit || whole > most;
  if (!known) return stored;
  const double pull = std::min(whole, most) / size;
  for (int i = 0; i < count; ++i) {
    stored.lag -= 0.5 * h * pull * stretch[i] *
                  speed_along(reading.rows.jacobian[row + i], reading.a, reading.b);
  }
  return stored;
}

StoredEnergy energy_of(const SoftReading& reading, int row, SoftPart part) {
  const Joint& joint = reading.joint;
  const JointType& type = reading.type;
  const InverseMass ma = reading.context.own_masses[joint.body_a];
  const InverseMass mb = reading.context.own_masses[joint.body_b];
  const double linear = inverse_or_zero(static_cast<double>(ma.mass) + mb.mass);
  const double turning = inverse_or_zero(static_cast<double>(ma.inertia) + mb.inertia);
  const double stiffness =
      stiffness_of(joint, part, *reading.context.parameters, linear, turning).stiffness;
  const bool motor = part == SoftPart::motor,
             point = type.spring_rows > 1 && part == SoftPart::along;
  const bool sprung = part == SoftPart::along && !type.pulls;
  const double most = motor || type.pulls ? joint.motor_maximum
                      : sprung            ? joint.spring_maximum
                                          : infinity;
  const double* coordinate = reading.rows.coordinate + row;
  const double target = motor ? joint.motor_target : type.by_length && !point ? joint.length : 0;
  double stretch[2] = {coordinate[0] - target, point ? coordinate[1] : 0};
  if (part == SoftPart::limits) {
    const JointRange range = type.range(joint);
    stretch[0] =
        std::max(coordinate[0] - range.upper, 0.0) + std::min(coordinate[0] - range.lower, 0.0);
  }
  return energy_along(reading, row, point ? 2 : 1, stretch, stiffness, most);
}

}  // namespace

double spring_energy(double stiffness, double stretch, double most) {
  const double reach = std::fabs(stretch), pull = stiffness * reach;
  if (pull <= most) return 0.5 * pull * reach;
  return most * (reach - 0.5 * most / stiffness);
}

StoredEnergy stored_energy(const Joint& joint, const JointPlace& place, const BodyState& a,
                           const BodyState& b, const KernelContext& context) {
  const JointType& type = type_of(joint);
  if (!has_soft_rows(joint)) return {};
  JointRows rows;
  type.find_rows(joint, place, rows);
  const SoftReading reading{joint, type, rows, a, b, context};
  StoredEnergy sum;
  auto add = [&](int row, SoftPart part) {
    const StoredEnergy part_of_it = energy_of(reading, row, part);
    sum.energy += part_of_it.energy;
    sum.lag += part_of_it.lag;
  };
  const int row = type.coordinate_row;
  if (type.pulls) {
    add(0, SoftPart::along);
    return sum;
  }
  if (joint.spring.kind != 0) {
    add(type.spring_rows > 1 ? 0 : row, SoftPart::along);
    if (type.spring_rows > 1) add(type.spring_rows - 1, SoftPart::turning);
  }
  if (has_soft_motor(joint)) add(type.motor_row, SoftPart::motor);
  if (has_soft_limits(joint)) add(row, SoftPart::limits);
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
