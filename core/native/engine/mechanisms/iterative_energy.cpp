// SPDX-License-Identifier: MIT
// The energy of springs and motors of joints that are solved one by one.
#include "engine/mechanisms/iterative_energy.h"

#include <algorithm>
#include <cmath>

#include "engine/data/rows.h"
#include "sorting.h"

namespace rigid {

namespace {

double squared(Double2 v) { return dot(v, v); }

double speed_along(const BodyState& a, const BodyState& b, const double* j) {
  return j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
}

}  // namespace

IterativeEnergy::IterativeEnergy(const std::vector<int>& joints, const std::vector<int>& bodies,
                                 bool coarse, const KernelContext& context)
    : joints_(joints), bodies_(bodies), coarse_(coarse) {
  account_.keep_for(bodies);
  for (int i : joints) {
    held_ = held_ || type_of(context.joints[i]).takes_momentum();
    for (int body : {context.joints[i].body_a, context.joints[i].body_b}) {
      if (!can_move(context.inverse_masses[body])) anchors_.push_back(body);
    }
  }
  rigid::sort(anchors_.begin(), anchors_.end());
  anchors_.erase(std::unique(anchors_.begin(), anchors_.end()), anchors_.end());
  held_ = held_ || !anchors_.empty();
}

// Adds a soft row of a joint, or its motor.
void IterativeEnergy::add(const KernelContext& context, int index, const JointPlace& start, int row,
                          SoftPart part) {
  const Joint& joint = context.joints[index];
  const Body &a = context.bodies[joint.body_a], &b = context.bodies[joint.body_b];
  Store store;
  Details details;
  details.joint = index;
  details.row = row;
  details.start = start;
  details.offset = {b.center_x - a.center_x, b.center_y - a.center_y};
  store.body_a = joint.body_a;
  store.body_b = joint.body_b;
  store.angle = start.angle;
  store.reference = joint.reference_angle;
  const JointType& type = type_of(joint);
  const bool point = type.spring_rows > 1 && part == SoftPart::along;
  if (point) store.count = 2;
  store.turns = !point && type.turns_bodies(row);
  store.motor = part == SoftPart::motor;
  store.limits = part == SoftPart::limits;
  const bool sprung = part == SoftPart::along && !type.pulls;
  store.most = store.motor || type.pulls ? joint.motor_maximum
               : sprung                  ? joint.spring_maximum
                                         : infinity;
  store.target = store.motor ? joint.motor_target : type.by_length ? joint.length : 0;
  details.lower = type.range(joint).lower;
  details.upper = type.range(joint).upper;
  stores_.push_back(store);
  details_.push_back(details);
  if (store.motor && !has_soft_motor(joint)) return;
  const InverseMass own_a = context.own_inverse_masses[joint.body_a];
  const InverseMass own_b = context.own_inverse_masses[joint.body_b];
  const double linear = inverse_or_zero(static_cast<double>(own_a.mass) + own_b.mass);
  const double turning = inverse_or_zero(static_cast<double>(own_a.inertia) + own_b.inertia);
  const Stiffness given = stiffness_of(joint, part, *context.parameters, linear, turning);
  stores_.back().stiffness = given.stiffness;
  // Whether the lanes step it explicitly (`soften`).
  const InverseMass ma = context.inverse_masses[joint.body_a],
                    mb = context.inverse_masses[joint.body_b];
  JointRows rows;
  type.find_rows(joint, start, rows);
  const double* j = rows.jacobian[row];
  const double all = static_cast<double>(ma.mass) + mb.mass;
  const double most =
      all + ma.inertia * squared(start.anchor_a) + mb.inertia * squared(start.anchor_b);
  const double inverse = point ? all : row_product(j, j, ma, mb);
  const bool turns = point || (type.between_anchors && !store.motor);
  stores_.back().known =
      context.parameters->explicit_springs && is_slow(given, inverse, turns ? most : inverse, h_);
}

void IterativeEnergy::add_stores(const KernelContext& context, int index) {
  const Joint& joint = context.joints[index];
  const JointType& type = type_of(joint);
  const int row = type.coordinate_row;
  const bool springs = joint.spring.kind != 0, drives = has_any_motor(joint),
             gives = has_soft_limits(joint);
  if (!type.pulls && (is_rod(joint) || !(springs || drives || gives))) return;
  const JointPlace start =
      joint_place(joint, context.bodies[joint.body_a], context.bodies[joint.body_b]);
  if (type.pulls) {
    add(context, index, start, 0, SoftPart::along);
    return;
  }
  if (springs) {
    add(context, index, start, row, SoftPart::along);
    if (type.spring_rows > 1) add(context, index, start, type.spring_rows - 1, SoftPart::turning);
  }
  if (drives) add(context, index, start, type.motor_row, SoftPart::motor);
  if (gives) add(context, index, start, row, SoftPart::limits);
}

void IterativeEnergy::prepare(const KernelContext& context, const std::vector<uint8_t>& touched,
                              bool placed) {
  h_ = context.parameters->h;
  if (placed) lasting_ = false;
  load_stores();
  account_.begin_step();
  accounted_ = std::none_of(bodies_.begin(), bodies_.end(), [&](int i) { return touched[i] != 0; });
  for (int anchor : anchors_) {
    const BodyState& s = context.states[anchor];
    if (s.vx != 0.0f || s.vy != 0.0f || s.omega != 0.0f) accounted_ = false;
  }
  if (!accounted_) return;
  if (coarse_) {
    account_.weigh_own(context);
    return;
  }
  if (account_.weigh(context) || !lasting_) return find_stores(context);
  for (Store& store : stores_) {
    store.angle =
        context.bodies[store.body_b].angle - context.bodies[store.body_a].angle - store.reference;
  }
}

void IterativeEnergy::find_stores(const KernelContext& context) {
  stores_.clear();
  details_.clear();
  for (int index : joints_) add_stores(context, index);
  drives_ = false;
  lasting_ = true;
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    const Joint& joint = context.joints[details_[i].joint];
    drives_ = drives_ || (stores_[i].motor && !has_soft_motor(joint));
    // Pawls set limits.
    lasting_ = lasting_ && stores_[i].turns && joint.pitch == 0.0f;
  }
}

// The coordinate and the stored energy of a pull; a pull known beforehand includes the half substep
// by which velocities lag.
IterativeEnergy::Reading IterativeEnergy::read(const KernelContext& context,
                                               std::size_t index) const {
  const Store& store = stores_[index];
  const Details& details = details_[index];
  const BodyState &a = context.states[store.body_a], &b = context.states[store.body_b];
  const int row = details.row;
  JointRows rows;
  if (store.turns) {
    rows.set_angle(row, moved_angle<double>(store, a, b));
  } else {
    const Joint& joint = context.joints[details.joint];
    const JointType& type = type_of(joint);
    type.find_rows(joint, moved_place(type, details.start, details.offset, a, b), rows);
  }
  const double coordinate = rows.coordinate[row];
  double stretch[2] = {coordinate - store.target, 0};
  if (store.count == 2) stretch[1] = rows.coordinate[row + 1];
  if (store.limits) {
    stretch[0] =
        std::max(coordinate - details.upper, 0.0) + std::min(coordinate - details.lower, 0.0);
  }
  const double size = std::sqrt(squared({stretch[0], stretch[1]})), whole = store.stiffness * size;
  double energy = spring_energy(store.stiffness, size, store.most);
  if (!(whole > 0) || !(store.known || whole > store.most)) return {coordinate, energy};
  const double pull = std::min(whole, store.most) / size;
  for (int i = 0; i < store.count; ++i) {
    const double speed = speed_along(a, b, rows.jacobian[row + i]);
    energy -= 0.5 * h_ * pull * stretch[i] * speed;
  }
  return {coordinate, energy};
}

// The same for an angular spring between two bodies, to the same bits.
RIGID_INLINE double IterativeEnergy::wound_energy(const KernelContext& context,
                                                  const Store& store) const {
  const BodyState &a = context.states[store.body_a], &b = context.states[store.body_b];
  const double stretch = moved_angle<double>(store, a, b) - store.target;
  const double size = std::fabs(stretch), whole = store.stiffness * size;
  double energy = 0.5 * whole * size;
  if (whole > store.most) energy = spring_energy(store.stiffness, size, store.most);
  if (!(whole > 0) || !(store.known || whole > store.most)) return energy;
  const double pull = std::min(whole, store.most) / size;
  const double speed = static_cast<double>(b.omega) - a.omega;
  return energy - 0.5 * h_ * pull * stretch * speed;
}

double IterativeEnergy::stored_energy(const KernelContext& context) const {
  double sum = 0;
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    const Store& store = stores_[i];
    if (!(store.stiffness > 0)) continue;
    sum += store.turns && !store.limits ? wound_energy(context, store) : read(context, i).energy;
  }
  return sum;
}

// The work of motors without springs: only along the way to their target, never beyond it. They may
// take any energy.
double IterativeEnergy::work_of_motors(const KernelContext& context) const {
  if (!drives_) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < stores_.size(); ++i) {
    const Store& store = stores_[i];
    const Details& details = details_[i];
    const Joint& joint = context.joints[details.joint];
    if (!store.motor || has_soft_motor(joint)) continue;
    const JointType& type = type_of(joint);
    const double impulse =
        type.motor_row != type.coordinate_row ? joint.spin_impulse : joint.motor_impulse;
    const bool speed = joint.motor == MotorKind::speed;
    const double wanted = speed ? h_ * store.target : store.target - details.coordinate_before;
    const double travel = read(context, i).coordinate - details.coordinate_before;
    sum +=
        std::max(impulse * std::clamp(travel, std::min(wanted, 0.0), std::max(wanted, 0.0)), 0.0);
  }
  return sum / h_;
}

void IterativeEnergy::open(const KernelContext& context) {
  if (!accounted_) return;
  if (drives_) {
    for (std::size_t i = 0; i < stores_.size(); ++i) {
      details_[i].coordinate_before = read(context, i).coordinate;
    }
  }
  // Most substeps begin with the value that the one before has read.
  if (!account_.open(context)) stored_before_ = stored_energy(context);
}

void IterativeEnergy::note_forces(const KernelContext& context) {
  if (accounted_) account_.note_forces(context.states);
}

void IterativeEnergy::keep(const KernelContext& context) {
  if (!accounted_) return;
  load_stores();
  const double spare = constants::joint_depth * context.parameters->slop * account_.weight();
  const double gained = account_.gained(context.states, work_of_motors(context));
  const double stored_after = stored_energy(context), stored = stored_after - stored_before_;
  const double excess = account_.excess_with(gained + stored, spare);
  // A gain in springs is removed once it has become motion.
  const double most = std::min(excess, gained);
  if (most > 0) {
    account_.take(account_.slow_down(context.states, context.bodies, most, held_));
  } else {
    account_.close();
    stored_before_ = stored_after;
  }
}

// Twice the kinetic energy, with the correction for velocities that are half a substep behind.
double IterativeEnergy::energy_beside(const BodyState& s, const BodyStep& step,
                                      std::size_t i) const {
  const EnergyAccount::Mass& own = account_.own(i);
  const double vx = s.vx, vy = s.vy, omega = s.omega;
  return own.mass * (vx * (vx + step.ax) + vy * (vy + step.ay)) +
         own.inertia * omega * (omega + step.alpha);
}

void IterativeEnergy::open_step(const KernelContext& context, const std::vector<BodyStep>& steps) {
  if (!accounted_) return;
  double sum = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    sum += energy_beside(context.states[bodies_[i]], steps[bodies_[i]], i);
  }
  before_ = sum;
}

void IterativeEnergy::keep_step(const KernelContext& context, const std::vector<BodyStep>& steps) {
  if (!accounted_) return;
  double sum = 0, work = 0, weight = 0;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const BodyState& s = context.states[bodies_[i]];
    const BodyStep& step = steps[bodies_[i]];
    const EnergyAccount::Mass& own = account_.own(i);
    sum += energy_beside(s, step, i);
    work += own.mass * (static_cast<double>(step.ax) * s.dx + static_cast<double>(step.ay) * s.dy) +
            own.inertia * (static_cast<double>(step.alpha) * s.delta_angle);
    weight +=
        own.mass *
        std::sqrt(static_cast<double>(step.ax) * step.ax + static_cast<double>(step.ay) * step.ay) /
        h_;
  }
  const double gained = 0.5 * (sum - before_) - work / h_;
  account_.note_motion(0.5 * before_);
  const double spare = constants::joint_depth * context.parameters->slop * weight;
  const double most = std::min(account_.excess_with(gained, spare), gained);
  if (most > 0) account_.take(account_.slow_down(context.states, context.bodies, most, held_));
}

}  // namespace rigid
