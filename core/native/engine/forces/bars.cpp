// SPDX-License-Identifier: MIT
// The sum of axial forces of each bar.
#include "engine/forces/bars.h"

#include <algorithm>
#include <cmath>

#include "engine/joints/joint.h"

namespace rigid {

namespace {

// The present place of a bar: its left end, the direction to the right one, and its axial force.
struct Axis {
  double x, y, ux, uy, length;
  double sum = 0;

  // A force counts with its component along the bar, weighted from +1 at the left end to -1 at the
  // right.
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

void Bars::add(const Bar& bar, std::size_t bodies) {
  bar_of_.resize(std::max(bar_of_.size(), bodies), -1);
  remove(bar.body);
  bar_of_[bar.body] = static_cast<int>(bars_.size());
  bars_.push_back(bar);
}

void Bars::remove(int body) {
  const int bar = of_body(body);
  if (bar < 0) return;
  bars_[bar] = bars_.back();
  bar_of_[bars_[bar].body] = bar;
  bar_of_[body] = -1;
  bars_.pop_back();
}

std::vector<double> Bars::push_pulls(const Bodies& bodies, const Joints& joints,
                                     const Contacts& contacts, const Forces& forces,
                                     const Clock& clock) const {
  std::vector<Axis> axes;
  for (const Bar& bar : bars_) {
    axes.push_back(
        axis_of(bar, bodies.x[bar.body], bodies.y[bar.body], sine_cosine(bodies[bar.body].angle)));
  }
  auto bar_at = [&](int body) { return of_body(body) >= 0 ? &axes[of_body(body)] : nullptr; };
  const double per_dt = 1.0 / clock.dt;
  for (const Joint& joint : joints) {
    if (!has_acted(joint, clock.steps)) continue;
    for (int body : {joint.body_a, joint.body_b}) {
      Axis* axis = bar_at(body);
      if (axis == nullptr) continue;
      const bool on_b = body == joint.body_b;
      const Double2 at = force_point(joint, on_b, bodies[joint.body_a], bodies[joint.body_b]);
      const Double2 push = impulse_on(joint, on_b, bodies[joint.body_a], bodies[joint.body_b]);
      axis->add(per_dt * push.x, per_dt * push.y, at.x, at.y);
    }
  }
  for (const Contact& c : contacts.all()) {
    if (!c.alive || !c.touching || c.sensor) continue;
    for (int body : {c.body_a, c.body_b}) {
      Axis* axis = bar_at(body);
      if (axis == nullptr) continue;
      const Body& a = bodies[c.body_a];
      double sign = body == c.body_a ? -per_dt : per_dt;
      for (int k = 0; k < c.count; ++k) {
        const ContactPoint& p = c.points[k];
        double fx = p.total_normal * c.normal.x + p.total_tangent * c.normal.y;
        double fy = p.total_normal * c.normal.y - p.total_tangent * c.normal.x;
        axis->add(sign * fx, sign * fy, a.center_x + p.anchor.x, a.center_y + p.anchor.y);
      }
    }
  }
  for (const ForceSource& f : forces.all()) {
    Axis* axis = bar_at(f.body);
    if (axis == nullptr || !f.enabled || f.kind == ForceKind::impulse) continue;
    if (!f.acts(clock.time() - clock.dt, clock.dt)) continue;
    const Body& body = bodies[f.body];
    SineCosine q = sine_cosine(body.angle);
    bool turns = f.kind == ForceKind::thruster;
    double fx = turns ? q.cosine * f.x - q.sine * f.y : f.x;
    double fy = turns ? q.sine * f.x + q.cosine * f.y : f.y;
    double px =
        f.at_center ? body.center_x : bodies.x[f.body] + q.cosine * f.at_x - q.sine * f.at_y;
    double py =
        f.at_center ? body.center_y : bodies.y[f.body] + q.sine * f.at_x + q.cosine * f.at_y;
    axis->add(fx, fy, px, py);
  }
  std::vector<double> sums;
  for (const Axis& axis : axes) sums.push_back(axis.sum);
  return sums;
}

}  // namespace rigid
