// What bars bear along their length, and joints that break of what they bear.
#include <cmath>
#include <limits>

#include "engine/world.h"

namespace rigid {

namespace {

// A bar where it is now: its left end, the direction to the right one, and what pushes it together.
struct Axis {
  double x, y, ux, uy, length;
  double sum = 0;

  // A force counts with its part along the bar, from +1 at the left end to -1 at the right.
  void add(double fx, double fy, double px, double py) {
    if (!(length > 0)) return;
    double part = ((px - x) * ux + (py - y) * uy) / length;
    sum += (fx * ux + fy * uy) * (1 - 2 * part);
  }
};

Axis axis_of(const Bar& bar, double x, double y, const SineCosine& q) {
  double ex = q.cosine * (bar.right_x - bar.left_x) - q.sine * (bar.right_y - bar.left_y);
  double ey = q.sine * (bar.right_x - bar.left_x) + q.cosine * (bar.right_y - bar.left_y);
  double length = std::sqrt(ex * ex + ey * ey);
  return {x + q.cosine * bar.left_x - q.sine * bar.left_y,
          y + q.sine * bar.left_x + q.cosine * bar.left_y, length > 0 ? ex / length : 0.0,
          length > 0 ? ey / length : 0.0, length};
}

}  // namespace

std::vector<double> World::push_pulls() const {
  std::vector<Axis> axes;
  for (const Bar& bar : bars_) {
    axes.push_back(axis_of(bar, x_[bar.body], y_[bar.body], sine_cosine(bodies_[bar.body].angle)));
  }
  auto bar_at = [&](int body) { return bar_of(body) >= 0 ? &axes[bar_of(body)] : nullptr; };
  const double per_dt = 1.0 / definition_.dt;
  for (const Joint& joint : joints_) {
    if (!acted(joint)) continue;
    for (int body : {joint.body_a, joint.body_b}) {
      Axis* axis = bar_at(body);
      if (axis == nullptr) continue;
      const bool on_b = body == joint.body_b;
      const Double2 at = force_point(joint, on_b, bodies_[joint.body_a], bodies_[joint.body_b]);
      const double sign = on_b ? per_dt : -per_dt;
      axis->add(sign * joint.total_x, sign * joint.total_y, at.x, at.y);
    }
  }
  for (const Contact& c : contacts_) {
    if (!c.alive || !c.touching || c.sensor) continue;
    for (int body : {c.body_a, c.body_b}) {
      Axis* axis = bar_at(body);
      if (axis == nullptr) continue;
      const Body& a = bodies_[c.body_a];
      double sign = body == c.body_a ? -per_dt : per_dt;
      for (int k = 0; k < c.count; ++k) {
        const ContactPoint& p = c.points[k];
        double fx = p.total_normal * c.normal.x + p.total_tangent * c.normal.y;
        double fy = p.total_normal * c.normal.y - p.total_tangent * c.normal.x;
        axis->add(sign * fx, sign * fy, a.center_x + p.anchor.x, a.center_y + p.anchor.y);
      }
    }
  }
  for (const ForceSource& f : forces_) {
    Axis* axis = bar_at(f.body);
    if (axis == nullptr || !f.enabled || f.kind == ForceKind::impulse) continue;
    if (!f.acts(time() - definition_.dt, definition_.dt)) continue;
    const Body& body = bodies_[f.body];
    SineCosine q = sine_cosine(body.angle);
    bool turns = f.kind == ForceKind::thruster;
    double fx = turns ? q.cosine * f.x - q.sine * f.y : f.x;
    double fy = turns ? q.sine * f.x + q.cosine * f.y : f.y;
    double px = f.at_center ? body.center_x : x_[f.body] + q.cosine * f.at_x - q.sine * f.at_y;
    double py = f.at_center ? body.center_y : y_[f.body] + q.sine * f.at_x + q.cosine * f.at_y;
    axis->add(fx, fy, px, py);
  }
  std::vector<double> sums;
  for (const Axis& axis : axes) sums.push_back(axis.sum);
  return sums;
}

// All that are overloaded break together: a bar pulled at both ends comes off at both.
void World::break_joints() {
  constexpr float never = std::numeric_limits<float>::infinity();
  const float per_dt = static_cast<float>(1.0 / definition_.dt);
  std::vector<int> breaking;
  std::vector<double> pushes;
  auto push = [&](int body) { return bar_of(body) >= 0 ? std::fabs(pushes[bar_of(body)]) : 0.0; };
  for (int i : breakable_) {
    const Joint& joint = joints_[i];
    if (joint.color < 0) continue;
    float fx = joint.total_x * per_dt, fy = joint.total_y * per_dt;
    float force = std::sqrt(fx * fx + fy * fy), torque = std::fabs(joint.total_angular * per_dt);
    bool snaps = force > joint.break_force || torque > joint.break_torque;
    if (!snaps && joint.break_push_pull < never && !bars_.empty()) {
      if (pushes.empty()) pushes = push_pulls();
      snaps =
          push(joint.body_a) > joint.break_push_pull || push(joint.body_b) > joint.break_push_pull;
    }
    if (snaps) breaking.push_back(i);
  }
  for (int i : breaking) {
    Joint& joint = joints_[i];
    joint.broken = true;
    joint.broken_at = step_count_;
    unlink_joint(i);
    wake_body(joint.body_a);
    wake_body(joint.body_b);
    tell(step_count_, EventKind::joint_broken, i);
  }
}

}  // namespace rigid
