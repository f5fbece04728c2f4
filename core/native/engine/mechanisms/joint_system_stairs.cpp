// SPDX-License-Identifier: MIT
// On which stair each limit, motor and spring of a mechanism stands: found by pivoting.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/constants.h"
#include "engine/mechanisms/joint_system.h"
#include "engine/mechanisms/stairs.h"

namespace rigid {

namespace {

// A mouse pulls with no more than its maximum, whatever the direction: where a stiff one would pull
// harder, it gives way just so much more, in both directions alike, that it pulls with that.
bool leaves_pull(const SystemNode& node) {
  double squared = 0;
  for (int i = 0; i < 2; ++i) {
    const double pull = node.axial[i].sum + node.axial[i].applied + node.x[i];
    squared += pull * pull;
  }
  constexpr double exact = 1e-7;
  const double pull = std::sqrt(squared), maximum = node.axial[0].maximum;
  if (!node.axial[0].on) return false;
  return pull > maximum * (1 + exact) || (node.slack > 1 && pull < maximum * (1 - exact));
}

// A soft limit acts beyond it; a stiff one also where a substep would end there, without its
// damping, as it does at the end of a substep that is solved implicitly.
void foresee_limits(Axial& axial) {
  const double down = axial.coordinate - axial.lower_at, up = axial.coordinate - axial.upper_at;
  axial.below = {axial.lower && (down < 0 || axial.implicit), down >= 0, down};
  axial.above = {axial.upper && (up > 0 || axial.implicit), up <= 0, up};
}

// The stair of a row with give.
Stair next_soft(const Axial& axial, double impulse, double speed) {
  const double wanted = -(axial.drag * speed + axial.known);
  if (!(axial.drag > 0)) return axial.mode;
  if (axial.limited) {
    if (axial.mode == Stair::most) return wanted < axial.highest ? Stair::drive : axial.mode;
    if (axial.mode == Stair::least) return wanted > axial.lowest ? Stair::drive : axial.mode;
    if (impulse > axial.highest) return Stair::most;
    return impulse < axial.lowest ? Stair::least : axial.mode;
  }
  if (axial.mode == Stair::push_lower) return impulse < 0 ? Stair::idle : axial.mode;
  if (axial.mode == Stair::push_upper) return impulse > 0 ? Stair::idle : axial.mode;
  return axial.mode;
}

// Whether a soft limit that does not act would push.
Stair next_limit(const Axial& axial, double h, double speed) {
  if (!(axial.drag > 0)) return axial.mode;
  auto push = [&](const Axial::Side& side) {
    const double damping = side.ahead ? 0 : h * axial.damping;
    const double drag = axial.implicit ? damping + h * h * axial.stiffness : axial.drag;
    const double known = axial.carry * axial.speed_before + h * axial.stiffness * side.stretch;
    return -(drag * speed + known);
  };
  if (axial.below.acts && push(axial.below) > 0) return Stair::push_lower;
  if (axial.above.acts && push(axial.above) < 0) return Stair::push_upper;
  return Stair::idle;
}

}  // namespace

// The inverse of the pull is linear in the slack where a single body is pulled along a line.
void JointSystem::ease_pull(SystemNode& node) {
  double squared = 0;
  for (int i = 0; i < 2; ++i) {
    const double pull = node.axial[i].sum + node.axial[i].applied + node.x[i];
    squared += pull * pull;
  }
  const double inverse = 1 / std::sqrt(squared), wanted = 1 / node.axial[0].maximum;
  double slack = node.slack * wanted / inverse;
  const double change = inverse - node.tried_inverse, moved = node.slack - node.tried_slack;
  if (node.tried_slack > 0 && change * moved > 0) {
    const double secant = node.slack + (wanted - inverse) * moved / change;
    if (secant > 0 && std::isfinite(secant)) slack = secant;
  }
  node.tried_slack = node.slack;
  node.tried_inverse = inverse;
  node.slack = std::isfinite(slack) ? std::max(slack, 1.0) : node.slack;
  for (int i = 0; i < 2; ++i) node.give[i] = node.slack / node.axial[i].drag;
  factored_ = false;
}

void JointSystem::start_pull(const KernelContext& context, AxialRow at) {
  SystemNode& node = nodes_[at.node];
  node.tried_slack = 0;
  const double x = node.axial[0].known, y = node.axial[1].known;
  const double size = std::sqrt(x * x + y * y), maximum = node.axial[0].maximum;
  for (int i = 0; i < 2; ++i) {
    Axial& axial = node.axial[i];
    stand(context, {at.node, i}, Stair::drive);
    if (axial.on) {
      node.slack = std::max(node.slack, 1.0);
      node.give[i] = node.slack / axial.drag;
    } else if (size > maximum) {
      axial.given = -axial.known * (maximum / size);
      give(context, {at.node, i});
    }
  }
}

void JointSystem::start_hard(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  if (axial.position) axial.heading = servo_speed(axial, step_);
  const double speed = speed_along(context, nodes_[at.node], at.row);
  stand(context, at, first_stair(axial, axial.mode, step_, speed));
}

// Without drag a spring's impulse is known.
void JointSystem::start_spring(const KernelContext& context, AxialRow at) {
  Axial& axial = axial_of(at);
  Stair mode =
      axial.limited && axial.drag > 0 && axial.mode != Stair::idle ? axial.mode : Stair::drive;
  if (axial.is_soft_limit()) {
    foresee_limits(axial);
    mode = Stair::idle;
    if (axial.above.acts && !axial.above.ahead) mode = Stair::push_upper;
    if (axial.below.acts && !axial.below.ahead) mode = Stair::push_lower;
    return stand(context, at, mode);
  }
  axial.known = axial.carry * axial.speed_before +
                step_.h * axial.stiffness * (axial.coordinate - axial.target);
  // The pull of a mouse has two rows, which start together.
  if (!nodes_[at.node].type->pulls) return stand(context, at, mode);
  if (at.row == 1) start_pull(context, at);
}

void JointSystem::start_modes(const KernelContext& context) {
  step_.servo_rate = context.parameters->servo_rate;
  for (AxialRow at : axial_) {
    Axial& axial = axial_of(at);
    axial.given = axial.applied = 0;
  }
  for (AxialRow at : axial_) {
    if (axial_of(at).soft) {
      start_spring(context, at);
    } else {
      start_hard(context, at);
    }
  }
}

// The stair that a row belongs on, or goes to next. `context` has the velocities with all impulses.
Stair JointSystem::next_mode(const KernelContext& context, AxialRow at, bool relaxing) const {
  const SystemNode& node = nodes_[at.node];
  const Axial& axial = node.axial[at.row];
  if (relaxing && !axial.acted) return axial.mode;
  const double impulse = axial.sum + axial.applied + node.x[at.row];
  const double speed = speed_along(context, node, at.row);
  if (axial.is_soft_limit() && axial.mode == Stair::idle) return next_limit(axial, step_.h, speed);
  if (axial.soft) return next_soft(axial, impulse, speed);
  if (axial.is_endless() || axial.mode == Stair::hold) return axial.mode;
  const double blur =
      blur_along(context.states[node.body_a], context.states[node.body_b], node.jacobian[at.row]);
  return next_stair(axial, axial.mode, step_, impulse, speed, blur, relaxing);
}

// The rows that are not where they belong. Leaves the bodies with all impulses.
void JointSystem::find_leaving(const KernelContext& context, bool relaxing) {
  leaving_.clear();
  for (std::size_t i = 0; i < bodies_.size(); ++i) saved_[i] = context.states[bodies_[i]];
  apply_impulses(context);
  for (AxialRow at : axial_) {
    Stair mode = axial_of(at).mode;
    if (nodes_[at.node].type->pulls) {  // also in relaxing, when arms have turned since
      if (at.row == 0 && leaves_pull(nodes_[at.node])) leaving_.push_back({at, mode});
      continue;
    }
    mode = next_mode(context, at, relaxing);
    if (mode != axial_of(at).mode) leaving_.push_back({at, mode});
  }
}

void JointSystem::solve_active_set(const KernelContext& context, bool relaxing) {
  for (AxialRow at : axial_) axial_of(at).acted = axial_of(at).on;
  std::size_t fewest = axial_.size() + 1;
  int vain = 0;
  for (int revision = 0;; ++revision) {
    bool same = factored_;
    for (AxialRow at : axial_) same = same && axial_of(at).on == axial_of(at).factored;
    if (!same) factor();
    find_impulses(context, relaxing);
    if (axial_.empty()) {
      apply_impulses(context);
      break;
    }
    find_leaving(context, relaxing);
    if (revision >= constants::most_revisions) {
      std::erase_if(leaving_, [this](const Move& move) {
        return !axial_of(move.at).on || nodes_[move.at.node].type->pulls;
      });
    }
    if (leaving_.empty()) break;
    for (std::size_t i = 0; i < bodies_.size(); ++i) context.states[bodies_[i]] = saved_[i];
    if (leaving_.size() < fewest) {
      fewest = leaving_.size();
      vain = 0;
    } else if (++vain > constants::most_vain_revisions && revision < constants::most_revisions) {
      leaving_.erase(leaving_.begin() + 1, leaving_.end());
    }
    for (const Move& move : leaving_) {
      SystemNode& node = nodes_[move.at.node];
      if (node.type->pulls) {
        ease_pull(node);
      } else {
        stand(context, move.at, move.mode);
      }
    }
  }
  add_totals();
}

}  // namespace rigid
