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
  double stiffness = pull.stiffness;
  if (type_of(reading.joint).pulls) {
    stiffness = pulled_stiffness(stiffness, static_cast<double>(ma.mass) + mb.mass, h);
  }
  StoredEnergy stored{spring_energy(stiffness, size, pull.most), 0};
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

// A row whose pivot is a smaller share than this depends on the others.
constexpr double least_pivot = 1e-6;

}  // namespace

int rigid_rows(const Joint& joint) {
  const JointType& type = type_of(joint);
  if (type.spring_rows > 1) return has_rigid_rows(joint) ? type.spring_rows : 0;
  return type.held_rows;
}

bool yields(const Joint& joint, const StepParameters& p) {
  return !joint.direct && !joint.firm && p.joint.impulse_scale > 0.0f && has_rigid_rows(joint);
}

void solve_rows(double k[most_rows][most_rows], double* b, int count) {
  double least[most_rows];
  for (int i = 0; i < count; ++i) least[i] = least_pivot * k[i][i];
  for (int pivot = 0; pivot < count; ++pivot) {
    if (!(k[pivot][pivot] > least[pivot])) k[pivot][pivot] = 0;
    for (int i = pivot + 1; i < count && k[pivot][pivot] > 0; ++i) {
      const double share = k[i][pivot] / k[pivot][pivot];
      for (int j = pivot; j < count; ++j) k[i][j] -= share * k[pivot][j];
      b[i] -= share * b[pivot];
    }
  }
  for (int i = count - 1; i >= 0; --i) {
    for (int j = i + 1; j < count; ++j) b[i] -= k[i][j] * b[j];
    b[i] = k[i][i] > 0 ? b[i] / k[i][i] : 0;
  }
}

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

double pulled_stiffness(double stiffness, double inverse_mass, double h) {
  return std::min(stiffness, inverse_or_zero(inverse_mass) / (h * h));
}

bool stores_by_angle(const Joint& joint) {
  const JointType& type = type_of(joint);
  return !type.pulls && type.turns_bodies(type.coordinate_row) &&
         (joint.spring.kind == 0 || type.spring_rows == 1) &&
         (!has_soft_motor(joint) || type.motor_row == type.coordinate_row);
}

// C K^-1 C / 2 times the squared frequency at which the rows swing any mass: their impulses grow
// until mass_scale * bias_rate * C = impulse_scale * K * impulse.
double yielded_energy(const Joint& joint, const JointPlace& place, const KernelContext& context) {
  const StepParameters& p = *context.parameters;
  const InverseMass ma = context.own_inverse_masses[joint.body_a];
  const InverseMass mb = context.own_inverse_masses[joint.body_b];
  JointRows rows;
  type_of(joint).find_rows(joint, place, rows);
  const double rate = static_cast<double>(p.joint.mass_scale) * p.joint.bias_rate * p.inverse_h /
                      p.joint.impulse_scale;
  double k[most_rows][most_rows], load[most_rows], sum = 0;
  const int count = rigid_rows(joint);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      k[i][j] = row_product(rows.jacobian[i], rows.jacobian[j], ma, mb);
    }
    load[i] = rows.coordinate[i];
  }
  solve_rows(k, load, count);
  for (int i = 0; i < count; ++i) sum += rows.coordinate[i] * load[i];
  return 0.5 * rate * sum;
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
