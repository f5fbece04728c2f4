// SPDX-License-Identifier: MIT
// The solution of directly solved joints: impulses and active set, of one world or of W.
#ifndef RIGID_ENGINE_MECHANISMS_DIRECT_SOLVE_H
#define RIGID_ENGINE_MECHANISMS_DIRECT_SOLVE_H

#include "engine/data/constants.h"
#include "engine/mechanisms/active_set.h"
#include "engine/mechanisms/direct_factors.h"

namespace rigid {

// Sets the right sides: the change of speed for the impulse of each active row.
template <int W, bool fixed>
void DirectJoints<W, fixed>::find_impulses(const State* states, bool relaxing) {
  const Number none = 0;
  for (Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i] < 0) {
        const Number wanted =
            relaxing ? none : correcting_speed(step_, node.error[i], node.angular[i]);
        node.x[i] = wanted - speed_along(states, node, i);
        continue;
      }
      const AxialRow& row = axial_of(node, i);
      node.x[i] = none;
      if (W == 1 && !any(row.on)) continue;
      const Number speed = speed_along(states, node, i);
      if constexpr (!fixed) {
        if (row.soft) {
          node.x[i] = soft_change(row, node, speed);
          continue;
        }
      }
      const Number wanted = wanted_speed<Number>(row, row.mode, step_, node.error[i], relaxing);
      node.x[i] = select(row.on, wanted - speed, none);
    }
  }
  substitute();
}

template <int W, bool fixed>
void DirectJoints<W, fixed>::apply_impulses(State* states, Mask which) {
  for (const Node& node : nodes_) {
    auto apply = [&](int body, const Mass& mass, int column) {
      Number j[3] = {0, 0, 0};
      for (int i = 0; i < node.rows; ++i) {
        for (int k = 0; k < 3; ++k) j[k] += node.x[i] * node.jacobian[i][column + k];
      }
      push(states[body], mass, j, which);
    };
    if (node.moves_a) apply(node.body_a, node.mass_a, 0);
    if (node.moves_b) apply(node.body_b, node.mass_b, 3);
  }
}

template <int W, bool fixed>
void DirectJoints<W, fixed>::add_totals() {
  for (Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      if (node.axial[i] >= 0) {
        AxialRow& row = axial_of(node, i);
        // The bodies have already received the known part.
        node.x[i] += row.applied;
        row.sum += node.x[i];
        row.given = row.applied = 0;
      }
      if (fixed && node.angular[i]) {  // its angle only
        node.total[2] += node.x[i];
        continue;
      }
      node.total[0] += node.x[i] * node.jacobian[i][3];
      node.total[1] += node.x[i] * node.jacobian[i][4];
      if constexpr (!fixed) node.total[2] += node.x[i] * node.turn[i];
    }
  }
}

// Applies the change of a known impulse to the bodies.
template <int W, bool fixed>
void DirectJoints<W, fixed>::give(State* states, AxialRow& row, Mask which) {
  const Node& node = nodes_[row.node];
  const Number change = row.given - row.applied, none = 0;
  const Mask changes = which & !(change == none);
  if (!any(changes)) return;
  Number j[6];
  for (int k = 0; k < 6; ++k) j[k] = change * node.jacobian[row.row][k];
  if (node.moves_a) push(states[node.body_a], node.mass_a, j, changes);
  if (node.moves_b) push(states[node.body_b], node.mass_b, j + 3, changes);
  row.applied = select(changes, row.given, row.applied);
}

// Sets the mode of a row.
template <int W, bool fixed>
void DirectJoints<W, fixed>::stand(State* states, AxialRow& row, Modes mode, Mask which) {
  if constexpr (!fixed) {
    if (row.soft) return stand_soft(states, row, mode);
  }
  row.mode = select(which, mode, row.mode);
  row.on = select(which, Mask(!has_known_impulse(mode)), row.on);
  row.given = select(which, missing_impulse<Number>(row, mode), row.given);
  give(states, row, which);
}

template <int W, bool fixed>
void DirectJoints<W, fixed>::begin(State* states) {
  for (AxialRow& row : axial_) {
    if (row.motor) row.earlier += motor_share(row);
    row.sum = 0;
  }
  if constexpr (!fixed) remember_speeds(states);
  if (!accounted_) return;
  for (AxialRow& row : axial_) {
    row.coordinate_before = row.coordinate;
    row.speed_before = speed_along(states, nodes_[row.node], row.row);
  }
  account_.open(states);
}

template <int W, bool fixed>
void DirectJoints<W, fixed>::solve(State* states, double servo_rate) {
  if (accounted_) account_.note_forces(states);
  step_.servo_rate = servo_rate;
  for (AxialRow& row : axial_) row.given = row.applied = 0;
  for (AxialRow& row : axial_) {
    if constexpr (!fixed) {
      if (row.soft) {
        start_spring(states, row);
        continue;
      }
    }
    if (row.position) row.heading = servo_speed<Number>(row, step_);
    const Number speed = speed_along(states, nodes_[row.node], row.row);
    stand(states, row, first_mode<Number>(row, row.mode, step_, speed), !Mask{});
  }
  solve_active_set(states, false);
}

template <int W, bool fixed>
RIGID_INLINE void DirectJoints<W, fixed>::save_velocities(const State* states) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const State& state = states[bodies_[i]];
    saved_[i] = {state.vx, state.vy, state.omega};
  }
}

template <int W, bool fixed>
RIGID_INLINE void DirectJoints<W, fixed>::restore_velocities(State* states, Mask which) const {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    State& state = states[bodies_[i]];
    state.vx = select(which, saved_[i].vx, state.vx);
    state.vy = select(which, saved_[i].vy, state.vy);
    state.omega = select(which, saved_[i].omega, state.omega);
  }
}

// Finds the rows of the open worlds whose mode does not match; returns whether there are any.
// Leaves the bodies with all impulses applied.
template <int W, bool fixed>
bool DirectJoints<W, fixed>::find_leaving(State* states, bool relaxing, Mask open) {
  save_velocities(states);
  apply_impulses(states, open);
  Mask some{};
  for (AxialRow& row : axial_) {
    const Node& node = nodes_[row.node];
    row.leaves = {};
    if constexpr (!fixed) {
      if (row.soft) {
        row.leaves = leaves_soft(states, row, relaxing);
        some = some | row.leaves;
        continue;
      }
    }
    if (row.endless || row.equal || (W == 1 && relaxing && !any(row.acted))) continue;
    const Number impulse = row.sum + row.applied + node.x[row.row];
    const Number speed = speed_along(states, node, row.row);
    const Number blur =
        blur_along(states[node.body_a], states[node.body_b], node.jacobian[row.row]);
    row.next = next_mode<Number>(row, row.mode, step_, impulse, speed, blur, relaxing);
    row.leaves = open & !(row.next == row.mode);
    if (relaxing) row.leaves = row.leaves & row.acted;
    some = some | row.leaves;
  }
  return any(some);
}

// Counts the rows that change their mode; after too many revisions, only active rows change.
template <int W, bool fixed>
RIGID_INLINE auto DirectJoints<W, fixed>::count_leaving(int revision) -> Number {
  const Number none = 0, whole = 1;
  Number count = none;
  for (AxialRow& row : axial_) {
    if (revision >= constants::most_revisions) {
      row.leaves = row.leaves & row.on;
      if (nodes_[row.node].type->pulls) row.leaves = {};
    }
    count += select(row.leaves, whole, none);
  }
  return count;
}

// Keeps the impulses of the worlds that have converged while others iterate, or of all once they
// have.
template <int W, bool fixed>
RIGID_INLINE void DirectJoints<W, fixed>::keep_found(Mask which, bool all) {
  for (Node& node : nodes_) {
    for (int i = 0; i < node.rows; ++i) {
      node.found[i] = all ? node.x[i] : select(which, node.x[i], node.found[i]);
    }
  }
}

template <int W, bool fixed>
void DirectJoints<W, fixed>::solve_active_set(State* states, bool relaxing) {
  const Number whole = 1, none = 0;
  for (AxialRow& row : axial_) row.acted = row.on;
  Number fewest = static_cast<double>(axial_.size() + 1), vain = 0;
  Mask open = !Mask{};
  for (int revision = 0;; ++revision) {
    bool same = factored_;
    for (const AxialRow& row : axial_) same = same && !any(row.on != row.factored);
    if (!same) factor();
    find_impulses(states, relaxing);
    if (axial_.empty()) {
      apply_impulses(states, open);
      break;
    }
    const bool leaving = find_leaving(states, relaxing, open);
    const Number count = leaving ? count_leaving(revision) : none;
    const Mask leave = count > none;
    if constexpr (W > 1) keep_found(open & !leave, revision == 0);
    open = open & leave;
    if (!any(open)) {
      for (Node& node : nodes_) {
        if (W == 1 || revision == 0) break;
        for (int i = 0; i < node.rows; ++i) node.x[i] = node.found[i];
      }
      break;
    }
    restore_velocities(states, open);
    const Mask fewer = count < fewest;
    fewest = select(fewer, count, fewest);
    vain = select(fewer, none, vain + whole);
    Mask first_alone{}, taken{};
    if (revision < constants::most_revisions) {
      first_alone = (!fewer) & (vain > Number(constants::most_vain_revisions));
    }
    for (AxialRow& row : axial_) {
      const Mask goes = open & row.leaves & !(first_alone & taken);
      taken = taken | row.leaves;
      if (!any(goes)) continue;
      if constexpr (!fixed) {
        if (nodes_[row.node].type->pulls) {
          ease_pull(nodes_[row.node]);
          continue;
        }
      }
      stand(states, row, row.next, goes);
    }
  }
  add_totals();
}

}  // namespace rigid

#endif
