// SPDX-License-Identifier: MIT
// The response of mechanisms to loads (effective_masses.h).
#include <algorithm>
#include <cmath>

#include "engine/data/constants.h"
#include "engine/mechanisms/active_set.h"
#include "engine/mechanisms/direct_factors.h"
#include "engine/mechanisms/joint_system.h"

namespace rigid {

namespace {

bool is_at_lower(const Axial& axial, const SystemStep& step) {
  return axial.lower &&
         axial.coordinate - axial.lower_at <= constants::seen_gap * step.most_of(axial.angular);
}

// The part of a row's Jacobian for a body, or null.
const double* row_on(const SystemNode& node, int row, int body) {
  if (node.moves_b && node.body_b == body) return node.jacobian[row] + 3;
  return node.moves_a && node.body_a == body ? node.jacobian[row] : nullptr;
}

bool is_at_upper(const Axial& axial, const SystemStep& step) {
  return axial.upper &&
         axial.upper_at - axial.coordinate <= constants::seen_gap * step.most_of(axial.angular);
}

}  // namespace

// Whether a limit, or a motor with reserve, holds a row for now.
bool SystemRows::stands_firm(const Axial& axial) const {
  if (axial.soft) return false;
  if (axial.motor && axial.spare) return true;
  return is_at_lower(axial, step_) || is_at_upper(axial, step_);
}

// Whether a held row would need a noticeably larger impulse than it can give. A limit pushes what
// rests at it; a load away from the limit falls to the motor.
bool SystemRows::is_overloaded(const KernelContext& context, const Axial& axial) const {
  if (axial.equal || axial.endless || !axial.on) return false;
  const SystemNode& node = nodes_[axial.node];
  const double most = axial.motor ? axial.highest : 0, least = axial.motor ? axial.lowest : 0;
  const double seen = constants::seen_overload * step_.most_of(axial.angular) / step_.h,
               speed = speed_along(context.states, node, axial.row);
  double excess = 0;
  if (!is_at_lower(axial, step_) || speed > seen) excess = std::max(excess, axial.sum - most);
  if (!is_at_upper(axial, step_) || speed < -seen) excess = std::max(excess, least - axial.sum);
  return excess * node.scale[axial.row] > seen;
}

void JointSystem::begin_blow() {
  held_ = others_.known = false;
  for (Axial& axial : axial_) {
    axial.on = axial.equal || axial.endless;
    if (axial.equal) axial.mode = RowMode::hold;
    if (axial.equal || !axial.on) continue;
    axial.mode = RowMode::drive;
    if (axial.position) axial.heading = servo_speed<double>(axial, step_);
  }
  factor();
}

void JointSystem::hold(Held held) {
  for (Axial& axial : axial_) {
    const bool drives = axial.endless || (!yields_ && stands_firm(axial));
    axial.on = axial.equal || (held == Held::driven && drives);
  }
  const double share = driven_ || firm_ ? constants::stiff_give : 1;
  if (!are_held(share) && (factored_ || others_.held) && !springs_) exchange_factors();
  if (!are_held(share)) factor(share);
  factored_ = false;
  held_ = true;
  held_share_ = share;
}

// Whether the factors are those of the active rows, held, with this share of `give`.
bool JointSystem::are_held(double share) const {
  return held_ && !factored_ && share == held_share_ &&
         std::none_of(axial_.begin(), axial_.end(),
                      [](const Axial& axial) { return axial.on != axial.factored; });
}

void JointSystem::exchange_factors() {
  OtherFactors& others = others_;
  others.below.resize(below_.size());
  others.inverses.resize(nodes_.size());
  others.rows.resize(axial_.size());
  below_.swap(others.below);
  for (std::size_t p = 0; p < nodes_.size(); ++p) std::swap(nodes_[p].inverse, others.inverses[p]);
  for (std::size_t i = 0; i < axial_.size(); ++i) {
    const bool factored = axial_[i].factored;
    axial_[i].factored = others.rows[i] != 0;
    others.rows[i] = factored ? 1 : 0;
  }
  const bool known = others.known, held = others.held;
  others.held = held_ && !factored_;
  others.known = factored_ || others.held;
  factored_ = known && !held;
  held_ = known && held;
  std::swap(held_share_, others.share);
}

// Takes the factors of the active rows in place of those of held ones, if they are known.
void JointSystem::turn_to_active() {
  if (held_ && !factored_ && !springs_) {
    exchange_factors();
    factored_ = factored_ && std::none_of(axial_.begin(), axial_.end(), [](const Axial& axial) {
                  return axial.on != axial.factored;
                });
  }
  held_ = false;
}

void SystemRows::find_answers(int body, InverseMass mass) {
  const double inverse[3] = {mass.mass, mass.mass, mass.inertia};
  answers_.assign(nodes_.size(), Answers{});
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    const SystemNode& node = nodes_[p];
    for (int i = 0; i < node.rows; ++i) {
      const double* j = row_on(node, i, body);
      if (j == nullptr || !acts(node, i)) continue;
      for (int column = 0; column < 3; ++column)
        answers_[p].x[i][column] = j[column] * inverse[column];
    }
  }
  static_assert(sizeof(Answers) == sizeof(double[most_rows][3]));
  substitute_columns(&answers_.data()->x);
}

void SystemRows::add_answers(int body, InverseMass mass, double change[3][3]) const {
  const double inverse[3] = {mass.mass, mass.mass, mass.inertia};
  for (std::size_t p = 0; p < nodes_.size(); ++p) {
    const SystemNode& node = nodes_[p];
    for (int i = 0; i < node.rows; ++i) {
      const double* j = row_on(node, i, body);
      if (j == nullptr) break;
      for (int row = 0; row < 3; ++row) {
        const double moved = inverse[row] * j[row];
        for (int column = 0; column < 3; ++column) {
          change[row][column] -= moved * answers_[p].x[i][column];
        }
      }
    }
  }
}

void JointSystem::find_response(int body, InverseMass mass, double response[3][3]) {
  find_answers(body, mass);
  const double inverse[3] = {mass.mass, mass.mass, mass.inertia};
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      response[row][column] = row == column ? inverse[row] : 0;
    }
  }
  add_answers(body, mass, response);
}

void JointSystem::find_held_responses(const std::vector<int>& bodies,
                                      std::span<const InverseMass> inverse_masses,
                                      std::vector<double>& responses) {
  const std::size_t size = 3 * bodies.size();
  responses.assign(size * size, 0);
  for (Axial& axial : axial_) axial.acted = axial.on;
  hold(Held::driven);
  for (std::size_t cause = 0; cause < bodies.size(); ++cause) {
    const InverseMass pushed = inverse_masses[bodies[cause]];
    find_answers(bodies[cause], pushed);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const InverseMass mass = inverse_masses[bodies[i]];
      double change[3][3] = {};
      if (i == cause) {
        change[0][0] = change[1][1] = mass.mass;
        change[2][2] = mass.inertia;
      }
      add_answers(bodies[i], mass, change);
      for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
          responses[(3 * i + row) * size + 3 * cause + column] = change[row][column];
        }
      }
    }
  }
  for (Axial& axial : axial_) axial.on = axial.acted;
}

// The changes of the bodies' velocities are small compared with those of the loads alone, and are
// summed before they are rounded to single precision.
void JointSystem::bear(const KernelContext& context, const std::vector<Load>& loads) {
  for (Axial& axial : axial_) axial.acted = axial.on;
  hold(Held::driven);
  borne_.assign(bodies_.size(), Load{});
  auto of = [this](int body) -> Load& {
    return borne_[std::lower_bound(bodies_.begin(), bodies_.end(), body) - bodies_.begin()];
  };
  for (const Load& load : loads) {
    Load& borne = of(load.body);
    borne.x += load.x;
    borne.y += load.y;
    borne.turn += load.turn;
  }
  auto change = [](const double* j, InverseMass mass, const Load& load) {
    return mass.mass * (j[0] * load.x + j[1] * load.y) + mass.inertia * j[2] * load.turn;
  };
  for (SystemNode& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      const double* j = node.jacobian[i];
      node.x[i] = 0;
      if (!acts(node, i)) continue;
      if (node.moves_a) node.x[i] -= change(j, node.mass_a, borne_[node.slot_a]);
      if (node.moves_b) node.x[i] -= change(j + 3, node.mass_b, borne_[node.slot_b]);
    }
  }
  substitute();
  auto add = [](Load& load, const double* j, double impulse) {
    load.x += impulse * j[0];
    load.y += impulse * j[1];
    load.turn += impulse * j[2];
  };
  for (const SystemNode& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      if (node.moves_a) add(borne_[node.slot_a], node.jacobian[i], node.x[i]);
      if (node.moves_b) add(borne_[node.slot_b], node.jacobian[i] + 3, node.x[i]);
    }
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    BodyState& state = context.states[bodies_[i]];
    const InverseMass mass = context.inverse_masses[bodies_[i]];
    state.vx = static_cast<float>(state.vx + mass.mass * borne_[i].x);
    state.vy = static_cast<float>(state.vy + mass.mass * borne_[i].y);
    state.omega = static_cast<float>(state.omega + mass.inertia * borne_[i].turn);
  }
  add_totals();
  for (const Axial& axial : axial_) {
    overloaded_ = overloaded_ || is_overloaded(context, axial);
  }
  for (Axial& axial : axial_) axial.on = axial.acted;
}

}  // namespace rigid
