// SPDX-License-Identifier: MIT
// Rows with give of a mechanism: springs, soft limits, and motors with a spring of their own.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/data/constants.h"
#include "engine/mechanisms/direct_energy.h"

namespace rigid {

namespace {

// A soft limit pushes beyond it; a stiff one also if an undamped substep would end beyond it, as it
// does at the end of a substep that is solved implicitly.
void foresee_limits(Axial& axial) {
  const double down = axial.coordinate - axial.lower_at, up = axial.coordinate - axial.upper_at;
  axial.below = {axial.lower && (down < 0 || axial.implicit), down >= 0, down};
  axial.above = {axial.upper && (up > 0 || axial.implicit), up <= 0, up};
}

// The mode of a row with give.
RowMode next_soft(const Axial& axial, double impulse, double speed) {
  const double wanted = -(axial.drag * speed + axial.known);
  if (!(axial.drag > 0)) return axial.mode;
  if (axial.limited) {
    if (axial.mode == RowMode::most) return wanted < axial.highest ? RowMode::drive : axial.mode;
    if (axial.mode == RowMode::least) return wanted > axial.lowest ? RowMode::drive : axial.mode;
    if (impulse > axial.highest) return RowMode::most;
    return impulse < axial.lowest ? RowMode::least : axial.mode;
  }
  if (axial.mode == RowMode::push_lower) return impulse < 0 ? RowMode::idle : axial.mode;
  if (axial.mode == RowMode::push_upper) return impulse > 0 ? RowMode::idle : axial.mode;
  return axial.mode;
}

// Whether a soft limit that is not active would push.
RowMode next_limit(const Axial& axial, double h, double speed) {
  if (!(axial.drag > 0)) return axial.mode;
  auto push = [&](const Axial::Side& side) {
    const double damping = side.ahead ? 0 : h * axial.damping;
    const double drag = axial.implicit ? damping + h * h * axial.stiffness : axial.drag;
    const double known = axial.carry * axial.speed_before + h * axial.stiffness * side.stretch;
    return -(drag * speed + known);
  };
  if (axial.below.acts && push(axial.below) > 0) return RowMode::push_lower;
  if (axial.above.acts && push(axial.above) < 0) return RowMode::push_upper;
  return RowMode::idle;
}

}  // namespace

// The pull of a mouse, squared.
template <>
double DirectJoints<1>::squared_pull(const Node& node) const {
  double squared = 0;
  for (int i = 0; i < 2; ++i) {
    const Axial& axial = axial_of(node, i);
    const double pull = axial.sum + axial.applied + node.x[i];
    squared += pull * pull;
  }
  return squared;
}

// A mouse pulls with at most its maximum, in any direction: where a stiff mouse would pull harder,
// it gives way more, by the same factor in both directions, until it pulls with its maximum.
template <>
bool DirectJoints<1>::leaves_pull(const Node& node) const {
  constexpr double exact = 1e-7;
  const double pull = std::sqrt(squared_pull(node)), maximum = axial_of(node, 0).maximum;
  if (!axial_of(node, 0).on) return false;
  return pull > maximum * (1 + exact) || (node.slack > 1 && pull < maximum * (1 - exact));
}

// The inverse of the pull is linear in the slack if a single body is pulled along a line.
template <>
void DirectJoints<1>::ease_pull(Node& node) {
  const double inverse = 1 / std::sqrt(squared_pull(node)), wanted = 1 / axial_of(node, 0).maximum;
  double slack = node.slack * wanted / inverse;
  const double change = inverse - node.tried_inverse, moved = node.slack - node.tried_slack;
  if (node.tried_slack > 0 && change * moved > 0) {
    const double secant = node.slack + (wanted - inverse) * moved / change;
    if (secant > 0 && std::isfinite(secant)) slack = secant;
  }
  node.tried_slack = node.slack;
  node.tried_inverse = inverse;
  node.slack = std::isfinite(slack) ? std::max(slack, 1.0) : node.slack;
  for (int i = 0; i < 2; ++i) node.give[i] = node.slack / axial_of(node, i).drag;
  factored_ = false;
}

template <>
void DirectJoints<1>::start_pull(State* states, Node& node) {
  node.tried_slack = 0;
  const double x = axial_of(node, 0).known, y = axial_of(node, 1).known;
  const double size = std::sqrt(x * x + y * y), maximum = axial_of(node, 0).maximum;
  for (int i = 0; i < 2; ++i) {
    Axial& axial = axial_of(node, i);
    stand_soft(states, axial, RowMode::drive);
    if (axial.on) {
      node.slack = std::max(node.slack, 1.0);
      node.give[i] = node.slack / axial.drag;
    } else if (size > maximum) {
      axial.given = -axial.known * (maximum / size);
      give(states, axial, true);
    }
  }
}

// A spring without drag has a known impulse.
template <>
void DirectJoints<1>::start_spring(State* states, Axial& axial) {
  RowMode mode =
      axial.limited && axial.drag > 0 && axial.mode != RowMode::idle ? axial.mode : RowMode::drive;
  if (axial.is_soft_limit()) {
    foresee_limits(axial);
    mode = RowMode::idle;
    if (axial.above.acts && !axial.above.ahead) mode = RowMode::push_upper;
    if (axial.below.acts && !axial.below.ahead) mode = RowMode::push_lower;
    return stand_soft(states, axial, mode);
  }
  axial.known = axial.carry * axial.speed_before +
                step_.h * axial.stiffness * (axial.coordinate - axial.target);
  // The pull of a mouse has two rows, which become active together.
  Node& node = nodes_[axial.node];
  if (!node.type->pulls) return stand_soft(states, axial, mode);
  if (axial.row == 1) start_pull(states, node);
}

template <>
void DirectJoints<1>::stand_soft(State* states, Axial& axial, RowMode mode) {
  axial.mode = mode;
  if (axial.is_soft_limit() && mode != RowMode::idle) {
    const Axial::Side& side = mode == RowMode::push_lower ? axial.below : axial.above;
    axial.known = axial.carry * axial.speed_before + step_.h * axial.stiffness * side.stretch;
    if (axial.ahead != side.ahead) {
      axial.ahead = side.ahead;
      settle_spring(axial);
      factored_ = false;
    }
  }
  const bool known = has_known_impulse(mode);
  axial.on = !known && axial.drag > 0;
  axial.given = missing_impulse<double>(axial, mode);
  if (!known && !axial.on) {
    axial.given = -axial.known - axial.sum;
    if (axial.limited) {
      axial.given = std::clamp(-axial.known, axial.lowest, axial.highest) - axial.sum;
    }
  }
  give(states, axial, true);
}

template <>
double DirectJoints<1>::soft_change(const Axial& axial, const Node& node, double speed) const {
  const double slack = node.type->pulls ? node.slack : 1;
  return -(speed + (axial.known + slack * (axial.sum + axial.applied)) / axial.drag);
}

// Whether a row has to change its mode, and to which. `states` have all impulses applied.
template <>
bool DirectJoints<1>::leaves_soft(const State* states, Axial& axial, bool relaxing) const {
  const Node& node = nodes_[axial.node];
  axial.next = axial.mode;
  // Also in relaxing, since arms have turned.
  if (node.type->pulls) return axial.row == 0 && leaves_pull(node);
  if (relaxing && !axial.acted) return false;
  const double impulse = axial.sum + axial.applied + node.x[axial.row];
  const double speed = speed_along(states, node, axial.row);
  if (axial.is_soft_limit() && axial.mode == RowMode::idle) {
    axial.next = next_limit(axial, step_.h, speed);
  } else {
    axial.next = next_soft(axial, impulse, speed);
  }
  return axial.next != axial.mode;
}

template <>
void DirectJoints<1>::remember_speeds(const State* states) {
  if (!springs_) return;
  for (Axial& axial : axial_) {
    if (!axial.soft) continue;
    axial.speed_before = speed_along(states, nodes_[axial.node], axial.row);
    if (!axial.across || !axial.implicit) continue;
    set_across(axial);
    settle_spring(axial);
    factored_ = false;
  }
}

// The force of a soft distance joint, which pulls its ends together.
template <>
double DirectJoints<1>::tension_of(const Node& node) const {
  double tension = 0;
  for (int i = 0; i < node.rows; ++i) {
    const Axial& axial = axial_of(node, i);
    if (axial.across) continue;
    double stretch = axial.coordinate - axial.target;
    if (axial.lower || axial.upper) {
      stretch = axial.upper ? std::max(axial.coordinate - axial.upper_at, 0.0) : 0.0;
    }
    tension += axial.stiffness * stretch;
  }
  return tension;
}

// A pull turns with its direction, as if a spring held the ends across it; a pull of zero length
// acts alike in all directions.
template <>
void DirectJoints<1>::set_across(Axial& across) {
  const Node& node = nodes_[across.node];
  const Axial& along = axial_of(node, 0);
  const double length = along.coordinate, rest = along.target;
  double stiffness = rest == 0 ? along.stiffness : 0;
  if (length > 1e-9 * std::fabs(rest)) stiffness = std::max(tension_of(node) / length, 0.0);
  across.stiffness = stiffness;
}

// The drag of a spring, and the part of its damping that depends on the speed before.
template <>
void DirectJoints<1>::settle_spring(Axial& axial) {
  Node& node = nodes_[axial.node];
  const double c = step_.h * axial.damping;
  if (axial.implicit) {
    axial.carry = 0;
    axial.drag = (axial.ahead ? 0 : c) + step_.h * step_.h * axial.stiffness;
  } else {
    // 1 / (1 - e^-y) - 1 / y
    double share = std::min(1.0, 0.5 + c * node.scale[axial.row] / 12);
    axial.carry = c * (1 - share);
    axial.drag = c * share;
  }
  // A pull without a direction has no inverse mass now, but may have one in the next substep.
  const double linear = static_cast<double>(node.mass_a.mass) + node.mass_b.mass;
  const double inverse = node.type->between_anchors ? linear : node.scale[axial.row];
  if (!(axial.drag * inverse > constants::least_drag)) axial.drag = 0;
  node.give[axial.row] = axial.drag > 0 ? 1 / axial.drag : 0;
}

// The energy that springs stored in this substep.
template <>
double DirectJoints<1>::gain_of_springs(const State* states) const {
  if (!springs_) return 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const Axial& axial : axial_) {
    if (!axial.soft) continue;
    const Node& node = nodes_[axial.node];
    const bool mouse = node.type->pulls, limits = axial.lower || axial.upper;
    if (axial.across || (mouse && axial.row > 0)) continue;
    const double k = axial.stiffness;
    const double most = axial.limited || mouse ? axial.maximum / step_.h : infinity;
    auto stretch_at = [&](double coordinate) {
      if (!limits) return coordinate - axial.target;
      const double above = axial.upper ? std::max(coordinate - axial.upper_at, 0.0) : 0.0;
      return above + (axial.lower ? std::min(coordinate - axial.lower_at, 0.0) : 0.0);
    };
    auto length = [&](double x, double Axial::* other) {
      const double y = axial_of(node, 1).*other;
      return std::sqrt(x * x + y * y);
    };
    const double now =
        mouse ? length(axial.coordinate, &Axial::coordinate) : stretch_at(axial.coordinate);
    const double before = mouse ? length(axial.coordinate_before, &Axial::coordinate_before)
                                : stretch_at(axial.coordinate_before);
    double stored = k;
    if (mouse) {
      const double linear = static_cast<double>(node.mass_a.mass) + node.mass_b.mass;
      stored = pulled_stiffness(k, linear, step_.h);
    }
    sum += spring_energy(stored, now, most) - spring_energy(stored, before, most);
    const bool known = axial.mode == RowMode::most || axial.mode == RowMode::least;
    if (axial.implicit && !known) continue;
    for (int i = axial.row; i < axial.row + (mouse ? 2 : 1); ++i) {
      const Axial& row = axial_of(node, i);
      auto pull = [&](double stretch) { return std::clamp(k * stretch, -most, most); };
      sum -= 0.5 * step_.h * pull(stretch_at(row.coordinate)) * speed_along(states, node, i);
      sum += 0.5 * step_.h * pull(stretch_at(row.coordinate_before)) * row.speed_before;
    }
  }
  return sum;
}

template class DirectJoints<1>;

}  // namespace rigid
