// SPDX-License-Identifier: MIT
// The numbers of one step, copied from the parts of the solver.
#include "engine/solvers/step_observer.h"

#include <cmath>

#include "engine/joints/joint.h"
#include "engine/mechanisms/joint_system.h"

namespace rigid {

void StepObserver::begin() {
  ++solutions_;
  substep_ = -1;
  begun_ = false;
  body_rows_.clear();
  contact_rows_.clear();
  joint_rows_.clear();
  joint_sums_.clear();
  note_bodies(Stage::begin);
}

void StepObserver::follow(Stage stage, ConstraintKind kind) {
  const bool solves = stage == Stage::solve || stage == Stage::tracks || stage == Stage::relax;
  if (solves && kind == ConstraintKind::direct) add_solution();
  // Mechanisms that bear loads were solved again after the contacts (ContactConstraints::bear).
  const bool again = stage != Stage::tracks && !effective_masses_.empty();
  if (solves && kind == ConstraintKind::contacts && again) add_solution();
  if (kind != ConstraintKind::contacts) return;
  if (stage == Stage::begin) {
    const bool of_step = !begun_;
    begun_ = true;
    if (of_step) return;
    ++substep_;
    solved_.clear();
  }
  if (stage != Stage::store) note(stage);
}

void StepObserver::end(Stage stage) {
  ++substep_;
  note_bodies(stage);
}

void StepObserver::note(Stage stage) {
  note_bodies(stage);
  note_contacts(stage);
  note_lane_joints(stage);
  note_systems(stage);
}

void StepObserver::note_bodies(Stage stage) {
  for (int i : bodies_.awake_list) {
    const BodyState& s = bodies_.states[i];
    ObservedBody row = at<ObservedBody>(stage);
    row.body = i;
    row.vx = s.vx;
    row.vy = s.vy;
    row.omega = s.omega;
    row.dx = s.dx;
    row.dy = s.dy;
    row.turn = s.delta_angle;
    row.inverse_mass = bodies_.step_inverse_masses[i].mass;
    row.inverse_inertia = bodies_.step_inverse_masses[i].inertia;
    body_rows_.push_back(row);
  }
}

void StepObserver::note_contacts(Stage stage) {
  lanes_.view_contacts(lanes_.context(), [&](int id, auto&& view_of) {
    const Contact& contact = contacts_[id];
    if (!chosen(contact.body_a, contact.body_b)) return;
    const Body& a = bodies_[contact.body_a];
    for (int point = 0; point < contact.count; ++point) {
      const ContactView view = view_of(point);
      ObservedContact row = at<ObservedContact>(stage);
      row.contact = id;
      row.point = point;
      row.body_a = contact.body_a;
      row.body_b = contact.body_b;
      row.normal_x = view.normal.x;
      row.normal_y = view.normal.y;
      row.x = a.center_x + view.anchor_a.x;
      row.y = a.center_y + view.anchor_a.y;
      row.anchor_ax = view.anchor_a.x;
      row.anchor_ay = view.anchor_a.y;
      row.anchor_bx = view.anchor_b.x;
      row.anchor_by = view.anchor_b.y;
      row.inverse_mass_a = view.mass_a.mass;
      row.inverse_inertia_a = view.mass_a.inertia;
      row.inverse_mass_b = view.mass_b.mass;
      row.inverse_inertia_b = view.mass_b.inertia;
      row.separation = view.separation;
      row.normal_speed = view.normal_speed;
      row.tangent_speed = view.tangent_speed;
      row.normal_mass = view.normal_mass;
      row.tangent_mass = view.tangent_mass;
      row.friction = view.friction;
      row.rolling_resistance = contact.rolling_resistance;
      row.restitution = view.restitution;
      row.bias = view.bias;
      row.mass_scale = view.mass_scale;
      row.impulse_scale = view.impulse_scale;
      row.normal_impulse = view.normal_impulse;
      row.tangent_impulse = view.tangent_impulse;
      row.total_normal = view.total_normal;
      row.total_tangent = view.total_tangent;
      row.rolling_impulse = view.rolling_impulse;
      row.fixed = view.fixed;
      row.tracked = view.tracked;
      contact_rows_.push_back(row);
    }
  });
}

void StepObserver::add_row(Stage stage, int joint, int source, RowPart part, const double* jacobian,
                           ObservedRow& row) {
  const Joint& of = joints_[joint];
  const BodyState &a = bodies_.states[of.body_a], &b = bodies_.states[of.body_b];
  const double* j = jacobian;
  row.substep = substep_;
  row.stage = static_cast<int>(stage);
  row.joint = joint;
  row.row = source;
  row.part = static_cast<int>(part);
  row.body_a = of.body_a;
  row.body_b = of.body_b;
  row.j0 = j[0];
  row.j1 = j[1];
  row.j2 = j[2];
  row.j3 = j[3];
  row.j4 = j[4];
  row.j5 = j[5];
  row.mass = inverse_or_zero(row_product(j, j, bodies_.step_inverse_masses[of.body_a],
                                         bodies_.step_inverse_masses[of.body_b]));
  row.speed =
      j[0] * a.vx + j[1] * a.vy + j[2] * a.omega + j[3] * b.vx + j[4] * b.vy + j[5] * b.omega;
  joint_rows_.push_back(row);
}

namespace {

// The softness of a row in the lanes: impulse = -mass * mass_scale * (speed - aim + rate * error) -
// (1 - mass_scale) * (its impulse so far).
struct LaneAim {
  double mass_scale, rate;
};

ObservedRow soft_row(LaneAim aim, double inverse_mass, double h, double error, double speed,
                     double impulse, double low, double high) {
  ObservedRow row;
  row.error = error;
  row.wanted = speed - aim.rate * error;
  row.gamma =
      aim.mass_scale > 0 ? h * inverse_mass * (1 - aim.mass_scale) / aim.mass_scale : infinity;
  row.beta = aim.rate * h;
  row.low = low;
  row.high = high;
  row.impulse = impulse;
  row.on = 1;
  return row;
}

LaneAim gains_of(double velocity, double position) {
  return {velocity, velocity > 0 ? position / velocity : 0};
}

}  // namespace

// The rows that are held together: the two of a point, the three of a weld, those across a line.
void StepObserver::add_held(Stage stage, int joint, const JointView& view, const JointRows& rows) {
  const Joint& of = joints_[joint];
  const JointType& type = type_of(of);
  const LaneAim rigid{1.0 - view.yielding, view.correction};
  const bool together = type.spring_rows > 1;
  const bool sprung = type.pulls || (together && of.spring.kind != 0);
  const int count = together ? type.spring_rows : type.held_rows;
  for (int i = 0; i < count; ++i) {
    const double* j = rows.jacobian[i];
    const double inverse = row_product(j, j, bodies_.step_inverse_masses[of.body_a],
                                       bodies_.step_inverse_masses[of.body_b]);
    const float* gains = view.gains[i == 2 ? 1 : 0];
    const LaneAim aim = together ? gains_of(gains[0], gains[1]) : rigid;
    const double impulse = type.links ? view.rigid_impulse : view.held[i];
    const double most = type.pulls ? view.most : infinity;
    ObservedRow row =
        soft_row(aim, inverse, parameters_.h, rows.coordinate[i], 0, impulse, -most, most);
    add_row(stage, joint, i, sprung ? RowPart::spring : RowPart::hold, j, row);
  }
}

// The rows along its coordinate: spring, motor, rod and limits.
void StepObserver::add_coordinate(Stage stage, int joint, const JointView& view,
                                  const JointRows& rows) {
  const Joint& of = joints_[joint];
  const JointType& type = type_of(of);
  const double h = parameters_.h;
  const LaneAim rigid{1.0 - view.yielding, view.correction};
  // In lanes the coordinate of a pulley is less its length (joints/pulley.h).
  const double nominal = type.over_wheels ? of.length : 0;
  auto add = [&](RowPart part, int source, LaneAim aim, double error, double speed, double impulse,
                 double low, double high) {
    const double* j = rows.jacobian[source];
    const double inverse = row_product(j, j, bodies_.step_inverse_masses[of.body_a],
                                       bodies_.step_inverse_masses[of.body_b]);
    ObservedRow row = soft_row(aim, inverse, h, error, speed, impulse, low, high);
    add_row(stage, joint, source, part, j, row);
  };
  const int main = type.coordinate_row;
  const double coordinate = rows.coordinate[main] - nominal;
  if (view.spring.on) {
    const DriveView& s = view.spring;
    add(RowPart::spring, main, gains_of(s.velocity, s.position), coordinate - s.target, s.speed,
        s.impulse, s.lowest, s.highest);
  }
  if (view.motor.on) {
    const DriveView& m = view.motor;
    add(RowPart::motor, type.motor_row, gains_of(m.velocity, m.position),
        rows.coordinate[type.motor_row] - m.target, m.speed, m.impulse, m.lowest, m.highest);
  }
  if (view.rigid_on && !type.links) {
    add(RowPart::rod, main, rigid, coordinate - view.rigid_target, 0, view.rigid_impulse, -infinity,
        infinity);
  }
  // A limit is rigid where it was passed, and lets the coordinate come up to it elsewhere.
  auto limit = [&](RowPart part, double beyond, double impulse, double low, double high) {
    const LaneAim soft = gains_of(view.limit_velocity, view.limit_position);
    const LaneAim aim = beyond > 0 ? (view.limit_soft ? soft : rigid) : LaneAim{1, 1 / h};
    const double error = part == RowPart::lower ? -beyond : beyond;
    add(part, main, aim, error, 0, impulse, low, high);
  };
  if (view.lower_on) {
    limit(RowPart::lower, view.lower - coordinate, view.lower_impulse, 0, infinity);
  }
  if (view.upper_on) {
    limit(RowPart::upper, coordinate - view.upper, -view.upper_impulse, -infinity, 0);
  }
  if (type.between_anchors) {
    add(RowPart::across, 1, {1, 0}, 0, 0, view.across, -infinity, infinity);
  }
}

void StepObserver::note_lane_joints(Stage stage) {
  if (!lanes_.has_joints()) return;
  lanes_.view_joints([&](int index, const JointView& view) {
    const Joint& joint = joints_[index];
    if (!chosen(joint.body_a, joint.body_b)) return;
    const JointType& type = type_of(joint);
    const Body &a = bodies_[joint.body_a], &b = bodies_[joint.body_b];
    const JointPlace place = moved_place(
        type, joint_place(joint, a, b), {b.center_x - a.center_x, b.center_y - a.center_y},
        bodies_.states[joint.body_a], bodies_.states[joint.body_b]);
    JointRows rows;
    type.find_rows(joint, place, rows);
    add_held(stage, index, view, rows);
    add_coordinate(stage, index, view, rows);
    ObservedJoint sum = at<ObservedJoint>(stage);
    sum.joint = index;
    sum.mechanism = -1;
    sum.x = view.total[0];
    sum.y = view.total[1];
    sum.turn = view.total[2];
    sum.motor = view.total[3];
    joint_sums_.push_back(sum);
  });
}

void StepObserver::add_solution() {
  std::size_t place = 0;
  for (const JointSystem& system : mechanisms_.systems()) {
    for (const JointSystem::RowView& view : system.view_rows(false)) {
      if (place >= solved_.size()) solved_.push_back(0);
      solved_[place++] += view.impulse;
    }
  }
}

void StepObserver::note_systems(Stage stage) {
  std::size_t place = 0;
  int mechanism = 0;
  for (const JointSystem& system : mechanisms_.systems()) {
    for (const JointSystem::RowView& view : system.view_rows(stage == Stage::relax)) {
      const double impulse = place < solved_.size() ? solved_[place] : 0;
      ++place;
      const Joint& joint = joints_[view.joint];
      if (!chosen(joint.body_a, joint.body_b)) continue;
      ObservedRow row;
      row.direct = 1;
      row.on = view.on;
      row.mode = view.mode;
      row.error = view.error;
      row.wanted = view.wanted;
      row.gamma = view.give * parameters_.h;
      row.beta = view.share;
      row.low = view.lowest;
      row.high = view.highest;
      row.impulse = impulse;
      add_row(stage, view.joint, view.source, view.part, view.jacobian, row);
    }
    for (int index : system.joints()) {
      const Joint& joint = joints_[index];
      if (!joint.direct || !chosen(joint.body_a, joint.body_b)) continue;
      ObservedJoint sum = at<ObservedJoint>(stage);
      sum.joint = index;
      sum.mechanism = mechanism;
      system.add_totals_of(index, sum.x, sum.y, sum.turn, sum.motor);
      joint_sums_.push_back(sum);
    }
    ++mechanism;
  }
}

}  // namespace rigid
